# SPDX-License-Identifier: Apache-2.0
"""Every kind of file that mbn writes, given to every verb that takes one."""

import json
import shutil

import numpy as np
import pytest

KINDS = ["model", "student", "index", "lsa", "checkpoint", "vocabulary"]
TEXTS = ["cats sleep all day", "a cat sleeps in the sun", "the sun is warm for cats",
         "dogs bark at cars", "a dog barks at a car", "cars are fast and dogs run"]
WORDS = {"model": "model: trained on 160 rows x 2 columns", "student": "student: 2 columns",
         "index": "index: 6 rows x 2 components", "lsa": "latent semantic analysis: of 6 rows",
         "checkpoint": "checkpoint: an unfinished fit of", "vocabulary": "vocabulary: "}


def json_of(result):
    return json.loads(result.stdout)


def make_checkpoint(mbn, shared, small, folder):
    """What a fit leaves whose model cannot be written."""
    path = folder / "checkpoint"
    mbn("fit", shared.rows, *small, "--decay", 0.7, "-o", "/dev/full", "--checkpoint", path, code=1)
    return path


@pytest.fixture(scope="module")
def files(mbn, shared, small, tmp_path_factory):
    """One file of each kind under a name that does not tell, and the rows that it takes."""
    folder = tmp_path_factory.mktemp("kinds")
    texts = folder / "texts.txt"
    texts.write_text("\n".join(TEXTS) + "\n")
    made = {"model": shared.model, "student": folder / "student", "index": folder / "index",
            "lsa": folder / "lsa", "vocabulary": folder / "vocabulary",
            "checkpoint": make_checkpoint(mbn, shared, small, folder)}
    mbn("compress", shared.model, shared.rows, "-o", made["student"], "--hidden", "8",
        "--epochs", 2)
    mbn("vectorize", texts, "-o", folder / "counts.npz", "--vocabulary-output",
        made["vocabulary"])
    mbn("lsa", folder / "counts.npz", "--components", 2, "--model", made["lsa"], "-o",
        folder / "lsa.npy")
    mbn("index", texts, "-o", made["index"], "--components", 2, "--centroids", 3, "--clusters", 2,
        "--weighting", "counts", *small)
    counts = folder / "counts.npz"
    rows = {kind: counts if kind in ("index", "lsa", "vocabulary") else shared.rows
            for kind in KINDS}
    return {kind: (made[kind], rows[kind]) for kind in KINDS} | {"texts": texts, "counts": counts}


@pytest.mark.parametrize("kind", KINDS)
def test_info_tells_every_kind(mbn, files, kind):
    path, _ = files[kind]
    assert json_of(mbn("info", path, "--json"))["kind"] == kind
    text = mbn("info", path).stdout
    assert WORDS[kind] in text and "options" in text


def test_what_info_tells(mbn, files):
    lsa = json_of(mbn("info", files["lsa"][0], "--json"))
    assert lsa["training_rows"] == 6 and len(lsa["singular_values"]) == lsa["components"] == 2
    words = json_of(mbn("info", files["vocabulary"][0], "--json"))
    assert words["documents"] == 6 and words["options"]["words"] == 2000 and words["words"] > 5
    index = json_of(mbn("info", files["index"][0], "--json"))
    assert index["rows"] == 6 and index["method"] == "fusion"
    assert index["model"]["clusters"] == 2 and index["vocabulary"]["words"] == words["words"]
    fit = json_of(mbn("info", files["checkpoint"][0], "--json"))
    assert fit["training_rows"] == 160 and fit["columns"] == 2 and fit["layers_done"] >= 1
    assert fit["options"]["decay"] == 0.7


@pytest.mark.parametrize("kind", ["model", "student", "index", "lsa"])
def test_transform_embeds_with_every_kind_that_can(mbn, files, tmp_path, kind):
    path, rows = files[kind]
    report = json_of(mbn("transform", path, rows, "-o", tmp_path / "map.npy", "--json"))
    assert report["kind"] == kind and report["components"] == 2
    assert np.load(tmp_path / "map.npy").shape == (report["rows"], 2)


def test_an_lsa_gives_what_mbn_lsa_gave(mbn, files, tmp_path):
    path, counts = files["lsa"]
    mbn("transform", path, counts, "-o", tmp_path / "map.npy")
    assert np.array_equal(np.load(tmp_path / "map.npy"), np.load(path.parent / "lsa.npy"))


