# SPDX-License-Identifier: Apache-2.0
"""`mbn cluster --tree` and `mbn recluster`: coarse and fine answers of one network."""

import json

import numpy as np


def test_a_tree_as_data(mbn, shared, tmp_path):
    mbn("cluster", shared.rows, "--clusters", 3, "--clusterings", 50, "--tree", tmp_path / "tree.json", "-o",
        tmp_path / "l.csv")
    tree = json.loads((tmp_path / "tree.json").read_text())
    assert tree["rows"] == list(range(160)) and len(tree["merges"]) == 159
    heights = [merge[2] for merge in tree["merges"]]
    assert heights == sorted(heights) and 0 <= heights[0] and heights[-1] <= 1
    assert tree["merges"][-1][3] == 160
    persistence = [cut["persistence"] for cut in tree["cuts"]]
    assert persistence == sorted(persistence, reverse=True) and persistence
    assert sum(branch["cluster"] >= 0 for branch in tree["branches"]) == tree["cuts"][0]["clusters"]


def test_a_tree_as_a_picture(mbn, shared, tmp_path):
    told = json.loads(mbn("cluster", shared.rows, "--clusters", 3, "--clusterings", 50, "--tree",
                          tmp_path / "tree.svg", "--json").stdout)
    assert told["tree"] == str(tmp_path / "tree.svg")
    svg = (tmp_path / "tree.svg").read_text()
    assert svg.startswith("<svg") and "share of equal codes" in svg and "cluster 0" in svg


def test_the_same_tree_on_any_number_of_threads(mbn, shared, tmp_path):
    for threads in (1, 3):
        mbn("cluster", shared.rows, "--clusters", 3, "--clusterings", 20, "--threads", threads, "--tree",
            tmp_path / f"{threads}.json", "-o", tmp_path / f"{threads}.csv")
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "3.json").read_bytes()


def test_a_tree_needs_a_known_ending_and_a_network(mbn, shared, tmp_path):
    assert "gif" in mbn("cluster", shared.rows, "--clusters", 3, "--tree", tmp_path / "t.gif", code=2).stderr
    assert "--tree" in mbn("cluster", shared.rows, "--clusters", 3, "--raw", "--tree", tmp_path / "t.json",
                           code=2).stderr


def test_another_number_is_what_a_fit_for_it_gives(mbn, save, tmp_path):
    """Networks for 5 and 6 clusters stop at the same layer, so that all else is the same too."""
    rows = save(np.random.default_rng(1).normal(size=(200, 4)).astype(np.float32))
    for clusters in (5, 6):
        mbn("cluster", rows, "--clusters", clusters, "--clusterings", 30, "--map", 2, "--model",
            tmp_path / f"{clusters}.mbn", "-o", tmp_path / f"{clusters}.csv")
    said = mbn("recluster", tmp_path / "5.mbn", "--clusters", 6, "-o", tmp_path / "again.csv", "--model",
               tmp_path / "again.mbn").stderr
    assert "6 clusters of" in said
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "6.csv").read_text()
    labels = [mbn("predict", tmp_path / f"{name}.mbn", rows).stdout for name in ("6", "again")]
    assert labels[0] == labels[1]
    maps = [mbn("transform", tmp_path / f"{name}.mbn", rows, "--map").stdout for name in ("5", "again")]
    assert maps[0] == maps[1]
    told = json.loads(mbn("info", tmp_path / "again.mbn", "--json").stdout)
    assert told["clusters"] == 6 and told["components"] == 6 and "updated_rows" not in told


def test_what_recluster_refuses(mbn, shared, tmp_path):
    assert "there are 160 rows" in mbn("recluster", shared.model, "--clusters", 161, code=2).stderr
    assert "--clusters" in mbn("recluster", shared.model, code=2).stderr
    mbn("cluster", shared.rows, "--clusters", 3, "--pool", 20, "--model", tmp_path / "pool.mbn", "-o",
        tmp_path / "l.csv")
    said = mbn("recluster", tmp_path / "pool.mbn", "--clusters", 4, code=2).stderr
    assert "does not hold all its training rows" in said and "--clusters 4" in said


def test_more_clusters_than_the_top_layer_tells_apart(mbn, shared):
    told = json.loads(mbn("recluster", shared.model, "--clusters", 60, "--json").stdout)
    assert told["clusters"] == 60 and sum(told["cluster_sizes"]) == 160
    assert any("top layer" in note for note in told["notes"])
