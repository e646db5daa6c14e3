# SPDX-License-Identifier: Apache-2.0
"""Texts, neighbours and retrieval in Python."""

import copy
import pickle

import numpy as np
import pytest

import mbn

TEXTS = ["cats sleep all day", "a cat sleeps in the sun", "the sun is warm for cats",
         "dogs bark at cars", "a dog barks at a car", "cars are fast and dogs run"]


def test_counts_are_those_of_the_tool(tool, tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    tool("vectorize", tmp_path / "texts.txt", "-o", tmp_path / "counts.npz", "--words", 5)
    words = mbn.Vectorizer(words=5)
    counts = words.fit_transform(TEXTS)
    other = scipy_sparse.load_npz(tmp_path / "counts.npz")
    assert counts.shape == (6, 5) and (counts != other).nnz == 0
    loaded = mbn.Vectorizer.load(tmp_path / "counts.vocabulary.json")
    assert loaded.words == 5 and (loaded.transform(TEXTS) != counts).nnz == 0
    assert loaded.get_feature_names_out().tolist() == words.get_feature_names_out().tolist()


def test_a_vectorizer_survives_pickle_and_clone():
    pytest.importorskip("scipy.sparse")
    words = mbn.Vectorizer(language=None, stop_words=None).fit(TEXTS)
    again = pickle.loads(pickle.dumps(words))
    assert (again.transform(TEXTS) != words.transform(TEXTS)).nnz == 0
    assert "sleeps" in again.get_feature_names_out()
    sklearn = pytest.importorskip("sklearn.base")
    assert sklearn.clone(words).get_params() == words.get_params()


def test_pipeline_from_texts_to_clusters():
    pipeline = pytest.importorskip("sklearn.pipeline")
    steps = pipeline.make_pipeline(mbn.Vectorizer(), mbn.MBNClustering(
        2, n_clusterings=100, n_centroids=3, metric="cosine"))
    labels = steps.fit(TEXTS).predict(TEXTS)
    assert mbn.score_clusters(labels, [0, 0, 0, 1, 1, 1]).accuracy == 1


def test_texts_must_be_texts():
    with pytest.raises(ValueError, match="raw text documents expected"):
        mbn.Vectorizer().fit("one text")
    with pytest.raises(TypeError, match="text 1 is int"):
        mbn.Vectorizer().fit(["a", 1])
    with pytest.raises(mbn.NotFittedError):
        mbn.Vectorizer().transform(TEXTS)
    with pytest.raises(ValueError, match="language"):
        mbn.Vectorizer(language="klingon").fit(TEXTS)


@pytest.mark.parametrize("method", ["fusion", "bm25", "lsa", "mbn"])
def test_an_index_answers_as_the_tool_does(tool, method, tmp_path):
    ids = [f"text {i}" for i in range(6)]
    index = mbn.Index.build(TEXTS, ids, method=method, n_components=2, random_state=3,
                            **({"n_clusterings": 100, "n_centroids": 3} if method == "mbn" else {}))
    hits = index.search("barking dogs", top=3)
    assert {hit.row for hit in hits} == {3, 4, 5} and hits[0].score >= hits[1].score
    assert hits[0].id == ids[hits[0].row] and hits[0].title == TEXTS[hits[0].row]
    assert index.method == method and method in index.methods
    assert hits[0].passage == TEXTS[hits[0].row] and hits[0].words == ("barking", "dogs")
    assert {hits[0].passage[begin:end] for begin, end in hits[0].marks} <= {"dog", "dogs", "bark", "barks"}
    assert index.search(["barking dogs", "xyzzy"], top=3) == [hits, []]
    index.save(tmp_path / "texts.index")
    again = mbn.Index.load(tmp_path / "texts.index")
    assert len(again) == 6 and again.search("barking dogs", top=3) == hits
    found = tool("search", tmp_path / "texts.index", "barking dogs", "--top", 3)
    shown = [line.split("\t")[1] for line in found.stdout.splitlines() if not line.startswith("\t")]
    assert shown == [h.id for h in hits]


def test_documents_come_and_go():
    index = mbn.Index.build(TEXTS, [f"t{i}" for i in range(6)], n_components=2)
    more = index.added(["a zebra in the café"], ["z"])
    assert len(index) == 6 and len(more) == 7
    assert [hit.id for hit in more.search("Cafe", top=1)] == ["z"] and index.search("Cafe") == []
    assert {hit.id for hit in more.like("t3", top=2)} == {"t4", "t5"}
    rest = more.removed(["z", "t3"])
    assert len(rest) == 5 and rest.search("zebra") == []
    with pytest.raises(ValueError, match="called 'z'"):
        rest.removed(["z"])
    with pytest.raises(ValueError, match="called 't3'"):
        rest.like("t3")
    with pytest.raises(ValueError, match="already"):
        more.added(["again"], ["z"])


def test_known_items_are_scored():
    index = mbn.Index.build(TEXTS, n_components=2)
    scores = index.score_known_items(["sleeping in the sun", "barking car"], [1, 4], method="bm25")
    # Documents 3 and 4 have the same stems, and of equals the first comes first: ranks 1 and 2.
    assert scores["questions"] == 2 and scores["mean_reciprocal_rank"] == 0.75 and scores["recall_at_10"] == 1
    with pytest.raises(ValueError, match="not in the index"):
        index.score_known_items(["x"], ["nobody"])


def test_an_index_of_one_kind_says_what_it_has():
    index = mbn.Index.build(TEXTS, method="bm25", keep_texts=False)
    assert index.methods == ["bm25"] and index.search("dogs")[0].passage == ""
    with pytest.raises(ValueError, match="method.*bm25"):
        index.search("dogs", method="lsa")
    clustered = mbn.Index.build(TEXTS, n_clusters=2, n_centroids=3, n_clusterings=50, n_components=2)
    assert clustered.methods == ["fusion", "bm25", "lsa", "mbn"]
    assert {hit.cluster for hit in clustered.search("dogs", method="mbn", top=6)} == {0, 1}


def test_an_index_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="n_neighbours"):
        mbn.Index.build(TEXTS, n_neighbours=3)
    with pytest.raises(ValueError, match="1 ids for 3 rows"):
        mbn.Index.of(np.eye(3, dtype=np.float32), ids=["one"])
    with pytest.raises(ValueError, match="vocabulary"):
        mbn.Index.of(np.eye(3, dtype=np.float32)).search("a question")


