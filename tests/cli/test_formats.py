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
    assert lines[0] == "name,label" and lines[1].startswith('"row 0",') and len(lines) == 31
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert lines[0] == "name,component1,component2" and lines[30].startswith('"row 29",')


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


def test_words_are_told_what_they_were_taken_for(mbn, text):
    told = mbn("embed", text(TABLE)).stderr
    assert "categories kind (2); left out as text: name" in told and "--id-column name takes them as row ids" in told


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


@pytest.fixture(scope="module")
def documents():
    random = np.random.default_rng(6)
    counts = np.zeros((60, 300), dtype=np.float32)
    for i, row in enumerate(counts):
        words = (i % 3) * 100 + random.integers(0, 100, 6)
        np.add.at(row, words, 1)
    counts[0, 299] = 1
    return counts


def svmlight_of(array):
    cells = [[f"{j + 1}:{row[j]:g}" for j in np.flatnonzero(row)] for row in array]
    return "".join(" ".join([str(i % 3), *row]) + "\n" for i, row in enumerate(cells))


def matrix_market_of(array):
    places = np.argwhere(array)[::-1]
    lines = [f"{i + 1} {j + 1} {array[i, j]:g}\n" for i, j in places]
    return (f"%%MatrixMarket matrix coordinate real general\n{array.shape[0]} {array.shape[1]} "
            f"{len(lines)}\n" + "".join(lines))


def scipy_file(path, array, form="csr"):
    lines = array if form == "csr" else array.T
    places = [np.flatnonzero(line) for line in lines]
    np.savez(path, format=form.encode(), shape=np.array(array.shape),
             indptr=np.cumsum([0, *map(len, places)]).astype(np.int32),
             indices=np.concatenate(places).astype(np.int32),
             data=np.concatenate([line[at] for line, at in zip(lines, places)]))


def test_sparse_files_give_the_bytes_of_the_dense_file(mbn, documents, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    np.save(files / "a.npy", documents)
    scipy_file(files / "b.npz", documents)
    scipy_file(files / "c.npz", documents, "csc")
    (files / "d.svm").write_text(svmlight_of(documents))
    (files / "e.svm.gz").write_bytes(gzip.compress(svmlight_of(documents).encode()))
    (files / "f.mtx").write_text(matrix_market_of(documents))
    (files / "g.mtx.gz").write_bytes(gzip.compress(matrix_market_of(documents).encode()))
    network = ["--clusters", 3, "--clusterings", 40, "--metric", "cosine"]
    models, codes = {}, {}
    for path in sorted(files.iterdir()):
        model = tmp_path / (path.name + ".mbn")
        mbn("fit", path, *network, "-o", model)
        models[path.name] = model.read_bytes()
        codes[path.name] = mbn("transform", tmp_path / "a.npy.mbn", path, "--codes").stdout
    assert len(set(models.values())) == 1, {name: hash(one) for name, one in models.items()}
    assert len(set(codes.values())) == 1
    # The labels of svmlight are scored, and never change the network.
    assert "NMI" in mbn("cluster", files / "d.svm", *network, "-o", tmp_path / "l.csv").stderr


def test_an_svmlight_file_may_lack_the_last_columns_of_a_model(mbn, documents, tmp_path):
    np.save(tmp_path / "all.npy", documents)
    (tmp_path / "few.svm").write_text(svmlight_of(documents[3:5]))
    np.save(tmp_path / "few.npy", documents[3:5])
    mbn("fit", tmp_path / "all.npy", "--clusterings", 20, "-o", tmp_path / "m.mbn")
    by_sparse = mbn("transform", tmp_path / "m.mbn", tmp_path / "few.svm").stdout
    assert by_sparse == mbn("transform", tmp_path / "m.mbn", tmp_path / "few.npy").stdout
    (tmp_path / "wide.svm").write_text("0 301:1\n")
    refused = mbn("transform", tmp_path / "m.mbn", tmp_path / "wide.svm", code=1)
    assert "column 301" in refused.stderr and "up to 300" in refused.stderr


def test_what_sparse_rows_cannot_do_is_said(mbn, documents, tmp_path):
    (tmp_path / "d.svm").write_text(svmlight_of(documents))
    raw = mbn("cluster", tmp_path / "d.svm", "--clusters", 3, "--raw", code=2)
    assert "--raw works on dense rows" in raw.stderr
    scaled = mbn("fit", tmp_path / "d.svm", "--scale", "standard", "-o", tmp_path / "m.mbn",
                 code=2)
    assert "fill in the zeros" in scaled.stderr
    (tmp_path / "twice.svm").write_text("1 3:1 3:2\n")
    assert "twice.svm:1: column 3 is there twice" in mbn(
        "plan", tmp_path / "twice.svm", code=1).stderr
