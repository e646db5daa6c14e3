# SPDX-License-Identifier: Apache-2.0
"""The library beside the estimators: plans, scores, k-means, toy data, files."""

import json
import operator
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core
from ._base import KEYWORDS, Layer, fit_options
from ._frames import code, coded, is_arrow, type_words
from ._input import any_rows, as_rows, element_is_byte, is_frame, is_sparse, to_scipy
from ._notes import tell
from ._run import run_with, seed_of, threads_of
from ._tables import as_text


class Plan(NamedTuple):
    """What a fit will build and take."""

    layers: List[Layer]
    components: int
    clusterings: int
    """Per layer."""
    directions: int
    """Principal directions in the place of the columns; 0: none."""
    model_bytes: int
    """The model in memory, at most."""
    file_bytes: int
    """Its file, at most."""
    peak_bytes: int
    streaming_bytes: int
    """The peak when rows outside the pool are read in batches, and not held in memory."""
    batch_rows: int
    fit_seconds: float


class ClusterScores(NamedTuple):
    """How well labels match the truth, each at most 1."""

    nmi: float
    accuracy: float
    ari: float
    purity: float


class NeighbourScores(NamedTuple):
    """How faithful an embedding is to the neighbourhoods of the data, each from 0 to 1."""

    trustworthiness: float
    continuity: float
    neighbour_preservation: float


class MapScores(NamedTuple):
    """How good a map is beyond its neighbourhoods, each from 0 to 1. None: needs labels."""

    random_triplets: float
    """Share of random triplets of rows whose order of distances is kept; chance is 0.5."""
    centroid_triplets: Optional[float]
    """The same for the means of classes, where there are three or more."""
    nearest_neighbour: Optional[float]
    """Share of rows whose nearest other row on the map has their label."""
    kmeans_nmi: Optional[float]
    """NMI of k-means on the map (10 starts), with as many clusters as there are classes."""


class LayerCorrelation(NamedTuple):
    """How alike the errors of the clusterings of a layer are, and what their mean gains."""

    correlation: float
    single_error: float
    ensemble_error: float
    error_ratio: float


class RetrievalCurve(NamedTuple):
    """How often the rows nearest to a row share a label with it."""

    retrieved: np.ndarray
    """1, 3, 7, 15, ..."""
    accuracy: np.ndarray
    """Share of those that are right, mean over all queries."""
    queries: int
    labelled: int
    """Queries with at least one label; no other can score."""


class Documents(NamedTuple):
    """Texts and what they are called: their id, their line's number or their file's path."""

    texts: List[str]
    ids: List[str]


class KMeans(NamedTuple):
    centres: np.ndarray
    labels: np.ndarray
    objective: float
    iterations: int


class Table(NamedTuple):
    """What a data file held besides its rows; missing parts are None."""

    rows: Any  # an array, or a SciPy csr_matrix when the file held sparse rows
    labels: Optional[np.ndarray]
    columns: Optional[List[str]]
    ids: Optional[List[Any]]
    label_names: Optional[List[str]]
    means: Optional[np.ndarray] = None  # of the columns, with missing="mean"
    kept: Optional[np.ndarray] = None  # rows of the file, when missing="drop" left some out
    weighting: str = "counts"  # "cells" for raw counts of genes: mbn.MBN(weighting=table.weighting)
    coding: Optional[List[Any]] = None  # how columns of words and dates became those of the rows


def plan(X: Any, *, n_jobs: Optional[int] = None, memory_limit: Optional[int] = None,
         **parameters: Any) -> Plan:
    """Layers and memory of a fit, before it is paid for.

    `X` is the data or its shape (sparse data take less than their shape says); `parameters` are
    those of :class:`mbn.MBN`. MemoryError when the fit cannot stay within `memory_limit`.

    >>> import mbn
    >>> [layer.centroids for layer in mbn.plan((10_000, 784), n_clusters=10).layers][:3]
    [5000, 2500, 1250]
    """
    if hasattr(X, "coding"):
        X = X.rows
    shape = X if isinstance(X, tuple) else X.shape
    options = fit_options(parameters, "plan")
    run = {"threads": threads_of(n_jobs), "memory_limit": memory_limit}
    if is_sparse(X):
        found = _core.plan(any_rows(X, "plan"), options, run)
    else:
        found = _core.plan(shape[0], shape[1], element_is_byte(X), options, run)
    found["layers"] = [Layer(**layer) for layer in found["layers"]]
    return Plan(**found)


