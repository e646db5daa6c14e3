# SPDX-License-Identifier: Apache-2.0
"""Cells, pictures and MATLAB files: what the tool does with them beyond reading. The files are seeds of fuzzing."""

import json
import shutil

import numpy as np
import pytest


@pytest.fixture(scope="module")
def seeds(root):
    return root / "fuzz" / "corpus"


@pytest.fixture
def photos(seeds, tmp_path):
    """A folder of twelve pictures and a table."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for i in range(12):
        shutil.copy(seeds / "fuzz_picture" / f"{('RGB', 'L', 'P', 'RGBA')[i % 4]}.png", folder / f"{i:02}.png")
    shutil.copy(seeds / "fuzz_csv" / "iris.csv", folder)
    return folder


def options_of(mbn, model):
    return json.loads(mbn("info", model, "--json").stdout)["options"]


def ten_x(folder):
    folder.mkdir()
    random = np.random.default_rng(4)
    counts = random.poisson(1.0, (9, 20))
    genes, cells = np.nonzero(counts)
    (folder / "matrix.mtx").write_text(
        "%%MatrixMarket matrix coordinate integer general\n9 20 " + f"{len(genes)}\n" +
        "".join(f"{g + 1} {c + 1} {counts[g, c]}\n" for g, c in zip(genes, cells)))
    (folder / "barcodes.tsv").write_text("".join(f"B{i}\n" for i in range(20)))
    (folder / "features.tsv").write_text("".join(f"E{i}\tG{i}\n" for i in range(9)))
    return folder


def test_raw_counts_get_their_weighting(mbn, small, tmp_path):
    """It is stored in the model, so that new cells get it too, and given options win."""
    data = ten_x(tmp_path / "cells")
    result = mbn("fit", data, *small, "-o", tmp_path / "m.mbn")
    assert "raw counts of genes" in result.stderr and "--weighting cells" in result.stderr
    assert options_of(mbn, tmp_path / "m.mbn")["weighting"] == "cells"
    given = mbn("fit", data, *small, "--weighting", "cells", "-o", tmp_path / "given.mbn")
    assert "raw counts" not in given.stderr
    assert (tmp_path / "m.mbn").read_bytes() == (tmp_path / "given.mbn").read_bytes()
    for option in (["--weighting", "counts"], ["--paper"]):
        result = mbn("fit", data, *small, *option, "-o", tmp_path / "other.mbn", "--force")
        assert "raw counts" not in result.stderr
        assert options_of(mbn, tmp_path / "other.mbn")["weighting"] == "counts"


def test_pictures_are_rows_and_their_names_ids(mbn, small, photos, tmp_path):
    result = mbn("cluster", photos, "--clusters", 2, *small, "--size", 8, "-o", tmp_path / "labels.csv", "--model",
                 tmp_path / "m.mbn", "--report", tmp_path / "report.html")
    assert "12 pictures as rows, each made 8 x 8 pixels in grey" in result.stderr
    assert "1 file left out that are no PNG, JPEG or WebP: iris.csv" in result.stderr
    lines = (tmp_path / "labels.csv").read_text().splitlines()
    assert lines[0] == "file,label" and lines[1].startswith("00.png,") and len(lines) == 13
    page = (tmp_path / "report.html").read_text()
    assert '"pictures":null' not in page
    # The model's size is taken without being told.
    again = mbn("predict", tmp_path / "m.mbn", photos, "-o", tmp_path / "again.csv")
    assert "8 x 8 pixels in grey" in again.stderr
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "labels.csv").read_text()


def test_a_model_of_colours_wants_colours(mbn, small, photos, tmp_path):
    mbn("fit", photos, *small, "--size", 4, "--colour", "-o", tmp_path / "m.mbn")
    assert "4 x 4 pixels in colour" in mbn("transform", tmp_path / "m.mbn", photos).stderr


def test_a_broken_picture_is_named(mbn, seeds, photos):
    shutil.copy(seeds / "fuzz_picture" / "cut.png", photos / "broken.png")
    assert "broken.png: the picture cannot be read" in mbn("plan", photos, code=1).stderr


def test_options_of_other_kinds_are_refused(mbn, shared, photos):
    assert "is for a folder of pictures" in mbn("plan", shared.csv, "--size", 8, code=2).stderr
    assert "is for a folder of pictures" in mbn("plan", shared.csv, "--colour", code=2).stderr
    assert "HDF5" in mbn("plan", photos, "--array", "X", code=2).stderr


def test_an_array_of_a_matlab_file(mbn, seeds):
    path = seeds / "fuzz_mat5" / "plain.mat"
    assert json.loads(mbn("plan", path, "--json").stdout)["columns"] == 4
    assert json.loads(mbn("plan", path, "--array", "S", "--json").stdout)["columns"] == 4
    assert "choose one with --array NAME" in mbn("plan", path, "--array", "Z", code=2).stderr


def test_a_gzipped_matlab_file(mbn, seeds, tmp_path):
    import gzip
    path = tmp_path / "data.mat.gz"
    path.write_bytes(gzip.compress((seeds / "fuzz_mat5" / "packed.mat").read_bytes()))
    assert json.loads(mbn("plan", path, "--json").stdout)["rows"] == 3


@pytest.mark.parametrize("name", ["sheet's.xlsx", "a sheet $x.xlsx"])
def test_a_line_to_copy_is_quoted(mbn, tmp_path, name):
    import shlex
    import zipfile
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    message = mbn("plan", path, code=1).stderr.strip()
    line = message[message.index("python3 -c"):]
    assert "this is an Excel sheet" in message and shlex.split(line)[-1] == str(path)
