# SPDX-License-Identifier: Apache-2.0
"""Parquet, Arrow and Excel: kinds of files that other packages read, made into text for our reader.

Their tables go through CSV, so that everything that holds for CSV (ids, labels, choice of columns,
missing cells, messages) holds for them. Numbers are written with all their digits.
"""

import contextlib
import csv
import os
import tempfile


class Text:
    """A file for our reader, and how to speak of it: `path` is text, `ids` its columns of ids."""

    def __init__(self, path, original, array="", ids=()):
        self.path = path
        self.array = array
        self.ids = list(ids)
        self._original = original

    def reworded(self, message):
        return message.replace(self.path, self._original)


@contextlib.contextmanager
def as_text(path, array=""):
    """The file itself, or a CSV copy of it that lives as long as the context."""
    write = _writer_of(path)
    if write is None:
        yield Text(path, path, array)
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "table.csv")
        text = Text(copy, os.fspath(path), "", write(path, copy, array))
        try:
            yield text
        except Exception as problem:
            problem.args = tuple(text.reworded(word) if isinstance(word, str) else word
                                 for word in problem.args)
            raise


def _writer_of(path):
    try:
        with open(path, "rb") as file:
            start = file.read(64)
    except OSError:
        return None  # a folder, or nothing: our reader says what is wrong
    if start.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        return _write_arrow
    if start.startswith(b"PK\x03\x04") and start[30:].startswith((b"[Content_Types].xml", b"xl/",
                                                                  b"_rels/", b"docProps/")):
        return _write_sheet
    return None


def _needs(path, package, problem):
    raise ImportError(f"{path} is read by {package}, which is not installed: pip install "
                      f"mbn[tables] (or pip install {package})") from problem


def _write_arrow(path, copy, array):
    try:
        import pyarrow
        import pyarrow.csv
    except ImportError as problem:
        _needs(path, "pyarrow", problem)
    if array:
        raise ValueError(f"array={array!r} is for .npz, HDF5, MATLAB and .xlsx, and {path} is "
                         "another kind of file; leave it out")
    table = _arrow_table(path)
    nested = [field.name for field in table.schema if pyarrow.types.is_nested(field.type)]
    if nested:
        raise ValueError(f"{path}: the columns {', '.join(nested)} hold lists or records, not "
                         "numbers; leave them out when writing the file, or make columns of them")
    for place, field in enumerate(table.schema):
        column = table.column(place)
        if pyarrow.types.is_dictionary(field.type):
            table = table.set_column(place, field.name, column.cast(field.type.value_type))
        elif pyarrow.types.is_decimal(field.type) or pyarrow.types.is_float16(field.type):
            table = table.set_column(place, field.name, column.cast(pyarrow.float64()))
    pyarrow.csv.write_csv(table, copy)
    described = (table.schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in described if isinstance(name, str) and name in table.column_names]


def _arrow_table(path):
    import pyarrow
    with open(path, "rb") as file:
        start = file.read(4)
    if start == b"PAR1":
        from pyarrow import parquet
        return parquet.read_table(path, partitioning=None)
    if start == b"ARRO":
        return pyarrow.ipc.open_file(path).read_all()
    return pyarrow.ipc.open_stream(path).read_all()


def _write_sheet(path, copy, array):
    try:
        import openpyxl
    except ImportError as problem:
        _needs(path, "openpyxl", problem)
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        if array and array not in book.sheetnames:
            raise ValueError(f"{path} has no sheet {array!r}; its sheets are: "
                             f"{', '.join(book.sheetnames)}")
        sheet = book[array] if array else book.worksheets[0]
        rows = [[_cell(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    finally:
        book.close()
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((place + 1 for row in rows for place, cell in enumerate(row) if cell), default=0)
    with open(copy, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(
            (row + [""] * width)[:width] for row in rows)
    return []


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