def paper() -> Dict[str, Any]:
    """The setting of the paper, as keywords of :class:`mbn.MBN` and :class:`mbn.MBNClustering`.

    400 clusterings on the columns as they are, with all rows to draw from. What it does not name
    keeps its default. The tool's `--paper` is the same.

    >>> import mbn
    >>> net = mbn.MBN(**mbn.paper())
    >>> net.n_clusterings, net.n_directions
    (400, None)
    >>> mbn.MBN(**{**mbn.paper(), "decay": 0.9}).decay
    0.9
    """
    keyword = {name: key for key, name in KEYWORDS.items()}
    return {keyword[name]: value for name, value in _core.paper_options().items()}


def choose(X: Any, *, n_clusters: Any = "find", decay: Any = "auto", scale: Any = "auto",
           n_jobs: Optional[int] = None, memory_limit: Optional[int] = None, verbose: int = 0,
           **parameters: Any) -> Dict[str, Any]:
    """What a fit would choose for "find" and "auto", without the fit.

    Small networks are trained on a sample of the rows for every candidate, and the most stable
    candidate is taken (its networks find the same clusters); labels are not involved. Give a value
    for what is not to be chosen; `parameters` are the others of :class:`mbn.MBN`.

    Returns what a fit keeps as `selection_`: the chosen `decay`, `scale` and `clusters` (1: the
    data show none; 0: not asked), the `rows` that were looked at, and with their stabilities the
    `candidates` (of decay and scale) and the `counts` (of clusters).

    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, n_clusters=3, random_state=1)
    >>> found = mbn.choose(rows, decay=0.5, scale=None, most_clusters=5, n_clusterings=50)
    >>> found["clusters"], [count["clusters"] for count in found["counts"]]
    (3, [2, 3, 4, 5])
    """
    given = {"n_clusters": n_clusters, "decay": decay, "scale": scale, **parameters}
    options = fit_options(given, "choose")
    data = coded(X, "choose", None, "refuse", least_rows=2)
    return json.loads(run_with(n_jobs, memory_limit, verbose, None, "choose",
                               lambda run: _core.choose(data.rows, options, data.coding, run)))


def score_clusters(labels: Any, truth: Any) -> ClusterScores:
    """Compares two labellings of the same rows; names of labels do not matter, only the groups.

    >>> import mbn
    >>> mbn.score_clusters([1, 1, 0, 0], ["a", "a", "b", "b"]).nmi
    1.0
    """
    return ClusterScores(**_core.score_clusters(_as_numbers(labels), _as_numbers(truth)))


def score_neighbours(X: Any, embedding: Any, *, neighbours: int = 15, sample: int = 2000,
                     metric: str = "euclidean", n_jobs: Optional[int] = None) -> NeighbourScores:
    """How faithful an embedding is to the neighbourhoods of the data it shows.

    At most `sample` rows are asked (0: all), each against all rows. `metric` is that of the data,
    any of a network's; the embedding's is Euclidean.

    >>> import mbn
    >>> rows, _ = mbn.generate("swissroll", rows=100)
    >>> mbn.score_neighbours(rows, rows).trustworthiness
    1.0
    """
    data, shown = as_rows(X, "score_neighbours"), as_rows(embedding, "score_neighbours")
    return NeighbourScores(**run_with(
        n_jobs, None, 0, None, "score_neighbours",
        lambda run: _core.score_neighbours(data, shown, _count("neighbours", neighbours),
                                           _count("sample", sample, least=0), metric, run)))


