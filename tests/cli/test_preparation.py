# SPDX-License-Identifier: Apache-2.0
"""What happens to rows before the network sees them: directions, weightings, and the paper's setting."""

import io
import json
import signal
import subprocess
import threading
import zipfile

import numpy as np
import pytest

FEW = ["--clusterings", 24]


def json_of(result):
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """300 pictures of 20 x 20 pixels: a bright blob at one of four places."""
    random = np.random.default_rng(5)
    y, x = np.mgrid[0:20, 0:20]
    places = np.array([[5, 5], [5, 14], [14, 5], [14, 14]])[np.arange(300) % 4] + random.normal(0, 1.5, (300, 2))
    blobs = 150 * np.exp(-((y - places[:, :1, None]) ** 2 + (x - places[:, 1:, None]) ** 2) / 20)
    rows = np.clip(blobs + random.normal(20, 10, blobs.shape), 0, 255).reshape(300, 400).astype(np.uint8)
    path = tmp_path_factory.mktemp("pictures") / "pictures.npy"
    np.save(path, rows)
    return path


def counts_of(rows=200, columns=300):
    """Counts of three topics, nearly all of them zero."""
    random = np.random.default_rng(6)
    topics = random.gamma(0.05, 1, (3, columns))
    counts = random.poisson(topics[np.arange(rows) % 3]).astype(np.float32)
    counts[:, 0] += 1  # no row is empty
    return counts


def save_npz(path, dense):
    """As scipy.sparse.save_npz writes it."""
    row, column = np.nonzero(dense)
    parts = {"indices": column.astype(np.int32), "indptr": np.searchsorted(row, np.arange(len(dense) + 1)).astype(
        np.int32), "format": np.array(b"csr"), "shape": np.array(dense.shape), "data": dense[row, column]}
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in parts.items():
            buffer = io.BytesIO()
            np.save(buffer, array)
            archive.writestr(name + ".npy", buffer.getvalue())
    return path


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")
    np.save(folder / "counts.npy", counts_of())
    return save_npz(folder / "counts.npz", counts_of())


# Directions

