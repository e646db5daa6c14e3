# SPDX-License-Identifier: Apache-2.0
"""`net.describe(X)`: what sets each cluster apart."""

import numpy as np
import pytest

import mbn


@pytest.fixture(scope="module")
def planted():
    random = np.random.default_rng(1)
    truth = np.repeat(np.arange(3), 50)
    rows = random.normal(size=(150, 9)).astype(np.float32)
    rows[np.arange(150), truth] += 8
    net = mbn.MBNClustering(3, n_clusterings=60).fit(rows)
    return net, rows, truth


def test_names_the_planted_features_first(planted):
    net, rows, truth = planted
    names = [f"feature {i}" for i in range(9)]
    for cluster in net.describe(rows, names):
        group = np.bincount(truth[net.labels_ == cluster.cluster]).argmax()
        assert cluster.marks[0].feature == group
        assert cluster.sentence.startswith(f"high feature {group} (")
        assert cluster.rows == (net.labels_ == cluster.cluster).sum()
        assert (net.labels_[cluster.exemplars] == cluster.cluster).all()
        assert str(cluster).startswith(f"cluster {cluster.cluster}: {cluster.rows} rows")


def test_confidence_is_the_mean_of_the_rows(planted):
    net, rows, _ = planted
    confidence = net.confidence(rows)
    for cluster in net.describe(rows):
        assert cluster.confidence == pytest.approx(confidence[net.labels_ == cluster.cluster].mean(), abs=1e-6)


def test_sparse_rows_are_shares():
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(2)
    truth = np.repeat([0, 1], 60)
    rows = (random.random((120, 300)) < 0.02).astype(np.float32)
    rows[truth == 0, :10] = random.random((60, 10)) < 0.8
    rows[truth == 1, 10:20] = random.random((60, 10)) < 0.8
    net = mbn.MBNClustering(2, metric="cosine", n_clusterings=40).fit(sparse.csr_matrix(rows))
    for cluster in net.describe(sparse.csr_matrix(rows)):
        assert cluster.marks[0].effect > 0
        assert 0 <= cluster.marks[0].outside < cluster.marks[0].inside <= 1
        assert "% of its rows" in cluster.sentence


CARS = ["engines and tyres of racing cars", "cars with engines", "tyres for cars and engines", "racing cars"]
CATS = ["kittens are purring cats", "purring kittens", "cats like kittens", "cats and purring kittens"]


def test_an_index_describes_its_clusters_in_whole_words(tool, tmp_path):
    texts = CARS * 10 + CATS * 10
    index = mbn.Index.build(texts, n_clusters=2, n_clusterings=20)
    labels = index.predict(texts)
    for cluster in index.describe(texts, marks=3, exemplars=2):
        words = " ".join(CARS if labels[0] == cluster.cluster else CATS).split()
        named = [part.split(" (")[0] for part in cluster.sentence.split("), ")]
        assert len(named) == 3 and set(named) <= set(words), cluster
        assert (labels[cluster.exemplars] == cluster.cluster).all()
    index.save(tmp_path / "index")
    (tmp_path / "texts.txt").write_text("\n".join(texts) + "\n")
    told = tool("describe", tmp_path / "index", tmp_path / "texts.txt", "--texts", "--marks", 3).stdout
    assert all(cluster.sentence in told for cluster in index.describe(texts, marks=3))


def test_an_index_without_clusters_says_so():
    index = mbn.Index.build(CARS + CATS, method="lsa", n_components=2)
    with pytest.raises(ValueError, match="the index has no clusters"):
        index.describe(CARS)


def test_whole_words_name_the_columns_of_counts():
    pytest.importorskip("scipy")
    words = mbn.Vectorizer()
    counts = words.fit_transform(CARS * 10 + CATS * 10)
    assert {"racing", "engines", "kittens"} <= set(words.whole_words(CARS + CATS))
    assert len(words.whole_words(CARS)) == counts.shape[1]
    net = mbn.MBNClustering(2, metric="cosine", n_clusterings=20).fit(counts)
    told = " ".join(cluster.sentence for cluster in net.describe(counts, words.whole_words(CARS + CATS)))
    assert "kittens" in told


def test_pictures_of_clusters():
    """Each cluster has its mean picture, and the sheet shows it beside the exemplars."""
    random = np.random.default_rng(7)
    kinds = np.arange(90) % 3
    pictures = (80 * random.integers(0, 3, (3, 6, 5))[kinds] + random.integers(0, 60, (90, 6, 5))).astype(np.uint8)
    rows = pictures.reshape(90, 30)
    net = mbn.MBNClustering(3, n_clusterings=30).fit(rows)
    clusters = net.describe(rows, pictures=(6, 5), exemplars=4)
    for cluster in clusters:
        np.testing.assert_allclose(cluster.mean, pictures[net.labels_ == cluster.cluster].mean(axis=0), rtol=1e-6)
    sheet = mbn.picture_sheet(clusters, rows, gap=2)
    assert sheet.shape == (2 + 3 * 8, 2 * 2 + 5 * 7) and sheet.dtype == np.uint8
    np.testing.assert_array_equal(sheet[2:8, 2:7], np.rint(clusters[0].mean))
    np.testing.assert_array_equal(sheet[2:8, 11:16], pictures[clusters[0].exemplars[0]])
    assert (sheet[:, 7:11] == 255).all()
    assert mbn.picture_sheet(net.describe(rows / 7.0, pictures=(2, 5, 3)), rows / 7.0).shape[2] == 3
    assert clusters[0].mean is not None and net.describe(rows)[0].mean is None
    for wrong in ((6, 6), (6,), (3, 5, 2), (0, 30)):
        with pytest.raises(ValueError, match="pictures is"):
            net.describe(rows, pictures=wrong)
    with pytest.raises(ValueError, match="describe them with pictures"):
        mbn.picture_sheet(net.describe(rows), rows)