def test_an_index_takes_texts(mbn, files, tmp_path):
    """Texts give the same as their counts, and come with their ids."""
    path, counts = files["index"]
    mbn("transform", path, counts, "-o", tmp_path / "counts.npy")
    mbn("transform", path, files["texts"], "--texts", "-o", tmp_path / "texts.npy")
    assert (tmp_path / "counts.npy").read_bytes() == (tmp_path / "texts.npy").read_bytes()
    labels = mbn("predict", path, files["texts"], "--texts").stdout.splitlines()
    assert labels[0] == "id,label" and labels[1].startswith("1,") and len(labels) == 7
    plain = mbn("predict", path, counts).stdout.splitlines()
    assert [line.split(",")[1] for line in labels[1:]] == plain[1:]


@pytest.mark.parametrize("kind", ["model", "student", "index"])
def test_predict_labels_with_every_kind_that_can(mbn, files, kind):
    path, rows = files[kind]
    report = json_of(mbn("predict", path, rows, "--json"))
    assert report["kind"] == kind and report["rows"] in (6, 160)


@pytest.mark.parametrize("kind, advice", [("checkpoint", "--checkpoint"),
                                          ("vocabulary", "mbn vectorize --vocabulary")])
@pytest.mark.parametrize("verb", ["transform", "predict"])
def test_what_cannot_is_told_what_it_is(mbn, files, verb, kind, advice):
    path, rows = files[kind]
    said = mbn(verb, path, rows, code=1).stderr
    assert f"{path} is a {kind}" in said and advice in said


def test_an_lsa_has_no_clusters(mbn, files, tmp_path):
    path, rows = files["lsa"]
    said = mbn("predict", path, rows, code=1).stderr
    assert "is a latent semantic analysis, which cannot label rows; use 'mbn transform'" in said
    mbn("index", files["texts"], "-o", tmp_path / "i", "--method", "lsa", "--components", 2)
    said = mbn("predict", tmp_path / "i", rows, code=2).stderr
    assert "is an index without a network" in said


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "index"])
def test_only_an_index_takes_texts(mbn, files, kind):
    said = mbn("transform", files[kind][0], files["texts"], "--texts", code=2).stderr
    assert "only an index takes texts" in said


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "model"])
def test_only_a_model_has_codes(mbn, files, kind):
    path, rows = files[kind]
    assert "no codes" in mbn("transform", path, rows, "--codes", code=2).stderr


@pytest.mark.parametrize("verb", ["info", "transform", "predict"])
@pytest.mark.parametrize("kind", KINDS)
def test_half_a_file(mbn, files, tmp_path, verb, kind):
    """A file that was cut short is refused whatever it was."""
    path, rows = files[kind]
    cut = tmp_path / "cut"
    shutil.copy(path, cut)
    content = cut.read_bytes()
    cut.write_bytes(content[:len(content) // 2])
    arguments = [] if verb == "info" else [rows]
    assert str(cut) in mbn(verb, cut, *arguments, code=1).stderr


def test_a_file_that_is_none_of_ours(mbn, shared, tmp_path):
    junk = tmp_path / "junk"
    junk.write_bytes(b"hello, I am not a model at all")
    for verb in ("info", "transform", "predict"):
        said = mbn(verb, junk, *([] if verb == "info" else [shared.rows]), code=1).stderr
        assert f"{junk}: not an mbn model" in said


@pytest.mark.parametrize("verb", ["cluster", "predict"])
def test_probabilities(mbn, shared, small, tmp_path, verb):
    """A column for each cluster; rows sum to 1; confidence is p / (p + q)."""
    first = [shared.rows, "--clusters", 2, *small] if verb == "cluster" else [shared.model,
                                                                               shared.rows]
    out = {name: tmp_path / f"{name}.npy" for name in ("labels", "confidence", "probabilities")}
    report = json_of(mbn(verb, *first, "-o", out["labels"], "--confidence", out["confidence"],
                         "--probabilities", out["probabilities"], "--json"))
    assert report["probabilities"] == str(out["probabilities"])
    labels, sure = np.load(out["labels"]), np.load(out["confidence"]).ravel()
    shares = np.load(out["probabilities"])
    assert shares.shape == (160, 2) and np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(sure, shares[np.arange(160), labels], atol=1e-5)
    mbn(verb, *first, "-o", tmp_path / "l.csv", "--probabilities", tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text().startswith("cluster0,cluster1\n")


def test_a_student_has_no_probabilities(mbn, files, tmp_path):
    path, rows = files["student"]
    said = mbn("predict", path, rows, "--probabilities", tmp_path / "p.npy", code=2).stderr
    assert "no confidence, probabilities or outlier scores" in said and "--target clusters" in said
