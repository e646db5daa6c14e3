# SPDX-License-Identifier: Apache-2.0
"""Rows in batches: the bytes of all rows at once, in memory for a batch; parts, many files, going on."""

import json
import os
import signal
import subprocess
import time
from types import SimpleNamespace

import numpy as np
import pytest

BATCHES = (1, 7, 1000)
SMALL = ["--clusters", 3, "--clusterings", 12, "--restarts", 3, "--map", 2]
ROWS = 300
POOL = 120


def numbers(seed=3, rows=ROWS):
    random = np.random.default_rng(seed)
    centres = random.uniform(20, 90, (3, 6))
    return (centres[random.integers(0, 3, rows)] + random.normal(0, 6, (rows, 6))).astype(np.float32)


def write_csv(path, rows, with_words=False, with_gaps=False, with_ids=False):
    random = np.random.default_rng(5)
    lines = [",".join((["name"] if with_ids else []) + [f"c{i}" for i in range(rows.shape[1])]
                      + (["colour"] if with_words else []))]
    for number, row in enumerate(rows):
        cells = [f"row {number}"] if with_ids else []
        cells += ["" if with_gaps and random.random() < 0.1 else repr(float(cell)) for cell in row]
        if with_words:
            cells.append(random.choice(["red", "green", "blue"]))
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")
    return path


KINDS = {
    "npy": ([], {}), "double": ([], {}), "uint8": ([], {}), "cosine": (["--metric", "cosine"], {}),
    "scaled": (["--scale", "standard"], {}), "sparse": ([], {}), "csv": ([], {}),
    "ids": (["--id-column", "name"], {"with_ids": True}), "words": ([], {"with_words": True}),
    "means": (["--missing", "mean"], {"with_gaps": True}),
    "partial": (["--missing", "partial"], {"with_gaps": True}),
}


@pytest.fixture(scope="module", params=list(KINDS))
def data(request, mbn, tmp_path_factory):
    """A file of each kind, how to read it, a model of it, and what all rows at once give."""
    kind = request.param
    folder = tmp_path_factory.mktemp(kind)
    options, how = KINDS[kind]
    rows = numbers()
    path = folder / "rows.npy"
    if kind in ("csv", "ids", "words", "means", "partial"):
        path = write_csv(folder / "rows.csv", rows, **how)
    elif kind == "sparse":
        rows[np.random.default_rng(1).random(rows.shape) < 0.8] = 0
        path = folder / "rows.npz"
        starts = np.concatenate([[0], np.cumsum((rows != 0).sum(axis=1))])
        np.savez(path, data=rows[rows != 0], indices=np.nonzero(rows)[1], indptr=starts, shape=rows.shape,
                 format=np.array(b"csr"))
    else:
        np.save(path, rows.astype({"uint8": np.uint8, "double": np.float64}.get(kind, np.float32)))
    reading = options if kind == "ids" else []
    files = SimpleNamespace(kind=kind, folder=folder, path=path, options=options, reading=reading,
                            model=folder / "m.mbn", ending=".csv" if kind == "ids" else ".npy")
    mbn("fit", path, *SMALL, *options, "-o", files.model)
    return files


def outputs(mbn, data, folder, name, *how):
    """Every table that transform and predict write, as bytes."""
    found = {}
    for verb, more in (("transform", []), ("transform", ["--map"]), ("transform", ["--codes"]), ("predict", [])):
        path = folder / f"{name}-{verb}{''.join(more)}{data.ending}"
        mbn(verb, data.model, data.path, *data.reading, *more, *how, "-o", path)
        found[verb, *more] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def whole(mbn, data):
    """In one batch."""
    return outputs(mbn, data, data.folder, "whole")


@pytest.mark.parametrize("batch", BATCHES)
def test_batches(mbn, data, whole, tmp_path, batch):
    assert outputs(mbn, data, tmp_path, "b", "--batch", batch, "--threads", 1 + batch % 3) == whole


