# SPDX-License-Identifier: Apache-2.0
"""mbn.dask: rows on many machines, the same bytes."""

import os
import pickle
import time

import numpy as np
import pytest

import mbn

dask = pytest.importorskip("dask", reason="dask is not installed")
pytest.importorskip("distributed", reason="distributed is not installed")
pytest.importorskip("pandas", reason="dask's dataframes need pandas")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import pandas as pd  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

import mbn.dask  # noqa: E402

ROWS = 10_000
FIRST = [89, 123, 350, 549, 669]  # of 1,000 rows, seed 0
SMALL = {"n_clusterings": 20, "restarts": 3, "random_state": 4, "pool": 500, "map": 2}


@pytest.fixture(scope="module")
def data():
    rows, _ = mbn.generate("gaussians", rows=ROWS, columns=8, n_clusters=3, random_state=2)
    return np.asarray(rows, np.float32)


class One:
    """What one process says: a network of the pool, and all rows through it."""

    def __init__(self, rows, **more):
        parameters = {**SMALL, **more}
        self.net = mbn.MBNClustering(3, **parameters).fit(rows)
        self.model = self.net.model_.to_bytes()
        found = self.net.assign(rows)
        assert same(self.net.labels_, found.labels) and same(self.net.embedding_, self.net.transform(rows))
        self.labels, self.probabilities, self.confidence = found.labels, found.probabilities, found.confidence
        self.embedding, self.map = self.net.transform(rows), self.net.transform_map(rows)


@pytest.fixture(scope="module")
def one(data):
    return One(data)


def same(left, right):
    left = np.asarray(left)
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


def check(net, X, one):
    """All that it says is what one process says, to the last bit."""
    assert net.model_.to_bytes() == one.model
    found = dask.compute(net.transform(X), net.predict(X), net.transform_map(X), net.probabilities(X),
                         net.confidence(X), net.labels_, net.embedding_, net.map_)
    wanted = (one.embedding, one.labels, one.map, one.probabilities, one.confidence, one.labels, one.embedding, one.map)
    for left, right in zip(found, wanted):
        assert same(left, right)


def test_the_pool():
    for rows, pool in ((10, 3), (5000, 4999), (3_000_000, 1000)):
        numbers = mbn.dask.pool_rows(rows, pool, 7)
        assert len(numbers) == pool == len(set(numbers.tolist())) and (np.diff(numbers) > 0).all()
        assert 0 <= numbers[0] and numbers[-1] < rows
        assert (mbn.dask.pool_rows(rows, pool, 7) == numbers).all()
        assert (mbn.dask.pool_rows(rows, pool, 8) != numbers).any()
    assert mbn.dask.pool_rows(50, 50).tolist() == list(range(50))
    assert len(mbn.dask.pool_rows(100_001)) == 100_000
    # Never other numbers, whatever NumPy does: they decide the network.
    assert mbn.dask.pool_rows(1000, 5, 0).tolist() == FIRST
    # More rows: most of the pool stays. Every row is as likely as any other.
    before, after = mbn.dask.pool_rows(10_000, 1000), mbn.dask.pool_rows(10_100, 1000)
    assert len(np.intersect1d(before, after)) > 970
    counts = np.bincount(np.concatenate([mbn.dask.pool_rows(40, 10, seed) for seed in range(2000)]), minlength=40)
    assert abs(counts - 500).max() < 100  # five deviations


UNEVEN = (1, 2499, 700, 0, 4300, 2500)


@pytest.mark.parametrize("chunks", [1000, 7777, ROWS, UNEVEN])
def test_chunks_change_nothing(data, one, chunks):
    X = da.from_array(data, chunks=(chunks, 8))
    check(mbn.dask.MBNClustering(3, **SMALL).fit(X), X, one)


def test_columns_in_several_chunks(data, one):
    X = da.from_array(data, chunks=(1000, 3))
    check(mbn.dask.MBNClustering(3, **SMALL).fit(X), X, one)


def test_unknown_chunk_sizes(data, one):
    X = da.from_array(data, chunks=(900, 8))
    X = X[da.ones(ROWS, dtype=bool, chunks=900)]
    assert np.isnan(X.chunks[0][0])
    net = mbn.dask.MBNClustering(3, **SMALL).fit(X)
    lazy = net.transform(X)
    assert np.isnan(lazy.chunks[0][0]) and lazy.chunks[1] == (3,)
    check(net, X, one)


