# SPDX-License-Identifier: Apache-2.0
"""Every verb end to end, and the object that --json prints for it."""

import json

import numpy as np
import pytest

KINDS = {"gaussians": 2, "moons": 2, "ring": 2, "compound": 2, "outlier": 2, "swissroll": 3}
TRAINING_KEYS = {"rows", "columns", "layers", "components", "explained_variance_ratio", "seconds",
                 "layer_seconds", "projection_seconds", "clustering_seconds", "model_bytes", "seed"}


def json_of(result):
    """One object on one line, and nothing else."""
    assert result.stdout.count("\n") == 1 and result.stdout.endswith("\n")
    return json.loads(result.stdout)


def lines_of(text):
    return text.splitlines()


@pytest.mark.parametrize("kind", KINDS)
def test_generate(mbn, tmp_path, kind):
    rows, labels = tmp_path / "rows.npy", tmp_path / "labels.npy"
    result = mbn("generate", kind, "-n", 90, "--seed", 4, "-o", rows, "--labels", labels)
    assert result.stdout == ""
    assert "90 rows" in result.stderr
    array = np.load(rows)
    assert array.shape == (90, KINDS[kind]) and array.dtype == np.float32
    assert np.isfinite(array).all()
    truth = np.load(labels)
    assert truth.shape == (90,) and truth.min() == 0 and len(set(truth)) > 1
    again, other = tmp_path / "again.npy", tmp_path / "other.npy"
    mbn("generate", kind, "-n", 90, "--seed", 4, "-o", again)
    mbn("generate", kind, "-n", 90, "--seed", 5, "-o", other)
    assert again.read_bytes() == rows.read_bytes() != other.read_bytes()


def test_generate_gaussians_of_any_shape(mbn, tmp_path):
    mbn("generate", "gaussians", "-n", 70, "--columns", 5, "--clusters", 7, "-o",
        tmp_path / "rows.npy", "--labels", tmp_path / "labels.npy")
    assert np.load(tmp_path / "rows.npy").shape == (70, 5)
    assert set(np.load(tmp_path / "labels.npy")) == set(range(7))


def test_generate_to_standard_output(mbn):
    result = mbn("generate", "moons", "-n", 5)
    assert len(lines_of(result.stdout)) == 6  # a header and five rows
    assert result.stderr == ""


def test_generate_json(mbn, tmp_path):
    report = json_of(mbn("generate", "ring", "-n", 30, "-o", tmp_path / "x.npy", "--json"))
    assert report["rows"] == 30 and report["columns"] == 2 and "seconds" in report


def test_fit_and_info(mbn, shared, small, tmp_path):
    model = tmp_path / "m.mbn"
    result = mbn("fit", shared.rows, "--clusters", 2, *small, "-o", model)
    assert result.stdout == ""
    assert "160 rows x 2 columns" in result.stderr and str(model) in result.stderr
    info = mbn("info", model)
    assert info.stderr == ""
    for word in ("160 rows x 2 columns", "clusterings", "feature_fraction", "2 clusters"):
        assert word in info.stdout


def test_fit_json(mbn, shared, small, tmp_path):
    report = json_of(mbn("fit", shared.rows, "--clusters", 2, "--seed", 9, *small, "-o",
                         tmp_path / "m.mbn", "--json"))
    assert TRAINING_KEYS <= set(report)
    assert report["rows"] == 160 and report["columns"] == 2 and report["seed"] == 9
    assert report["layers"] == [80, 40, 20, 10, 5]
    assert len(report["layer_seconds"]) == 5 and len(report["explained_variance_ratio"]) == 2
    assert report["model"] == str(tmp_path / "m.mbn")