def test_without_batches(mbn, data, whole, tmp_path):
    """A picture needs all rows at once."""
    path = tmp_path / f"e{data.ending}"
    mbn("transform", data.model, data.path, *data.reading, "-o", path, "--plot", tmp_path / "p.svg")
    assert path.read_bytes() == whole["transform",]


def pooled(mbn, data, folder, name, *how):
    """All that a fit of a pool gives: tables of `cluster` and of `map`, and both models."""
    options = [*SMALL, *data.options, "--pool", POOL, "--seed", 4]
    paths = [folder / f"{name}{ending}" for ending in
             (f"-l{data.ending}", f"-e{data.ending}", f"-c{data.ending}", f"-p{data.ending}", ".mbn", f"-m{data.ending}",
              "-map.mbn")]
    mbn("cluster", data.path, *options, *how, "-o", paths[0], "--embedding", paths[1], "--confidence", paths[2],
        "--probabilities", paths[3], "--model", paths[4])
    mbn("map", data.path, *options, *how, "-o", paths[5], "--model", paths[6])
    return [path.read_bytes() for path in paths]


def test_pool(mbn, data, tmp_path):
    """The others go through a network of the pool: the same whether they are in memory or not."""
    whole = pooled(mbn, data, tmp_path, "whole", "--plot", tmp_path / "p.svg", "--force")
    for batch in BATCHES:
        assert pooled(mbn, data, tmp_path, f"b{batch}", "--batch", batch, "--threads", 1 + batch % 3) == whole


def test_fit_of_the_pool(mbn, data, tmp_path):
    """`fit` reads the rows of the pool only, and later verbs give what `cluster` gave."""
    whole = pooled(mbn, data, tmp_path, "whole")
    mbn("fit", data.path, *SMALL, *data.options, "--pool", POOL, "--seed", 4, "-o", tmp_path / "f.mbn")
    assert (tmp_path / "f.mbn").read_bytes() == whole[4]
    mbn("predict", tmp_path / "f.mbn", data.path, *data.reading, "-o", tmp_path / f"f{data.ending}")
    assert (tmp_path / f"f{data.ending}").read_bytes() == whole[0]


def test_the_pool_decides(mbn, save, tmp_path):
    """A network of the pool is that of a file with these rows alone."""
    rows = numbers(rows=400)
    rows[:, 2] *= 100
    keys = (np.arange(400, dtype=np.uint64) + np.uint64((7 * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) % 2**64))
    with np.errstate(over="ignore"):
        keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    keys ^= keys >> np.uint64(31)
    drawn = np.sort(np.argsort(keys)[:90])
    options = [*SMALL, "--scale", "standard", "--pool", 90, "--seed", 7]
    mbn("fit", save(rows, "all.npy"), *options, "-o", tmp_path / "all.mbn")
    mbn("fit", save(rows[drawn], "pool.npy"), *options, "-o", tmp_path / "pool.mbn")
    assert (tmp_path / "all.mbn").read_bytes() == (tmp_path / "pool.mbn").read_bytes()


def test_standard_input(mbn, shared, tmp_path):
    found = subprocess.run(mbn.command("transform", shared.model, "-", "--batch", 7),
                           stdin=open(shared.csv, "rb"), capture_output=True, text=True, check=True)
    assert found.stdout == mbn("transform", shared.model, shared.csv).stdout
    array = subprocess.run(mbn.command("predict", shared.model, "-", "--batch", 7, "-o", tmp_path / "l.npy"),
                           stdin=open(shared.rows, "rb"), capture_output=True, check=True)
    assert array.stdout == b""
    mbn("predict", shared.model, shared.rows, "-o", tmp_path / "w.npy")
    assert (tmp_path / "l.npy").read_bytes() == (tmp_path / "w.npy").read_bytes()


