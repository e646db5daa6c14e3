# SPDX-License-Identifier: Apache-2.0
"""A function in the place of a metric: the distances that it gives are what the library takes."""

import numpy as np

from ._input import is_frame, is_sparse


def check_parameters(estimator):
    """Raises ValueError for parameters that are for columns, where rows are distances."""
    if estimator.missing != "refuse" or estimator.types is not None:
        raise ValueError("missing and types are for columns of X, and with this metric rows are compared by "
                         "their distances alone; leave them out")


class OwnMetric:
    """A function, and the training rows that it compares others with."""

    def __init__(self, metric, X, who):
        self.metric = metric
        self.rows = _rows_of(X, who)

    @property
    def columns(self):
        """Of the training rows; 1 where a row is one thing, such as a text."""
        return self.rows.shape[1] if isinstance(self.rows, np.ndarray) else 1

    def between_training_rows(self):
        """Each row's distances to all of them."""
        return self._distances(self.rows)

    def to_training_rows(self, X, who):
        """The same for other rows."""
        rows = _rows_of(X, who)
        fitted = isinstance(self.rows, np.ndarray)
        if fitted and (not isinstance(rows, np.ndarray) or rows.shape[1] != self.columns):
            given = rows.shape[1] if isinstance(rows, np.ndarray) else 1
            raise ValueError(f"X has {given} features, but {who} is expecting {self.columns} features as input.")
        return self._distances(rows if fitted or not isinstance(rows, np.ndarray) else list(rows))

    def _distances(self, rows):
        # Both ways, and a row to itself: nothing is known of the function.
        found = np.empty((len(rows), len(self.rows)), dtype=np.float32)
        with np.errstate(over="ignore"):  # the library refuses what is not finite, with its place
            for i, row in enumerate(rows):
                found[i] = [self.metric(row, other) for other in self.rows]
        return found


def _rows_of(X, who):
    """An array of numbers with two dimensions, or else a list."""
    if X is None or isinstance(X, (str, bytes)):
        raise TypeError(f"{who} takes rows, one for each thing to compare, not {X!r}")
    if is_sparse(X):
        raise ValueError(f"{who} hands rows to the metric one by one, and X is sparse; give X.toarray(), or the "
                         "distances with metric='precomputed'")
    if is_frame(X):
        X = X.to_numpy()
    if not isinstance(X, np.ndarray):
        X = list(X)
        if X and all(isinstance(row, str) for row in X):
            return X
        try:
            array = np.asarray(X)
        except ValueError:  # rows of different lengths
            return X
        X = array if array.ndim == 2 else X
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "biuf":
        return X.astype(np.float64, copy=True)
    return list(X)
