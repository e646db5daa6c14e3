# SPDX-License-Identifier: Apache-2.0
"""How the package behaves in a notebook, after loading, and where other packages are not installed."""

import pickle
import re
import warnings

import numpy as np
import pytest

import mbn
from compare import same

HIDE = """
    import sys
    from importlib.abc import MetaPathFinder
    class Hide(MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in hidden:
                raise ModuleNotFoundError(f"No module named '{name}'", name=name)
    hidden = set(sys.argv[1].split(","))
    import importlib.util
    real = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name in hidden else real(name, *rest)
    sys.meta_path.insert(0, Hide())
    import mbn
"""

TEXTS = ["cats sleep all day", "a cat sleeps in the sun", "the sun is warm for cats",
         "dogs bark at cars", "a dog barks at a car", "cars are fast and dogs run"]


# A notebook

def test_a_notebook_shows_a_plot(net, truth):
    pytest.importorskip("matplotlib")
    figure = mbn.plot(net, truth)
    png, size = figure._repr_png_()
    assert png.startswith(b"\x89PNG") and len(png) > 5000
    width, height = (int.from_bytes(png[at:at + 4], "big") for at in (16, 20))
    assert (width, height) == (2 * size["width"], 2 * size["height"])


def test_a_plot_is_a_figure_and_saves(net, tmp_path):
    figure_module = pytest.importorskip("matplotlib.figure")
    figure = mbn.plot(net)
    assert isinstance(figure, figure_module.Figure)
    for ending in ("png", "svg", "pdf"):
        figure.savefig(tmp_path / f"map.{ending}")
        assert (tmp_path / f"map.{ending}").stat().st_size > 1000
    again = pickle.loads(pickle.dumps(figure))
    assert again._repr_png_()[0].startswith(b"\x89PNG")


def test_a_notebook_shows_a_report(net, rows):
    if not mbn._core.has_report_page():
        pytest.skip("this build has no page")
    assert net.report(rows)._repr_html_().startswith("<iframe")


# Notes