def test_kneighbors_of_an_index_are_the_nearest_by_cosine():
    rows, _ = mbn.generate("gaussians", rows=60, columns=5, random_state=2)
    index = mbn.Index.of(rows)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosine = unit @ unit.T
    distances, indices = index.kneighbors(rows[:7], n_neighbors=5)
    assert indices.shape == distances.shape == (7, 5)
    best = np.sort(1 - cosine[:7], axis=1)[:, :5]
    np.testing.assert_allclose(distances, best, atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(1 - cosine[:7], indices, 1), distances, atol=1e-5)
    np.fill_diagonal(cosine, -2)
    own = index.kneighbors(n_neighbors=4, return_distance=False)
    assert (own != np.arange(60)[:, None]).all()
    np.testing.assert_allclose(np.take_along_axis(cosine, own, 1), -np.sort(-cosine, 1)[:, :4],
                               atol=1e-5)


@pytest.mark.parametrize("net", [mbn.MBN(n_clusterings=50), mbn.MBNMap(n_clusterings=50),
                                 mbn.MBNClustering(3, n_clusterings=50)], ids=str)
def test_kneighbors_are_the_nearest_in_what_transform_gives(net):
    """Before, by the cosine: of 60 rows in two dimensions, most were not their own nearest."""
    rows, _ = mbn.generate("gaussians", rows=60, columns=5, random_state=2)
    net.fit(rows)
    apart = np.sqrt(((net.embedding_[:, None] - net.embedding_[None]) ** 2).sum(axis=2))
    distances, indices = net.kneighbors(rows, n_neighbors=5)
    assert indices.dtype == np.int64 and (distances[:, 0] == 0).all()
    np.testing.assert_allclose(distances, np.sort(apart, axis=1)[:, :5], atol=1e-4)
    np.testing.assert_allclose(np.take_along_axis(apart, indices, 1), distances, atol=1e-4)
    own = net.kneighbors(n_neighbors=4, return_distance=False)
    assert own.shape == (60, 4) and (own != np.arange(60)[:, None]).all()
    np.fill_diagonal(apart, np.inf)
    np.testing.assert_allclose(np.take_along_axis(apart, own, 1), np.sort(apart, 1)[:, :4], atol=1e-4)
    with pytest.raises(ValueError, match="n_neighbors"):
        net.kneighbors(n_neighbors=60)


def test_what_finds_neighbours_is_kept_and_not_pickled():
    rows, _ = mbn.generate("gaussians", rows=60, columns=5, random_state=2)
    net = mbn.MBN(n_clusterings=20).fit(rows)
    first = net.kneighbors(rows)
    kept = net._neighbours[1]
    np.testing.assert_array_equal(net.kneighbors(rows)[1], first[1])
    assert net._neighbours[1] is kept
    for copied in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        np.testing.assert_array_equal(copied.kneighbors(rows)[1], first[1])
    net.set_params(random_state=3).fit(rows)
    net.kneighbors(rows)
    assert net._neighbours[1] is not kept


