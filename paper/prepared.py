# SPDX-License-Identifier: Apache-2.0
"""Dense rows whose Euclidean distances are those that a map should show: what peers get, and what maps are scored
against. Words: tf-idf, 100 singular directions, norm 1. Cells: sizes made equal, log(1 + x), 50 principal
components. Other rows for the cosine: norm 1. All others: as they are."""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.comparison import weighting

WORD_DIRECTIONS, CELL_DIRECTIONS = 100, 50


@dataclass(frozen=True)
class Prepared:
    """`seconds`: what preparing them took."""

    rows: Path
    seconds: float


def _of_words(counts):
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize
    directions = min(WORD_DIRECTIONS, min(counts.shape) // 2)
    return normalize(TruncatedSVD(directions, random_state=0).fit_transform(weighting.tfidf(counts)))


def _of_cells(counts):
    from sklearn.decomposition import PCA
    directions = min(CELL_DIRECTIONS, min(counts.shape) // 2)
    return PCA(directions, svd_solver="arpack", random_state=0).fit_transform(weighting.cells(counts))


def _of_vectors(rows):
    from sklearn.preprocessing import normalize
    return normalize(rows.astype(np.float32))


def _rule(problem):
    if problem.sparse:
        return _of_cells if problem.weighting == "cells" else _of_words
    return _of_vectors if problem.metric == "cosine" else None


def _import_packages():
    """Before the clock starts: the methods too are timed without it."""
    import sklearn.decomposition  # noqa: F401
    import sklearn.feature_extraction.text  # noqa: F401
    import sklearn.preprocessing  # noqa: F401


def prepare(setting, problem):
    """Made once for all methods and runs."""
    rule = _rule(problem)
    if rule is None:
        return Prepared(problem.rows, 0.0)
    folder = setting.out / "data" / f"{problem.name}-prepared"
    file, clock = folder / "X.npy", folder / "seconds.json"
    if not clock.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rows = problem.load()
        _import_packages()
        start = time.monotonic()
        ready = rule(rows)
        seconds = time.monotonic() - start
        np.save(file, np.ascontiguousarray(ready, dtype=np.float32))
        clock.write_text(json.dumps(seconds))
    return Prepared(file, json.loads(clock.read_text()))
