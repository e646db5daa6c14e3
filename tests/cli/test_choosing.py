# SPDX-License-Identifier: Apache-2.0
"""What the tool chooses for people who say "auto" or "find", and what it tells about every row."""

import json

import numpy as np
import pytest

FAST = ["--clusterings", 40, "--restarts", 5]


def blobs(clusters, rows=300, columns=6, seed=1, apart=8.0):
    stream = np.random.RandomState(seed)
    centres = apart * stream.randn(clusters, columns)
    labels = np.arange(rows) % clusters
    return (centres[labels] + stream.randn(rows, columns)).astype(np.float32), labels


@pytest.fixture
def three(save):
    rows, labels = blobs(3)
    return save(rows, "three.npy"), save(labels.astype(np.int32), "three-labels.npy")


def json_of(result):
    return json.loads(result.stdout)


@pytest.mark.parametrize("clusters", [2, 3, 5, 8])
def test_the_number_of_clusters_is_found(mbn, save, tmp_path, clusters):
    rows, labels = blobs(clusters)
    result = mbn("cluster", save(rows, "rows.npy"), *FAST, "--most-clusters", 12, "-o",
                 tmp_path / "labels.npy", "--truth", save(labels.astype(np.int32), "y.npy"))
    assert f"{clusters} clusters were found" in result.stderr
    assert "NMI 100.0 %" in result.stderr
    assert len(np.unique(np.load(tmp_path / "labels.npy"))) == clusters


@pytest.mark.parametrize("columns", [2, 10])
def test_noise_has_no_clusters(mbn, save, tmp_path, columns):
    noise = np.random.RandomState(3).rand(600, columns).astype(np.float32)
    result = mbn("cluster", save(noise, "noise.npy"), *FAST, "--feature-fraction", 1,
                 "-o", tmp_path / "labels.npy", "--model", tmp_path / "m.mbn")
    assert "the data show no clusters" in result.stderr
    assert np.load(tmp_path / "labels.npy").max() == 0
    assert "the data show no clusters" in mbn("info", tmp_path / "m.mbn").stdout


def test_the_choice_is_told_everywhere(mbn, three, tmp_path):
    model = tmp_path / "m.mbn"
    report = json_of(mbn("cluster", three[0], "--decay", "auto", "--scale", "auto",
                         "--most-clusters", 6, *FAST, "--model", model, "--json"))
    selection = report["selection"]
    assert selection["clusters"] == 3 and report["clusters"] == 3
    assert [count["clusters"] for count in selection["counts"]] == [2, 3, 4, 5, 6]
    assert {0.1, 0.2, 0.3, 0.5, 0.7} <= {one["decay"] for one in selection["candidates"]}
    info = json_of(mbn("info", model, "--json"))
    assert info["selection"] == selection
    assert info["options"]["decay"] == selection["decay"] and info["options"]["clusters"] == 3
    text = mbn("info", model).stdout
    assert "3 clusters were found" in text and "by sample" in text
    assert text.count("<- chosen") == 2


def test_the_choice_depends_on_rows_and_seed_only(mbn, three, save, tmp_path):
    """Not on threads, and not on labels: permuting them changes no output."""
    rows, truth = three
    permuted = save(np.random.RandomState(0).permutation(np.load(truth)), "permuted.npy")
    outputs = []
    for labels, threads in ((truth, 1), (permuted, 3)):
        name = tmp_path / f"{threads}.mbn"
        mbn("cluster", rows, "--decay", "auto", *FAST, "--truth", labels, "--threads", threads,
            "--model", name, "-o", tmp_path / f"{threads}.npy", "--embedding",
            tmp_path / f"{threads}-map.npy")
        outputs.append([(tmp_path / f"{threads}{end}").read_bytes()
                        for end in (".mbn", ".npy", "-map.npy")])
    assert outputs[0] == outputs[1]


def test_raw_needs_a_number(mbn, three):
    assert "give a number with --clusters" in mbn("cluster", three[0], "--raw", code=2).stderr


def test_the_three_words_for_clusters(mbn, three, tmp_path):
    """`unknown`, `find` or a number; `fit` starts from unknown, `cluster` from find."""
    def clusters(*arguments):
        mbn("fit", three[0], *FAST, *arguments, "--force", "-o", tmp_path / "m.mbn")
        return json_of(mbn("info", tmp_path / "m.mbn", "--json"))["clusters"]

    assert clusters() == clusters("--clusters", "unknown") == 0
    assert clusters("--clusters", "find", "--most-clusters", 6) == 3
    assert clusters("--most-clusters", 6, "--clusters", "find") == 3
    assert clusters("--clusters", 4) == 4
    found = json_of(mbn("cluster", three[0], *FAST, "--json"))
    asked = json_of(mbn("cluster", three[0], *FAST, "--clusters", "find", "--json"))
    assert found["clusters"] == 3 and found["selection"] == asked["selection"]
    assert [count["clusters"] for count in found["selection"]["counts"]] == list(range(2, 31))


@pytest.mark.parametrize("verb", ["fit", "embed", "cluster", "plan", "index"])
@pytest.mark.parametrize("word, said", [("auto", "'auto' is called 'find' now"),
                                        (0, "'0' is neither 'find', nor 'unknown', nor a whole"),
                                        ("-1", "neither"), ("2.5", "neither"), ("many", "neither"),
                                        (2**40, "neither")])
def test_other_words_for_clusters(mbn, three, verb, word, said):
    result = mbn(verb, three[0], f"--clusters={word}", code=2)
    assert "--clusters" in result.stderr and said in result.stderr


def test_words_that_do_not_fit(mbn, three):
    said = mbn("cluster", three[0], "--clusters", "unknown", code=2).stderr
    assert "clusters is unknown" in said and "--clusters find" in said
    for words in ([], ["--clusters", "unknown"]):
        said = mbn("plan", three[0], *words, "--most-clusters", 5, code=2).stderr
        assert "--most-clusters" in said and "--clusters find" in said


def test_plan_knows_the_worst_case(mbn, three):
    deep = json_of(mbn("plan", three[0], "--clusters", 3, "--decay", 0.9, "--json"))
    auto = json_of(mbn("plan", three[0], "--clusters", 3, "--decay", "auto", "--json"))
    assert auto["peak_bytes"] >= deep["peak_bytes"]


def test_the_outlier_of_the_paper(mbn, tmp_path):
    data, truth = tmp_path / "outlier.npy", tmp_path / "truth.npy"
    mbn("generate", "outlier", "--rows", 300, "-o", data, "--labels", truth)
    mbn("cluster", data, "--clusters", 2, "--feature-fraction", 1, *FAST, "--outliers",
        tmp_path / "scores.npy", "--model", tmp_path / "m.mbn", "-o", tmp_path / "labels.npy")
    scores = np.load(tmp_path / "scores.npy").ravel()
    assert np.load(truth)[scores.argmax()] == 2 and scores.max() > 100
    assert np.median(scores) == pytest.approx(1, abs=0.2)
    # The same rows later: the same scores.
    mbn("predict", tmp_path / "m.mbn", data, "--outliers", tmp_path / "again.npy", "-o",
        tmp_path / "again-labels.npy")
    assert np.array_equal(np.load(tmp_path / "again.npy").ravel(), scores)
