# SPDX-License-Identifier: Apache-2.0
"""Keywords are the library's options: all of them, with their defaults, types and limits."""

import inspect

import numpy as np
import pytest

import mbn
from compare import same
from mbn import _core

BOTH = [mbn.MBN, mbn.MBNClustering]
NAMED = ("n_components n_clusters n_clusterings feature_fraction decay n_centroids metric scale "
         "engine random_state n_jobs verbose").split()


def keywords(cls):
    parameters = inspect.signature(cls).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


@pytest.mark.parametrize("cls", BOTH)
def test_every_option_is_a_keyword_with_its_default(cls):
    mine = keywords(cls)
    for option in _core.fit_options():
        special = {"random_state": None, "decay": "auto", "feature_fraction": "auto",
                   "n_clusters": "find" if cls is mbn.MBNClustering else "unknown"}
        expected = special.get(option["keyword"], option["default"])
        assert option["keyword"] in mine, f"{option['name']} cannot be reached from Python"
        assert mine[option["keyword"]] == expected
    for option in _core.run_options():
        assert mine[option["keyword"]] is None


@pytest.mark.parametrize("cls", BOTH)
def test_every_keyword_is_documented(cls):
    for name in keywords(cls):
        assert name in cls.__doc__.split("Attributes")[0]


@pytest.mark.parametrize("cls", BOTH)
def test_every_option_is_passed_on(cls, rows):
    """Each option, changed, changes what the model remembers of it."""
    changes = {"n_clusterings": 7, "feature_fraction": 0.75, "decay": 0.25, "n_centroids": 99,
               "n_clusters": 4, "most_clusters": 5, "n_components": 3, "metric": "cosine", "scale": "minmax",
               "engine": "exact", "excess": 0.2, "recall": 0.9, "pool": 200, "solver": "em", "restarts": 3,
               "n_directions": 5, "weighting": "log", "map": 3, "n_neighbors": 9, "random_state": 11}
    assert set(changes) | {"missing"} == {option["keyword"] for option in _core.fit_options()}
    kept = cls(**changes).fit(np.abs(rows)).model_.options
    for option in _core.fit_options():
        if option["name"] != "missing":
            assert kept[option["name"]] == changes[option["keyword"]]
    # It does not go with a metric or a weighting.
    assert cls(2, n_clusterings=7, missing="partial").fit(rows).model_.options["missing"] == "partial"


def test_the_signature_of_the_issue():
    assert list(keywords(mbn.MBN))[:len(NAMED)] == NAMED
    assert next(iter(keywords(mbn.MBNClustering))) == "n_clusters"


