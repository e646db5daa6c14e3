# SPDX-License-Identifier: Apache-2.0
"""How the package words the library's errors and notes: options as keywords. tests/cli/test_errors.py has
the same errors in the tool's words."""

import re
import warnings

import numpy as np
import pytest

import mbn


def said(kind, work):
    with pytest.raises(kind) as caught:
        work()
    return caught.value


def test_out_of_range(rows):
    error = said(ValueError, lambda: mbn.MBN(n_clusterings=0).fit(rows))
    assert str(error) == "n_clusterings is 0; it must be from 1 to 32767, or None (400; 200 for more than 10000 rows (but 400 with tf-idf), 150 for more than 20000)"
    assert (error.code, error.option, error.value) == ("out_of_range", "clusterings", "0")
    assert str(said(ValueError, lambda: mbn.MBN(feature_fraction=float("nan")).fit(rows))) == \
        "feature_fraction is NaN; it must be above 0 and at most 1, or None (0.5; 1 for 3 columns or fewer)"
    assert str(said(ValueError, lambda: mbn.MBN(n_components=70000).fit(rows))) == \
        "n_components is 70000; it must be from 1 to 65535, or None (clusters but at least 2, or 2 when unknown)"
    assert str(said(ValueError, lambda: mbn.MBN(n_components=0).fit(rows))) == \
        "n_components is 0; it must be from 1 to 65535, or None (clusters but at least 2, or 2 when unknown)"


def test_more_clusters_than_rows(rows):
    error = said(ValueError, lambda: mbn.MBN(n_clusters=301).fit(rows))
    assert str(error) == "n_clusters is 301, but the data has only 300 rows; ask for fewer"


def test_unknown_choice(rows):
    error = said(ValueError, lambda: mbn.MBN(metric="minkowski").fit(rows))
    assert str(error) == ("metric is 'minkowski'; it must be one of 'euclidean', 'cosine', 'correlation', "
                          "'manhattan', 'chi-squared', 'hellinger', 'hamming', 'jaccard', 'precomputed'")
    assert (error.code, error.option, error.value) == ("unknown_choice", "metric", "minkowski")


def test_file_exists(net, tmp_path):
    path = tmp_path / "net.mbn"
    path.touch()
    error = said(FileExistsError, lambda: net.save(path))
    assert error.strerror == \
        f"{path} exists already; allow overwriting it (overwrite=True) or choose another name"
    assert (error.code, error.path) == ("file_exists", str(path))


def test_no_clusters(rows, small):
    net = mbn.MBN(**small).fit(rows)
    error = said(ValueError, lambda: net.compress(rows, target="clusters"))
    assert str(error) == \
        "the model has no clusters, so target cannot be 'clusters'; fit it with n_clusters"
    assert error.code == "no_clusters"


def test_sparse_rows_scaled():
    sparse = pytest.importorskip("scipy.sparse")
    rows = sparse.random(60, 40, 0.05, "csr", np.float32, random_state=0)
    error = said(ValueError, lambda: mbn.MBN(scale="standard").fit(rows))
    assert str(error) == (
        "scale would fill in the zeros of sparse rows; leave it out (scale=None), choose "
        "metric='cosine' for rows of different norm, or give dense rows")
    assert (error.code, error.option, error.value) == ("sparse_rows", "scale", "standard")


def test_memory_limit(rows):
    error = said(MemoryError, lambda: mbn.MBN(memory_limit=1000).fit(rows))
    assert str(error).startswith("this fit needs at least ")
    assert "the memory limit is 1 kB" in str(error)
    assert (error.code, error.option) == ("memory", "memory_limit")


def test_missing_file(tmp_path):
    missing = tmp_path / "missing.mbn"
    error = said(FileNotFoundError, lambda: mbn.MBN.load(missing))
    assert error.strerror == f"{missing}: cannot open it: No such file or directory"
    assert (error.code, error.path) == ("file_missing", str(missing))
    assert said(FileNotFoundError, lambda: mbn.load_student(tmp_path / "s.onnx")).code == "file_missing"
    assert said(FileNotFoundError, lambda: mbn.read(tmp_path / "x.csv")).code == "file_missing"


def test_a_name_that_is_not_utf8(tmp_path):
    missing = bytes(tmp_path) + b"/\xff.mbn"
    assert said(FileNotFoundError, lambda: mbn.MBN.load(missing.decode("utf-8", "surrogateescape")))


def test_folder_in_place_of_a_file(tmp_path):
    assert said(IsADirectoryError, lambda: mbn.read(tmp_path)).code == "not_a_file"


def test_damaged_model(net, tmp_path):
    damaged = bytearray(net.model_.to_bytes())
    damaged[-1] ^= 1
    (tmp_path / "m.mbn").write_bytes(damaged)
    error = said(ValueError, lambda: mbn.MBN.load(tmp_path / "m.mbn"))
    assert "does not match its checksum; the file is damaged" in str(error)
    assert (error.code, error.path) == ("damaged", str(tmp_path / "m.mbn"))


def test_a_column_that_is_not_there(tmp_path):
    table = tmp_path / "x.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    error = said(ValueError, lambda: mbn.read(table, label_column="my label"))
    assert str(error) == \
        f"label_column='my label': the first line of {table} has no such name; it has: a, b"
    assert str(said(ValueError, lambda: mbn.read(table, label_column=7))).startswith("label_column=7: ")


def test_words_that_look_like_an_option_are_left_alone(tmp_path):
    """Only options are worded; a file's name is not, whatever it looks like."""
    table = tmp_path / "--force clusters is --scale standard.csv"
    assert table.name in str(said(FileNotFoundError, lambda: mbn.read(table)))


def test_notes_are_warnings(rows):
    units = np.column_stack([rows[:, :2], 1000 * rows[:, 3]])
    net = mbn.MBN(n_clusterings=20, feature_fraction=0.5, scale=None)
    with pytest.warns(mbn.MBNNote) as caught:
        net.fit(units)
    told = [str(warning.message) for warning in caught]
    assert told == net.notes_ and len(told) == 2
    assert "different units, scale='standard' will change" in told[0]
    assert "so few columns, feature_fraction=1 usually" in told[1]
    assert {warning.filename for warning in caught} == {__file__}
    assert issubclass(mbn.MBNNote, UserWarning)


def test_data_without_a_note_gives_no_warning(rows, small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mbn.MBN(**small).fit(rows).notes_ == []


def test_notes_turned_into_errors_leave_a_fitted_network(rows):
    for method in ("fit", "fit_transform", "fit_predict"):
        net = mbn.MBNClustering(3, n_clusterings=20, feature_fraction=0.5, decay=0.5)
        with warnings.catch_warnings():
            warnings.simplefilter("error", mbn.MBNNote)
            with pytest.raises(mbn.MBNNote, match="feature_fraction=1"):
                getattr(net, method)(rows[:, :3])
        assert len(net.labels_) == len(rows)


def test_the_code_that_words_messages_does_not_search_in_them(root):
    for name in ("words.cpp", "errors.cpp"):
        text = (root / "python/bind" / name).read_text()
        assert not re.search(r"regex|find\(|replace\(|ends_with|starts_with|substr", text), name
