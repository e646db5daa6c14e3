# SPDX-License-Identifier: Apache-2.0
"""Rows with missing values (NaN), for estimators that are told to take them."""

import pickle

import numpy as np
import pytest

import mbn
from compare import same


@pytest.fixture(scope="module")
def gaps():
    rows, truth = mbn.generate("gaussians", rows=300, columns=8, n_clusters=3, random_state=1)
    rows[np.random.default_rng(0).random(rows.shape) < 0.2] = np.nan
    return rows, truth


@pytest.mark.parametrize("n_directions", [None, 4])
def test_clusters_are_found_and_a_row_is_a_row(gaps, tmp_path, n_directions):
    rows, truth = gaps
    net = mbn.MBNClustering(3, n_clusterings=60, n_directions=n_directions, missing="partial", map=2).fit(rows)
    assert mbn.score_clusters(net.labels_, truth).accuracy > 0.9
    assert same(net.transform(rows), net.embedding_) and same(net.transform(rows[5:6]), net.embedding_[5:6])
    assert same(net.transform_map(rows), net.map_) and np.isfinite(net.map_).all()
    assert np.isfinite(net.outlier_scores(rows)).all()
    assert all(np.isfinite(mark.effect) for cluster in net.describe(rows) for mark in cluster.marks)
    net.save(tmp_path / "net.mbn")
    again = mbn.MBNClustering.load(tmp_path / "net.mbn")
    assert again.missing == "partial" and (again.predict(rows) == net.labels_).all()
    assert (pickle.loads(pickle.dumps(net)).predict(rows) == net.labels_).all()


def test_the_map_estimator_and_frames(gaps):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(gaps[0], columns=list("abcdefgh")).convert_dtypes()
    mapper = mbn.MBNMap(n_clusterings=30, missing="partial")
    assert same(mapper.fit_transform(frame), mbn.MBNMap(n_clusterings=30, missing="partial").fit_transform(gaps[0]))


def test_nan_is_refused_unless_asked_for(gaps):
    with pytest.raises(ValueError, match="missing='partial'"):
        mbn.MBN(n_clusterings=10).fit(gaps[0])
    net = mbn.MBN(n_clusterings=10).fit(np.nan_to_num(gaps[0]))
    with pytest.raises(ValueError, match="NaN"):
        net.transform(gaps[0])
    with pytest.raises(ValueError, match="missing is 'some'"):
        mbn.MBN(missing="some").fit(np.nan_to_num(gaps[0]))
    with pytest.raises(ValueError, match="Euclidean"):
        mbn.MBN(n_clusterings=10, metric="cosine", missing="partial").fit(gaps[0])


def test_infinite_and_empty_rows_are_refused(gaps):
    for value, message in ((np.inf, "row 3, column 1"), (np.nan, "row 3 .* has no value at all")):
        rows = gaps[0].copy()
        rows[2] = value
        with pytest.raises(ValueError, match=message):
            mbn.MBN(n_clusterings=10, missing="partial").fit(rows)


def test_the_tag_says_so():
    sklearn = pytest.importorskip("sklearn")
    for missing in ("refuse", "partial"):
        net = mbn.MBN(missing=missing)
        if hasattr(sklearn.utils, "get_tags"):
            assert sklearn.utils.get_tags(net).input_tags.allow_nan == (missing == "partial")
        else:
            assert net._get_tags()["allow_nan"] == (missing == "partial")


def test_reading(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,NA\n?,4\n")
    with pytest.warns(mbn.MBNNote, match="compared on the values"):
        rows = mbn.read(path, missing="partial").rows
    assert np.array_equal(rows, [[1, np.nan], [np.nan, 4]], equal_nan=True)
