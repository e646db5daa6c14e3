# SPDX-License-Identifier: Apache-2.0
"""metric="precomputed" and a function as metric: against a plain twin, against the ordinary network, and SciPy's metrics."""

import pickle

import numpy as np
import pytest

import mbn

spatial = pytest.importorskip("scipy.spatial.distance")
sparse = pytest.importorskip("scipy.sparse")


def groups(rows=240, seed=2):
    return mbn.generate("gaussians", rows=rows, columns=8, n_clusters=4, random_state=seed)


def clustering(metric="precomputed", **options):
    return mbn.MBNClustering(4, metric=metric, n_clusterings=100, random_state=3, **options)


def neighbours(distances, count):
    """As sort_graph_by_row_values and kneighbors_graph give it, without the row itself."""
    found = np.argsort(distances, axis=1)[:, 1:count + 1]
    rows = np.repeat(np.arange(len(distances)), count)
    return sparse.csr_matrix((distances[rows, found.ravel()], (rows, found.ravel())), shape=distances.shape)


def half_manhattan(a, b):
    """A function that can be pickled."""
    return np.abs(a - b).sum() / 2


def first_codes(net, distances):
    """The plain twin of what happens to distances first: the nearest of the drawn rows of each clustering."""
    from safetensors_of import drawn_columns
    drawn = drawn_columns(net)
    return np.array([[columns[np.argmin(row[columns])] for columns in drawn] for row in distances])


def test_it_is_a_network_of_the_nearest_drawn_rows(tmp_path):
    """Agreement of two rows in the plain twin's codes is what outlier scores go by."""
    rows, _ = groups(120)
    distances = spatial.cdist(rows, rows).astype(np.float32)
    net = mbn.MBN(metric="precomputed", n_clusterings=100, random_state=3).fit(distances)
    net.save(tmp_path / "net.mbn")
    codes = first_codes(tmp_path / "net.mbn", distances)
    unequal = (codes[:, None] != codes[None]).sum(axis=2)
    sixth = np.sort(unequal, axis=1)[:, 5]
    usual = np.sort(sixth[sixth > 0])[np.count_nonzero(sixth > 0) // 2]
    np.testing.assert_allclose(net.outlier_scores(distances), sixth / usual, rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_labels_are_near_those_of_the_ordinary_network(seed):
    rows, truth = groups(400, seed)
    usual = mbn.MBNClustering(4, feature_fraction=1, n_clusterings=100, random_state=3).fit(rows)
    net = clustering().fit(spatial.cdist(rows, rows))
    assert mbn.score_clusters(net.labels_, usual.labels_).nmi > 0.9
    assert mbn.score_clusters(net.labels_, truth).accuracy > 0.95


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "cosine", "correlation", "chebyshev", "canberra",
                                    "braycurtis"])
def test_metrics_of_scipy(metric):
    rows, truth = groups()
    net = clustering().fit(spatial.cdist(rows, rows, metric))
    assert mbn.score_clusters(net.labels_, truth).nmi > 0.8
    others, kinds = groups(60)
    labels = net.predict(spatial.cdist(others, rows, metric))
    assert mbn.score_clusters(labels, kinds).nmi > 0.8
    own = clustering(getattr(spatial, metric)).fit(rows)
    assert mbn.score_clusters(own.labels_, net.labels_).nmi > 0.98


def test_a_function_gives_what_its_distances_give():
    rows, _ = groups()
    rows = rows.astype(np.float64)
    distances = np.array([[half_manhattan(a, b) for b in rows] for a in rows])
    own = clustering(half_manhattan).fit(rows)
    net = clustering().fit(distances)
    np.testing.assert_array_equal(own.embedding_, net.embedding_)
    np.testing.assert_array_equal(own.labels_, net.labels_)
    np.testing.assert_array_equal(own.transform(rows[:5]), own.embedding_[:5])
    np.testing.assert_array_equal(own.predict(rows[7:8]), own.labels_[7:8])
    assert own.n_features_in_ == 8 and net.n_features_in_ == len(rows)