def score_map(X: Any, embedding: Any, labels: Any = None, *, sample: int = 2000,
              metric: str = "euclidean", n_jobs: Optional[int] = None) -> MapScores:
    """How good a map is at large, and with `labels` how well it shows the classes.

    Random triplets ask whether the nearer of two rows to a third is the same one in the data and on
    the map; centroid triplets ask it of the means of classes. At most `sample` rows are asked (0:
    all). `metric` is that of the data, any of a network's; centroids are asked for euclidean, cosine,
    correlation and hellinger only.

    >>> import mbn
    >>> rows, classes = mbn.generate("gaussians", rows=150, n_clusters=3, random_state=1)
    >>> mbn.score_map(rows, rows, classes).random_triplets
    1.0
    >>> mbn.score_map(rows, rows[:, :1]).nearest_neighbour is None
    True
    """
    data, shown = as_rows(X, "score_map"), as_rows(embedding, "score_map")
    classes = np.empty(0, np.int32) if labels is None else _as_numbers(labels)
    if labels is not None and len(classes) != len(data):
        raise ValueError(f"there are {len(classes)} labels for {len(data)} rows")
    return MapScores(**run_with(
        n_jobs, None, 0, None, "score_map",
        lambda run: _core.score_map(data, shown, classes, _count("sample", sample, least=0), metric,
                                    run)))


def score_retrieval(embedding: Any, labels: Any, *, groups: Any = None, deepest: int = 1023,
                    n_jobs: Optional[int] = None) -> RetrievalCurve:
    """The paper's retrieval test: every row is a query against all others, by cosine.

    `labels` are one per row, or rows x labels (an array or SciPy matrix, a nonzero
    for each label of a row). A hit is right when it shares a label with the query; a row without
    labels shares none. Rows of the query's own group (`groups`, one per row) are passed over.

    >>> import mbn
    >>> rows, truth = mbn.generate("gaussians", rows=100, columns=8, random_state=1)
    >>> mbn.score_retrieval(rows, truth, deepest=7).retrieved.tolist()
    [1, 3, 7]
    """
    shown = as_rows(embedding, "score_retrieval")
    own = np.empty(0, np.int32) if groups is None else _as_numbers(groups)
    return RetrievalCurve(**run_with(
        n_jobs, None, 0, None, "score_retrieval",
        lambda run: _core.score_retrieval(shown, _label_sets(labels), own,
                                          _count("deepest", deepest), run)))


def layer_correlation(net: Any, X: Any, layer: Optional[int] = None, *, sample: int = 500,
                      n_jobs: Optional[int] = None) -> LayerCorrelation:
    """How alike the errors of the clusterings of a layer are: less alike, better ensemble.

    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, random_state=1)
    >>> found = mbn.layer_correlation(mbn.MBN(n_clusterings=50).fit(rows), rows, layer=1)
    >>> found.ensemble_error < found.single_error
    True
    """
    net._check_fitted()
    if layer is not None:
        net._check_layer(layer)
    rows = as_rows(X, "layer_correlation")
    return LayerCorrelation(**run_with(
        n_jobs, None, 0, None, "layer_correlation",
        lambda run: _core.layer_correlation(net.model_, rows, layer or 0,
                                            _count("sample", sample, least=0), run)))


def kmeans(X: Any, n_clusters: int, *, restarts: int = 50, max_iterations: int = 300,
           random_state: Any = None, n_jobs: Optional[int] = None, verbose: int = 0) -> KMeans:
    """Lloyd's k-means on the rows themselves: what a network has to beat.

    >>> import mbn
    >>> rows, truth = mbn.generate("gaussians", rows=150, n_clusters=3, random_state=1)
    >>> mbn.kmeans(rows, 3).centres.shape
    (3, 2)
    """
    rows = as_rows(X, "kmeans")
    return KMeans(**run_with(
        n_jobs, None, verbose, None, "kmeans",
        lambda run: _core.kmeans(rows, _count("n_clusters", n_clusters),
                                 _count("restarts", restarts),
                                 _count("max_iterations", max_iterations),
                                 _seed(random_state), run)))