@pytest.mark.parametrize("kind", ["sparse", "cosine"])
def test_sparse_and_cosine(data, kind):
    if kind == "cosine":
        X = da.from_array(data, chunks=(1111, 8))
        net = mbn.dask.MBNClustering(3, metric="cosine", **SMALL).fit(X)
        return check(net, X, One(data, metric="cosine"))
    wide = np.random.default_rng(1).random((2000, 60)).astype(np.float32)
    wide[wide < 0.95] = 0
    wide[:, 0] = 1
    rows = sp.csr_matrix(wide)
    blocks = [dask.delayed(rows[first:first + 300]) for first in range(0, 2000, 300)]
    parts = [da.from_delayed(block, shape=(min(300, 2000 - 300 * i), 60), dtype=np.float32, meta=sp.csr_matrix((0, 60)))
             for i, block in enumerate(blocks)]
    X = da.concatenate(parts)
    check(mbn.dask.MBNClustering(3, **SMALL).fit(X), X, One(rows))


def test_what_needs_all_rows_is_refused(data):
    X = da.from_array(data, chunks=(1000, 8))
    with pytest.raises(ValueError, match="needs all rows in one place"):
        mbn.dask.MBN(metric="precomputed").fit(X)
    with pytest.raises(ValueError, match="minimum of 2"):
        mbn.dask.MBN().fit(X[:1])
    with pytest.raises(ValueError, match="Expected 2D array"):
        mbn.dask.MBN().fit(X[:, 0])


def test_all_rows_when_they_are_few(data):
    X = da.from_array(data[:400], chunks=(150, 8))
    check(mbn.dask.MBNClustering(3, **SMALL).fit(X), X, One(data[:400]))
    whole = mbn.MBNClustering(3, **SMALL).fit(data[:400])
    assert One(data[:400]).model == whole.model_.to_bytes()


def test_meta_and_shape(data):
    X = da.from_array(data, chunks=(1000, 8))
    net = mbn.dask.MBN(n_clusters=3, **SMALL).fit(X)
    lazy = net.transform(X)
    assert lazy.shape == (ROWS, 3) and lazy.dtype == np.float32 and lazy.chunks == (X.chunks[0], (3,))
    assert isinstance(net.embedding_, da.Array) and net.embedding_.shape == (ROWS, 3)
    places = mbn.dask.MBNMap(**{key: value for key, value in SMALL.items() if key != "map"}).fit_transform(X)
    assert places.shape == (ROWS, 2) and places.compute().shape == (ROWS, 2)
    assert net.transform(data[:5]).shape == (5, 3)  # other rows go the usual way
    with pytest.raises(ValueError, match="expecting 8 features"):
        net.transform(X[:, :5])
    with pytest.raises(TypeError, match="dask collections"):
        net.apply(X)


def test_frames(data, one):
    frame = pd.DataFrame(data, columns=[f"c{i}" for i in range(8)], index=np.arange(ROWS) * 2)
    X = dd.from_pandas(frame, npartitions=5)
    net = mbn.dask.MBNClustering(3, **SMALL).fit(X)
    labels = net.predict(X)
    assert labels.dtype == np.int32
    found = labels.compute()
    assert (found.to_numpy() == one.labels).all() and (found.index == frame.index).all()
    embedded = net.transform(X)
    assert list(embedded.columns) == ["mbnclustering0", "mbnclustering1", "mbnclustering2"]
    assert same(embedded.compute().to_numpy(), one.embedding)
    assert same(net.labels_.compute().to_numpy(), one.labels)


@pytest.mark.filterwarnings("ignore::mbn.MBNNote")
def test_frames_with_words():
    random = np.random.default_rng(3)
    colours = random.choice(["red", "green", "blue"], 900).astype(object)
    drawn = mbn.dask.pool_rows(900, 200, 4)
    colours[next(i for i in range(900) if i not in set(drawn.tolist()))] = "violet"  # no level of the network's
    frame = pd.DataFrame({"size": random.normal(size=900), "colour": colours})
    small = {**SMALL, "pool": 200}
    one = mbn.MBNClustering(3, **small).fit(frame)
    X = dd.from_pandas(frame, npartitions=4)
    net = mbn.dask.MBNClustering(3, **small).fit(X)
    assert net.model_.to_bytes() == one.model_.to_bytes()
    assert (net.predict(X).compute().to_numpy() == one.predict(frame)).all()


