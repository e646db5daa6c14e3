# SPDX-License-Identifier: Apache-2.0
"""The estimators for dask arrays and dataframes: rows that live on many machines.

>>> import dask.array
>>> import mbn
>>> import mbn.dask
>>> rows, _ = mbn.generate("gaussians", rows=300, columns=8, n_clusters=3, random_state=1)
>>> chunks = dask.array.from_array(rows, chunks=(70, 8))
>>> net = mbn.dask.MBNClustering(3, n_clusterings=50, pool=200).fit(chunks)
>>> same = mbn.MBNClustering(3, n_clusterings=50, pool=200).fit(rows)
>>> bool((net.predict(chunks).compute() == same.predict(rows)).all())
True

A network is made from a pool of rows (`pool`, 100,000 unless told; all when there are no more). `fit`
draws them by their number among all rows, so that chunks change nothing, brings them here and trains
here. `transform`, `predict` and their like are lazy and keep the chunks: each block of rows goes through
the network on its own, and a row gives the same bytes wherever that happens. The network is one node of
the task graph: it reaches each worker once, and a worker opens it once.
"""

import math
import re
import threading

import numpy as np

from . import _core, estimators
from ._extras import needed
from ._run import seed_of

dask = needed("dask", "dask", "mbn.dask")

__all__ = ["MBN", "MBNClustering", "MBNMap", "pool_rows"]


def pool_rows(rows, pool=None, random_state=None):
    """The numbers, ascending, of the rows that a network of so many rows is made from.

    They depend on these three numbers only, and are those of the estimators in memory and of the tool.
    Every row has a key, a hash of the seed and its number, and those with the smallest keys are the
    pool: when rows are added, most of the pool stays.

    Parameters
    ----------
    rows : int
        How many there are.
    pool : int, default=None
        How many are taken; None: 100,000.
    random_state : int, default=None
        The seed; None is 0.
    """
    options = {"seed": seed_of(random_state)}
    if pool is not None:
        options["pool"] = int(pool)
    return np.asarray(_core.pool_rows(int(rows), options), np.int64)


class Shipment:
    """A network on its way to the workers: the bytes of its file, and the version that wrote them."""

    def __init__(self, net):
        self.version = _core.__version__
        self.kind = _plain_name(net)
        self.checksum = net.model_.checksum
        self.data = net.model_.to_bytes()
        self.n_jobs = 1 if net.n_jobs is None else net.n_jobs
        self.memory_limit = net.memory_limit

    def __dask_tokenize__(self):
        return ("mbn", self.version, self.kind, self.checksum, self.n_jobs, self.memory_limit)

    def open(self):
        """The estimator, made once in a process."""
        if self.version != _core.__version__:
            raise RuntimeError(f"this worker has mbn {_core.__version__}, but the network comes from mbn "
                               f"{self.version}; install the same version everywhere")
        key = self.__dask_tokenize__()
        with _opening:
            net = _opened.get(key)
            if net is None:
                net = getattr(estimators, self.kind)._from_model(_core.Model.from_bytes(self.data))
                net.n_jobs, net.memory_limit = self.n_jobs, self.memory_limit
                while len(_opened) >= _MOST_OPENED:
                    del _opened[next(iter(_opened))]
                _opened[key] = net
        return net


_opened = {}  # networks that this process has opened
_opening = threading.Lock()
_MOST_OPENED = 4


def _plain_name(net):
    """The name of the estimator of `mbn` that this one is for."""
    return next(base.__name__ for base in type(net).__mro__ if base.__module__ == estimators.__name__)


def _is_dask(X):
    return dask.is_dask_collection(X)


def _is_frame(X):
    return hasattr(X, "map_partitions")


