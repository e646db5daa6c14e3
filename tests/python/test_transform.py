# SPDX-License-Identifier: Apache-2.0
"""A row is a row: the same bytes alone, in any batch, in any order, on any number of threads."""

import numpy as np
import pytest

import mbn
from compare import same

METHODS = {
    "transform": lambda net, rows: net.transform(rows),
    "predict": lambda net, rows: net.predict(rows),
    "apply": lambda net, rows: net.apply(rows),
    "apply_1": lambda net, rows: net.apply(rows, 1),
    "transform_layer": lambda net, rows: net.transform_layer(rows, 1),
}


@pytest.mark.parametrize("method", METHODS)
def test_subsets_and_order(method, net, rows):
    call = METHODS[method]
    whole = call(net, rows)
    order = np.random.default_rng(2).permutation(len(rows))
    assert same(call(net, rows[order]), whole[order])
    assert same(call(net, rows[::7]), whole[::7])
    assert same(call(net, rows[41:42]), whole[41:42])


def test_training_rows(net, rows):
    assert same(net.transform(rows), net.embedding_)
    assert same(net.predict(rows), net.labels_)
    assert same(net.transform_layer(rows, len(net.layers_)), net.embedding_)
    assert same(net.apply(rows, len(net.layers_)), net.apply(rows))


def test_the_caller_may_change_what_it_got(rows, small):
    net = mbn.MBN(**small)
    embedding = net.fit_transform(rows)
    embedding[:] = 0
    assert net.embedding_.any()


def test_threads_change_nothing(net, rows, small):
    for n_jobs in (1, 2, 3, -1):
        assert same(mbn.MBNClustering(3, **small, n_jobs=n_jobs).fit(rows).embedding_,
                    net.embedding_)


def test_results(net, rows, truth):
    assert net.embedding_.shape == (300, 3) and net.embedding_.dtype == np.float32
    assert net.cluster_centers_.shape == (3, 3)
    assert net.labels_.dtype == np.int32 and set(net.labels_) == {0, 1, 2}
    assert net.apply(rows).shape == (300, 24) and net.apply(rows).dtype == np.uint8
    assert net.apply(rows).max() < net.layers_[-1].centroids
    assert [layer.centroids for layer in net.layers_] == [150, 75, 37, 18, 9]
    assert net.layers_[0].features == 6 and net.n_features_in_ == 12
    assert mbn.score_clusters(net.labels_, truth).nmi > 0.9


def test_explained_variance(net):
    spread = net.embedding_.astype(float).var(axis=0)
    assert net.explained_variance_.shape == (3,)
    assert np.allclose(net.explained_variance_ / net.explained_variance_[0], spread / spread[0],
                       rtol=1e-4)
    ratio = net.explained_variance_ / net.explained_variance_ratio_
    assert np.allclose(ratio, ratio[0]) and 0 < net.explained_variance_ratio_.sum() <= 1


def test_wrong_layers(net, rows):
    for layer in (0, -1, 6):
        with pytest.raises(ValueError, match="layer is .*, but the model has 5"):
            net.apply(rows, layer)
        with pytest.raises(ValueError, match="layer is .*, but the model has 5"):
            net.transform_layer(rows, layer)
    for layer in ("1", 1.0, True):
        with pytest.raises(TypeError, match="layer must be a whole number"):
            net.transform_layer(rows, layer)


def test_not_fitted(rows):
    for call in (lambda net: net.transform(rows), lambda net: net.apply(rows),
                 lambda net: net.predict(rows), lambda net: net.transform_layer(rows, 1),
                 lambda net: net.save("never.mbn"), lambda net: net.get_feature_names_out()):
        with pytest.raises(mbn.NotFittedError, match="not fitted yet"):
            call(mbn.MBNClustering(3))
    assert issubclass(mbn.NotFittedError, ValueError)
    assert issubclass(mbn.NotFittedError, AttributeError)


def test_feature_names(net):
    assert list(net.get_feature_names_out()) == [f"mbnclustering{i}" for i in range(3)]


def test_set_output(rows, small):
    pytest.importorskip("sklearn")
    pandas = pytest.importorskip("pandas")
    net = mbn.MBN(**small).set_output(transform="pandas")
    frame = net.fit_transform(pandas.DataFrame(rows).add_prefix("c"))
    assert list(frame.columns) == ["mbn0", "mbn1"]
    assert same(frame.to_numpy(), net.embedding_)
    assert isinstance(net.transform(pandas.DataFrame(rows).add_prefix("c")), pandas.DataFrame)


def test_probabilities_are_votes_and_confidence_follows_from_them(rows, small):
    net = mbn.MBNClustering(3, **small).fit(rows)
    votes = net.probabilities(rows)
    assert votes.shape == (300, 3) and votes.dtype == np.float32
    np.testing.assert_allclose(votes.sum(1), 1, atol=1e-5)
    own = votes[np.arange(300), net.labels_]
    others = votes.copy()
    others[np.arange(300), net.labels_] = 0
    np.testing.assert_allclose(net.confidence_, own / (own + others.max(1)), rtol=1e-6)
    assert (net.probabilities(rows[7:8]) == votes[7]).all()
    given = net.assign(rows)
    assert isinstance(given, mbn.Assignment) and (given.labels == net.labels_).all()
    assert (given.probabilities == votes).all() and (given.confidence == net.confidence_).all()
    assert (net.confidence(rows[7:8]) == net.confidence_[7]).all()
