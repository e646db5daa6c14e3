# SPDX-License-Identifier: Apache-2.0
"""From whatever Python programs keep their rows in to rows that the library takes as they are.

The library reads float32 and uint8, the values of a row side by side, rows any distance apart. Such
arrays are passed on without a copy, read-only ones and memory maps too. Everything else becomes
float32, by the rounding that the command-line tool uses. The wording of complaints about shapes is
scikit-learn's, because its users search for it.
"""

import sys
import warnings

import numpy as np

from . import _core
from ._extras import needed
from ._not_rows import refuse_what_is_not_rows


def is_sparse(X):
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(X)


def is_frame(X):
    return hasattr(X, "columns") and hasattr(X, "to_numpy") and hasattr(X, "shape")


def any_rows(X, who, least_rows=1):
    """Rows that the library can read, dense or compressed as they came."""
    if not is_sparse(X):
        refuse_what_is_not_rows(X, who)
        return as_rows(X, who, least_rows)
    _check_shape(X, who, least_rows)
    if np.iscomplexobj(X):
        raise ValueError(f"Complex data not supported\n{X!r}\n")
    rows = X.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is X else rows
        rows.sum_duplicates()
    indices = rows.indices
    if indices.dtype != np.int32:
        # Columns of 32 bits are enough for any data that the library takes.
        if X.shape[1] >= 2**32:
            raise ValueError(f"X has {X.shape[1]} columns; the library takes up to 2**32 - 1")
        indices = indices.astype(np.uint32)
    return _core.SparseRows(rows.indptr.astype(np.uint64),
                            np.ascontiguousarray(indices).view(np.uint32),
                            np.ascontiguousarray(_to_float32(rows.data)), X.shape[1])


def to_scipy(arrays):
    """SciPy's `csr_matrix` from the library's (starts, indices, values, shape)."""
    csr_matrix = needed("scipy.sparse", "text", "a sparse matrix").csr_matrix
    starts, indices, values, shape = arrays
    return csr_matrix((values, indices.astype(np.int64), starts.astype(np.int64)), shape=shape)


def as_rows(X, who, least_rows=1):
    """A two-dimensional array that the library can read, the same memory where possible."""
    if is_sparse(X):
        _check_shape(X, who, least_rows)
        if np.iscomplexobj(X):
            raise ValueError(f"Complex data not supported\n{X!r}\n")
        return _to_float32(X).toarray(order="C")
    if is_frame(X):
        array = _frame_to_array(X)
    else:
        array = np.asarray(X)
    _check_shape(array, who, least_rows)
    return _side_by_side(_numeric(array))


def element_is_byte(X):
    """Whether `as_rows` would keep bytes as bytes."""
    return getattr(X, "dtype", None) in (np.dtype(np.uint8), np.dtype(bool)) and not is_sparse(X)


def _check_shape(array, who, least_rows):
    if array.ndim != 2:
        kind = f"{array.ndim}D array" if array.ndim else "scalar array"
        shown = f":\narray={array}." if array.ndim < 2 else "."
        raise ValueError(
            f"Expected 2D array, got {kind} instead{shown}\nReshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
            "contains a single sample.")
    rows, columns = array.shape
    if rows < least_rows:
        raise ValueError(f"Found array with {rows} sample(s) (shape={array.shape}) while a minimum "
                         f"of {least_rows} is required by {who}.")
    if columns < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of "
                         f"1 is required by {who}.")


def _frame_to_array(frame):
    """Frames of one type keep it; columns of several types, and missing values, are float32."""
    kinds = list(getattr(frame, "dtypes", []))
    if kinds and all(str(kind).lower() == "uint8" for kind in kinds):
        return np.asarray(frame.to_numpy())
    if hasattr(frame, "iloc") and any(not isinstance(kind, np.dtype) for kind in kinds):
        return frame.to_numpy(dtype=np.float32, na_value=np.nan)
    return np.asarray(frame.to_numpy())


def _numeric(array):
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.dtype == bool:
        return array.view(np.uint8)
    if array.dtype == np.uint8 or (array.dtype == np.float32 and array.dtype.isnative):
        return array
    if array.dtype.kind in "mM":
        raise TypeError(f"rows of {array.dtype} are not numbers; make them so first")
    return _to_float32(array)


def _to_float32(array):
    if array.dtype == np.float32 and array.dtype.isnative:
        return array
    try:
        with np.errstate(over="raise"):
            return array.astype(np.float32)
    except FloatingPointError:
        raise ValueError("Input X contains a value too large for dtype('float32').") from None


def _side_by_side(array):
    """The same memory when the values of a row are side by side and rows run forwards."""
    rows, columns = array.shape
    size = array.itemsize
    neighbours = columns == 1 or array.strides[1] == size
    forwards = rows == 1 or (array.strides[0] >= columns * size and array.strides[0] % size == 0)
    if neighbours and forwards and array.flags.aligned:
        return np.asarray(array)
    return np.ascontiguousarray(array)


def feature_names(X):
    """The names of a frame's columns when all are strings, else None."""
    if not is_frame(X):
        return None
    names = np.asarray(list(X.columns), dtype=object)
    kinds = sorted({type(name).__qualname__ for name in names})
    if len(kinds) > 1 and "str" in kinds:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example. Otherwise you can remove feature / column names "
            "from your input data, or convert them all to a non-string data type.")
    return names if kinds == ["str"] else None


def check_names(X, fitted, who):
    """Raises, or warns, when names of features differ from those of the training data."""
    names = feature_names(X)
    if names is None and fitted is None:
        return
    if fitted is None:
        warnings.warn(f"X has feature names, but {who} was fitted without feature names",
                      UserWarning, stacklevel=3)
        return
    if names is None:
        warnings.warn(f"X does not have valid feature names, but {who} was fitted with feature "
                      "names", UserWarning, stacklevel=3)
        return
    if len(names) != len(fitted) or (names != fitted).any():
        raise ValueError(_names_differ(names, fitted))


def _names_differ(names, fitted):
    def bullets(some):
        shown = [f"- {name}\n" for name in some[:5]] + (["- ...\n"] if len(some) > 5 else [])
        return "".join(shown)

    text = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))
    if unseen:
        text += "Feature names unseen at fit time:\n" + bullets(unseen)
    if missing:
        text += "Feature names seen at fit time, yet now missing:\n" + bullets(missing)
    if not unseen and not missing:
        text += ("Feature names must be in the same order as they were in fit.\n"
                 "X[list(estimator.feature_names_in_)] puts them in that order.\n")
    return text


def check_input_features(given, fitted, count):
    given = np.asarray(given, dtype=object)
    if fitted is not None and not np.array_equal(fitted, given):
        raise ValueError("input_features is not equal to feature_names_in_")
    if len(given) != count:
        raise ValueError("input_features should have length equal to number of features "
                         f"({count}), got {len(given)}")