@pytest.mark.parametrize("asked, found", [("none", 0), ("50", 50), ("1", 1), ("400", 299)])
def test_directions_asked_for(mbn, pictures, tmp_path, asked, found):
    """400 of them cannot be: 300 centred rows lie in 299 dimensions."""
    report = json_of(mbn("fit", pictures, "--directions", asked, *FEW, "-o", tmp_path / "m.mbn", "--json"))
    assert report["directions"] == found
    assert json_of(mbn("plan", pictures, "--directions", asked, *FEW, "--json"))["directions"] >= found
    info = json_of(mbn("info", tmp_path / "m.mbn", "--json"))
    assert info["layers"][0]["features"] == max(1, (found or 400) // 2)
    told = mbn("info", tmp_path / "m.mbn").stdout
    assert (f"directions: {found}, with " in told) == (found > 0)


def test_directions_by_the_rule(mbn, pictures, shared, tmp_path):
    many = json_of(mbn("fit", pictures, *FEW, "-o", tmp_path / "a.mbn", "--json"))["directions"]
    assert 0 < many < 400
    mbn("fit", pictures, *FEW, "--directions", "auto", "-o", tmp_path / "b.mbn")
    mbn("fit", pictures, *FEW, "--directions", many, "-o", tmp_path / "c.mbn")
    assert (tmp_path / "a.mbn").read_bytes() == (tmp_path / "b.mbn").read_bytes()
    # The model remembers what the rule said, so asking for it is the same fit.
    assert (tmp_path / "a.mbn").read_bytes() == (tmp_path / "c.mbn").read_bytes()
    assert json_of(mbn("info", tmp_path / "a.mbn", "--json"))["options"]["directions"] == many
    assert json_of(mbn("info", shared.model, "--json"))["options"]["directions"] == "none"
    assert f"(on {many} directions)" in mbn("plan", pictures).stdout


@pytest.mark.parametrize("asked, words", [
    ("999999", "--directions is 999999"),
    ("401", "--directions is 401, but the data has only 400 columns; ask for fewer"),
    ("0", "--directions is 0; it must be from 1 to 65535, or auto or none"),
    ("many", "'many' is neither 'auto', nor 'none', nor a whole number from 1"),
    ("-3", "'-3' is neither 'auto', nor 'none', nor a whole number from 1"),
])
def test_directions_that_cannot_be(mbn, pictures, tmp_path, asked, words):
    for verb in (["fit", pictures, "-o", tmp_path / "m.mbn"], ["plan", pictures]):
        assert words in mbn(*verb, f"--directions={asked}", code=2).stderr
    assert list(tmp_path.iterdir()) == []


CASES = {"euclidean": [], "cosine": ["--metric", "cosine"], "scaled": ["--scale", "standard"],
         "log": ["--weighting", "log"], "correlation": ["--metric", "correlation"],
         "manhattan": ["--metric", "manhattan"], "chi-squared": ["--metric", "chi-squared"],
         "hellinger": ["--metric", "hellinger"], "hamming": ["--metric", "hamming"],
         "jaccard": ["--metric", "jaccard"]}


@pytest.mark.parametrize("case", CASES)
def test_transform_is_the_fit(mbn, pictures, tmp_path, case):
    """A row is a row: alone, in a batch, with any threads, and as floats."""
    first, model, rows = tmp_path / "first.npy", tmp_path / "m.mbn", np.load(pictures)
    mbn("embed", pictures, *CASES[case], *FEW, "-o", first, "--model", model, "--threads", 1)
    mbn("embed", pictures, *CASES[case], *FEW, "-o", tmp_path / "second.npy", "--model", tmp_path / "n.mbn",
        "--threads", 3)
    assert (tmp_path / "n.mbn").read_bytes() == model.read_bytes()
    assert (tmp_path / "second.npy").read_bytes() == first.read_bytes()
    mbn("transform", model, pictures, "-o", tmp_path / "whole.npy")
    assert (tmp_path / "whole.npy").read_bytes() == first.read_bytes()
    np.save(tmp_path / "some.npy", rows[[7, 120, 299, 3]].astype(np.float32))
    np.save(tmp_path / "one.npy", rows[299:])
    for name, chosen in (("some", [7, 120, 299, 3]), ("one", [299])):
        mbn("transform", model, tmp_path / f"{name}.npy", "-o", tmp_path / f"{name}-map.npy")
        assert np.load(tmp_path / f"{name}-map.npy").tobytes() == np.load(first)[chosen].tobytes()


def test_a_resumed_fit_has_the_same_directions(mbn, pictures, tmp_path):
    options = [pictures, "--clusters", 4, *FEW, "--decay", 0.8]
    mbn("fit", *options, "-o", tmp_path / "whole.mbn")
    # A model that cannot be written leaves the checkpoint of its last layer.
    mbn("fit", *options, "-o", "/dev/full", "--checkpoint", tmp_path / "c.mbn", code=1)
    assert json_of(mbn("info", tmp_path / "c.mbn", "--json"))["kind"] == "checkpoint"
    result = mbn("fit", *options, "-o", tmp_path / "resumed.mbn", "--checkpoint", tmp_path / "c.mbn")
    assert "going on after layer" in result.stderr
    assert (tmp_path / "resumed.mbn").read_bytes() == (tmp_path / "whole.mbn").read_bytes()


def test_a_checkpoint_of_other_directions(mbn, pictures, tmp_path):
    mbn("fit", pictures, *FEW, "-o", "/dev/full", "--checkpoint", tmp_path / "c.mbn", code=1)
    result = mbn("fit", pictures, *FEW, "--directions", 50, "-o", tmp_path / "m.mbn", "--checkpoint",
                 tmp_path / "c.mbn", code=2)
    assert "other options" in result.stderr


# Weightings

@pytest.mark.parametrize("weighting", ["counts", "log", "tfidf", "log-tfidf", "cells"])
def test_weighted_counts(mbn, counts, tmp_path, weighting):
    """The sparse file and its dense copy give the same bytes, at fit and at transform, alone and in a batch."""
    dense, model = counts.with_suffix(".npy"), tmp_path / "m.mbn"
    options = ["--weighting", weighting, "--metric", "cosine", *FEW]
    mbn("embed", counts, *options, "-o", tmp_path / "a.npy", "--model", model)
    mbn("embed", dense, *options, "-o", tmp_path / "b.npy", "--model", tmp_path / "b.mbn")
    assert model.read_bytes() == (tmp_path / "b.mbn").read_bytes()
    embedding = np.load(tmp_path / "a.npy")
    assert embedding.tobytes() == np.load(tmp_path / "b.npy").tobytes()
    kept = json_of(mbn("info", model, "--json"))["options"]
    assert kept["weighting"] == weighting and (kept["directions"] == "none") == (weighting == "counts")
    rows = np.load(dense)
    np.save(tmp_path / "one.npy", rows[9:10])
    for path, chosen in ((save_npz(tmp_path / "two.npz", rows[[4, 9]]), [4, 9]), (tmp_path / "one.npy", [9]),
                         (dense, range(len(rows)))):
        mbn("transform", model, path, "-o", tmp_path / "map.npy", "--force")
        assert np.load(tmp_path / "map.npy").tobytes() == embedding[list(chosen)].tobytes()


@pytest.mark.parametrize("weighting", ["log", "tfidf", "log-tfidf", "cells"])
def test_what_is_no_count(mbn, counts, tmp_path, weighting):
    mbn("fit", counts, "--weighting", weighting, *FEW, "-o", tmp_path / "m.mbn")
    bad = np.load(counts.with_suffix(".npy"))
    bad[3, 17] = -2
    np.save(tmp_path / "bad.npy", bad)
    for path in (tmp_path / "bad.npy", save_npz(tmp_path / "bad.npz", bad)):
        for command in (["fit", path, "--weighting", weighting, "-o", tmp_path / "n.mbn"],
                        ["transform", tmp_path / "m.mbn", path, "-o", tmp_path / "n.npy"]):
            told = mbn(*command, code=2).stderr
            assert (f"row 4, column 18 (counted from 1) is -2, but --weighting {weighting} is for counts, which are "
                    "0 or more") in told
    assert not list(tmp_path.glob("n.*"))


def test_a_weighting_that_is_not_there(mbn, counts, tmp_path):
    told = mbn("fit", counts, "--weighting", "idf", "-o", tmp_path / "m.mbn", code=2).stderr
    assert "--weighting" in told and "log-tfidf" in told


# The paper's setting

def options_of(mbn, path):
    return json_of(mbn("info", path, "--json"))["options"]


def test_the_setting_of_the_paper(mbn, pictures, tmp_path):
    mbn("fit", pictures, "--paper", "-o", tmp_path / "m.mbn")
    kept = options_of(mbn, tmp_path / "m.mbn")
    assert {name: kept[name] for name in ("clusterings", "feature_fraction", "decay", "weighting", "scale",
                                          "directions")} == {
        "clusterings": 400, "feature_fraction": 0.5, "decay": 0.5, "weighting": "counts", "scale": "none",
        "directions": "none"}
    mbn("fit", pictures, "--clusterings", 400, "--directions", "none", "--pool", kept["pool"], "-o",
        tmp_path / "n.mbn")
    assert (tmp_path / "m.mbn").read_bytes() == (tmp_path / "n.mbn").read_bytes()


def test_what_is_written_beside_paper_wins(mbn, pictures, tmp_path):
    for number, words in enumerate((["--paper", "--decay", 0.3, *FEW, "--directions", 20],
                                    ["--directions", 20, *FEW, "--decay", 0.3, "--paper"])):
        mbn("fit", pictures, *words, "-o", tmp_path / f"{number}.mbn")
    kept = options_of(mbn, tmp_path / "0.mbn")
    assert (kept["decay"], kept["clusterings"], kept["directions"], kept["scale"]) == (0.3, 24, 20, "none")
    assert (tmp_path / "0.mbn").read_bytes() == (tmp_path / "1.mbn").read_bytes()


def test_the_paper_in_every_verb_with_a_network(mbn, pictures):
    assert json_of(mbn("plan", pictures, "--paper", "--json"))["directions"] == 0
    for verb in ("fit", "embed", "cluster", "plan"):
        assert "--paper" in mbn(verb, "--help").stdout


# How far the walk may miss

@pytest.fixture(scope="module")
def dominated(tmp_path_factory):
    """One column carries all the distance: the nearest rows on all columns say little about the nearest on others."""
    rows = np.random.default_rng(9).normal(size=(4000, 13)).astype(np.float32)
    rows[:, 12] *= 1000
    path = tmp_path_factory.mktemp("dominated") / "rows.npy"
    np.save(path, rows)
    return path


def test_excess(mbn, dominated, tmp_path):
    def fit(*options):
        return json_of(mbn("fit", dominated, "--clusterings", 100, "--scale", "none", *options, "-o", tmp_path / "m.mbn", "--force",
                           "--json"))

    for options in ([], ["--excess", 0], ["--excess", 10, "--recall", 0.99], ["--excess", 10, "--recall", 1]):
        report = fit(*options)
        assert (report["engine"], report["recall"], report["excess"]) == ("exact", 1, 0), options
    loose = fit("--excess", 10)
    assert loose["engine"] == "walk" and loose["excess"] > 0.05 and loose["recall"] < 0.99
    assert f"excess {loose['excess']:.4f}" in mbn("info", tmp_path / "m.mbn").stdout


def test_the_note_about_slow_exact_search_names_the_option(mbn, tmp_path):
    """The fit would take a minute: it is stopped as soon as the note is there."""
    rows = np.random.default_rng(9).normal(size=(12000, 13)).astype(np.float32)
    rows[:, 12] *= 1000
    np.save(tmp_path / "rows.npy", rows)
    process = subprocess.Popen(mbn.command("fit", tmp_path / "rows.npy", "--clusterings", 1000, "--scale", "none", "-o",
                                           tmp_path / "m.mbn"), stderr=subprocess.PIPE, text=True)
    too_long = threading.Timer(100, process.kill)
    too_long.start()
    said = ""
    while "allow the walk" not in said and (line := process.stderr.readline()):
        said += line
    process.send_signal(signal.SIGINT)
    process.communicate()
    too_long.cancel()
    assert "searched exactly" in said and "--excess 0." in said, said
