# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and SIGTERM at moments spread over the whole run of every verb: it ends soon, and leaves no half file.

One moment of each verb in the suite. `MBN_SIGNALS=20 pytest -s tests/faults/test_signals.py` takes twenty of each and prints the
longest wait of every verb; "soon" is one second then, which wants a machine that does nothing else.
"""

import os
import signal
import subprocess
import time

import numpy as np
import pytest

MOMENTS = int(os.environ.get("MBN_SIGNALS", "1"))
# Seconds that the tool has to end. It gives itself 0.7; on a busy machine the clock goes on while others work.
PATIENCE = 1.0 if "MBN_SIGNALS" in os.environ else 5.0
FEWER = ["--clusterings", 60]
# Verb and arguments; inputs lie in the folder above. Each takes a second or more on one core.
COMMANDS = {
    "choosing": ["cluster", "../few.npy", "--decay", "auto", "--scale", "auto", *FEWER, "-o", "out.npy"],
    "fit": ["fit", "../rows.npy", "--clusters", 5, *FEWER, "--map", 2, "-o", "m.mbn"],
    "fit of directions": ["fit", "../wide.npy", "--clusters", 5, *FEWER, "-o", "m.mbn"],
    "exact": ["fit", "../rows.npy", "--engine", "exact", *FEWER, "-o", "m.mbn"],
    "dense eigenvalues": ["embed", "../fewest.npy", "--solver", "kernel", "--centroids", 60, *FEWER, "-o", "out.npy"],
    "tree": ["cluster", "../few.npy", "--clusters", 5, *FEWER, "--tree", "tree.json", "-o", "out.npy"],
    "map": ["map", "../rows.npy", *FEWER, "-o", "out.csv", "--plot", "map.svg"],
    "report": ["report", "../net.mbn", "../rows.npy", "-o", "page.html"],
    "transform": ["transform", "../net.mbn", "../many.npy", "-o", "out.npy"],
    "transform to the map": ["transform", "../net.mbn", "../many.npy", "--map", "-o", "out.npy"],
    "predict": ["predict", "../net.mbn", "../many.npy", "-o", "out.csv"],
    "outliers": ["predict", "../net.mbn", "../many.npy", "--outliers", "odd.csv", "-o", "out.csv"],
    "describe": ["describe", "../net.mbn", "../many.npy", "-o", "out.json"],
    "update": ["update", "../net.mbn", "../many.npy", "-o", "m.mbn"],
    "recluster": ["recluster", "../net.mbn", "--clusters", 40, "-o", "out.npy", "--model", "m.mbn"],
    "evaluate": ["evaluate", "../many.npy", "--data", "../many.npy", "--truth", "../many-labels.npy"],
    "k-means": ["cluster", "../rows.npy", "--clusters", 100, "--raw", "--restarts", 200, "-o", "out.npy"],
    "vectorize": ["vectorize", "../texts.txt", "-o", "words.npz"],
    "lsa": ["lsa", "../texts.npz", "--components", 60, "-o", "out.npy"],
    "index": ["index", "../texts.txt", "-o", "texts.index"],
    "known items": ["evaluate", "../texts.index", "--known-items", "../texts.txt"],
    "compress": ["compress", "../net.mbn", "../rows.npy", "--size", "small", "--epochs", 30, "-o", "small.onnx"],
}
# These keep what they have when they are interrupted.
KEEPS = {"compress": {"small.onnx"}}


@pytest.fixture(scope="module")
def inputs(mbn, tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    mbn("generate", "gaussians", "-n", 6000, "--columns", 16, "--clusters", 5, "-o", folder / "rows.npy")
    rows = np.load(folder / "rows.npy")
    random = np.random.default_rng(0)
    np.save(folder / "few.npy", rows[:1200])
    np.save(folder / "fewest.npy", rows[:1000])  # more are not taken by the dense solver
    np.save(folder / "many.npy", np.tile(rows, (4, 1)) + random.normal(size=(24_000, 16)).astype(np.float32) / 50)
    np.save(folder / "many-labels.npy", random.integers(5, size=24_000))
    np.save(folder / "wide.npy", (rows @ random.normal(size=(16, 300))).astype(np.float32))
    mbn("fit", folder / "rows.npy", "--clusters", 5, *FEWER, "--map", 2, "-o", folder / "net.mbn")
    words = [f"{first}{second}" for first in "brcldmtsp" for second in ("ane", "oil", "ump", "ash", "ink", "old")]
    texts = [" ".join(random.choice(words, 40)) for _ in range(5_000)]
    (folder / "texts.txt").write_text("\n".join(texts) + "\n")
    mbn("vectorize", folder / "texts.txt", "-o", folder / "texts.npz")
    mbn("index", folder / "texts.txt", *FEWER, "-o", folder / "texts.index")
    return folder


def run(mbn, folder, arguments, wait=None, number=None):
    """Seconds of a run, or from the signal to the end; the exit code; what is left in the folder."""
    folder.mkdir()
    began = time.monotonic()
    process = subprocess.Popen(mbn.command(*arguments), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    if wait is not None:
        try:
            process.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            began = time.monotonic()
    try:
        _, said = process.communicate(timeout=120 if wait is None else 30)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return time.monotonic() - began, process.returncode, said.decode(), {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_ends_it_soon(mbn, inputs, name):
    arguments = COMMANDS[name]
    place = inputs / name.replace(" ", "-")
    whole, code, said, outputs = run(mbn, place, arguments)
    assert code == 0, said
    longest = 0
    for moment in range(MOMENTS):
        number = (signal.SIGINT, signal.SIGTERM)[(moment + len(name)) % 2]
        waited, code, said, left = run(mbn, inputs / f"{place.name}-{moment}", arguments,
                                       whole * (moment + 0.5) / MOMENTS, number)
        assert code in (0, 130, -number), (moment, code, said)
        assert left <= outputs, (moment, left)
        if code != 0:
            assert left <= KEEPS.get(name, set()) or left < outputs, (moment, left)
        longest = max(longest, waited if code != 0 else 0)
    print(f"{name:22} runs {whole:6.2f} s, ends {longest:5.2f} s after a signal at the latest ({MOMENTS} moments)")
    assert longest < PATIENCE
