# SPDX-License-Identifier: Apache-2.0
"""`tree` and `with_clusters`: coarse and fine answers of one network."""

import json

import numpy as np
import pytest

import mbn


def test_the_tree_is_a_linkage_matrix_for_scipy(net, rows, truth):
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    tree = net.tree(rows)
    assert hierarchy.is_valid_linkage(tree.linkage) and tree.linkage.shape == (299, 4)
    assert tree.rows.tolist() == list(range(300))
    labels = tree.labels()
    assert len(set(labels[labels >= 0])) == tree.cuts[0].clusters == 3
    assert mbn.score_clusters(labels[labels >= 0], truth[labels >= 0]).accuracy > 0.95


def test_cuts_have_labels_and_other_numbers_do_not(net, rows):
    tree = net.tree(rows)
    for cut in tree.cuts:
        assert tree.labels(cut.clusters).max() + 1 == cut.clusters
    with pytest.raises(ValueError, match="clusters is 250, but this tree ends in"):
        tree.labels(250)
    assert "Tree of 300 rows" in repr(tree)


def test_the_tree_is_the_tools(net, rows, tool, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    tool("cluster", tmp_path / "rows.npy", "--clusters", 3, "--clusterings", 24, "--restarts", 4, "--seed", 3,
         "--tree", tmp_path / "tree.json", "-o", tmp_path / "labels.csv")
    told = json.loads((tmp_path / "tree.json").read_text())
    assert np.array_equal(np.array(told["merges"]), net.tree(rows).linkage)


def test_many_rows_are_sampled():
    rows, _ = mbn.generate("gaussians", rows=4500, columns=3, n_clusters=2, random_state=1)
    tree = mbn.MBN(n_clusterings=5, decay=0.1, random_state=0).fit(rows).tree(rows)
    assert len(tree.rows) == 4000 and len(tree.linkage) == 3999
    assert (np.diff(tree.rows) > 0).all()


def test_one_row_has_no_tree(net, rows):
    with pytest.raises(ValueError, match="at least 2 rows"):
        net.tree(rows[:1])


def test_another_number_of_clusters_without_a_fit(net, rows, small):
    other = net.with_clusters(4)
    again = mbn.MBNClustering(4, **small).fit(rows)
    assert other.n_clusters == 4 and other.cluster_centers_.shape == (4, 4)
    if [layer.centroids for layer in again.layers_] == [layer.centroids for layer in net.layers_]:
        assert np.array_equal(other.labels_, again.labels_)
    assert np.array_equal(other.predict(rows), other.labels_)
    assert len(net.cluster_centers_) == 3
    with pytest.raises(ValueError, match="n_clusters is 301, but there are 300 rows"):
        net.with_clusters(301)


def test_bad_linkages_are_refused():
    with pytest.raises(ValueError, match="not a matrix of merges"):
        mbn._core.tree_labels(np.array([0.0, 9.0, 0.1, 2.0]), 2)
    with pytest.raises(ValueError, match="not a matrix of merges"):
        mbn._core.tree_labels(np.array([0.0, np.nan, 0.1, 2.0]), 2)
