# SPDX-License-Identifier: Apache-2.0
"""The places where users plug such things in."""

import numpy as np
import pytest

import mbn
from compare import same


def test_pipeline_before_a_classifier(rows, truth, small):
    pytest.importorskip("sklearn")
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    pipeline = make_pipeline(mbn.MBN(n_components=3, **small), KNeighborsClassifier())
    assert pipeline.fit(rows[:200], truth[:200]).score(rows[200:], truth[200:]) > 0.9


@pytest.mark.slow
def test_grid_search_over_decay(rows, truth, small):
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import Pipeline
    pipeline = Pipeline([("net", mbn.MBN(n_components=3, **small)), ("near", KNeighborsClassifier())])
    search = GridSearchCV(pipeline, {"net__decay": [0.3, 0.5, 0.7]}, cv=3, n_jobs=2)
    search.fit(rows, truth)
    assert search.best_params_["net__decay"] in (0.3, 0.5, 0.7) and search.best_score_ > 0.9
    assert len(search.cv_results_["params"]) == 3


def test_grid_search_of_a_clustering(rows, truth, small):
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    search = GridSearchCV(mbn.MBNClustering(3, **small), {"decay": [0.3, 0.6]},
                          scoring="normalized_mutual_info_score", cv=3)
    assert search.fit(rows, truth).best_score_ > 0.9


def test_grid_search_without_labels(rows, small):
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV

    def faithful(net, X, y=None):
        return mbn.score_neighbours(X, net.transform(X)).trustworthiness

    search = GridSearchCV(mbn.MBN(**small), {"decay": [0.3, 0.6]}, scoring=faithful, cv=3).fit(rows)
    assert 0.5 < search.best_score_ <= 1


def test_column_transformer(rows, small):
    pytest.importorskip("sklearn")
    from sklearn.compose import make_column_transformer
    both = make_column_transformer((mbn.MBN(**small), slice(0, 6)), remainder="passthrough")
    made = both.fit_transform(rows)
    assert made.shape == (300, 8)
    assert list(both.get_feature_names_out())[:2] == ["mbn__mbn0", "mbn__mbn1"]


def test_bertopic_slot(rows, truth, small):
    """What BERTopic does with its umap_model: fit with y or without, transform, and it may look at
    n_neighbors-like attributes through hasattr only."""
    model = mbn.MBN(n_components=3, metric="cosine", **small)
    for y in (None, truth):
        fitted = model.fit(rows, y=y)
        reduced = np.nan_to_num(fitted.transform(rows))
        assert reduced.shape == (300, 3) and same(reduced, model.embedding_)
    assert model.transform(rows[:1]).shape == (1, 3)


def test_scanpy_four_lines(rows, small):
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(np.array(rows))
    adata.obsm["X_mbn"] = mbn.MBN(n_components=5, **small).fit_transform(adata.X)
    assert adata.obsm["X_mbn"].shape == (300, 5)
    assert same(adata.obsm["X_mbn"], mbn.MBN(n_components=5, **small).fit_transform(rows))


def test_plot(net, rows, truth, tmp_path):
    pytest.importorskip("matplotlib")
    figure = mbn.plot(net, title="three groups")
    axes = figure.axes[0]
    assert len(axes.collections) == 3 and axes.get_title() == "three groups"
    assert sum(len(dots.get_offsets()) for dots in axes.collections) == 300
    figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000
    words = np.array(["a", "b", "c"])[truth]
    labelled = mbn.plot(net.embedding_, words).axes[0].get_legend()
    assert [text.get_text() for text in labelled.get_texts()] == ["a", "b", "c"]
    assert len(mbn.plot(net.embedding_[:, :1]).axes[0].collections) == 1


def test_plot_on_axes_of_others(net):
    figure_module = pytest.importorskip("matplotlib.figure")
    figure = figure_module.Figure()
    left, right = figure.subplots(1, 2)
    assert mbn.plot(net, ax=right) is figure
    assert right.collections and not left.collections


def test_plot_complains(net, rows, tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(mbn.NotFittedError):
        mbn.plot(mbn.MBN())
    with pytest.raises(ValueError, match="300 rows, but labels of shape"):
        mbn.plot(net.embedding_, [1, 2])
    net.save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match="has no embedding_"):
        mbn.plot(mbn.MBN.load(tmp_path / "net.mbn"))