def test_info_json(mbn, shared):
    report = json_of(mbn("info", shared.model, "--json"))
    assert report["training_rows"] == 160 and report["columns"] == 2
    assert report["components"] == 2 and report["clusters"] == 2
    assert [layer["centroids"] for layer in report["layers"]] == [80, 40, 20, 10, 5]
    assert [layer["features"] for layer in report["layers"]] == [2, 20, 20, 20, 20]  # few columns: all
    assert report["bytes"] > sum(layer["bytes"] for layer in report["layers"])
    assert report["options"]["clusterings"] == 20 and report["options"]["metric"] == "euclidean"
    assert 0 < sum(report["explained_variance_ratio"]) <= 1


def test_options_are_kept_in_the_model(mbn, shared, tmp_path):
    given = {"clusterings": 7, "feature-fraction": 0.75, "decay": 0.4, "centroids": 33,
             "clusters": 3, "most-clusters": 5, "components": 4, "metric": "cosine", "scale": "minmax",
             "weighting": "counts", "directions": 2, "missing": "refuse", "engine": "exact", "excess": 0.3, "recall": 0.5,
             "pool": 90, "solver": "em",
             "restarts": 2, "map": 3, "neighbours": 9, "seed": 2**64 - 1}
    options = [word for name, value in given.items() for word in (f"--{name}", value)]
    mbn("fit", shared.rows, "-o", tmp_path / "m.mbn", *options)
    kept = json_of(mbn("info", tmp_path / "m.mbn", "--json"))["options"]
    assert kept == {name.replace("-", "_"): value for name, value in given.items()}


def test_options_that_were_left_to_a_rule(mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, *small, "-o", tmp_path / "m.mbn")
    kept = json_of(mbn("info", tmp_path / "m.mbn", "--json"))["options"]
    assert kept["clusters"] == "unknown" and kept["most_clusters"] == 30
    assert kept["centroids"] == kept["components"] == kept["pool"] == kept["recall"] == "auto"
    # What rules say from sizes and kinds alone is settled, so that a model tells what it is.
    assert kept["directions"] == "none"
    mbn("fit", shared.rows, "-o", tmp_path / "n.mbn")
    assert json_of(mbn("info", tmp_path / "n.mbn", "--json"))["options"]["clusterings"] == 400
    told = mbn("info", tmp_path / "m.mbn").stdout
    assert "  clusters          unknown\n" in told and "  pool              auto\n" in told


def test_plan(mbn, shared, tmp_path):
    result = mbn("plan", shared.rows, "--clusters", 2)
    assert "160 rows x 2 columns" in result.stdout and "peak memory" in result.stdout
    known = ["--clusters", 2, "--decay", 0.5, "--scale", "none"]  # else the time of choosing comes on top
    report = json_of(mbn("plan", shared.rows, *known, "--clusterings", 20, "--json"))
    assert [layer["centroids"] for layer in report["layers"]] == [80, 40, 20, 10, 5]
    assert report["batch_rows"] >= 1 and report["components"] == 2
    assert report["clusterings"] == 20 and report["directions"] == 0
    twice = json_of(mbn("plan", shared.rows, *known, "--clusterings", 40, "--json"))
    assert 0 < 1.5 * report["fit_seconds"] < twice["fit_seconds"] < 60
    size = shared.model.stat().st_size
    assert report["model_bytes"] >= json_of(mbn("info", shared.model, "--json"))["bytes"]
    assert report["peak_bytes"] > report["model_bytes"] > size / 2
    assert report["file_bytes"] < report["model_bytes"]


def test_what_is_said_of_the_file_is_its_size(mbn, shared, small, tmp_path):
    path = tmp_path / "m.mbn"
    told = mbn("fit", shared.rows, *small, "-o", path).stderr
    size = path.stat().st_size
    assert f"wrote {path} ({size / 1e6:.1f} MB)" in told
    assert f" MB in memory, {size / 1e6:.1f} MB in the file\n" in mbn("info", path).stdout
    assert json_of(mbn("info", path, "--json"))["file_bytes"] == size
    plan = json_of(mbn("plan", shared.rows, *small, "--json"))
    assert size <= plan["file_bytes"] <= size + 10_000


