# SPDX-License-Identifier: Apache-2.0
"""`--metric` in the tool: what is refused and in which words, and that dense, sparse, exact and quick agree."""

import json

import numpy as np
import pytest

WITHOUT_PRODUCTS = ["manhattan", "chi-squared", "hamming", "jaccard"]
METRICS = ["euclidean", "cosine", "correlation", "hellinger", *WITHOUT_PRODUCTS]


def histograms(rows=240, columns=60, share=0.7):
    random = np.random.default_rng(8)
    kinds = random.gamma(1, 2, (4, columns))
    counts = random.poisson(kinds[np.arange(rows) % 4]) * (random.random((rows, columns)) < share)
    counts[:, 0] += 1
    return counts.astype(np.float32)


@pytest.mark.parametrize("metric", METRICS)
def test_groups_are_found_on_any_number_of_threads(mbn, save, tmp_path, metric):
    rows = save(histograms(), "rows.npy")
    for threads in (1, 3):
        mbn("cluster", rows, "--clusters", 4, "--clusterings", 60, "--metric", metric, "--threads", threads, "--map", 2,
            "-o", tmp_path / "labels.csv", "--model", tmp_path / f"{threads}.mbn", "--force")
    assert (tmp_path / "1.mbn").read_bytes() == (tmp_path / "3.mbn").read_bytes()
    labels = np.loadtxt(tmp_path / "labels.csv", delimiter=",", skiprows=1, usecols=0).astype(int)
    assert sum(np.bincount(labels[kind::4]).max() for kind in range(4)) > 0.9 * len(labels)
    mbn("predict", tmp_path / "1.mbn", rows, "-o", tmp_path / "again.csv")
    mbn("transform", tmp_path / "1.mbn", rows, "--map", "-o", tmp_path / "map.csv")


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != "correlation"])
def test_sparse_rows_give_the_codes_of_dense_ones(mbn, tmp_path, metric):
    """Files of both kinds are worked on as sparse rows when nearly all is zero, and as dense ones otherwise."""
    counts = histograms(columns=90, share=0.03)
    np.save(tmp_path / "rows.npy", counts)
    with open(tmp_path / "rows.svm", "w") as file:
        for row in counts:
            file.write("0 " + " ".join(f"{column + 1}:{row[column]:g}" for column in np.flatnonzero(row)) + "\n")
    for kind in ("npy", "svm"):
        mbn("embed", tmp_path / f"rows.{kind}", "--clusterings", 40, "--metric", metric, "--directions", "none",
            "-o", tmp_path / f"{kind}-map.npy")
    assert (tmp_path / "npy-map.npy").read_bytes() == (tmp_path / "svm-map.npy").read_bytes()


@pytest.mark.parametrize("options, words", [
    (["--metric", "jaccard", "--scale", "standard"],
     "--metric jaccard compares values as they are, which --scale would change; leave it out (--scale none)"),
    (["--metric", "hellinger", "--scale", "minmax"], "--metric hellinger compares values as they are"),
    (["--metric", "hamming", "--directions", "5"],
     "--metric hamming compares columns, not coordinates along directions; leave --directions out (--directions none)"),
])
def test_what_does_not_go_together(mbn, save, tmp_path, options, words):
    rows = save(histograms(), "rows.npy")
    for verb in (["fit", rows, "-o", tmp_path / "m.mbn"], ["plan", rows]):
        assert words in mbn(*verb, *options, code=2).stderr


@pytest.mark.parametrize("metric", ["chi-squared", "hellinger"])
def test_values_below_zero(mbn, save, tmp_path, metric):
    rows = histograms()
    good = save(rows, "good.npy")
    rows[11, 3] = -2
    bad = save(rows, "bad.npy")
    words = f"row 12, column 4 (counted from 1) is -2, but --metric {metric} is for values of 0 or more"
    assert words in mbn("fit", bad, "--metric", metric, "-o", tmp_path / "m.mbn", code=2).stderr
    mbn("fit", good, "--metric", metric, "--clusterings", 20, "-o", tmp_path / "m.mbn")
    assert words in mbn("transform", tmp_path / "m.mbn", bad, code=2).stderr
    assert words in mbn("evaluate", good, "--data", bad, "--metric", metric, code=2).stderr


def test_correlation_of_sparse_rows(mbn, tmp_path):
    (tmp_path / "rows.svm").write_text("0 1:1\n0 2:1\n0 40:1\n" * 20)
    said = mbn("fit", tmp_path / "rows.svm", "--metric", "correlation", "-o", tmp_path / "m.mbn", code=2).stderr
    assert "--metric correlation would fill in the zeros of sparse rows" in said and "--metric cosine" in said


def test_lsa_has_two_metrics(mbn, tmp_path):
    (tmp_path / "rows.svm").write_text("0 1:1\n0 2:1\n0 3:1\n" * 5)
    said = mbn("lsa", tmp_path / "rows.svm", "--components", 2, "--metric", "jaccard", "-o", tmp_path / "l.npy",
               code=2).stderr
    assert "--metric jaccard is not for latent semantic analysis" in said


def test_the_map_says_what_it_goes_by(mbn, save, tmp_path):
    rows = save(histograms(), "rows.npy")
    said = mbn("map", rows, "--metric", "chi-squared", "--clusterings", 20, "-o", tmp_path / "map.csv").stderr
    assert "the map goes by Hellinger's distance" in said
    assert "goes by" not in mbn("map", rows, "--clusterings", 20, "-o", tmp_path / "other.csv").stderr


@pytest.mark.parametrize("metric", METRICS)
def test_scores_by_every_metric(mbn, save, metric):
    rows = save(histograms(80, 12), "rows.npy")
    found = json.loads(mbn("evaluate", rows, "--data", rows, "--metric", metric, "--json").stdout)
    assert 0.5 < found["trustworthiness"] <= 1
    assert (found["trustworthiness"] == 1) == (metric == "euclidean")
