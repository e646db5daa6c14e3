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
    assert len(axes.collections) == 1 and axes.get_title() == "three groups"
    assert len(axes.collections[0].get_offsets()) == 300
    assert axes.get_xlabel().startswith("component 1 (") and "% of the variance" in axes.get_ylabel()
    figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000
    words = np.array(["a", "b", "c"])[truth]
    labelled = mbn.plot(net.embedding_, words).axes[0]
    assert [text.get_text() for text in labelled.get_legend().get_texts()] == [
        f"{word}  ({(words == word).sum()})" for word in "abc"]
    assert sorted(text.get_text() for text in labelled.texts) == ["a", "b", "c"]
    assert len(mbn.plot(net.embedding_[:, :1]).axes[0].collections) == 1
    assert not mbn.plot(net.embedding_, words, island_labels=False).axes[0].texts


def test_plot_of_a_map_names_no_axes(net):
    pytest.importorskip("matplotlib")
    axes = mbn.plot(net.embedding_).axes[0]
    assert axes.get_xlabel() == axes.get_ylabel() == "" and len(axes.get_xticks()) == 0
    axes = mbn.plot(net.embedding_, axis_names=["east", "north"]).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("east", "north")


def test_plot_has_the_colours_of_the_tool(net, truth):
    colors = pytest.importorskip("matplotlib.colors")
    from mbn import _core
    palette = _core.plot_palette()
    assert palette[:2] == ["#1e6fdb", "#e8962c"] and len(set(palette)) == len(palette) == 50
    labels = np.where(truth == 0, -1, truth + 3)
    drawn = mbn.plot(net.embedding_, labels).axes[0].collections[0].get_facecolors()
    shown = {colors.to_hex(colour) for colour in drawn}
    assert shown == {"#aaaaaa"} | {palette[label] for label in set(labels) if label >= 0}
    names = [text.get_text() for text in mbn.plot(net.embedding_, labels).axes[0].texts]
    assert names and "-1" not in names


def test_plot_values(net):
    colors = pytest.importorskip("matplotlib.colors")
    from mbn import _core
    values = np.arange(300.0)
    values[5] = np.nan
    figure = mbn.plot(net, values=values)
    plane, bar = figure.axes
    assert bar.get_ylim() == (0, 299) and plane.get_legend() is None
    drawn = {colors.to_hex(colour) for colour in plane.collections[0].get_facecolors()}
    assert drawn == {*_core.plot_scale(), "#c3c3c3"}
    values[7] = 1e9
    assert mbn.plot(net, values=values).axes[1].get_ylim()[1] < 300


def test_plot_many_rows_are_shaded():
    pytest.importorskip("matplotlib")
    rows = np.random.default_rng(1).normal(size=(50_001, 2)).astype(np.float32)
    labels = (rows[:, 0] > 0).astype(int)
    for values, faintest in ((None, 0.3), (rows[:, 1], 0.75)):
        axes = mbn.plot(rows, labels, values=values).axes[0]
        assert not axes.collections and len(axes.images) == 1
        opacity = axes.images[0].get_array()[..., 3]
        assert opacity.max() == 1 and faintest < opacity[opacity > 0].min() < 1
        left, right, bottom, top = axes.images[0].get_extent()
        assert left <= rows[:, 0].min() and right >= rows[:, 0].max()
        assert bottom <= rows[:, 1].min() and top >= rows[:, 1].max()
    assert mbn.plot(rows[1:]).axes[0].collections


def test_plot_names_do_not_overlap():
    text_module = pytest.importorskip("matplotlib.text")
    generator = np.random.default_rng(2)
    labels = generator.integers(0, 40, 2000)
    rows = generator.normal(size=(40, 2))[labels] + generator.normal(scale=0.05, size=(2000, 2))
    figure = mbn.plot(rows, [f"a long name {label}" for label in labels])
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [text_module.Text.get_window_extent(text) for text in axes.texts]  # without their lines
    frame = axes.get_window_extent()
    assert len(boxes) > 10
    for place, box in enumerate(boxes):
        assert box.x0 >= frame.x0 and box.x1 <= frame.x1 and box.y0 >= frame.y0 and box.y1 <= frame.y1
        assert not any(box.overlaps(other) for other in boxes[:place])


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
    with pytest.raises(ValueError, match="300 rows, but values of shape"):
        mbn.plot(net.embedding_, values=[1, 2])
    mbn.MBN(n_clusterings=2, n_centroids=40).fit(rows).save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match=r"does not hold its training rows; plot net.transform\(X\)"):
        mbn.plot(mbn.MBN.load(tmp_path / "net.mbn"))
