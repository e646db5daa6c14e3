# SPDX-License-Identifier: Apache-2.0
"""Every metric against SciPy, through all of the library: outlier scores are distances to the sixth nearest kept row, and
the scores of a map rank all rows by the metric."""

import numpy as np
import pytest

import mbn

spatial = pytest.importorskip("scipy.spatial.distance")
sparse = pytest.importorskip("scipy.sparse")

SCIPY = {"euclidean": "euclidean", "cosine": "cosine", "correlation": "correlation", "manhattan": "cityblock",
         "hamming": "hamming"}
METRICS = [*SCIPY, "jaccard", "chi-squared", "hellinger"]


def distances(metric, rows):
    rows = rows.astype(np.float64)
    if metric in SCIPY:
        return spatial.cdist(rows, rows, SCIPY[metric])
    if metric == "jaccard":
        return spatial.cdist(rows != 0, rows != 0, "jaccard")
    if metric == "hellinger":
        roots = np.sqrt(rows / rows.sum(axis=1, keepdims=True))
        return spatial.cdist(roots, roots) / np.sqrt(2)
    return -pytest.importorskip("sklearn.metrics.pairwise").additive_chi2_kernel(rows)


def counts(share):
    """Histograms of three kinds; `share` of the cells are not zero, and no row is empty."""
    random = np.random.default_rng(5)
    kinds = random.gamma(1, 1, (3, 120))
    rows = random.poisson(3 * kinds[np.arange(150) % 3]) + 1
    rows *= random.random(rows.shape) < share
    rows[:, 0] += 1
    return rows.astype(np.float32)


def groups(metric):
    """Rows of three kinds, which `metric` can tell apart: sets by which cells are zero."""
    if metric != "jaccard":
        return counts(0.6)
    random = np.random.default_rng(5)
    return random.poisson(random.gamma(1, 1, (3, 120))[np.arange(150) % 3]).astype(np.float32)


def fitted(rows, metric, **options):
    return mbn.MBN(metric=metric, n_clusterings=30, n_directions="none", random_state=1, **options).fit(rows)


@pytest.mark.parametrize("kind", ["dense", "bytes", "sparse"])
@pytest.mark.parametrize("metric", METRICS)
def test_outlier_scores_are_distances(metric, kind):
    if (metric, kind) == ("correlation", "sparse"):
        pytest.skip("refused")
    rows = counts(0.03 if kind == "sparse" else 0.6)
    given = {"dense": rows, "bytes": rows.astype(np.uint8), "sparse": sparse.csr_matrix(rows)}[kind]
    sixth = np.sort(distances(metric, rows), axis=1)[:, 5]
    scores = fitted(given, metric).outlier_scores(given)
    # All rows are kept, and the usual distance is the upper median of those that are not zero.
    usual = np.sort(sixth[sixth > 1e-9])[np.count_nonzero(sixth > 1e-9) // 2]
    np.testing.assert_allclose(scores, sixth / usual, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("metric", METRICS)
def test_neighbour_scores_rank_by_the_metric(metric):
    manifold = pytest.importorskip("sklearn.manifold")
    random = np.random.default_rng(6)
    rows = random.gamma(2, 1, (90, 12)).astype(np.float32)
    if metric in ("hamming", "jaccard"):  # ties are broken in other ways: distances must differ
        pytest.skip("ties")
    shown = rows[:, :2]
    ours = mbn.score_neighbours(rows, shown, neighbours=7, sample=0, metric=metric).trustworthiness
    theirs = manifold.trustworthiness(distances(metric, rows), shown, n_neighbors=7, metric="precomputed")
    assert ours == pytest.approx(theirs, abs=2e-4)


@pytest.mark.parametrize("metric", METRICS)
def test_a_network_of_every_metric_finds_the_groups(metric):
    rows, truth = groups(metric), np.arange(150) % 3
    net = mbn.MBNClustering(3, metric=metric, n_clusterings=60, random_state=1).fit(rows)
    assert mbn.score_clusters(net.labels_, truth).accuracy > 0.9
    np.testing.assert_array_equal(net.transform(rows[:1]), net.embedding_[:1])
    np.testing.assert_array_equal(net.predict(rows), net.labels_)


@pytest.mark.filterwarnings("ignore::mbn.MBNNote")
@pytest.mark.parametrize("metric", METRICS)
def test_maps_of_every_metric(metric, tmp_path):
    """Groups are islands, and a loaded model has the same places."""
    rows, truth = groups(metric), np.arange(150) % 3
    net = mbn.MBNMap(metric=metric, n_clusters=3, n_clusterings=60, random_state=1).fit(rows)
    scores = mbn.score_map(rows, net.embedding_, truth, metric=metric)
    assert scores.nearest_neighbour > 0.9
    assert (scores.centroid_triplets is None) == (metric in ("manhattan", "chi-squared", "hamming", "jaccard"))
    net.save(tmp_path / "map.mbn")
    again = mbn.MBNMap.load(tmp_path / "map.mbn").transform(rows)
    np.testing.assert_array_equal(again, net.embedding_)


def test_a_map_of_another_metric_says_what_it_goes_by():
    with pytest.warns(mbn.MBNNote, match="the map is laid out by what the network makes of the rows alone"):
        mbn.MBNMap(metric="hamming", n_clusterings=20, random_state=1).fit(counts(0.6))


@pytest.mark.parametrize("metric", ["chi-squared", "hellinger"])
def test_values_below_zero_are_refused(metric):
    rows = counts(0.6)
    net = fitted(rows, metric)
    bad = rows.copy()
    bad[4, 2] = -1
    for call in (lambda: fitted(bad, metric), lambda: net.transform(bad), lambda: net.outlier_scores(bad)):
        with pytest.raises(ValueError, match=f"row 5, column 3 .* is -1, but metric='{metric}' is for values of 0 or more"):
            call()


def test_what_does_not_go_together_is_refused():
    rows = counts(0.6)
    with pytest.raises(ValueError, match="metric='jaccard' compares values as they are, which scale would change"):
        mbn.MBN(metric="jaccard", scale="standard").fit(rows)
    with pytest.raises(ValueError, match="metric='manhattan' compares columns, not coordinates along directions"):
        mbn.MBN(metric="manhattan", n_directions=5).fit(rows)
    with pytest.raises(ValueError, match="metric='correlation' would fill in the zeros of sparse rows"):
        mbn.MBN(metric="correlation").fit(sparse.csr_matrix(counts(0.03)))
    with pytest.raises(ValueError, match="metric='jaccard' is not for latent semantic analysis"):
        mbn.Lsa(2, metric="jaccard").fit(sparse.csr_matrix(rows))
