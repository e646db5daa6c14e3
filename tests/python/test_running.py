# SPDX-License-Identifier: Apache-2.0
"""How work runs: threads, signals, forks, callbacks, memory. None of it changes a result."""

import concurrent.futures
import contextlib
import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mbn
from compare import same


@pytest.fixture(scope="module")
def big():
    """Takes seconds to fit: enough to be interrupted."""
    return np.random.default_rng(5).normal(size=(20_000, 60)).astype(np.float32)


def test_several_threads_at_once(rows, net, small):
    """Fits and transforms of one process do not disturb each other."""

    def work(number):
        other = mbn.MBNClustering(3, **small, n_jobs=1 + number % 2).fit(rows)
        return same(other.embedding_, net.embedding_) and same(net.transform(rows), net.embedding_)

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(18)))


@pytest.mark.slow
def test_the_gil_is_released(big):
    """Another Python thread makes progress while a fit is under way."""
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    mbn.MBN(n_clusterings=30, n_jobs=1).fit(big[:6000])
    seconds = time.perf_counter() - start
    stop.set()
    ticker.join()
    assert len(ticks) > 5 and max(np.diff([start, *ticks])) < 0.5 * seconds


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_more_threads_than_asked_for(big, n_jobs):
    """The library's threads beside those that were there, while a fit runs; the caller only waits."""
    peak = []
    stop = threading.Event()

    def count():
        while not stop.wait(0.002):
            peak.append(len(os.listdir("/proc/self/task")))

    mbn.MBN(n_clusterings=5, n_jobs=n_jobs).fit(big[:500])
    counter = threading.Thread(target=count)
    counter.start()
    time.sleep(0.05)
    before = max(peak)
    cpu, wall = time.process_time(), time.perf_counter()
    mbn.MBN(n_clusterings=40, n_jobs=n_jobs).fit(big[:6000])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    stop.set()
    counter.join()
    # The system lists a thread for a moment after it has ended, when the next may run already: 2 % of the looks on a
    # busy machine. A thread too many would be there in most of them.
    assert np.mean(np.array(peak) - before > n_jobs) < 0.15
    assert cpu <= 1.1 * n_jobs * wall + 0.1


def test_what_n_jobs_means(monkeypatch):
    from mbn._run import threads_of, usable_cores
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert threads_of(None) == threads_of(-1) == usable_cores()
    assert threads_of(3) == 3 and threads_of(-1000) == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "7")  # what joblib tells its workers
    assert threads_of(None) == 7 and threads_of(2) == 2 and threads_of(-1) == usable_cores()


def _fit_in_child(arguments):
    rows, small = arguments
    return mbn.MBNClustering(3, **small, n_jobs=2).fit(rows).embedding_


def test_after_fork(rows, net, small):
    """The parent has fitted (with threads) before; a forked child does the same."""
    mbn.MBNClustering(3, **small, engine="exact", n_jobs=2).fit(rows)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        made = pool.map_async(_fit_in_child, [(rows, small)] * 4).get(timeout=60)
    assert all(same(one, net.embedding_) for one in made)
    assert same(net.transform(rows), net.embedding_)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c(big, n_jobs):
    """SIGINT becomes KeyboardInterrupt within a second, and the estimator stays as it was."""
    net = mbn.MBN(n_clusterings=400, n_jobs=n_jobs, engine="exact")
    sent = []

    def interrupt():
        time.sleep(0.7)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        net.fit(big)
    late = time.perf_counter() - sent[0]
    sender.join()
    assert late < 1
    assert not hasattr(net, "model_")
    assert net.set_params(n_clusterings=5, engine="auto").fit(big[:200]).embedding_.shape == (200, 2)


@pytest.mark.slow
def test_ctrl_c_in_transform_leaves_the_model_alone(big):
    net = mbn.MBN(n_clusterings=200, engine="exact", n_jobs=1).fit(big[:2000])
    before = net.model_.to_bytes()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            net.transform(big)
    timer.join()
    assert net.model_.to_bytes() == before


def test_other_signals_are_handled_during_a_fit(big):
    """An alarm (as test runners set) reaches its Python handler, and its exception stops the fit."""

    def ring(*_):
        raise TimeoutError("the alarm")

    old = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="the alarm"):
            mbn.MBN(n_clusterings=400, engine="exact").fit(big)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_callback(rows, net, small):
    seen = []
    caller = threading.get_ident()

    def watch(progress):
        assert threading.get_ident() == caller
        seen.append(progress)

    watched = mbn.MBNClustering(3, **small, callback=watch).fit(rows)
    assert same(watched.embedding_, net.embedding_)
    assert seen and all(isinstance(one, mbn.Progress) for one in seen)
    overall = [one.overall for one in seen]
    assert overall == sorted(overall) and 0 <= overall[0] and overall[-1] <= 1