@pytest.mark.parametrize("parameters, kind, message", [
    ({"decay": 1.5}, ValueError, "decay is 1.5; it must be above 0 and below 1"),
    ({"decay": 0}, ValueError, "decay is 0; it must be above 0 and below 1, or None (chosen from"),
    ({"decay": "half"}, TypeError, "decay must be a number, not 'half'"),
    ({"n_clusters": -1}, ValueError, "n_clusters is -1; it must be from 1 to"),
    ({"n_clusters": 0}, ValueError,
     "n_clusters is 0; it must be from 1 to 2147483647, or 'find' or 'unknown'"),
    ({"n_clusters": 2**40}, ValueError, "n_clusters is 1099511627776; it must be from 1 to 2147483647, or"),
    ({"n_clusters": 2.5}, TypeError, "n_clusters must be a whole number, not 2.5"),
    ({"most_clusters": 0}, ValueError, "most_clusters is 0; it must be from 2 to 1000"),
    ({"n_centroids": 0}, ValueError, "n_centroids is 0; it must be from 1 to 2147483647, or None (half"),
    ({"pool": -1}, ValueError, "pool is -1; it must be from 2 to 2147483647, or None (all rows"),
    ({"memory_limit": 0}, ValueError, "memory_limit is 0; it must be from 1 to"),
    ({"n_clusters": 301}, ValueError, "n_clusters is 301, but the data has only 300 rows"),
    ({"n_components": 2.0}, TypeError, "n_components must be a whole number, not 2.0"),
    ({"n_clusterings": 0}, ValueError, "n_clusterings is 0; it must be from 1 to 32767, or None (400"),
    ({"n_clusterings": "many"}, TypeError, "n_clusterings must be a whole number, not 'many'"),
    ({"n_directions": 0}, ValueError, "n_directions is 0; it must be from 1 to 65535, or 'auto' or None"),
    ({"n_directions": 70000}, ValueError, "n_directions is 70000; it must be from 1 to 65535, or 'auto' or None"),
    ({"n_directions": -1}, ValueError, "n_directions is -1; it must be from 1 to 65535, or 'auto' or None"),
    ({"n_directions": 13}, ValueError, "n_directions is 13, but the data has only 12 columns"),
    ({"n_directions": "some"}, ValueError, "n_directions is 'some'; it must be 'auto', None or a whole"),
    ({"n_directions": 2.5}, TypeError, "n_directions must be a whole number, not 2.5"),
    ({"weighting": "idf"}, ValueError, "weighting is 'idf'; it must be one of 'counts', 'log'"),
    ({"weighting": "cells"}, ValueError, "weighting='cells' is for counts, which are 0 or more"),
    ({"excess": -0.1}, ValueError, "excess is -0.1; it must be from 0 to 10"),
    ({"excess": None}, TypeError, "excess must be a number, not None"),
    ({"recall": 0}, ValueError, "recall is 0; it must be above 0 and at most 1, or None (not asked for"),
    ({"n_clusterings": 2**70}, ValueError, "n_clusterings is 1180591620717411303424"),
    ({"metric": "minkowski"}, ValueError, "metric is 'minkowski'; it must be one of 'euclidean'"),
    ({"metric": None}, TypeError, "metric must be a string, not None"),
    ({"scale": 1}, TypeError, "scale must be a string, not 1"),
    ({"random_state": -1}, ValueError, "random_state is -1; it must be at least 0"),
    ({"random_state": "x"}, TypeError, "random_state must be a whole number, not 'x'"),
    ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
    ({"n_jobs": 1.5}, TypeError, "n_jobs must be a whole number"),
    ({"n_jobs": 5000}, ValueError, "n_jobs is 5000; it must be"),
    ({"callback": 3}, TypeError, "callback must be callable"),
    ({"memory_limit": 1000}, MemoryError, "limit"),
])
def test_wrong_values(parameters, kind, message, rows):
    net = mbn.MBN(**parameters)  # scikit-learn's rule: the constructor only keeps values
    with pytest.raises(kind, match=message.replace("(", r"\(")):
        net.fit(rows)
    assert not hasattr(net, "model_")


def test_the_setting_of_the_paper(rows, small):
    """`mbn.paper()` are keywords of both estimators, of a plan and of a choice."""
    preset = mbn.paper()
    assert preset["n_clusterings"] == 400 and preset["n_directions"] is None
    assert {**preset, "pool": None} == {
        "n_clusterings": 400, "feature_fraction": 0.5, "decay": 0.5, "weighting": "counts", "scale": None,
        "n_directions": None, "pool": None}
    assert preset["pool"] > 10**9  # no limit
    for cls in BOTH:
        assert {name: getattr(cls(**preset), name) for name in preset} == preset
    assert mbn.plan((50_000, 784), **preset).clusterings == 400
    assert mbn.plan((50_000, 784), **preset).directions == 0
    # Data for which every rule says the same as the paper.
    assert same(mbn.MBN(**preset).fit(rows).embedding_, mbn.MBN().fit(rows).embedding_)
    assert mbn.choose(rows, **{**preset, "n_clusters": 3, "n_clusterings": 24}) is not None


@pytest.fixture(scope="module")
def many_columns():
    """400 columns that hold three clusters, and noise."""
    centres = np.random.default_rng(1).normal(0, 1, (3, 400))
    return (centres[np.arange(240) % 3] + np.random.default_rng(2).normal(0, 1, (240, 400))).astype(np.float32)


def test_what_auto_settled(rows, many_columns, small):
    few, many = mbn.MBN(**small).fit(rows), mbn.MBN(**small).fit(many_columns)
    assert (few.n_directions_, few.directions_variance_ratio_, few.n_clusterings_) == (0, 0, 24)
    assert 0 < many.n_directions_ == many.model_.options["directions"] < 400
    assert 0 < many.directions_variance_ratio_ < 1
    assert many.layers_[0].features == many.n_directions_ // 2
    assert mbn.plan(many_columns).directions == many.n_directions_
    assert mbn.MBN().fit(rows).n_clusterings_ == mbn.plan(rows).clusterings == 400
    assert mbn.plan((20_000, 10)).clusterings < 400


