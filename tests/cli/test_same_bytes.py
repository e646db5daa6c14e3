# SPDX-License-Identifier: Apache-2.0
"""One seed, one answer: threads, memory, batches and order of rows change no byte."""

import json

import numpy as np
import pytest

OPTIONS = ["--clusters", 3, "--clusterings", 24, "--restarts", 4, "--decay", 0.5]


@pytest.fixture(scope="module", params=["float32", "uint8", "cosine"])
def data(request, mbn, tmp_path_factory):
    """Enough rows for several batches, fitted on one thread."""
    folder = tmp_path_factory.mktemp(request.param)
    random = np.random.default_rng(8)
    centres = random.uniform(40, 200, (3, 12))
    rows = centres[random.integers(0, 3, 700)] + random.normal(0, 14, (700, 12))
    rows = rows.clip(0, 255).astype(np.uint8 if request.param == "uint8" else np.float32)
    np.save(folder / "rows.npy", rows)
    options = [*OPTIONS, *(["--metric", "cosine", "--scale", "standard"]
                           if request.param == "cosine" else ["--scale", "none"])]
    return run_all(mbn, folder, rows, options, "first", "--threads", 1)


class Run:
    def __init__(self, folder, rows, options, name):
        self.folder, self.rows, self.options = folder, rows, options
        self.data = folder / "rows.npy"
        self.labels, self.model, self.embedding = (
            folder / f"{name}{ending}" for ending in (".npy", ".mbn", "-map.npy"))

    def bytes(self):
        return [path.read_bytes() for path in (self.labels, self.model, self.embedding)]


def run_all(mbn, folder, rows, options, name, *how):
    run = Run(folder, rows, options, name)
    mbn("cluster", run.data, *options, *how, "-o", run.labels, "--model", run.model, "--embedding",
        run.embedding, "--force")
    return run


def transform(mbn, data, tmp_path, rows, *options):
    np.save(tmp_path / "in.npy", rows)
    mbn("transform", data.model, tmp_path / "in.npy", "-o", tmp_path / "out.npy", "--force",
        *options)
    return np.load(tmp_path / "out.npy")


def test_threads(mbn, data):
    for threads in (2, 3):
        other = run_all(mbn, data.folder, data.rows, data.options, f"t{threads}", "--threads",
                        threads)
        assert other.bytes() == data.bytes()


def plan(mbn, data, *how):
    return json.loads(mbn("plan", data.data, *data.options, *how, "--json").stdout)


def test_memory_limit(mbn, data):
    """Limits that force smaller batches, from just below the usual peak to the least."""
    usual = plan(mbn, data, "--threads", 2)
    batches = set()
    for share in (0.95, 0.85, 0.76):
        limit = int(share * usual["peak_bytes"])
        batch = plan(mbn, data, "--threads", 2, "--memory-limit", limit)["batch_rows"]
        assert batch < usual["batch_rows"]
        if batch in batches:
            continue
        batches.add(batch)
        other = run_all(mbn, data.folder, data.rows, data.options, f"b{batch}", "--threads", 2,
                        "--memory-limit", limit)
        assert other.bytes() == data.bytes()
    assert batches


def test_fit_then_transform_is_embed(mbn, data, tmp_path):
    model, first, second, third = (tmp_path / name for name in ("m.mbn", "a.npy", "b.npy", "c.npy"))
    mbn("embed", data.data, *data.options, "-o", first)
    mbn("fit", data.data, *data.options, "-o", model)
    mbn("transform", model, data.data, "-o", second)
    # A batch of few rows: a quarter of the limit is for codes, two bytes each, two layers.
    mbn("transform", model, data.data, "-o", third, "--memory-limit", 4 * 4 * 24 * 50)
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    assert first.read_bytes() == data.embedding.read_bytes()
    assert model.read_bytes() == data.model.read_bytes()


def test_predict_is_cluster(mbn, data, tmp_path):
    mbn("predict", data.model, data.data, "-o", tmp_path / "labels.npy", "--threads", 2)
    assert (tmp_path / "labels.npy").read_bytes() == data.labels.read_bytes()


def test_a_row_alone(mbn, data, tmp_path):
    whole = np.load(data.embedding)
    for row in (0, 333, 699):
        alone = transform(mbn, data, tmp_path, data.rows[row:row + 1])
        assert alone.tobytes() == whole[row:row + 1].tobytes()


def test_rows_in_another_order(mbn, data, tmp_path):
    order = np.random.default_rng(3).permutation(len(data.rows))[:300]
    moved = transform(mbn, data, tmp_path, data.rows[order], "--threads", 2)
    assert moved.tobytes() == np.load(data.embedding)[order].tobytes()


def test_codes_and_lower_maps(mbn, data, tmp_path):
    for options in (["--codes"], ["--codes", "--layer", 1], ["--layer", 2]):
        whole = transform(mbn, data, tmp_path, data.rows, "--threads", 1, *options)
        part = transform(mbn, data, tmp_path, data.rows[100:110], "--threads", 2, *options)
        assert part.tobytes() == whole[100:110].tobytes()


def test_transform_leaves_the_model_alone(mbn, data, tmp_path):
    before = data.model.read_bytes()
    transform(mbn, data, tmp_path, data.rows[:20])
    assert data.model.read_bytes() == before


def test_another_seed_is_another_model(mbn, data, tmp_path):
    mbn("fit", data.data, *data.options, "--seed", 1, "-o", tmp_path / "m.mbn")
    assert (tmp_path / "m.mbn").read_bytes() != data.model.read_bytes()


def test_raw_kmeans(mbn, data, tmp_path):
    for threads in (1, 2):
        mbn("cluster", data.data, "--clusters", 3, "--restarts", 4, "--raw", "--threads", threads,
            "-o", tmp_path / f"{threads}.npy")
    assert (tmp_path / "1.npy").read_bytes() == (tmp_path / "2.npy").read_bytes()


def test_solvers_agree(mbn, data, tmp_path):
    maps = []
    for solver in ("kernel", "em", "lanczos"):
        mbn("embed", data.data, *data.options, "--solver", solver, "-o", tmp_path / f"{solver}.npy")
        maps.append(np.load(tmp_path / f"{solver}.npy"))
    spread = maps[0].std(axis=0)
    for other in maps[1:]:
        assert (np.abs(other - maps[0]).max(axis=0) < 1e-3 * spread).all()
