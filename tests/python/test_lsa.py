# SPDX-License-Identifier: Apache-2.0
"""Latent semantic analysis in Python: the tool's numbers, scikit-learn's ways."""

import inspect
import pickle

import numpy as np
import pytest

import mbn
from compare import same
from mbn import _core


def test_every_option_is_a_keyword_with_its_default():
    mine = inspect.signature(mbn.Lsa).parameters
    for option in _core.lsa_options():
        expected = None if option["keyword"] == "random_state" else option["default"]
        assert mine[option["keyword"]].default == expected, option["name"]
        assert option["keyword"] in mbn.Lsa.__doc__


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_it_is_the_decomposition(rows, metric):
    plain = rows / np.linalg.norm(rows, axis=1, keepdims=True) if metric == "cosine" else rows
    _, values, vectors = np.linalg.svd(plain.astype(np.float64), full_matrices=False)
    lsa = mbn.Lsa(4, metric=metric)
    embedding = lsa.fit_transform(rows)
    assert np.allclose(lsa.singular_values_, values[:4], rtol=1e-5)
    assert np.allclose(np.abs(lsa.components_ @ vectors[:4].T), np.eye(4), atol=1e-3)
    assert np.allclose(embedding, plain @ lsa.components_.T, atol=1e-3)
    assert embedding.dtype == np.float32 and same(lsa.transform(rows[7:8]), embedding[7:8])


def test_the_bytes_are_those_of_the_tool(tool, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    tool("lsa", tmp_path / "rows.npy", "--components", 3, "--seed", 5, "-o", tmp_path / "map.npy",
         "--model", tmp_path / "tool.mbn")
    lsa = mbn.Lsa(3, random_state=5, n_jobs=1).fit(rows)
    lsa.save(tmp_path / "python.mbn")
    assert (tmp_path / "python.mbn").read_bytes() == (tmp_path / "tool.mbn").read_bytes()
    assert same(lsa.transform(rows), np.load(tmp_path / "map.npy"))
    loaded = mbn.Lsa.load(tmp_path / "tool.mbn")
    assert loaded.get_params()["n_components"] == 3 and loaded.random_state == 5
    assert same(loaded.transform(rows), lsa.transform(rows))
    assert same(loaded.components_, lsa.components_) and loaded.n_features_in_ == rows.shape[1]
    with pytest.raises(FileExistsError):
        lsa.save(tmp_path / "tool.mbn")
    lsa.save(tmp_path / "tool.mbn", overwrite=True)


def test_sparse_rows_give_the_same(rows):
    sparse = pytest.importorskip("scipy.sparse")
    cut = np.where(rows > np.quantile(rows, 0.9), rows, 0).astype(np.float32)
    dense, compressed = mbn.Lsa(3).fit(cut), mbn.Lsa(3).fit(sparse.csr_matrix(cut))
    assert same(dense.singular_values_, compressed.singular_values_)
    assert same(dense.transform(cut), compressed.transform(sparse.csc_matrix(cut)))


def test_pickles_and_clones(rows):
    lsa = mbn.Lsa(3).fit(rows)
    assert same(pickle.loads(pickle.dumps(lsa)).transform(rows), lsa.transform(rows))
    assert lsa.get_feature_names_out().tolist() == ["lsa0", "lsa1", "lsa2"]
    base = pytest.importorskip("sklearn.base")
    twin = base.clone(lsa)
    assert twin.get_params() == lsa.get_params() and not hasattr(twin, "lsa_")


def test_refusals(rows, net, tmp_path):
    with pytest.raises(mbn.NotFittedError):
        mbn.Lsa().transform(rows)
    with pytest.raises(ValueError, match="X has 2 features, but Lsa is expecting 12"):
        mbn.Lsa(2).fit(rows).transform(rows[:, :2])
    with pytest.raises(ValueError, match="n_components is 0"):
        mbn.Lsa(0).fit(rows)
    with pytest.raises(ValueError, match="metric='manhattan' is not for latent semantic analysis"):
        mbn.Lsa(metric="manhattan").fit(rows)
    net.save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match="its kind is 'model'"):
        mbn.Lsa.load(tmp_path / "net.mbn")