def test_directions_asked_for(rows, many_columns, small):
    none = mbn.MBN(n_directions=None, **small).fit(many_columns)
    assert none.n_directions_ == 0 and none.layers_[0].features == 200
    for count in (1, 7, 11):
        net = mbn.MBN(n_directions=count, **small).fit(rows)
        assert net.n_directions_ == count
        assert same(net.transform(rows), net.embedding_) and same(net.transform(rows[:1]), net.embedding_[:1])
    assert 0.9 < net.directions_variance_ratio_ < 1


def test_a_loaded_network_knows_its_directions(many_columns, small, tmp_path):
    net = mbn.MBN(**small).fit(many_columns)
    net.save(tmp_path / "net.mbn")
    again = mbn.MBN.load(tmp_path / "net.mbn")
    assert again.n_directions == again.n_directions_ == net.n_directions_ and again.n_clusterings_ == 24
    assert again.directions_variance_ratio_ == net.directions_variance_ratio_
    assert same(again.transform(many_columns[5:9]), net.embedding_[5:9])
    assert same(again.fit(many_columns).embedding_, net.embedding_)


def test_what_differs_along_no_direction_is_no_outlier(many_columns, small):
    """The documented price of directions."""
    flat = many_columns.copy()
    flat[:, 399] = 0
    strange = flat[:1].copy()
    strange[0, 399] = 1000
    assert mbn.MBN(n_directions=None, **small).fit(flat).outlier_scores(strange)[0] > 10
    assert mbn.MBN(**small).fit(flat).outlier_scores(strange)[0] < 2


def test_the_engine_says_how_far(rows, small):
    engine = mbn.MBN(**small).fit(rows).model_.engine
    assert set(engine) == {"name", "neighbours", "recall", "excess"} and engine["excess"] >= 0


def test_numpy_numbers(rows, small):
    plain = mbn.MBN(n_components=3, decay=0.25, **small).fit_transform(rows)
    from_numpy = mbn.MBN(n_components=np.int16(3), decay=np.float32(0.25), **small)
    assert same(from_numpy.fit_transform(rows), plain)


def test_seeds(rows):
    def embed(seed):
        return mbn.MBN(n_clusterings=24, random_state=seed).fit_transform(rows)

    assert same(embed(None), embed(0))
    assert not same(embed(0), embed(1))
    assert same(embed(np.random.RandomState(4)), embed(np.random.RandomState(4)))
    assert same(embed(np.random.default_rng(4)), embed(np.random.default_rng(4)))
    drawn = np.random.RandomState(4)
    assert not same(embed(drawn), embed(drawn))


def test_parameters_and_printing():
    net = mbn.MBN(decay=0.7).set_params(n_clusters=4)
    assert net.get_params()["decay"] == 0.7 and net.get_params()["n_clusters"] == 4
    assert repr(net) == "MBN(decay=0.7, n_clusters=4)"
    with pytest.raises(ValueError, match="Invalid parameter 'colour'"):
        net.set_params(colour="red")
    with pytest.raises(TypeError):
        mbn.MBN(colour="red")


def test_set_params_takes_effect_at_the_next_fit(net, rows, small):
    other = mbn.MBNClustering(3, **small).fit(rows)
    other.set_params(n_clusters=4, decay=0.7)
    assert same(other.transform(rows), net.embedding_)
    assert len(np.unique(other.fit_predict(rows))) == 4
    assert len(other.layers_) > len(net.layers_)


def test_clone(net, rows):
    base = pytest.importorskip("sklearn.base")
    twin = base.clone(net)
    assert not hasattr(twin, "model_")
    assert same(twin.fit(rows).embedding_, net.embedding_)


def test_clustering_needs_a_number(rows):
    for unknown in (None, "unknown"):
        with pytest.raises(ValueError, match=f"n_clusters is {unknown!r}.*say 'find'"):
            mbn.MBNClustering(unknown).fit(rows)


@pytest.mark.parametrize("call", [
    lambda rows, word: mbn.MBN(n_clusters=word).fit(rows),
    lambda rows, word: mbn.MBNClustering(word).fit(rows),
    lambda rows, word: mbn.plan(rows, n_clusters=word),
    lambda rows, word: mbn.choose(rows, n_clusters=word),
    lambda rows, word: mbn.Index.build(["a cat", "a dog"], n_clusters=word)])
