# SPDX-License-Identifier: Apache-2.0
"""`mbn evaluate` of maps: what it prints with data, with labels, and by the cosine."""

import json

import numpy as np
import pytest

OF_NEIGHBOURS = ["trustworthiness", "continuity", "neighbour_preservation"]
OF_LABELS = ["centroid_triplets", "nearest_neighbour", "kmeans_nmi"]


@pytest.fixture
def blobs(save):
    """Rows of four classes in three dimensions, their labels, and a map that drops one dimension."""
    random = np.random.default_rng(0)
    truth = np.repeat([3, 5, 8, 9], 40)
    middles = {3: (0, 0, 0), 5: (20, 0, 0), 8: (0, 50, 0), 9: (0, 0, 5)}
    rows = (np.array([middles[label] for label in truth]) + random.normal(0, 1, (160, 3))).astype(np.float32)
    return (save(rows, "rows.npy"), save(truth.astype(np.int32), "truth.npy"), save(rows[:, :2].copy(), "map.npy"))


def scores(result):
    return {name: float(value) for name, value in (line.split() for line in result.stdout.splitlines())}


def test_a_map_with_labels(mbn, blobs):
    rows, truth, flat = blobs
    found = scores(mbn("evaluate", flat, "--data", rows, "--truth", truth))
    assert list(found) == [*OF_NEIGHBOURS, "random_triplets", *OF_LABELS]
    assert all(0 <= value <= 1 for value in found.values())
    assert found["random_triplets"] > 0.85
    # Classes 3 and 9 lie on each other in the map, and all the others keep their order.
    assert 0.5 < found["nearest_neighbour"] < 1 and 0.6 < found["kmeans_nmi"] < 1
    assert found["centroid_triplets"] > 0.7


def test_json_has_the_same_and_threads_do_not_matter(mbn, blobs):
    rows, truth, flat = blobs
    told = [json.loads(mbn("evaluate", flat, "--data", rows, "--truth", truth, "--threads", threads, "--json").stdout)
            for threads in (1, 3)]
    assert {name: told[0][name] for name in OF_LABELS} == {name: told[1][name] for name in OF_LABELS}
    assert told[0]["random_triplets"] == told[1]["random_triplets"]
    printed = scores(mbn("evaluate", flat, "--data", rows, "--truth", truth))
    assert all(told[0][name] == pytest.approx(value, abs=1e-6) for name, value in printed.items())


def test_a_map_without_labels_has_no_scores_of_them(mbn, blobs):
    rows, _, flat = blobs
    found = scores(mbn("evaluate", flat, "--data", rows))
    assert list(found) == [*OF_NEIGHBOURS, "random_triplets"]
    found = scores(mbn("evaluate", rows, "--data", rows))
    assert set(found.values()) == {1}


def test_two_classes_have_no_triplets(mbn, shared):
    found = scores(mbn("evaluate", shared.rows, "--data", shared.rows, "--truth", shared.labels))
    assert "centroid_triplets" not in found and found["nearest_neighbour"] == 1


def test_the_metric_is_that_of_the_data(mbn, save):
    random = np.random.default_rng(1)
    rows = random.normal(size=(100, 4)).astype(np.float32)
    long = rows * random.uniform(0.1, 10, (100, 1)).astype(np.float32)
    unit = save((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), "unit.npy")
    data = save(long, "long.npy")
    assert min(scores(mbn("evaluate", unit, "--data", data, "--metric", "cosine")).values()) > 0.99
    assert max(scores(mbn("evaluate", unit, "--data", data)).values()) < 0.99


def test_what_does_not_fit_is_refused(mbn, blobs, save):
    rows, truth, flat = blobs
    short = save(np.zeros(159, np.int32), "short.npy")
    assert "159 labels for 160 rows" in mbn("evaluate", flat, "--data", rows, "--truth", short, code=2).stderr
    few = save(np.zeros((5, 2), np.float32), "few.npy")
    assert "160 rows but the embedding has 5" in mbn("evaluate", few, "--data", rows, "--truth", truth,
                                                     code=2).stderr