def generate(kind: str = "gaussians", rows: int = 1000, *, columns: int = 2, n_clusters: int = 3,
             random_state: Any = None) -> Tuple[np.ndarray, np.ndarray]:
    """Toy rows and their labels, the same as the tool's `mbn generate`.

    `kind` is gaussians, moons, ring, compound, outlier or swissroll; `columns` and `n_clusters`
    matter to gaussians only.

    >>> import mbn
    >>> rows, labels = mbn.generate("moons", rows=10)
    >>> rows.shape, rows.dtype.name, labels.shape
    ((10, 2), 'float32', (10,))
    """
    found = _core.generate(kind, _count("rows", rows), _count("columns", columns),
                           _count("n_clusters", n_clusters), _seed(random_state))
    return found["rows"], found["labels"]


def read(path: Any, *, label_column: Union[str, int] = "",
         id_column: Any = "", columns: Any = (), drop: Any = (), decimal: str = "plain",
         types: Any = None, coding: Any = None, missing: str = "refuse", means: Any = None,
         transpose: bool = False, array: str = "", size: Optional[int] = None, colour: bool = False) -> Table:
    """Reads `.npy`, `.npz`, CSV, TSV, IDX, svmlight, Matrix Market, `.h5ad`, HDF5, `.mat`, `.fvecs`
    (all but `.npz` may be gzipped), a 10x folder or a folder of pictures as the tool does. Sparse
    files give a SciPy `csr_matrix`, and need SciPy. Parquet and Arrow (Feather) files are read by
    pyarrow and `.xlsx` by openpyxl, where they are installed (`pip install mbn[tables]`).

    `array` is the array to read of `.npz`, HDF5 ("layers/counts") and `.mat`, or the sheet of
    `.xlsx`. Pictures become `size` x `size` pixels (32), grey or with `colour` red, green and blue.

    A column of labels or of row ids is given by its header or its number from 1; `id_column` may
    be a list, and ids are then tuples. `columns` are taken and those of `drop` left out: each a
    name, a number from 1, a range ("2-5", "first:last") or a pattern ("gene_*"), or a list of
    such. `decimal` is how text writes numbers: "plain" (1234.5), "point" (also 1,234.5) or "comma"
    (1.234,5).

    Columns of words, booleans and dates become numbers, as in the tool (docs/tool.md); `types` says
    what columns hold where it is not to be told from their cells ({"zip": "category"}). For new rows
    give the `coding` of the table that was trained on, or `coding_` of the network.

    `path` may also be a pandas or polars frame, or an Arrow table, with such columns. Estimators
    take frames, and what this function returns, as they are.

    `missing` is what becomes of cells without a value (empty, NA, N/A, NaN, null, None, ?, - in
    text, NaN in arrays): "refuse" raises an error, "mean" fills them with the mean of their
    column, "drop" leaves out their rows, "keep" leaves NaN, and so does "partial", for an
    estimator with `missing="partial"`, but refuses a column or a row without any value. For new
    rows of a network that was trained on filled ones give the `means` of the training rows (of the table that was trained on, or `column_means_` of a model that the tool
    trained).

    `transpose` turns the data: its columns are the rows. What the reader took parts of
    the file for is a warning of the category `mbn.MBNNote`.
    """
    if is_frame(path) or is_arrow(path):
        if (label_column != "" or id_column not in ("", ()) or decimal != "plain" or transpose or array
                or size is not None or colour):
            raise ValueError("label_column, id_column, decimal, transpose, array, size and colour are for files; "
                             "take columns out of a frame, or turn it, before")
        found = code(path, "the frame", columns=_words(columns), drop=_words(drop), types=types,
                     coding=coding, missing=missing, means=_means(means, missing))
        notes = found["notes"]
    else:
        found, notes = _read_file(os.fspath(path), array, label_column=str(label_column), id_column=_words(id_column),
                                  columns=_words(columns), drop=_words(drop), decimal=decimal,
                                  types=type_words(types), coding=coding, missing=missing,
                                  means=_means(means, missing), transpose=bool(transpose),
                                  size=0 if size is None else _count("size", size), colour=bool(colour))
    if found["gene_counts"]:
        notes.append(f"{os.fspath(path)}: these are raw counts of genes in cells; estimators make cells of different "
                     "depth comparable with weighting='cells', which the table has as its weighting")
    tell(notes)
    rows = found["rows"]
    if found["sparse"] is not None:
        rows = to_scipy(found["sparse"])
    return Table(rows, found["labels"], found["columns"] or None, found["ids"] or None,
                 found["label_names"] or None,
                 np.asarray(found["means"]) if found["means"] else None,
                 np.asarray(found["kept"], dtype=np.int64) if found["kept"] else None,
                 "cells" if found["gene_counts"] else "counts", found["coding"] or None)