def test_other_words_for_clusters(rows, call):
    """The word of the version before is refused with the new one."""
    with pytest.raises(ValueError, match="n_clusters is 'auto', which is called 'find' now"):
        call(rows, "auto")
    with pytest.raises(ValueError, match="n_clusters is 'many'; it must be 'find', 'unknown' or"):
        call(rows, "many")


def test_the_three_words_for_clusters(rows, small):
    """"unknown" (also None), "find" or a number, in both estimators and in a plan."""
    unknown = mbn.MBN(**small).fit(rows)
    assert same(mbn.MBN(n_clusters=None, most_clusters=5, **small).fit(rows).embedding_,
                unknown.embedding_)
    assert unknown.n_clusters == "unknown" and len(unknown.model_.cluster_centres) == 0
    found = mbn.MBN(n_clusters="find", **small).fit(rows)
    clusters = mbn.MBNClustering(**small).fit(rows)
    assert same(found.embedding_, clusters.embedding_) and found.selection_ == clusters.selection_
    assert len(clusters.cluster_centers_) == found.selection_["clusters"]
    assert [one["clusters"] for one in found.selection_["counts"]] == list(range(2, 31))
    plans = {word: mbn.plan(rows, n_clusters=word) for word in ("unknown", None, "find", 3)}
    assert plans["unknown"] == plans[None] == mbn.plan(rows) != plans[3]
    assert plans["find"].peak_bytes >= plans[3].peak_bytes


@pytest.mark.parametrize("count", [2, 3, 7, 8, 15, 16, 18, 19, 20])
def test_few_rows_are_one_cluster(rows, count):
    """`find` needs about 20 rows to tell clusters from chance; with fewer there is one."""
    net = mbn.MBNClustering(n_clusterings=20).fit(rows[:count])
    assert net.labels_.shape == (count,) and set(net.labels_) == set(range(len(net.cluster_centers_)))
    if count < 19:
        assert not net.labels_.any() and not net.predict(rows[:5]).any()


def test_a_loaded_network_says_what_was_known(rows, small, tmp_path):
    for name, net in (("unknown", mbn.MBN(**small)), (3, mbn.MBNClustering(3, **small))):
        path = tmp_path / f"{name}.mbn"
        net.fit(rows).save(path)
        assert type(net).load(path).n_clusters == name


def test_auto_chooses_and_says_what(rows, small):
    net = mbn.MBNClustering("find", decay="auto", scale="auto", most_clusters=6, **small)
    with pytest.warns(mbn.MBNNote, match="clusters were found"):
        net.fit(rows)
    chosen = net.selection_
    assert net.cluster_centers_.shape[0] == chosen["clusters"]
    assert [count["clusters"] for count in chosen["counts"]] == [2, 3, 4, 5, 6]
    assert chosen["decay"] in {candidate["decay"] for candidate in chosen["candidates"]}
    assert any("clusters were found" in note for note in net.notes_)
    again = mbn.MBNClustering("find", decay="auto", scale="auto", most_clusters=6, n_jobs=1,
                              **small).fit(rows)
    assert again.selection_ == chosen and same(again.labels_, net.labels_)
    known = mbn.MBNClustering(chosen["clusters"], decay=chosen["decay"], scale=None, **small)
    assert same(known.fit(rows).labels_, net.labels_)
    assert not hasattr(known, "selection_")


def test_outlier_scores(net, rows):
    far = rows[:3].copy()
    far[1] += 1000
    scores = net.outlier_scores(far)
    assert scores.dtype == np.float32 and scores[1] > 20 > scores[0]
    assert same(net.outlier_scores(rows)[:1], scores[:1])


def test_notes_speak_python(rows, capsys):
    with pytest.warns(mbn.MBNNote, match="each clustering sees"):
        few = mbn.MBN(n_clusterings=20, feature_fraction=0.5, verbose=1).fit(rows[:, :3])
    assert any("feature_fraction=1" in note for note in few.notes_)
    assert "each clustering sees" not in capsys.readouterr().err
    units = np.column_stack([rows[:, :3], 1000 * rows[:, 3]])
    with pytest.warns(mbn.MBNNote, match="scale='standard'"):
        assert any("scale='standard'" in note for note in mbn.MBN(n_clusterings=20, scale=None).fit(units).notes_)