@pytest.mark.parametrize("outside", [False, True])
def test_a_bad_row_has_its_number_among_all(data, outside):
    bad = data.copy()
    drawn = mbn.dask.pool_rows(ROWS, SMALL["pool"], SMALL["random_state"])
    row = next(i for i in range(3000, ROWS) if (i in set(drawn.tolist())) != outside)
    bad[row, 2] = np.nan
    X = da.from_array(bad, chunks=(700, 8))
    if not outside:
        with pytest.raises(ValueError, match=f"row {row + 1},"):
            mbn.dask.MBNClustering(3, **SMALL).fit(X)
        return
    net = mbn.dask.MBNClustering(3, **SMALL).fit(X)
    with pytest.raises(ValueError, match=f"row {row + 1},"):
        net.predict(X).compute()
    unknown = X[da.ones(ROWS, dtype=bool, chunks=700)]
    with pytest.raises(ValueError, match=f"row {row % 700 + 1} of block {row // 700 + 1},"):
        net.predict(unknown).compute()


def test_another_version_is_refused(data, one, monkeypatch):
    X = da.from_array(data, chunks=(3000, 8))
    net = mbn.dask.MBNClustering(3, **SMALL).fit(X)
    lazy = net.predict(X)
    monkeypatch.setattr(mbn.dask._core, "__version__", "0.0.1")
    with pytest.raises(RuntimeError, match="this worker has mbn 0.0.1, but the network comes from mbn"):
        lazy.compute(scheduler="sync")


def test_the_graph_holds_the_network_once(data):
    """10,000 chunks: built in seconds, and no larger than the network and some words for each task."""
    X = da.zeros((1_000_000, 8), chunks=(100, 8), dtype=np.float32)
    net = mbn.dask.MBNClustering(3, **SMALL).fit(da.from_array(data, chunks=(1000, 8)))
    start = time.perf_counter()
    lazy = net.transform(X)
    graph = dict(lazy.__dask_graph__())
    seconds = time.perf_counter() - start
    assert len(graph) >= 10_000 and seconds < 5
    size = len(pickle.dumps(net.model_.to_bytes()))
    import cloudpickle
    assert len(cloudpickle.dumps(graph)) < size + 10_000 * 1500


def test_it_is_pickled_and_saved(data, one, tmp_path):
    X = da.from_array(data, chunks=(1000, 8))
    net = mbn.dask.MBNClustering(3, **SMALL).fit(X)
    net.save(tmp_path / "net.mbn")
    again = mbn.dask.MBNClustering.load(tmp_path / "net.mbn")
    assert same(again.predict(X).compute(), one.labels)
    assert (mbn.load(tmp_path / "net.mbn").predict(data) == one.labels).all()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_change_nothing(data, one, workers):
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            Client(cluster):
        for chunks in (1000, 7777, UNEVEN):
            X = da.from_array(data, chunks=(chunks, 8))
            check(mbn.dask.MBNClustering(3, **SMALL).fit(X), X, one)


def slowly(block):
    time.sleep(0.2)
    return block


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["fit", "transform"])
def test_a_worker_that_dies(data, one, moment):
    """Its blocks are made again elsewhere, and the answer is the same."""
    import threading
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            Client(cluster) as client:
        X = da.from_array(data, chunks=(250, 8))
        X = X.map_blocks(slowly, dtype=np.float32, meta=np.empty((0, 8), np.float32))

        def kill():
            time.sleep(0.8)
            pid = next(iter(client.run(os.getpid).values()))
            os.kill(pid, 9)
            killed.append(pid)

        def with_a_death(work):
            killer = threading.Thread(target=kill)
            killer.start()
            done = work()
            assert killed, "it was over before the worker died"
            killer.join()
            return done

        killed = []

        net = mbn.dask.MBNClustering(3, **SMALL)
        if moment == "fit":
            with_a_death(lambda: net.fit(X))
        else:
            net.fit(X)
            labels = with_a_death(lambda: net.predict(X).compute())
            assert labels.tobytes() == one.labels.tobytes()
        assert net.model_.to_bytes() == one.model
