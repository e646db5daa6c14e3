# SPDX-License-Identifier: Apache-2.0
"""Frames with columns of words, booleans and dates: pandas, polars, and whatever has Arrow's
`__arrow_c_stream__`. The library makes numbers of them as it does with a CSV file of the same cells.
"""

import numbers
from typing import Any, List, NamedTuple

import numpy as np

from . import _core
from ._input import any_rows, check_names, feature_names, is_frame


class Coded(NamedTuple):
    """Rows that the library takes, and what a model keeps about their columns."""

    rows: Any
    names: List[str]
    means: List[float]
    coding: List[Any]
    notes: List[str]


def is_table(X):
    """Whether it is what `mbn.read` returns."""
    return isinstance(X, tuple) and hasattr(X, "rows") and hasattr(X, "coding")


def type_words(types):
    """["age=number"] from a dict, or from what the tool takes."""
    if types is None:
        return []
    if isinstance(types, str):
        return types.split(",")
    if hasattr(types, "items"):
        return [f"{name}={kind}" for name, kind in types.items()]
    return [str(word) for word in types]


def needs_coding(X):
    """Whether a frame has columns of other things than numbers."""
    if is_pandas(X):
        return any(not _is_number(dtype, X.iloc[:, i]) for i, dtype in enumerate(X.dtypes))
    if is_frame(X) and hasattr(X, "schema"):  # polars
        return not all(dtype.is_numeric() for dtype in X.schema.values())
    return is_arrow(X)


def is_pandas(X):
    return is_frame(X) and hasattr(X, "iloc")


def is_arrow(X):
    """A table that is handed over by Arrow's C interface, and is no frame."""
    return hasattr(X, "__arrow_c_stream__") and not is_pandas(X)


def raw_names(X):
    """The names of the columns of a frame or an Arrow table, or None."""
    if is_frame(X):
        return feature_names(X)
    names = getattr(X, "column_names", None)
    return None if names is None else np.asarray(list(names), dtype=object)


def code(X, who, *, columns=(), drop=(), types=None, coding=None, missing="refuse", means=()):
    """What `_core.read` gives, for a frame."""
    if is_arrow(X):
        frame = X.__arrow_c_stream__()
    elif is_pandas(X):
        names = feature_names(X)
        frame = [(str(names[i]) if names is not None else "", *_pandas_cells(X.iloc[:, i]))
                 for i in range(X.shape[1])]
    else:
        array = np.asarray(X, dtype=float)
        frame = [("", np.ascontiguousarray(array[:, i]), None) for i in range(array.shape[1])]
    return _core.code(frame, list(columns), list(drop), type_words(types), coding, missing,
                      list(means), who)


def coded(X, who, types, missing, least_rows, pool=None):
    """Training rows from anything. Arrays and frames of numbers stay as they are. Where a network is
    made from some rows only, levels, words and means come from those: `pool()` gives their numbers."""
    frame, array = is_pandas(X), isinstance(X, np.ndarray) and X.ndim == 2
    learns = (frame and needs_coding(X)) or (missing == "mean" and (frame or array))
    numbers = pool() if learns and pool is not None else None
    if numbers is not None:
        some = coded(X.iloc[numbers] if frame else X[numbers], who, types, missing, least_rows)
        rows, notes = coded_as(X, some.coding, some.means, raw_names(X), who, missing == "partial")
        return some._replace(rows=rows, notes=some.notes + notes)
    if is_table(X):
        rows = any_rows(X.rows, who, least_rows)
        means = [] if X.means is None else [float(mean) for mean in X.means]
        return Coded(rows, list(X.columns or []), means, list(X.coding or []), [])
    if needs_coding(X) or (is_frame(X) and (types is not None or missing == "mean")):
        found = code(X, who, types=types, missing=missing)
        rows = any_rows(found["rows"], who, least_rows)
        return Coded(rows, found["columns"], found["means"], found["coding"], found["notes"])
    if types is not None:
        raise ValueError("types are for frames with names; X is an array of numbers")
    rows = X
    means = []
    if missing == "mean" and not hasattr(X, "tocsr"):
        found = code(X, who, missing=missing)
        rows, means = found["rows"], found["means"]
    names = feature_names(X)
    return Coded(any_rows(rows, who, least_rows), [] if names is None else list(names), means, [], [])


def coded_as(X, model_coding, means, fitted, who, takes_gaps=False):
    """New rows for a network or a student, and what is to be told about them. `fitted` are the names
    of the columns that it was trained on, or None. `takes_gaps`: missing="partial"."""
    missing = "keep" if takes_gaps else "mean" if len(means) else "refuse"
    if is_table(X):
        return any_rows(X.rows, who), []
    if not model_coding:
        if is_arrow(X) and not is_frame(X):
            found = code(X, who, coding=[], missing=missing, means=[] if takes_gaps else means)
            return any_rows(found["rows"], who), found["notes"]
        check_names(X, fitted, who)
        return _filled(any_rows(X, who), [] if takes_gaps else means)
    if not is_frame(X) and not is_arrow(X):
        return any_rows(X, who), []
    if is_frame(X):
        check_names(X, fitted, who)
    found = code(X, who, coding=model_coding, missing=missing, means=[] if takes_gaps else means)
    return any_rows(found["rows"], who), found["notes"]


def _filled(rows, means):
    """Rows of numbers with the means of the training rows where a value is missing, and a note."""
    if not len(means) or not isinstance(rows, np.ndarray) or rows.dtype != np.float32:
        return rows, []
    holes = np.isnan(rows)
    if not holes.any() or rows.shape[1] != len(means):
        return rows, []
    note = f"{int(holes.sum())} cells without a value were filled with the means of the training rows"
    return np.where(holes, np.asarray(means).astype(np.float32), rows), [note]


def _is_number(dtype, series):
    kind = getattr(dtype, "kind", "O")
    if kind == "b":
        return False
    if kind in "iufc":
        return not hasattr(series, "cat")
    # Frames of mixed rows keep their numbers as objects.
    return kind == "O" and str(dtype) == "object" and _all_numbers(series)


def _all_numbers(series):
    return all(value is None or (isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)))
               for value in series)


def _pandas_cells(series):
    """(numbers or texts, kind or None) of one column."""
    dtype = series.dtype
    if hasattr(series, "cat"):
        return _texts(series), "category"
    kind = getattr(dtype, "kind", "O")
    if kind == "b":
        return _floats(series), "boolean"
    if kind in "iuf":
        return _floats(series), None
    if kind == "M":
        return _days(series), "date"
    if kind == "m":
        return _days_of(series.to_numpy(dtype="timedelta64[ns]")), None
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{series}\n")
    if str(dtype) == "object" and _all_numbers(series):
        return _floats(series), None
    return _texts(series), None


def _floats(series):
    return np.ascontiguousarray(series.to_numpy(dtype=np.float64, na_value=np.nan))


def _texts(series):
    missing = series.isna().to_numpy()
    return ["" if hole else str(value) for value, hole in zip(series, missing)]


def _days(series):
    if getattr(series.dt, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    return _days_of(series.to_numpy(dtype="datetime64[ns]"))


def _days_of(moments):
    """Whole days first, so that no digit is lost."""
    day = 86_400_000_000_000
    counts = moments.astype(np.int64)
    days = counts // day + (counts % day) / day
    return np.where(np.isnat(moments), np.nan, days).astype(np.float64)
