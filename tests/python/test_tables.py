# SPDX-License-Identifier: Apache-2.0
"""Parquet, Arrow and Excel through mbn.read."""

import datetime
import sys

import numpy as np
import pytest

import mbn

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
openpyxl = pytest.importorskip("openpyxl")

FRAME = {"a": [1.1, 2.25, 1e-7], "b": [3, 4, 2**24 - 1]}


def test_numbers_keep_their_digits(tmp_path):
    frame = pandas.DataFrame(FRAME)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    table = pyarrow.Table.from_pandas(frame)
    with pyarrow.ipc.new_stream(tmp_path / "t.arrows", table.schema) as stream:
        stream.write_table(table)
    wanted = np.array([FRAME["a"], FRAME["b"]], dtype=np.float32).T
    for name in ("t.parquet", "t.feather", "t.xlsx", "t.arrows"):
        found = mbn.read(tmp_path / name)
        np.testing.assert_array_equal(found.rows, wanted)
        assert found.columns == ["a", "b"] and found.ids is None


def test_an_index_with_names_holds_ids(tmp_path):
    frame = pandas.DataFrame(FRAME, index=["x", "y", "z"])
    frame.to_parquet(tmp_path / "t.parquet")
    table = mbn.read(tmp_path / "t.parquet")
    assert table.ids == ["x", "y", "z"] and table.columns == ["a", "b"]


def test_options_of_tables_hold(tmp_path):
    frame = pandas.DataFrame({**FRAME, "kind": pandas.Categorical(["u", "v", "u"]), "c": [1.0, None, 3.0]})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.warns(mbn.MBNNote) as notes:
        table = mbn.read(tmp_path / "t.parquet", label_column="kind", drop="b", missing="mean")
    assert table.rows.tolist()[1] == [2.25, 2.0] and table.label_names == ["u", "v"]
    assert str(tmp_path / "t.parquet") in str(notes[0].message)


def test_messages_name_the_file_that_was_given(tmp_path):
    path = tmp_path / "t.parquet"
    pandas.DataFrame({**FRAME, "c": [1.0, None, 3.0]}).to_parquet(path)
    with pytest.raises(ValueError) as caught:
        mbn.read(path)
    assert str(path) in str(caught.value) and "table.csv" not in str(caught.value)
    pandas.DataFrame({"a": [[1, 2], [3]]}).to_parquet(path)
    with pytest.raises(ValueError, match="a hold lists"):
        mbn.read(path)
    with pytest.raises(ValueError, match="array='X' is for"):
        mbn.read(path, array="X")


def test_a_sheet_by_its_name(tmp_path):
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, 2.5])
    book.active.append([None, None])
    other = book.create_sheet("other")
    other.append(["day", "c"])
    other.append([datetime.date(2024, 1, 2), 7])
    book.save(path)
    assert mbn.read(path).rows.tolist() == [[1, 2.5]]
    table = mbn.read(path, array="other", id_column="day")
    assert table.rows.tolist() == [[7]] and table.ids[0].startswith("2024-01-02")
    with pytest.raises(ValueError, match="no sheet 'none'; its sheets are: Sheet, other"):
        mbn.read(path, array="none")


@pytest.mark.parametrize("name, package", [("t.parquet", "pyarrow"), ("t.xlsx", "openpyxl")])
def test_what_to_install_is_told(tmp_path, monkeypatch, name, package):
    frame = pandas.DataFrame(FRAME)
    frame.to_parquet(tmp_path / name) if package == "pyarrow" else frame.to_excel(tmp_path / name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=r"pip install mbn\[tables\]"):
        mbn.read(tmp_path / name)
