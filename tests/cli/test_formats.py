# SPDX-License-Identifier: Apache-2.0
"""The same rows from every kind of file, and named columns of CSV."""

import gzip
import struct

import numpy as np
import pytest


@pytest.fixture(scope="module")
def pictures():
    random = np.random.default_rng(5)
    return random.integers(0, 256, (40, 9), dtype=np.uint8)


def csv_of(array, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in array.tolist())


def idx_of(array):
    return struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(
        f">{array.ndim}I", *array.shape) + array.tobytes()


def test_the_same_map_from_every_kind_of_file(mbn, pictures, small, tmp_path):
    np.save(tmp_path / "a.npy", pictures)
    np.savez(tmp_path / "b.npz", X=pictures)
    np.savez_compressed(tmp_path / "c.npz", other=pictures * 2, wanted=pictures)
    (tmp_path / "d.csv").write_text(csv_of(pictures))
    (tmp_path / "e.tsv").write_text(csv_of(pictures, "\t"))
    (tmp_path / "f.csv.gz").write_bytes(gzip.compress(csv_of(pictures).encode()))
    (tmp_path / "g-ubyte").write_bytes(idx_of(pictures.reshape(40, 3, 3)))
    (tmp_path / "h-ubyte.gz").write_bytes(gzip.compress(idx_of(pictures)))
    np.save(tmp_path / "i.npy", pictures.astype(np.float64))
    np.save(tmp_path / "j.npy", np.asfortranarray(pictures))
    maps = {}
    for path in sorted(tmp_path.iterdir()):
        extra = ["--array", "wanted"] if path.name == "c.npz" else []
        maps[path.name] = mbn("embed", path, *small, *extra).stdout
    maps["-"] = mbn("embed", "-", *small, input=csv_of(pictures)).stdout
    assert len(set(maps.values())) == 1, maps.keys()


def test_bytes_stay_bytes(mbn, pictures, small, tmp_path):
    """A quarter of the memory: the model keeps uint8 rows as they are."""
    np.save(tmp_path / "bytes.npy", pictures)
    np.save(tmp_path / "floats.npy", pictures.astype(np.float32))
    for name in ("bytes", "floats"):
        mbn("fit", tmp_path / f"{name}.npy", *small, "-o", tmp_path / f"{name}.mbn")
    difference = ((tmp_path / "floats.mbn").stat().st_size -
                  (tmp_path / "bytes.mbn").stat().st_size)
    assert difference >= 40 * 9 * 3 - 64


TABLE = "name,height,kind,width\n" + "".join(
    f"row {i},{i % 7 + i / 10},{'ab'[i % 2]},{i % 2 * 50 + i % 5}\n" for i in range(30))


@pytest.mark.parametrize("label, name", [("kind", "name"), ("3", "1"), ("-2", "-4")])
def test_label_and_id_columns(mbn, text, small, tmp_path, label, name):
    data = text(TABLE)
    out = tmp_path / "labels.csv"
    result = mbn("cluster", data, "--clusters", 2, *small, "--label-column", label, "--id-column",
                 name, "-o", out, "--embedding", tmp_path / "map.csv")
    assert "30 rows x 2 columns" in result.stderr and "NMI" in result.stderr
    lines = out.read_text().splitlines()
    assert lines[0] == "id,label" and lines[1].startswith('"row 0",') and len(lines) == 31
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert lines[0] == "id,component1,component2" and lines[30].startswith('"row 29",')


def test_labels_do_not_teach(mbn, text, small):
    """The label column is scored, never used: without it the map is the same."""
    numbers = "".join(f"{i % 7 + i / 10},{i % 2 * 50 + i % 5}\n" for i in range(30))
    with_labels = mbn("embed", text(TABLE), *small, "--label-column", "kind", "--id-column",
                      "name").stdout
    without = mbn("embed", text(numbers, "numbers.csv"), *small).stdout
    assert [line.split(",")[1:] for line in with_labels.splitlines()] == [
        line.split(",") for line in without.splitlines()]


def test_unknown_column(mbn, text):
    data = text(TABLE)
    result = mbn("embed", data, "--label-column", "colour", code=2)
    assert "colour" in result.stderr and "height" in result.stderr and str(data) in result.stderr
    result = mbn("embed", data, "--id-column", "9", code=2)
    assert "4 columns" in result.stderr


def test_words_need_a_column_option(mbn, text):
    data = text(TABLE)
    result = mbn("embed", data, code=1)
    assert f"{data}:2: " in result.stderr and "row 0" in result.stderr


def test_labels_of_every_kind(mbn, text, tmp_path):
    labels = [0, 0, 1, 1, 2, 2]
    np.save(tmp_path / "a.npy", np.array(labels))
    (tmp_path / "b-ubyte").write_bytes(idx_of(np.array(labels, np.uint8)))
    text("".join(f"{label}\n" for label in labels), "c.txt")
    text("label\n" + "".join(f"{label}\n" for label in labels), "d.csv")
    text("".join(f"{'xyz'[label]}\n" for label in labels), "e.txt")
    for path in tmp_path.iterdir():
        result = mbn("evaluate", path, "--truth", tmp_path / "a.npy")
        assert "accuracy                1.000000" in result.stdout, path


def test_written_files_can_be_read_again(mbn, shared, tmp_path):
    """Text keeps every bit: the shortest digits that read back as the same float."""
    for name in ("a.csv", "b.tsv", "c.txt"):
        mbn("transform", shared.model, shared.rows, "-o", tmp_path / name)
        lines = (tmp_path / name).read_text().splitlines()[1:]
        numbers = np.array([line.replace("\t", ",").split(",") for line in lines], np.float32)
        mbn("transform", shared.model, shared.rows, "-o", tmp_path / "map.npy", "--force")
        np.testing.assert_array_equal(numbers, np.load(tmp_path / "map.npy"))
        assert mbn("evaluate", tmp_path / name, "--data", shared.rows).stdout