@pytest.mark.parametrize("ending", [".npy", ".csv", ".tsv"])
def test_rows_and_concat(mbn, shared, tmp_path, ending):
    parts = []
    for i, rows in enumerate(("0:50", "50:51", "51:130", "130:", )):
        parts.append(tmp_path / f"part-{i}{ending}")
        mbn("transform", shared.model, shared.csv, "--rows", rows, "--batch", 20, "-o", parts[-1])
    mbn("transform", shared.model, shared.csv, "-o", tmp_path / f"whole{ending}")
    mbn("concat", *parts, "-o", tmp_path / f"joined{ending}")
    mbn("concat", tmp_path / f"part-*{ending}", "-o", tmp_path / f"like{ending}")
    for name in ("joined", "like"):
        assert (tmp_path / f"{name}{ending}").read_bytes() == (tmp_path / f"whole{ending}").read_bytes()
    said = mbn("predict", shared.model, shared.rows, "--rows", "100:1000", "-o", tmp_path / "l.npy", "--json").stdout
    assert json.loads(said)["rows"] == 60
    assert "row 160" in mbn("predict", shared.model, shared.rows, "--rows", "160:", code=2).stderr
    for wrong in ("5", "7:7", "9:3", "-1:4", "a:b"):
        assert "0:1000" in mbn("predict", shared.model, shared.rows, f"--rows={wrong}", code=2).stderr
    other = tmp_path / f"other{ending}"
    mbn("transform", shared.model, shared.rows, "--codes", "--rows", ":5", "-o", other)
    assert "alike" in mbn("concat", parts[0], other, "-o", tmp_path / f"no{ending}", code=1).stderr
    assert not (tmp_path / f"no{ending}").exists()


def test_many_files(mbn, data, whole, tmp_path):
    """A folder, a pattern and a list of files are one table."""
    if data.kind == "sparse":
        assert "as one" in mbn("transform", data.model, data.path, data.path, code=2).stderr
        return
    folder = tmp_path / "rows"
    folder.mkdir()
    edges = (0, 100, 101, ROWS)
    for i, (first, end) in enumerate(zip(edges, edges[1:])):
        if data.path.suffix == ".npy":
            np.save(folder / f"part-{i}.npy", np.load(data.path)[first:end])
        else:
            lines = data.path.read_text().splitlines(keepends=True)
            (folder / f"part-{i}.csv").write_text("".join([lines[0], *lines[1 + first:1 + end]]))
    files = sorted(folder.iterdir())
    for i, many in enumerate(([folder], [folder / "part-*"], files)):
        path = tmp_path / f"{i}{data.ending}"
        mbn("transform", data.model, *many, *data.reading, "--batch", 77, "-o", path)
        assert path.read_bytes() == whole["transform",]
    one, several = tmp_path / "one.mbn", tmp_path / "several.mbn"
    for pool in ([], ["--pool", POOL]):
        mbn("fit", data.path, *SMALL, *data.options, *pool, "-o", one, "--force")
        mbn("fit", folder, *SMALL, *data.options, *pool, "-o", several, "--force")
        assert one.read_bytes() == several.read_bytes()


def test_files_that_are_not_alike(mbn, shared, save, text):
    wide = save(np.zeros((4, 3), np.float32), "wide.npy")
    assert "3 columns" in mbn("transform", shared.model, shared.rows, wide, code=2).stderr
    other = text("a,b\n1,2\n", "other.csv")
    assert "other.csv:1" in mbn("transform", shared.model, shared.csv, other, code=1).stderr
    assert "no CSV" in mbn("transform", shared.model, shared.csv, shared.rows, code=2).stderr
    assert "no file is like" in mbn("transform", shared.model, shared.folder / "x-*.npy", code=1).stderr


def test_errors_name_the_row(mbn, shared, save, text, tmp_path):
    rows = np.tile(shared.array, (3, 1)).astype(np.float32)
    rows[400, 1] = np.nan
    said = mbn("transform", shared.model, save(rows), "--batch", 100, "-o", tmp_path / "o.npy", code=1).stderr
    assert "row 401, column 2" in said
    rows[400, 1] = np.inf
    assert "row 401, column 2" in mbn("transform", shared.model, save(rows.astype(np.float64)), "--batch", 100, "-o",
                                      tmp_path / "o.npy", code=1).stderr
    lines = shared.csv.read_text().splitlines(keepends=True)
    lines[120] = "x,1\n"
    said = mbn("transform", shared.model, text("".join(lines)), "--batch", 10, "-o", tmp_path / "o.npy", code=1).stderr
    assert "data.csv:121" in said
    assert not (tmp_path / "o.npy").exists()


