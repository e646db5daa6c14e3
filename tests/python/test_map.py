# SPDX-License-Identifier: Apache-2.0
"""The map: MBNMap in the place of umap.UMAP(), and the map that other networks make beside."""

import pickle

import numpy as np
import pytest

import mbn
from compare import same


@pytest.fixture(scope="module")
def mapper(rows):
    return mbn.MBNMap(n_clusterings=24, random_state=3).fit(rows)


def test_needs_no_parameter(rows):
    places = mbn.MBNMap().fit_transform(rows)
    assert places.shape == (300, 2) and places.dtype == np.float32 and np.isfinite(places).all()


def test_transform_gives_training_rows_their_places(mapper, rows):
    assert same(mapper.transform(rows), mapper.embedding_)
    assert same(mapper.transform(rows[::-1])[::-1], mapper.embedding_)


def test_a_new_row_has_its_place_alone_and_among_others(mapper, rows):
    others = rows + np.float32(0.01)
    together = mapper.transform(others)
    assert same(np.vstack([mapper.transform(others[i:i + 1]) for i in range(20)]), together[:20])


def test_clusters_are_islands(mapper, rows, truth):
    assert mbn.score_map(rows, mapper.embedding_, labels=truth).nearest_neighbour > 0.97
    assert mbn.score_neighbours(rows, mapper.embedding_).trustworthiness > 0.85


def test_the_same_on_any_number_of_threads(mapper, rows):
    for n_jobs in (1, 3):
        again = mbn.MBNMap(n_clusterings=24, random_state=3, n_jobs=n_jobs).fit_transform(rows)
        assert same(again, mapper.embedding_)


def test_the_same_as_the_tool(mapper, rows, tool, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    tool("map", tmp_path / "rows.npy", "-o", tmp_path / "map.npy", "--clusterings", 24, "--seed", 3)
    assert same(np.load(tmp_path / "map.npy"), mapper.embedding_)


def test_three_dimensions(rows):
    net = mbn.MBNMap(3, n_clusterings=24).fit(rows)
    assert net.embedding_.shape == (300, 3)
    assert list(net.get_feature_names_out()) == ["mbnmap0", "mbnmap1", "mbnmap2"]


@pytest.mark.parametrize("count", [0, 4, 2.5, None])
def test_other_dimensions_are_refused(rows, count):
    with pytest.raises(ValueError, match="a map has 1 to 3 dimensions"):
        mbn.MBNMap(count).fit(rows)


def test_files_and_pickles(mapper, rows, tmp_path):
    others = rows[:40] + np.float32(0.01)
    mapper.save(tmp_path / "map.mbn")
    loaded = mbn.MBNMap.load(tmp_path / "map.mbn")
    assert loaded.n_components == 2 and loaded.n_neighbors == 15
    assert same(loaded.transform(others), mapper.transform(others))
    assert same(pickle.loads(pickle.dumps(mapper)).transform(others), mapper.transform(others))


def test_a_file_without_a_map_is_refused(net, tmp_path):
    net.save(tmp_path / "net.mbn")
    with pytest.raises(ValueError, match="the model has no map"):
        mbn.MBNMap.load(tmp_path / "net.mbn")


def test_clusters_with_a_map_beside(rows, net, small):
    both = mbn.MBNClustering(3, **small, map=2).fit(rows)
    assert same(both.embedding_, net.embedding_) and same(both.labels_, net.labels_)
    assert both.map_.shape == (300, 2)
    assert same(both.transform_map(rows), both.map_)
    assert not hasattr(both.set_params(map=0).fit(rows), "map_")


def test_no_map_is_said_in_plain_words(net, rows):
    with pytest.raises(ValueError, match="the model has no map; fit it with map=2"):
        net.transform_map(rows)


def test_plot_draws_the_map(mapper, rows, small):
    pytest.importorskip("matplotlib")
    assert mbn.plot(mapper).axes[0].get_xlabel() == ""
    both = mbn.MBNClustering(3, **small, map=2).fit(rows)
    assert mbn.plot(both).axes[0].get_xlabel() == ""
    assert "component 1" in mbn.plot(mbn.MBN(**small).fit(rows)).axes[0].get_xlabel()


def test_a_map_after_every_layer(net, rows):
    for layer in range(1, len(net.layers_) + 1):
        assert net.map_layer(rows, layer).shape == (300, 2)
    with pytest.raises(ValueError, match="layer is"):
        net.map_layer(rows, 99)
