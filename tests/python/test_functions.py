# SPDX-License-Identifier: Apache-2.0
"""The library beside the estimators."""

import json

import numpy as np
import pytest

import mbn


def test_plan_is_the_tools(tool, tmp_path, rows):
    np.save(tmp_path / "rows.npy", rows)
    theirs = json.loads(tool("plan", tmp_path / "rows.npy", "--clusters", 3, "--threads", 2,
                             "--json").stdout)
    mine = mbn.plan(rows, n_clusters=3, n_jobs=2)
    assert mine.peak_bytes == theirs["peak_bytes"] and mine.batch_rows == theirs["batch_rows"]
    assert mine == mbn.plan(rows.shape, n_clusters=3, n_jobs=2)


def test_plan_holds(rows):
    planned = mbn.plan(rows, n_clusters=3)
    net = mbn.MBNClustering(3).fit(rows)
    assert [one.centroids for one in planned.layers] == [one.centroids for one in net.layers_]
    assert planned.components == 3 and net.model_.nbytes <= planned.model_bytes
    assert len(net.model_.to_bytes()) <= planned.file_bytes


def test_plan_sees_bytes(rows):
    assert (mbn.plan(np.zeros((1000, 50), np.uint8)).peak_bytes
            < mbn.plan(np.zeros((1000, 50), np.float32)).peak_bytes)


def test_plan_complains():
    with pytest.raises(MemoryError, match="limit"):
        mbn.plan((1_000_000, 1000), memory_limit=1_000_000)
    with pytest.raises(ValueError, match="n_clusters is 20, but the data has only 10 rows"):
        mbn.plan((10, 5), n_clusters=20)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        mbn.plan((10, 5), colour="red")


def test_cluster_scores_are_those_of_others(rows, truth, net):
    metrics = pytest.importorskip("sklearn.metrics")
    noisy = np.where(np.arange(300) % 4 == 0, (truth + 1) % 3, truth)
    found = mbn.score_clusters(noisy, truth)
    assert found.nmi == pytest.approx(metrics.normalized_mutual_info_score(
        truth, noisy, average_method="geometric"))
    assert found.ari == pytest.approx(metrics.adjusted_rand_score(truth, noisy))