def test_transform(mbn, shared, tmp_path):
    out = tmp_path / "map.npy"
    result = mbn("transform", shared.model, shared.rows, "-o", out)
    assert result.stdout == "" and str(out) in result.stderr
    assert np.load(out).shape == (160, 2) and np.load(out).dtype == np.float32
    codes = tmp_path / "codes.npy"
    mbn("transform", shared.model, shared.rows, "--codes", "--layer", 1, "-o", codes)
    assert np.load(codes).shape == (160, 20) and np.load(codes).max() < 80
    mbn("transform", shared.model, shared.rows, "--layer", 2, "-o", tmp_path / "second.npy")
    assert np.load(tmp_path / "second.npy").shape == (160, 2)


def test_transform_json(mbn, shared, tmp_path):
    out = tmp_path / "map.npy"
    report = json_of(mbn("transform", shared.model, shared.rows, "-o", out, "--json"))
    assert report["rows"] == 160 and report["components"] == 2 and report["output"] == str(out)
    report = json_of(mbn("transform", shared.model, shared.rows, "--codes", "--json"))
    assert report["clusterings"] == 20 and "seconds" in report


def test_layer_beyond_the_top(mbn, shared):
    result = mbn("transform", shared.model, shared.rows, "--layer", 6, code=2)
    assert "layer is 6" in result.stderr and "5" in result.stderr


def test_embed(mbn, shared, small, tmp_path):
    out, model, plot = tmp_path / "map.csv", tmp_path / "m.mbn", tmp_path / "map.svg"
    mbn("embed", shared.rows, *small, "-o", out, "--model", model, "--plot", plot, "--truth",
        shared.labels, "--label-names", "upper,lower")
    lines = lines_of(out.read_text())
    assert lines[0] == "component1,component2" and len(lines) == 161
    assert plot.read_text().startswith(("<svg", "<?xml"))
    assert "upper" in plot.read_text()
    assert json_of(mbn("info", model, "--json"))["clusters"] == 0


def test_embed_json(mbn, shared, small, tmp_path):
    report = json_of(mbn("embed", shared.rows, *small, "-o", tmp_path / "e.npy", "--json"))
    assert TRAINING_KEYS <= set(report) and report["output"] == str(tmp_path / "e.npy")
    # Without a file the object is all that standard output gets.
    assert TRAINING_KEYS <= set(json_of(mbn("embed", shared.rows, *small, "--json")))


def test_cluster(mbn, shared, small, tmp_path):
    out, model, embedding = (tmp_path / name for name in ("labels.npy", "m.mbn", "map.npy"))
    result = mbn("cluster", shared.rows, "--clusters", 2, *small, "--truth", shared.labels, "-o",
                 out, "--model", model, "--embedding", embedding)
    assert result.stdout == "" and "NMI" in result.stderr
    labels = np.load(out)
    assert labels.shape == (160,) and set(labels) == {0, 1}
    assert (labels == 0).sum() >= (labels == 1).sum()
    assert np.load(embedding).shape == (160, 2)
    assert model.read_bytes() == shared.model.read_bytes()


def test_cluster_json(mbn, shared, small):
    report = json_of(mbn("cluster", shared.rows, "--clusters", 2, *small, "--truth", shared.labels,
                         "--json"))
    assert TRAINING_KEYS | {"clusters", "cluster_sizes", "nmi", "accuracy", "ari",
                            "purity"} <= set(report)
    assert report["clusters"] == 2 and sum(report["cluster_sizes"]) == 160
    assert 0 <= report["nmi"] <= 1 and 0.5 <= report["accuracy"] <= 1