@pytest.fixture(scope="module")
def many(mbn, tmp_path_factory):
    """Some seconds of work."""
    folder = tmp_path_factory.mktemp("many")
    mbn("generate", "gaussians", "-n", 60000, "--columns", 12, "-o", folder / "x.npy")
    options = ["--clusters", 3, "--clusterings", 60, "--restarts", 2, "--pool", 2000]
    mbn("cluster", folder / "x.npy", *options, "-o", folder / "whole.npy", "--embedding", folder / "whole-e.npy",
        "--model", folder / "m.mbn")
    return SimpleNamespace(folder=folder, rows=folder / "x.npy", options=options, model=folder / "m.mbn")


def kill_later(mbn, arguments, part):
    """Starts, waits until a part file has rows, and kills."""
    process = subprocess.Popen(mbn.command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    start = time.time()
    while process.poll() is None and time.time() - start < 60:
        if part is None:
            time.sleep(1.5)
            break
        if part.exists():
            break
        time.sleep(0.02)
    assert process.poll() is None, "over too soon"
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_killed_without_a_checkpoint(mbn, many, tmp_path):
    kill_later(mbn, ["predict", many.model, many.rows, "--batch", 100, "--threads", 1, "-o", tmp_path / "l.npy"], None)
    assert os.listdir(tmp_path) == []


def test_goes_on_after_a_kill(mbn, many, tmp_path):
    checkpoint = tmp_path / "run.json"
    command = ["cluster", many.rows, *many.options, "--batch", 200, "--threads", 1, "-o", tmp_path / "l.npy",
               "--embedding", tmp_path / "e.npy", "--checkpoint", checkpoint]
    kill_later(mbn, command, tmp_path / "run.json.rows")
    assert not (tmp_path / "l.npy").exists() and (tmp_path / "l.npy.part").exists()
    other = [word if word != 3 else 4 for word in command]
    assert "other options" in mbn(*other, code=2).stderr
    said = mbn(*command)
    assert "going on after" in said.stderr and "rows, from" in said.stderr
    assert (tmp_path / "l.npy").read_bytes() == (many.folder / "whole.npy").read_bytes()
    assert (tmp_path / "e.npy").read_bytes() == (many.folder / "whole-e.npy").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["e.npy", "l.npy"]


def test_transform_goes_on_after_a_kill(mbn, many, tmp_path):
    command = ["predict", many.model, many.rows, "--batch", 200, "--threads", 1, "-o", tmp_path / "l.csv",
               "--checkpoint", tmp_path / "c.json"]
    kill_later(mbn, command, tmp_path / "c.json")
    done = json.loads((tmp_path / "c.json").read_text())["done"]
    assert 0 < done < 60000
    # What came after the checkpoint is not trusted.
    with open(tmp_path / "l.csv.part", "a") as file:
        file.write("half a li")
    said = json.loads(mbn(*command, "--json").stdout)
    assert said["rows"] == 60000
    mbn("predict", many.model, many.rows, "-o", tmp_path / "w.csv")
    assert (tmp_path / "l.csv").read_bytes() == (tmp_path / "w.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["l.csv", "w.csv"]


def test_a_checkpoint_of_other_work(mbn, shared, tmp_path):
    (tmp_path / "c.json").write_text('{"work": {}, "done": 5, "bytes": [3]}\n')
    said = mbn("predict", shared.model, shared.rows, "-o", tmp_path / "l.npy", "--checkpoint", tmp_path / "c.json",
               code=2).stderr
    assert "other rows" in said
    assert "names instead of -" in mbn("predict", shared.model, shared.rows, "--checkpoint", tmp_path / "d.json",
                                       code=2).stderr