def test_notes_are_warnings_of_our_own_category(rows, small):
    with pytest.warns(mbn.MBNNote, match="each clustering sees 1 of 3 columns"):
        mbn.MBN(feature_fraction=0.5, **small).fit(rows[:, :3])
    assert issubclass(mbn.MBNNote, UserWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error", mbn.MBNNote)
        with pytest.raises(mbn.MBNNote):
            mbn.MBN(feature_fraction=0.5, **small).fit(rows[:, :3])


def test_the_notes_of_an_index_are_warnings_too():
    with pytest.warns(mbn.MBNNote, match="clusters"):
        mbn.Index.build(TEXTS * 10, n_clusters="find", most_clusters=4, n_clusterings=20)


def test_a_note_points_at_the_users_own_line(rows, small):
    narrow = rows[:, :3]
    net = mbn.MBN(feature_fraction=0.5, **small)
    calls = [lambda: net.fit(narrow), lambda: net.fit_transform(narrow)]
    try:
        from sklearn.pipeline import make_pipeline
        calls.append(lambda: make_pipeline(mbn.MBN(feature_fraction=0.5, **small)).fit(narrow))
    except ImportError:
        pass
    for call in calls:
        with pytest.warns(mbn.MBNNote) as caught:
            call()
        assert {one.filename for one in caught} == {__file__}


def test_one_cluster_of_few_rows_is_said_to_be_so(rows, small):
    with pytest.warns(mbn.MBNNote, match="too few rows .* n_clusters=N forces another number"):
        mbn.MBNClustering(**small).fit(rows[:15])
    with pytest.warns(mbn.MBNNote, match="show no clusters.* n_clusters=N forces another number"):
        mbn.MBNClustering(**small).fit(np.random.default_rng(1).normal(size=(40, 12)))


# mbn.load

def every_kind(rows, small, folder):
    mbn.MBN(**small).fit(rows).save(folder / "embedding")
    mbn.MBN(n_components=5, map=2, **small).fit(rows).save(folder / "embedding-and-map")
    clustering = mbn.MBNClustering(3, map=2, **small).fit(rows)
    clustering.save(folder / "clustering")
    mbn.MBNMap(**small).fit(rows).save(folder / "map")
    clustering.compress(rows, hidden=[4], epochs=1).save(folder / "student")
    mbn.Index.build(TEXTS, method="lsa", n_components=2).save(folder / "index")
    mbn.Lsa(2).fit(rows).save(folder / "lsa")
    mbn.Vectorizer().fit(TEXTS).save(folder / "vocabulary")
    return {"embedding": mbn.MBN, "embedding-and-map": mbn.MBN, "clustering": mbn.MBNClustering,
            "map": mbn.MBNMap, "student": mbn.Student, "index": mbn.Index, "lsa": mbn.Lsa,
            "vocabulary": mbn.Vectorizer}


def test_load_opens_anything(rows, small, tmp_path):
    for name, kind in every_kind(rows, small, tmp_path).items():
        found = mbn.load(tmp_path / name)
        assert type(found) is kind, name
        if kind is mbn.Index:
            assert len(found) == 6
        elif kind is mbn.Vectorizer:
            assert len(found.get_feature_names_out()) > 5
        else:
            assert len(found.transform(rows)) == 300
    assert type(mbn.load(str(tmp_path / "lsa"))) is mbn.Lsa


def test_load_says_what_it_cannot_open(rows, small, tmp_path):
    (tmp_path / "rows.csv").write_text("1,2\n3,4\n")
    with pytest.raises(ValueError, match="rows.csv is not a file of mbn; mbn.read reads data"):
        mbn.load(tmp_path / "rows.csv")
    with pytest.raises(FileNotFoundError):
        mbn.load(tmp_path / "absent.mbn")

    def stop(progress):
        if progress.layer == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mbn.MBN(checkpoint=tmp_path / "half", callback=stop, **small).fit(rows)
    with pytest.raises(ValueError, match="unfinished fit; the same fit with checkpoint="):
        mbn.load(tmp_path / "half")


# Training rows after loading

@pytest.mark.parametrize("make, names", [
    (lambda small: mbn.MBN(**small), ["embedding_"]),
    (lambda small: mbn.MBN(map=2, n_components=5, **small), ["embedding_", "map_"]),
    (lambda small: mbn.MBNClustering(3, map=2, **small), ["embedding_", "map_", "labels_", "confidence_"]),
    (lambda small: mbn.MBNMap(**small), ["embedding_"])])
def test_what_fit_left_is_there_after_loading(make, names, rows, small, tmp_path):
    net = make(small).fit(rows)
    net.save(tmp_path / "net.mbn")
    for name in names:  # each alone: any may be the first that is asked for
        assert same(getattr(type(net).load(tmp_path / "net.mbn"), name), getattr(net, name)), name
    back = mbn.load(tmp_path / "net.mbn")
    assert back.embedding_ is back.embedding_
    assert same(back.kneighbors(n_neighbors=3)[1], net.kneighbors(n_neighbors=3)[1])
    assert same(pickle.loads(pickle.dumps(back)).embedding_, net.embedding_)


def test_a_loaded_network_can_be_plotted(net, tmp_path):
    pytest.importorskip("matplotlib")
    net.save(tmp_path / "net.mbn")
    assert mbn.plot(mbn.load(tmp_path / "net.mbn")).axes


def test_what_is_not_there_is_never_made_up(rows, small, tmp_path):
    net = mbn.MBNClustering(3, map=2, **{**small, "n_clusterings": 2, "n_centroids": 40}).fit(rows)
    assert len(net.labels_) == 300
    net.save(tmp_path / "net.mbn")
    back = mbn.load(tmp_path / "net.mbn")
    kept = back.layers_[0].kept_rows
    assert kept < 300
    for name, method in [("labels_", "predict"), ("embedding_", "transform"),
                         ("confidence_", "confidence"), ("map_", "transform_map")]:
        sentence = f"there is no {name}: the file of this network holds {kept} of its 300 training rows; {method}(X)"
        with pytest.raises(AttributeError, match=re.escape(sentence)):
            getattr(back, name)
        assert len(getattr(back, method)(rows)) == 300
    with pytest.raises(ValueError, match="of its 300 training rows"):
        back.kneighbors(n_neighbors=3)


def test_attributes_that_a_network_has_not(rows, small, tmp_path):
    with pytest.raises(AttributeError, match="'MBN' object has no attribute 'embedding_'"):
        mbn.MBN().embedding_
    net = mbn.MBN(**small).fit(rows)
    assert not hasattr(net, "labels_") and not hasattr(net, "shape")
    with pytest.raises(AttributeError, match="fitted without a map"):
        net.map_
    again = mbn.MBN(map=2, **small).fit(rows)
    assert again.map_.shape == (300, 2)
    again.set_params(map=0).fit(rows)
    assert not hasattr(again, "map_"), "of the fit before"


# update

def test_update_with_the_training_rows_changes_nothing(rows, small):
    net = mbn.MBNClustering(3, map=2, **small).fit(rows)
    before = {name: getattr(net, name) for name in ("embedding_", "labels_", "confidence_", "map_",
                                                    "cluster_centers_")}
    assert net.update(rows) is net
    for name, value in before.items():
        assert same(getattr(net, name), value), name
    assert net.model_.updated_rows == 300 and net.model_.training_rows == 300


def test_update_to_other_rows(tool, rows, small, tmp_path):
    other, _ = mbn.generate("gaussians", rows=180, columns=12, n_clusters=3, random_state=1)
    other = other[::2] + np.float32(0.1)
    net = mbn.MBNClustering(3, map=2, **small).fit(rows)
    codes = net.apply(other)
    net.save(tmp_path / "net.mbn")
    np.save(tmp_path / "other.npy", other)
    net.update(other)
    assert same(net.apply(other), codes), "the layers stay"
    assert len(net.labels_) == len(net.map_) == len(net.embedding_) == 90
    assert same(net.transform(other), net.embedding_) and same(net.predict(other), net.labels_)
    assert same(net.transform_map(other[5:6]), net.map_[5:6])
    tool("update", tmp_path / "net.mbn", tmp_path / "other.npy", "-o", tmp_path / "new.mbn")
    assert (tmp_path / "new.mbn").read_bytes() == net.model_.to_bytes()
    back = mbn.load(tmp_path / "new.mbn")
    with pytest.raises(AttributeError, match="updated on 90 rows, which its file does not hold; predict"):
        back.labels_


def test_update_tells_of_rows_that_it_hardly_knows(rows, small):
    net = mbn.MBNMap(**small).fit(rows)
    with pytest.warns(mbn.MBNNote, match="a new fit serves better"):
        net.update(rows + 1000)


def test_update_refuses(rows, small):
    net = mbn.MBNClustering(3, **small).fit(rows)
    labels = net.labels_
    with pytest.raises(ValueError, match="at least 3 rows"):
        net.update(rows[:2])
    with pytest.raises(ValueError, match="expecting 12 features"):
        net.update(rows[:, :5])
    with pytest.raises(mbn.NotFittedError):
        mbn.MBN().update(rows)
    assert net.labels_ is labels and net.model_.updated_rows == 0


# score

def test_score_of_clusters(net, rows, truth):
    assert net.score(rows, truth) == mbn.score_clusters(net.labels_, truth).nmi
    assert net.score(rows) == pytest.approx(float(net.confidence_.mean()))


@pytest.mark.parametrize("make", [mbn.MBN, mbn.MBNMap])
def test_score_of_an_embedding(make, rows, truth, small):
    net = make(**small).fit(rows)
    assert net.score(rows) == mbn.score_neighbours(rows, net.embedding_).trustworthiness
    assert net.score(rows, truth) == mbn.score_map(rows, net.embedding_, truth).nearest_neighbour
    assert 0 < net.score(rows[:5]) <= 1


def test_score_in_a_search(rows, truth, small):
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV
    search = GridSearchCV(mbn.MBNClustering(3, **small), {"decay": [0.3, 0.5]}, cv=2)
    assert 0 < search.fit(rows, truth).best_score_ <= 1


# y

def test_y_is_ignored_and_said_to_be(net, rows, truth, small):
    assert same(mbn.MBNClustering(3, **small).fit(rows, truth).labels_, net.labels_)
    for method in (mbn.MBN.fit, mbn.MBNMap.fit, mbn.Lsa.fit, mbn.Vectorizer.fit):
        assert re.search("`?y`? (:|is) ignored", method.__doc__)


# Without other packages

def test_texts_without_scikit_learn(python):
    pytest.importorskip("scipy")
    out = python(HIDE + """
    texts = ["cats sleep", "a cat sleeps", "dogs bark"]
    words = mbn.Vectorizer()
    counts = words.fit_transform(texts)
    assert (counts != words.transform(texts)).nnz == 0 and "sklearn" not in sys.modules
    index = mbn.Index.build(texts, method="lsa", n_components=2)
    print(counts.shape, repr(words), index.search("barking", top=1)[0].row)
    """, "sklearn")
    assert out == "(3, 4) Vectorizer() 2\n"


@pytest.mark.parametrize("hidden, code, extra", [
    ("matplotlib", "mbn.plot(mbn.generate(rows=9)[0])", "plot"),
    ("scipy,sklearn", "mbn.Vectorizer().fit_transform(['cats sleep', 'dogs bark'])", "text"),
    ("sklearn", "mbn.MBN().set_output(transform='pandas')", "sklearn")])
def test_import_errors_name_the_extra(python, root, hidden, code, extra):
    out = python(HIDE + f"""
    try:
        {code}
    except ImportError as error:
        print(error)
    """, hidden)
    assert f"pip install 'mbn[{extra}]'" in out
    assert re.search(rf"^{extra} = \[", (root / "pyproject.toml").read_text(), re.MULTILINE)


def test_an_index_needs_no_scipy(python):
    out = python(HIDE + """
    index = mbn.Index.build(["cats sleep", "a cat sleeps", "dogs bark"], method="lsa", n_components=2)
    print(index.search("barking", top=1)[0].title)
    """, "scipy,sklearn")
    assert out == "dogs bark\n"


# What new users hand over

def test_what_is_not_rows_is_answered_with_the_call_that_helps(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    path = tmp_path / "rows.csv"
    for given in (path, str(path)):
        with pytest.raises(TypeError, match="mbn.read"):
            mbn.MBN().fit(given)
    for nothing in (None, {"a": [1, 2]}, (row for row in [[1, 2], [3, 4]])):
        with pytest.raises(TypeError, match="MBN takes rows, not"):
            mbn.MBN().fit(nothing)
    for texts in (TEXTS, np.array(TEXTS), np.array(TEXTS, object)):
        with pytest.raises(ValueError, match="these are texts: mbn.Vectorizer"):
            mbn.MBN().fit(texts)
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS))
    with pytest.raises(TypeError, match="documents.texts"):
        mbn.MBN().fit(mbn.read_documents(tmp_path / "texts.txt"))
    with pytest.raises(ValueError, match=r"X.reshape\(len\(X\), -1\)"):
        mbn.MBN().fit(np.zeros((5, 4, 4)))


def test_a_column_of_a_frame_that_holds_texts():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="these are texts"):
        mbn.MBNClustering(2).fit(pandas.Series(TEXTS))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        mbn.MBNClustering(2).fit(pandas.Series([1.0, 2.0, 3.0]))


def test_a_list_of_lists(small):
    lists = [[float(i), float(i % 3)] for i in range(30)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mbn.MBNNote)
        assert same(mbn.MBN(**small).fit_transform(lists), mbn.MBN(**small).fit_transform(np.array(lists)))