def test_cluster_raw(mbn, save):
    """k-means on the rows themselves, where that is easy."""
    random = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    rows = save((np.array([[0, 0], [9, 0], [0, 9]])[truth] +
                 random.normal(0, 0.5, (60, 2))).astype(np.float32))
    report = json_of(mbn("cluster", rows, "--clusters", 3, "--raw", "--truth",
                         save(truth, "truth.npy"), "--json"))
    assert report["accuracy"] == 1 and report["cluster_sizes"] == [20, 20, 20]
    result = mbn("cluster", rows, "--clusters", 3, "--raw", "--model", "x.mbn", code=2)
    assert "--raw" in result.stderr and "--model" in result.stderr


def test_predict(mbn, shared, tmp_path):
    out = tmp_path / "labels.txt"
    result = mbn("predict", shared.model, shared.rows, "-o", out, "--truth", shared.labels)
    assert result.stdout == "" and "NMI" in result.stderr
    assert len(lines_of(out.read_text())) == 161  # a header and one label per row
    report = json_of(mbn("predict", shared.model, shared.rows, "--truth", shared.labels, "--json"))
    assert {"rows", "nmi", "accuracy", "ari", "purity", "seconds"} <= set(report)


def test_predict_without_clusters(mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, *small, "-o", tmp_path / "m.mbn")
    result = mbn("predict", tmp_path / "m.mbn", shared.rows, code=2)
    assert "no clusters" in result.stderr and "--clusters" in result.stderr


def test_evaluate_labels(mbn, save):
    labels = save(np.array([0, 0, 1, 1, 2, 2]), "labels.npy")
    truth = save(np.array([5, 5, 3, 3, 9, 9]), "truth.npy")
    result = mbn("evaluate", labels, "--truth", truth)
    assert result.stderr == ""
    scores = dict(line.split() for line in lines_of(result.stdout))
    assert {name: float(value) for name, value in scores.items()} == {
        "nmi": 1, "accuracy": 1, "ari": 1, "purity": 1}
    half = save(np.array([5, 5, 5, 5, 9, 9]), "half.npy")
    report = json_of(mbn("evaluate", labels, "--truth", half, "--json"))
    entropy, truth_entropy = np.log(3), -(2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3))
    assert report["nmi"] == pytest.approx(truth_entropy / np.sqrt(entropy * truth_entropy))
    assert report["accuracy"] == pytest.approx(4 / 6) and report["purity"] == 1
    report = json_of(mbn("evaluate", labels, "--truth", half, "--normalization", "maximum",
                         "--json"))
    assert report["nmi"] == pytest.approx(truth_entropy / entropy)


def test_evaluate_embedding(mbn, shared):
    report = json_of(mbn("evaluate", shared.rows, "--data", shared.rows, "--neighbours", 10,
                         "--json"))
    assert report["trustworthiness"] == report["continuity"] == 1
    assert report["neighbour_preservation"] == 1


def test_evaluate_layers(mbn, shared):
    report = json_of(mbn("evaluate", shared.model, "--data", shared.rows, "--correlation",
                         "--json"))
    assert [layer["layer"] for layer in report["layers"]] == [1, 2, 3, 4, 5]
    for layer in report["layers"]:
        ratio = 1 / 20 + (1 - 1 / 20) * layer["correlation"]
        assert layer["error_ratio"] == pytest.approx(ratio)
        assert layer["error_ratio"] == pytest.approx(
            layer["ensemble_error"] / layer["single_error"])
    one = json_of(mbn("evaluate", shared.model, "--data", shared.rows, "--correlation", "--layer",
                      2, "--json"))
    assert one["layers"] == [report["layers"][1]]


def test_evaluate_needs_something_to_compare_with(mbn, shared):
    result = mbn("evaluate", shared.labels, code=2)
    assert "--truth" in result.stderr and "--data" in result.stderr
    assert "--data" in mbn("evaluate", shared.model, "--correlation", code=2).stderr


def test_options_page_is_up_to_date(mbn, root):
    """docs/options.md is what `mbn options` prints."""
    assert mbn("options").stdout == (root / "docs" / "options.md").read_text()