def test_a_row_is_a_row_and_the_same_seed_gives_the_same():
    rows, _ = groups()
    distances = spatial.cdist(rows, rows)
    net = clustering().fit(distances)
    for threads in (1, 2):
        np.testing.assert_array_equal(clustering(n_jobs=threads).fit(distances).embedding_, net.embedding_)
    np.testing.assert_array_equal(net.transform(distances), net.embedding_)
    np.testing.assert_array_equal(net.transform(distances[5:6]), net.embedding_[5:6])
    other = mbn.MBNClustering(4, metric="precomputed", n_clusterings=100, random_state=4).fit(distances)
    assert (other.embedding_ != net.embedding_).any()


def test_rows_that_are_no_numbers():
    words = ["grey", "gray", "greys", "grays", "tree", "trees", "three", "free", "stone", "stones", "stony", "atone"] * 3

    def edits(a, b):
        last = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            row = [i]
            for j, y in enumerate(b, 1):
                row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
            last = row
        return last[-1]

    net = mbn.MBNClustering(3, metric=edits, n_clusterings=100).fit(words)
    kinds = np.array([0] * 4 + [1] * 4 + [2] * 4 * 1)
    assert mbn.score_clusters(net.labels_, np.tile(kinds, 3)).accuracy > 0.9
    assert net.predict(["grayish"])[0] == net.labels_[1]
    assert len(net.describe(words)) == 3


@pytest.mark.parametrize("own", [False, True])
def test_pickles_copies_and_clones(own):
    sklearn = pytest.importorskip("sklearn.base")
    rows, _ = groups(80)
    given = rows if own else spatial.cdist(rows, rows, "cityblock")
    net = clustering(half_manhattan if own else "precomputed").fit(given)
    again = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(again.transform(given), net.embedding_)
    fresh = sklearn.clone(net)
    assert fresh.get_params()["metric"] is net.metric
    np.testing.assert_array_equal(fresh.fit(given).embedding_, net.embedding_)


def test_files(tmp_path):
    rows, _ = groups(80)
    distances = spatial.cdist(rows, rows)
    net = clustering().fit(distances)
    net.save(tmp_path / "net.mbn")
    again = mbn.load(tmp_path / "net.mbn")
    assert again.metric == "precomputed"
    np.testing.assert_array_equal(again.labels_, net.labels_)
    np.testing.assert_array_equal(again.transform(distances), net.embedding_)
    own = clustering(half_manhattan).fit(rows)
    with pytest.raises(ValueError, match="cannot hold: pickle the estimator, or fit the distances"):
        own.save(tmp_path / "own.mbn")
    assert not (tmp_path / "own.mbn").exists()


def test_neighbours_only():
    rows, truth = groups(400)
    distances = spatial.cdist(rows, rows)
    whole = clustering().fit(distances)
    few = clustering().fit(neighbours(distances, 15))
    assert mbn.score_clusters(few.labels_, truth).nmi > mbn.score_clusters(whole.labels_, truth).nmi - 0.05
    np.testing.assert_array_equal(few.transform(neighbours(distances, 15)), few.embedding_)
    with pytest.raises(ValueError, match="has distances to 2 of the 400 training rows.* give those to 5 neighbours"):
        clustering().fit(neighbours(distances, 2))


def test_the_graph_of_scikit_learn():
    learn = pytest.importorskip("sklearn.neighbors")
    pipelines = pytest.importorskip("sklearn.pipeline")
    rows, truth = groups(300)
    net = pipelines.make_pipeline(learn.KNeighborsTransformer(n_neighbors=20, mode="distance"), clustering())
    assert mbn.score_clusters(net.fit_predict(rows), truth).accuracy > 0.95
    assert mbn.score_clusters(net.predict(rows), truth).accuracy > 0.95


