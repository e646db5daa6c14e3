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
    only = mbn.choose(rows, n_clusters="unknown", scale=None, **small)
    assert only["counts"] == [] and len(only["candidates"]) >= 5 and only["clusters"] == 0
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