def test_a_network_from_a_file_says_why_it_has_no_neighbours(tmp_path):
    rows, _ = mbn.generate("gaussians", rows=60, columns=5)
    mbn.MBN(n_clusterings=2, n_centroids=15).fit(rows).save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match="of its 60 training rows"):
        mbn.MBN.load(tmp_path / "net.mbn").kneighbors(rows)


def naive_accuracy(map_, labels, groups, m):
    unit = map_ / np.linalg.norm(map_, axis=1, keepdims=True)
    right = 0
    for i in range(len(map_)):
        order = np.argsort(-(unit @ unit[i]), kind="stable")
        hits = [j for j in order if j != i and groups[j] != groups[i]][:m]
        right += sum(bool((labels[i] * labels[j]).any()) for j in hits)
    return right / (m * len(map_))


@pytest.mark.parametrize("kind", [np.asarray, "csr"])
def test_retrieval_scores(kind):
    random = np.random.default_rng(0)
    map_ = random.normal(size=(40, 3)).astype(np.float32)
    labels = (random.random((40, 6)) < 0.2).astype(np.float32)
    groups = random.integers(0, 15, 40)
    given = pytest.importorskip("scipy.sparse").csr_matrix(labels) if kind == "csr" else labels
    curve = mbn.score_retrieval(map_, given, groups=groups, deepest=7)
    assert curve.retrieved.tolist() == [1, 3, 7] and curve.queries == 40
    assert curve.labelled == (labels.sum(1) > 0).sum()
    expected = [naive_accuracy(map_, labels, groups, m) for m in (1, 3, 7)]
    np.testing.assert_allclose(curve.accuracy, expected, atol=1e-12)


def test_an_index_embeds_and_labels_texts_and_rows(tool, tmp_path):
    """As `mbn transform` and `mbn predict` do with its file."""
    pytest.importorskip("scipy.sparse")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    index = mbn.Index.build(TEXTS, n_components=2, n_clusters=2, n_centroids=3, n_clusterings=50)
    index.save(tmp_path / "index")
    for verb in ("transform", "predict"):
        tool(verb, tmp_path / "index", tmp_path / "texts.txt", "--texts", "-o",
             tmp_path / f"{verb}.npy")
    counts = mbn.Vectorizer(weighting="log-tfidf").fit_transform(TEXTS)
    for given in (TEXTS, tuple(TEXTS), np.array(TEXTS, dtype=object), counts, counts.toarray()):
        assert np.array_equal(index.transform(given), np.load(tmp_path / "transform.npy"))
        assert np.array_equal(index.predict(given), np.load(tmp_path / "predict.npy").ravel())
    distances, rows = index.kneighbors(TEXTS[:1], n_neighbors=1)
    assert rows[0, 0] == 0 and distances[0, 0] == pytest.approx(0, abs=1e-6)
    bare = mbn.Index.of(np.eye(3, dtype=np.float32))
    with pytest.raises(ValueError, match="no vocabulary"):
        bare.transform(TEXTS)
    with pytest.raises(ValueError, match="no clusters"):
        bare.predict(np.eye(3, dtype=np.float32))
    assert np.array_equal(bare.transform(np.eye(3)), np.eye(3))


def test_words_are_weighted_as_a_network_weighs_them():
    """The vectorizer's weighting of counts, and the network's of the same counts."""
    pytest.importorskip("scipy.sparse")
    counts = mbn.Vectorizer().fit_transform(TEXTS)
    small = {"metric": "cosine", "n_centroids": 3, "n_clusterings": 50}
    for weighting in ("log", "tfidf", "log-tfidf"):
        weighted = mbn.Vectorizer(weighting=weighting).fit_transform(TEXTS)
        assert not np.array_equal(weighted.toarray(), counts.toarray())
        net = mbn.MBN(weighting=weighting, **small).fit(counts)
        assert np.array_equal(net.embedding_, mbn.MBN(**small).fit(weighted).embedding_)
    assert len(mbn.Index.build(TEXTS, weighting="log-tfidf", n_components=2, n_centroids=3)) == len(TEXTS)
    for refused in (lambda: mbn.Vectorizer(weighting="cells").fit(TEXTS),
                    lambda: mbn.Index.build(TEXTS, weighting="cells")):
        with pytest.raises(ValueError, match="weighting"):
            refused()