@pytest.mark.slow
def test_callback_sees_every_layer_of_a_long_fit(big):
    seen = []
    net = mbn.MBN(n_clusterings=60, callback=seen.append).fit(big[:5000])
    layers = {(one.layer, one.layers) for one in seen if one.layer}
    assert len(layers) >= len(net.layers_) // 2 and {many for _, many in layers} == {len(net.layers_)}


def test_a_callback_can_stop_the_work(big):
    class Enough(Exception):
        pass

    def stop(progress):
        raise Enough(progress.stage)

    net = mbn.MBN(n_clusterings=400, engine="exact", callback=stop)
    start = time.perf_counter()
    with pytest.raises(Enough):
        net.fit(big)
    assert time.perf_counter() - start < 5
    assert not hasattr(net, "model_")


@pytest.mark.parametrize("cls", [mbn.MBN, mbn.MBNClustering])
def test_an_interrupted_fit_goes_on(cls, rows, small, tmp_path):
    """Stopped in its third layer, it continues there and ends with the same bytes."""
    path = tmp_path / "fit.checkpoint"
    whole = cls(n_clusters=3, **small).fit(rows)

    def stop(progress):
        if progress.layer == 3 and path.exists():
            raise KeyboardInterrupt

    net = cls(n_clusters=3, checkpoint=path, **small)
    started = net.set_params(callback=stop)
    for _ in range(50):  # so short a fit may be over before it hears that it should stop
        if not path.exists():
            with contextlib.suppress(KeyboardInterrupt):
                started.fit(rows)
    assert path.exists()
    with pytest.raises(ValueError, match="checkpoint"):
        net.set_params(callback=None, decay=0.7).fit(rows)
    seen = []
    net.set_params(decay=0.5, callback=seen.append).fit(rows)
    assert net.model_.to_bytes() == whole.model_.to_bytes() and not path.exists()
    assert seen[0].layer != 1 and 1 not in {one.layer for one in seen}


def test_verbose_with_tqdm(rows, small, capsys):
    pytest.importorskip("tqdm")
    mbn.MBN(**small, verbose=1).fit(rows)
    shown = capsys.readouterr()
    assert "MBN.fit: 100%" in shown.err and shown.out == ""


def test_verbose_without_tqdm(rows, small, capsys, monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    mbn.MBN(**small, verbose=1).fit(rows)
    shown = capsys.readouterr()
    assert "MBN.fit: [" in shown.err and shown.out == ""
    assert shown.err.split("\r")[-1].startswith(f"MBN.fit: [{28 * chr(35)}] 100%"), "it ends full"


def test_silent_by_default(rows, small, capfd):
    mbn.MBN(**small).fit(rows).transform(rows)
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err == ""


def resident_bytes():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.slow
def test_memory_is_given_back(rows):
    """100 fits of a model of most of a megabyte: what remains is less than ten of them."""
    wide = np.tile(rows, (1, 50))

    def fit():
        net = mbn.MBN(n_clusterings=24, n_directions=None, n_jobs=1).fit(wide)
        net.transform(wide)
        return net.model_.nbytes

    for _ in range(10):
        size = fit()
    before = resident_bytes()
    for _ in range(100):
        fit()
    assert size > 500_000
    assert resident_bytes() - before < 10 * size


def test_failed_work_gives_memory_back(rows, small):
    wide = np.tile(rows, (2, 40)).astype(np.float64)
    wide[-1, -1] = np.nan
    for _ in range(20):
        with pytest.raises(ValueError):
            mbn.MBN(**small).fit(wide)
    before = resident_bytes()
    for _ in range(100):
        with pytest.raises(ValueError):
            mbn.MBN(**small).fit(wide)
    assert resident_bytes() - before < wide.nbytes


def test_the_processor_target():
    """The tool and the package use the same one, MBN_TARGET forces one, and a wrong one fails the import."""
    ask = [sys.executable, "-c", "import mbn; print(mbn.processor_target())"]
    assert subprocess.run(ask, capture_output=True, text=True).stdout.strip() == mbn.processor_target()
    asked = {**os.environ, "MBN_TARGET": mbn.processor_target()}
    assert subprocess.run(ask, env=asked, capture_output=True, text=True).stdout.strip() == mbn.processor_target()
    refused = subprocess.run(ask, env={**asked, "MBN_TARGET": "AVX9"}, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "ImportError" in refused.stderr and "MBN_TARGET is 'AVX9'" in refused.stderr
