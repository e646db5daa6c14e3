# SPDX-License-Identifier: Apache-2.0
"""--plot, --title and --values."""

import struct
import subprocess

import numpy as np
import pytest


@pytest.fixture(scope="module")
def cairo(mbn, shared, tmp_path_factory):
    """Skips where the tool was built without cairo."""
    picture = tmp_path_factory.mktemp("cairo") / "a.png"
    tried = subprocess.run(mbn.command("transform", shared.model, shared.rows, "-o", picture.with_suffix(".npy"),
                                       "--plot", picture), stderr=subprocess.PIPE, text=True)
    if tried.returncode == 2 and "this build draws .svg only" in tried.stderr:
        pytest.skip("the tool was built without cairo")


def test_png_is_sharp(mbn, shared, cairo, tmp_path):
    picture = tmp_path / "map.png"
    mbn("transform", shared.model, shared.rows, "-o", tmp_path / "map.npy", "--plot", picture)
    start = picture.read_bytes()[:24]
    assert start.startswith(b"\x89PNG") and struct.unpack(">II", start[16:]) == (1800, 1440)


def test_pdf(mbn, shared, cairo, small, tmp_path):
    picture = tmp_path / "map.pdf"
    mbn("cluster", shared.rows, "--clusters", 2, *small, "-o", tmp_path / "l.npy", "--plot", picture)
    assert picture.read_bytes().startswith(b"%PDF-") and b"%%EOF" in picture.read_bytes()[-20:]


def test_an_unknown_ending_is_refused_before_any_work(mbn, shared, tmp_path):
    for verb in (["embed", shared.rows], ["cluster", shared.rows, "--clusters", 2], ["transform", shared.model, shared.rows]):
        for name in ("map.gif", "map"):
            result = mbn(*verb, "-o", tmp_path / "out.npy", "--plot", tmp_path / name, code=2)
            assert ".svg, .png or .pdf" in result.stderr and name in result.stderr
    assert not list(tmp_path.iterdir())


def test_title_and_axes(mbn, shared, small, tmp_path):
    picture = tmp_path / "map.svg"
    mbn("embed", shared.rows, *small, "-o", tmp_path / "e.npy", "--plot", picture, "--title", "Two <moons>")
    drawn = picture.read_text()
    assert ">Two &lt;moons&gt;</text>" in drawn and "moons.npy" not in drawn
    assert "% of the variance)</text>" in drawn and ">component 2 (" in drawn
    mbn("transform", shared.model, shared.rows, "--layer", 2, "-o", tmp_path / "t.npy", "--plot", tmp_path / "second.svg")
    assert ">component 1</text>" in (tmp_path / "second.svg").read_text()


def test_values(mbn, shared, save, tmp_path):
    values = save(np.linspace(-1, 5, 160, dtype=np.float32), "heights.npy")
    picture = tmp_path / "map.svg"
    mbn("transform", shared.model, shared.rows, "-o", tmp_path / "t.npy", "--plot", picture, "--values", values)
    drawn = picture.read_text()
    for text in (">heights.npy</text>", ">-1</text>", ">5</text>"):
        assert text in drawn


def test_values_of_a_part(mbn, shared, small, save, tmp_path):
    values = save(np.arange(160, dtype=np.float32).reshape(-1, 1), "values.npy")
    mbn("embed", shared.rows, *small, "--part", "1/2", "-o", tmp_path / "e.npy", "--plot", tmp_path / "e.svg", "--values",
        values)
    assert ">80 rows</text>" in (tmp_path / "e.svg").read_text()


@pytest.mark.parametrize("shape", [(159, 1), (160, 2)])
def test_values_that_do_not_fit(mbn, shared, small, save, tmp_path, shape):
    values = save(np.zeros(shape, np.float32), "values.npy")
    result = mbn("embed", shared.rows, *small, "-o", tmp_path / "e.npy", "--plot", tmp_path / "e.svg", "--values", values,
                 code=2)
    assert f"{shape[0]} rows x {shape[1]} columns" in result.stderr and "one number per row" in result.stderr
    assert not (tmp_path / "e.npy").exists()


def test_title_needs_a_picture(mbn, shared):
    assert "--plot" in mbn("embed", shared.rows, "--title", "x", code=2).stderr