def test_cluster_scores():
    found = mbn.score_clusters(["x", "x", "y", "y"], [7, 7, 7, 9])
    assert found.accuracy == 0.75 and found.purity == 0.75
    with pytest.raises(ValueError):
        mbn.score_clusters([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="one dimension"):
        mbn.score_clusters([[1, 2]], [1, 2])


def test_trustworthiness_is_that_of_others(rows, net):
    manifold = pytest.importorskip("sklearn.manifold")
    found = mbn.score_neighbours(rows, net.embedding_, neighbours=10, sample=0)
    assert found.trustworthiness == pytest.approx(
        manifold.trustworthiness(rows, net.embedding_, n_neighbors=10), abs=1e-3)


def order(rows, first, second, third):
    """Whether the second row is nearer to the first than the third is; the smaller number of ties."""
    near, far = (((rows[first] - rows[other]) ** 2).sum() for other in (second, third))
    return (near, second) < (far, third)


def test_map_scores(rows, truth, net):
    flat = net.embedding_[:, :2]
    found = mbn.score_map(rows, flat, truth, sample=0)
    distances = ((flat[:, None].astype(float) - flat[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert found.nearest_neighbour == pytest.approx(np.mean(truth[distances.argmin(axis=1)] == truth))
    assert found.kmeans_nmi == mbn.score_clusters(
        mbn.kmeans(flat, 3, restarts=10, random_state=0).labels, truth).nmi
    middles = [np.array([part[truth == label].mean(axis=0) for label in range(3)]) for part in (rows, flat)]
    kept = [order(middles[0], a, b, c) == order(middles[1], a, b, c)
            for a, b, c in ((0, 1, 2), (1, 0, 2), (2, 0, 1))]
    assert found.centroid_triplets == pytest.approx(np.mean(kept))
    assert 0.5 < found.random_triplets < 1
    assert found == mbn.score_map(rows, flat, truth, sample=0, n_jobs=1)
    assert found == mbn.score_map(rows, flat, [f"class {label}" for label in truth], sample=0)


def test_map_scores_without_labels_and_by_the_cosine(rows):
    found = mbn.score_map(rows, rows)
    assert found == (1, None, None, None)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert mbn.score_map(rows, unit, metric="cosine").random_triplets > 0.99
    assert mbn.score_map(rows, unit).random_triplets < 0.99
    assert mbn.score_neighbours(rows, unit, metric="cosine").trustworthiness > 0.999


def test_map_scores_complain(rows, truth):
    with pytest.raises(ValueError, match="299 labels for 300 rows"):
        mbn.score_map(rows, rows, truth[:-1])
    with pytest.raises(ValueError, match="0 labels for 300 rows"):
        mbn.score_map(rows, rows, [])
    with pytest.raises(ValueError, match="300 rows but the embedding has 20"):
        mbn.score_map(rows, rows[:20])
    with pytest.raises(ValueError, match="metric is 'minkowski'; it must be one of 'euclidean', 'cosine'"):
        mbn.score_map(rows, rows, metric="minkowski")
    with pytest.raises(ValueError, match="NaN|finite"):
        mbn.score_map(rows, np.full((300, 2), np.nan))


def test_layer_correlation(rows, net):
    found = mbn.layer_correlation(net, rows, layer=1)
    assert 0 < found.error_ratio < 1
    assert found.error_ratio == pytest.approx(found.ensemble_error / found.single_error)
    with pytest.raises(ValueError, match="layer is 9"):
        mbn.layer_correlation(net, rows, layer=9)


def test_kmeans(rows, truth):
    found = mbn.kmeans(rows, 3, random_state=1)
    distances = ((rows[:, None] - found.centres[None]) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) == found.labels).all()
    assert found.objective == pytest.approx(distances.min(axis=1).sum(), rel=1e-4)
    with pytest.raises(ValueError, match="clusters"):
        mbn.kmeans(rows, 301)


def test_read(tmp_path):
    (tmp_path / "flowers.csv").write_text("id,long,wide,kind\na,1,2,red\nb,3,4,blue\n")
    table = mbn.read(tmp_path / "flowers.csv", label_column="kind", id_column="id")
    assert table.rows.tolist() == [[1, 2], [3, 4]] and table.columns == ["long", "wide"]
    assert table.labels.tolist() == [1, 0] and table.label_names == ["blue", "red"]
    assert table.ids == ["a", "b"]
    np.save(tmp_path / "plain.npy", np.eye(3, dtype=np.uint8))
    plain = mbn.read(tmp_path / "plain.npy")
    assert plain.rows.dtype == np.uint8 and plain.labels is None and plain.ids is None
    plain.rows[0] = 9  # its own memory, not the file's
    with pytest.raises(FileNotFoundError):
        mbn.read(tmp_path / "absent.csv")
    (tmp_path / "bad.csv").write_text("1,2\n3,oops\n")
    with pytest.raises(ValueError, match="bad.csv:2: column 2"):
        mbn.read(tmp_path / "bad.csv")


def test_read_tables_as_they_are(tmp_path):
    path = tmp_path / "shops.csv"
    path.write_text("shop,town,a_1,a_2,b\nx,Ulm,1,2,3\ny,Bonn,4,5,6\n")
    table = mbn.read(path, id_column=["shop", "town"], drop="b")
    assert table.ids == [("x", "Ulm"), ("y", "Bonn")] and table.columns == ["a_1", "a_2"]
    assert mbn.read(path, columns="a_*").rows.tolist() == [[1, 2], [4, 5]]
    assert mbn.read(path, columns=["a_1", 5]).rows.tolist() == [[1, 3], [4, 6]]
    turned = mbn.read(path, id_column="shop", drop="town", transpose=True)
    assert turned.columns == ["x", "y"] and turned.ids == ["a_1", "a_2", "b"]
    path.write_text(",a,b\n0,1,2\n1,3,4\n")
    with pytest.warns(mbn.MBNNote, match="taken as row ids; columns='1-3'"):
        assert mbn.read(path).rows.tolist() == [[1, 2], [3, 4]]
    path.write_text("n,a,b\nx,1,2\ny,3,\n")
    with pytest.raises(ValueError, match="2 columns.*drop='n,b'.*id_column='n'"):
        mbn.read(path, coding=[])


def test_read_with_missing_cells(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("id,a,b\nx,1,NA\ny,3,4\nz,?,8\n")
    with pytest.raises(ValueError, match="2 columns have missing values.*missing='mean' fills.*missing='drop' leaves"):
        mbn.read(path, id_column="id")
    with pytest.warns(mbn.MBNNote, match="filled with the means of their columns: 2 cells in 2 columns"):
        table = mbn.read(path, id_column="id", missing="mean")
    assert table.rows.tolist() == [[1, 6], [3, 4], [2, 8]] and table.means.tolist() == [2, 6]
    with pytest.warns(mbn.MBNNote, match="2 of 3 rows were left out"):
        left = mbn.read(path, id_column="id", missing="drop")
    assert left.rows.tolist() == [[3, 4]] and left.ids == ["y"] and left.kept.tolist() == [1] and left.means is None
    kept = mbn.read(path, id_column="id", missing="keep")
    assert np.isnan(kept.rows).tolist() == [[False, True], [False, False], [True, False]] and kept.kept is None

    (tmp_path / "new.csv").write_text("a,b\n100,\n200,300\n")
    with pytest.warns(mbn.MBNNote, match="the means of the training rows"):
        new = mbn.read(tmp_path / "new.csv", missing="mean", means=table.means)
    assert new.rows.tolist() == [[100, 6], [200, 300]] and new.means.tolist() == [2, 6]
    with pytest.raises(ValueError, match="2 columns, and there are 1 means"):
        mbn.read(tmp_path / "new.csv", missing="mean", means=[1])
    with pytest.raises(ValueError, match="means are for missing"):
        mbn.read(tmp_path / "new.csv", means=[1, 2])
    with pytest.raises(ValueError, match="missing"):
        mbn.read(path, missing="zero")


def test_wrong_numbers(rows):
    with pytest.raises(ValueError, match="n_clusters is -1; it must be at least 1"):
        mbn.kmeans(rows, -1)
    with pytest.raises(TypeError, match="n_clusters must be a whole number, not 2.5"):
        mbn.kmeans(rows, 2.5)
    with pytest.raises(ValueError, match="random_state is -7"):
        mbn.generate(random_state=-7)
    with pytest.raises(TypeError, match="random_state must be a whole number, not 'x'"):
        mbn.kmeans(rows, 2, random_state="x")
    with pytest.raises(ValueError, match="sample is -1; it must be at least 0"):
        mbn.score_neighbours(rows, rows, sample=-1)


def test_generate_complains():
    with pytest.raises(ValueError, match="kind is 'stars'; it must be one of 'gaussians'"):
        mbn.generate("stars")


def test_read_gives_sparse_files_as_csr_matrices(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    made = sparse.random(30, 80, density=0.05, format="csr", random_state=4, dtype=np.float32)
    sparse.save_npz(tmp_path / "x.npz", made)
    sparse.save_npz(tmp_path / "y.npz", made.tocsc())
    for name in ("x.npz", "y.npz"):
        rows = mbn.read(tmp_path / name).rows
        assert sparse.issparse(rows) and rows.format == "csr"
        assert rows.shape == made.shape and (rows != made).nnz == 0
    (tmp_path / "z.svm").write_text("2 1:0.5 3:1\n1 2:4\n")
    table = mbn.read(tmp_path / "z.svm")
    assert table.rows.toarray().tolist() == [[0.5, 0, 1], [0, 4, 0]]
    assert list(table.labels) == [2, 1]


def test_choose_gives_what_a_fit_keeps(rows, small):
    parameters = {"most_clusters": 6, **small}
    found = mbn.choose(rows, **parameters)
    net = mbn.MBNClustering("find", decay="auto", scale="auto", **parameters).fit(rows)
    assert found == net.selection_ and found["clusters"] == 3 and found["rows"] == 300
    given = mbn.choose(rows, n_clusters=3, decay=0.5, scale=None, **small)
    assert given["candidates"] == given["counts"] == [] and given["decay"] == 0.5
    only = mbn.choose(rows, n_clusters=3, scale=None, **small)
    assert only["counts"] == [] and len(only["candidates"]) >= 5 and only["clusters"] == 0
    unknown = mbn.choose(rows, n_clusters="unknown", **small)
    assert unknown["candidates"] == [] and unknown["decay"] == 0.5
    with pytest.raises(TypeError, match=r"choose\(\) got an unexpected keyword argument 'colour'"):
        mbn.choose(rows, colour="red")


def test_read_documents(tmp_path):
    lines = tmp_path / "texts.txt"
    lines.write_bytes("one cat\n\ntwo d\xf6gs\n".encode("latin-1"))
    found = mbn.read_documents(lines)
    assert found.texts == ["one cat", "", "two d\ufffdgs"] and found.ids == ["1", "2", "3"]
    table = tmp_path / "texts.csv"
    table.write_text("key,body\na,cats sleep\nb,dogs bark\n")
    found = mbn.read_documents(table, text_column="body", id_column="key")
    assert found == mbn.Documents(["cats sleep", "dogs bark"], ["a", "b"])
    assert mbn.read_documents(table, text_column=2, id_column=1) == found
    assert mbn.read_documents(table, format="lines").texts[0] == "key,body"
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "b.txt").write_text("second")
    (folder / "a.txt").write_text("first")
    assert mbn.read_documents(folder).texts == ["first", "second"]
    with pytest.raises(ValueError, match="format is 'xml'"):
        mbn.read_documents(lines, format="xml")
    with pytest.raises(FileNotFoundError):
        mbn.read_documents(tmp_path / "none.txt")


def test_file_kind(net, rows, tmp_path):
    pytest.importorskip("scipy.sparse")
    texts = ["cats sleep", "a cat sleeps", "dogs bark", "a dog barks"]
    net.save(tmp_path / "a")
    net.compress(rows, hidden=[4], epochs=1).save(tmp_path / "b")
    mbn.Index.build(texts, method="lsa", n_components=2).save(tmp_path / "c")
    mbn.Lsa(2).fit(rows).save(tmp_path / "d")
    mbn.Vectorizer().fit(texts).save(tmp_path / "e")
    np.save(tmp_path / "f.npy", rows)
    assert [mbn.file_kind(tmp_path / name) for name in "abcde"] == [
        "model", "student", "index", "lsa", "vocabulary"]
    assert mbn.file_kind(tmp_path / "f.npy") == "other"
    with pytest.raises(FileNotFoundError):
        mbn.file_kind(tmp_path / "none")
    broken = (tmp_path / "a").read_bytes()
    (tmp_path / "broken").write_bytes(broken[:40])
    with pytest.raises(ValueError, match="cut short"):
        mbn.file_kind(tmp_path / "broken")