def test_zeros_that_are_stored_are_distances():
    """Equal rows are 0 apart, which is not the same as far apart."""
    rows = np.repeat(groups(60)[0], 8, axis=0)
    distances = spatial.cdist(rows, rows)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :8]
    at = np.repeat(np.arange(len(rows)), 8)
    graph = sparse.csr_matrix((distances[at, nearest.ravel()], (at, nearest.ravel())), shape=distances.shape)
    assert graph.nnz == 8 * len(rows) and (graph.data == 0).all()
    net = clustering().fit(graph)
    np.testing.assert_array_equal(net.embedding_[0], net.embedding_[7])


@pytest.mark.parametrize("spoil, words", [
    (lambda d: d[:, :-1], "as many columns as rows, and these are 80 x 79"),
    (lambda d: d - 0.5, r"row 1, column 1 \(counted from 1\) is -0.5, but metric='precomputed' is for distances"),
    (lambda d: np.where(np.eye(80, k=2) == 1, np.nan, d), "row 1, column 3"),
    (lambda d: np.where(np.eye(80, k=2) == 1, np.inf, d), "row 1, column 3"),
    (lambda d: d.max() - d, "these are similarities"),
])
def test_what_is_no_distance_is_refused(spoil, words):
    rows, _ = groups(80)
    with pytest.raises(ValueError, match=words):
        clustering().fit(spoil(spatial.cdist(rows, rows)))


def test_distances_that_differ_both_ways_are_told():
    rows, _ = groups(80)
    distances = spatial.cdist(rows, rows)
    with pytest.warns(mbn.MBNNote, match="not the same both ways: row 1, column 2 is"):
        clustering().fit(np.triu(distances) * 2 + np.tril(distances))


@pytest.mark.parametrize("options", [{"scale": "standard"}, {"n_directions": 5}, {"weighting": "log"}, {"missing": "mean"},
                                     {"missing": "partial"}, {"types": {"a": "number"}}])
def test_parameters_of_columns_are_refused(options):
    rows, _ = groups(80)
    for metric, given in (("precomputed", spatial.cdist(rows, rows)), (half_manhattan, rows)):
        with pytest.raises(ValueError):
            clustering(metric, **options).fit(given)


def test_new_rows_must_fit():
    rows, _ = groups(80)
    own = clustering(half_manhattan).fit(rows)
    with pytest.raises(ValueError, match="X has 7 features, but MBNClustering is expecting 8 features"):
        own.predict(rows[:, :7])
    with pytest.raises(ValueError, match="X is sparse"):
        own.predict(sparse.csr_matrix(rows))
    with pytest.raises(ValueError, match="X has 8 features, but MBNClustering is expecting 80"):
        clustering().fit(spatial.cdist(rows, rows)).predict(rows)
    with pytest.raises(TypeError, match="one for each thing to compare"):
        clustering(half_manhattan).fit("rows.csv")
    with pytest.raises(ValueError, match="a student takes rows of numbers"):
        own.compress(rows)


@pytest.mark.filterwarnings("ignore::mbn.MBNNote")
def test_maps_and_all_else():
    rows, truth = groups(150)
    distances = spatial.cdist(rows, rows)
    net = mbn.MBNMap(metric="precomputed", n_clusters=4, n_clusterings=100).fit(distances)
    assert net.score(distances, truth) > 0.9
    np.testing.assert_array_equal(net.transform(distances[3:4]), net.embedding_[3:4])
    with pytest.raises(ValueError, match="trustworthiness"):
        net.score(distances)
    own = mbn.MBNMap(metric=half_manhattan, n_clusters=4, n_clusterings=100).fit(rows)
    assert own.score(rows, truth) > 0.9
    own.update(rows)
    assert own.n_features_in_ == 8
    clusters = clustering().fit(distances).describe(distances)
    assert all(not cluster.marks and cluster.exemplars for cluster in clusters)


def test_scikit_learn_knows_that_both_sides_are_rows():
    model_selection = pytest.importorskip("sklearn.model_selection")
    rows, truth = groups(150)
    scores = model_selection.cross_val_score(clustering(), spatial.cdist(rows, rows), truth, cv=3)
    assert (scores > 0.8).all()