def _read_file(path, array, *, id_column, **how):
    """What `_core.read` gives, and the notes in the words of the file that was given."""
    with as_text(path, array) as text:
        found = _core.read(text.path, id_column=id_column or text.ids, array=text.array, **how)
        return found, [text.reworded(note) for note in found["notes"]]


def read_documents(path: Union[str, "os.PathLike[str]"], *, format: str = "auto",
                   text_column: Union[str, int] = "text",
                   id_column: Union[str, int] = "") -> Documents:
    """Reads texts as the tool does: all files below a folder, a text file with a document a line,
    or CSV, TSV and JSONL with a text column (all but folders may be gzipped).

    `format` is "auto" (by the ending), "lines", "csv" or "jsonl"; columns are given by name or by
    number from 1. Bytes that are not UTF-8 become U+FFFD.
    """
    return Documents(**_core.read_documents(os.fspath(path), format, str(text_column),
                                            str(id_column)))


def file_kind(path: Union[str, "os.PathLike[str]"]) -> str:
    """What a file is, told from its header: "model", "student", "index", "lsa", "checkpoint",
    "vocabulary", or "other" when it is none of ours.
    """
    return _core.file_kind(os.fspath(path))


def _words(given):
    """A list of strings from one string or number, or from several."""
    if isinstance(given, (str, int)):
        given = [given] if given != "" else []
    return [str(word) for word in given]


def _means(means, missing):
    if means is None:
        return []
    if missing != "mean":
        raise ValueError('means are for missing="mean"; leave them out, or give that as well')
    means = np.asarray(means, dtype=float)
    if means.ndim != 1 or not len(means) or not np.isfinite(means).all():
        raise ValueError("means must be finite numbers, one for each column")
    return means.tolist()


def _count(name, value, least=1, bits=31):
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    value = operator.index(value)
    if not least <= value < 2**bits:
        raise ValueError(f"{name} is {value}; it must be at least {least} and below 2**{bits}")
    return value


def _seed(random_state):
    return _count("random_state", seed_of(random_state), least=0, bits=64)


def _label_sets(labels):
    """Compressed rows of labels, from one label per row or from a matrix of them."""
    if is_sparse(labels):
        return any_rows(labels, "score_retrieval")
    labels = np.asarray(labels)
    if labels.ndim == 1:
        numbers = _as_numbers(labels)
        rows, columns = len(numbers), int(numbers.max(initial=0)) + 1
        starts, indices = np.arange(rows + 1), numbers
    else:
        row, indices = np.nonzero(as_rows(labels, "score_retrieval"))
        rows, columns = labels.shape
        starts = np.searchsorted(row, np.arange(rows + 1))
    return _core.SparseRows(starts.astype(np.uint64), indices.astype(np.uint32),
                            np.ones(len(indices), np.float32), columns)


def _as_numbers(labels):
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise ValueError(f"labels must have one dimension, not {labels.ndim}")
    _, numbers = np.unique(labels, return_inverse=True)
    return np.ascontiguousarray(numbers.reshape(-1), dtype=np.int32)
