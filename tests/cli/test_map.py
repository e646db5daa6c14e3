# SPDX-License-Identifier: Apache-2.0
"""`mbn map`: from a file to a map, and new rows on it."""

import numpy as np
import pytest


@pytest.fixture
def made(mbn, shared, small, tmp_path):
    mbn("map", shared.rows, *small, "-o", tmp_path / "map.npy", "--model", tmp_path / "net.mbn",
        "--plot", tmp_path / "map.svg", "--components-plot", tmp_path / "components.svg")
    return tmp_path


def test_places_model_and_pictures(made):
    assert np.load(made / "map.npy").shape[1] == 2
    assert "of the variance" not in (made / "map.svg").read_text()
    assert "of the variance" in (made / "components.svg").read_text()


def test_training_rows_have_their_places_again(mbn, shared, made):
    mbn("transform", made / "net.mbn", shared.rows, "--map", "-o", made / "again.npy")
    assert (made / "again.npy").read_bytes() == (made / "map.npy").read_bytes()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_bytes_with_any_number_of_threads(mbn, shared, small, made, threads):
    mbn("map", shared.rows, *small, "-o", made / "t.npy", "--threads", threads)
    assert (made / "t.npy").read_bytes() == (made / "map.npy").read_bytes()


def test_csv_says_what_its_columns_are(mbn, shared, small):
    told = mbn("map", shared.rows, *small, "--map", 3).stdout
    assert told.startswith("map1,map2,map3\n")


def test_cluster_draws_the_map(mbn, shared, small, tmp_path):
    told = mbn("cluster", shared.rows, "--clusters", 3, *small, "-o", tmp_path / "l.csv",
               "--plot", tmp_path / "map.svg", "--model", tmp_path / "net.mbn")
    assert told.returncode == 0
    assert "component 1" not in (tmp_path / "map.svg").read_text()
    mbn("transform", tmp_path / "net.mbn", shared.rows, "--map", "-o", tmp_path / "m.csv")


def test_what_cannot_be_done_is_said(mbn, shared, small, tmp_path):
    def failed(*arguments):
        return mbn(*arguments, code=2).stderr

    mbn("fit", shared.rows, *small, "-o", tmp_path / "plain.mbn")
    told = failed("transform", tmp_path / "plain.mbn", shared.rows, "--map")
    assert "the model has no map; fit it with --map 2" in told
    told = failed("map", shared.rows, "--map", 0)
    assert "--map is 0, which makes no map" in told
    told = failed("map", shared.rows, "--map", 4)
    assert "map is 4; it must be from 0 to 3" in told
    told = failed("transform", tmp_path / "plain.mbn", shared.rows, "--map", "--codes")
    assert "leave out one of them" in told
    told = failed("map", shared.rows, "--plot", tmp_path / "map.gif")
    assert ".svg" in told and ".png" in told


def test_maps_after_every_layer(mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, *small, "-o", tmp_path / "plain.mbn")
    for layer in (1, 2):
        mbn("transform", tmp_path / "plain.mbn", shared.rows, "--map", "--layer", layer,
            "-o", tmp_path / f"map{layer}.npy", "--plot", tmp_path / f"map{layer}.svg")
    one, two = (np.load(tmp_path / f"map{layer}.npy") for layer in (1, 2))
    assert one.shape == two.shape == (160, 2) and not np.array_equal(one, two)