def _whole_rows(X):
    """The same array with whole rows in each block."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead.")
    return X if X.numblocks[1] == 1 else X.rechunk({1: -1})


def _row_count(block):
    return int(block.shape[0])


def _lengths(X, blocks):
    """Rows in each block; those that nobody knows are counted by the workers."""
    known = () if _is_frame(X) else X.chunks[0]
    if known and not any(math.isnan(count) for count in known):
        return [int(count) for count in known]
    return list(dask.compute(*[dask.delayed(_row_count)(block) for block in blocks]))


def _starts(lengths):
    return np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)


def _take(block, rows):
    """Some rows of a block, in a worker."""
    return block.iloc[rows] if hasattr(block, "iloc") else block[rows]


def _joined(parts):
    if hasattr(parts[0], "iloc"):
        import pandas
        return pandas.concat(parts)
    if hasattr(parts[0], "tocsr"):
        import scipy.sparse
        return scipy.sparse.vstack(parts, format="csr")
    return np.concatenate([np.asarray(part) for part in parts])


def _gather(blocks, lengths, numbers):
    """The rows with these numbers, ascending, from wherever they are."""
    wanted = []
    for block, start, length in zip(blocks, _starts(lengths), lengths):
        first, last = np.searchsorted(numbers, [start, start + length])
        if last > first:
            wanted.append(dask.delayed(_take)(block, numbers[first:last] - start))
    return _joined(dask.compute(*wanted))


def _with_place(error, place_of):
    """The same error with the place that a row has among all; the library tells it in its block."""
    found = re.search(r"\brow (\d+)\b", str(error))
    if found is None:
        return error
    told = str(error)
    return ValueError(told[:found.start()] + place_of(int(found.group(1)) - 1) + told[found.end():])


def _send(block, shipment, starts, method, block_id=None, partition_info=None):
    """What a method of the network says of a block of rows, in a worker."""
    net = shipment.open()
    if _row_count(block) == 0:
        found = _nothing(net, method)
    else:
        number = block_id[0] if block_id is not None else partition_info["number"] if partition_info else 0

        def place(row):
            return f"row {starts[number] + row + 1}" if starts is not None else f"row {row + 1} of block {number + 1}"

        try:
            found = getattr(net, method)(block)
        except ValueError as error:
            raise _with_place(error, place) from None
    return _as_frame(found, _plain_name(net), block.index) if hasattr(block, "iloc") else found


def _kind_of(method):
    return np.int32 if method == "predict" else np.float32


def _width_of(net, method):
    """Columns of what a method gives; None for one number a row."""
    widths = {"transform": net._n_features_out, "transform_map": net.model_.options["map"],
              "probabilities": len(net.model_.cluster_centres)}
    return widths.get(method)


def _nothing(net, method):
    width = _width_of(net, method)
    return np.empty((0,) if width is None else (0, width), _kind_of(method))


def _as_frame(found, name, index):
    """With the index of the rows that were given."""
    import pandas
    if found.ndim == 1:
        return pandas.Series(found, index=index)
    return pandas.DataFrame(found, index=index, columns=[f"{name.lower()}{i}" for i in range(found.shape[1])])


class _OnDask:
    """What dask collections need, in front of an estimator of `mbn`. Other rows go the usual way."""

    _methods = {"embedding_": "transform", "map_": "transform_map", "labels_": "predict",
                "confidence_": "confidence"}

    def _fit(self, X):
        if not _is_dask(X):
            return super()._fit(X)
        if callable(self.metric) or self.metric == "precomputed":
            raise ValueError(f"metric is {self.metric!r}, which needs all rows in one place; fit on some rows, "
                             "X.compute(), or choose a metric by its name")
        X = X if _is_frame(X) else _whole_rows(X)
        blocks = list(X.to_delayed() if _is_frame(X) else X.to_delayed().ravel())
        lengths = _lengths(X, blocks)
        seed = seed_of(self.random_state)
        numbers = pool_rows(sum(lengths), self.pool, seed)
        if len(numbers) < 2:
            raise ValueError(f"Found array with {len(numbers)} sample(s) while a minimum of 2 is required by "
                             f"{type(self).__name__}.")
        try:
            super()._fit(_gather(blocks, lengths, numbers))
        except ValueError as error:
            raise _with_place(error, lambda row: f"row {numbers[row] + 1}") from None
        # Of all rows, and not of the pool; nothing is computed before it is asked for.
        for name, key in self._outputs.items():
            self.__dict__.pop(name, None)
            if key != "map" or self.model_.options["map"]:
                setattr(self, name, self._lazy(X, self._methods[name], lengths))
        return None

    def fit_transform(self, X, y=None):
        """Trains the network, and returns the lazy embedding of all rows."""
        return self.fit(X).transform(X) if _is_dask(X) else super().fit_transform(X, y)

    def transform(self, X):
        """The embedding of rows, lazy, in the chunks that they have."""
        return self._lazy(X, "transform") if _is_dask(X) else super().transform(X)

    def transform_map(self, X):
        """The places of rows on the map, lazy."""
        return self._lazy(X, "transform_map") if _is_dask(X) else super().transform_map(X)

    def outlier_scores(self, X):
        """How far outside the training data each row lies, lazy."""
        return self._lazy(X, "outlier_scores") if _is_dask(X) else super().outlier_scores(X)

    def _encode(self, X, work):
        if _is_dask(X):
            raise TypeError("this method does not take dask collections; give it some rows, X.compute()")
        return super()._encode(X, work)

    def _lazy(self, X, method, lengths=None):
        self._check_fitted()
        if method == "transform_map" and not self.model_.options["map"]:
            raise ValueError("the model has no map; fit it with map=2")
        shipment = dask.delayed(Shipment(self), pure=True, traverse=False)
        if _is_frame(X):
            starts = None if lengths is None else dask.delayed(_starts(lengths), pure=True)
            meta = _as_frame(_nothing(self, method), _plain_name(self), X._meta.index[:0])
            return X.map_partitions(_send, shipment, starts, method, meta=meta)
        X = _whole_rows(X)
        self._check_features(X.shape[1], self.n_features_in_, type(self).__name__)
        rows = X.chunks[0] if lengths is None else lengths
        known = not any(math.isnan(count) for count in rows)
        starts = dask.delayed(_starts(rows), pure=True) if known else None
        meta = _nothing(self, method)
        shape = {"chunks": (X.chunks[0],), "drop_axis": 1} if meta.ndim == 1 else \
            {"chunks": (X.chunks[0], meta.shape[1:])}
        return X.map_blocks(_send, shipment, starts, method, dtype=meta.dtype, meta=meta, **shape)


class MBN(_OnDask, estimators.MBN):
    """:class:`mbn.MBN` for dask arrays and dataframes.

    Parameters, methods and attributes are the same; what it says of dask's rows is lazy, `embedding_` and
    `map_` too. One thread works on a block unless `n_jobs` says otherwise, since there are many blocks.
    """


class MBNClustering(_OnDask, estimators.MBNClustering):
    """:class:`mbn.MBNClustering` for dask arrays and dataframes.

    Parameters, methods and attributes are the same; what it says of dask's rows is lazy, `labels_` too.
    """

    def predict(self, X):
        """The cluster of each row, lazy."""
        return self._lazy(X, "predict") if _is_dask(X) else super().predict(X)

    def probabilities(self, X):
        """The probability of each cluster for each row, lazy."""
        return self._lazy(X, "probabilities") if _is_dask(X) else super().probabilities(X)

    def confidence(self, X):
        """How sure the label of each row is, lazy."""
        return self._lazy(X, "confidence") if _is_dask(X) else super().confidence(X)


class MBNMap(_OnDask, estimators.MBNMap):
    """:class:`mbn.MBNMap` for dask arrays and dataframes.

    Parameters, methods and attributes are the same; what it says of dask's rows is lazy.
    """
