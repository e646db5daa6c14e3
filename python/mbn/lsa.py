# SPDX-License-Identifier: Apache-2.0
"""Latent semantic analysis: what the paper compares networks on texts with."""

import copyreg
import os

import numpy as np

from . import _core
from ._embedder import Embedder
from ._input import any_rows, feature_names
from ._run import run_with, seed_of

__all__ = ["Lsa"]

KEYWORDS = {option["keyword"]: option["name"] for option in _core.lsa_options()}


def lsa_from_bytes(data):
    """Pickles hold the bytes of a file and this name."""
    return _core.Lsa.from_bytes(data)


copyreg.pickle(_core.Lsa, lambda lsa: (lsa_from_bytes, (lsa.to_bytes(),)))


class Lsa(Embedder):
    """Latent semantic analysis: the truncated singular value decomposition X = U S V^T.

    Rows are not centred, so that sparse rows stay sparse. A row x becomes x V. The same rows,
    parameters and `random_state` give the same bytes on any number of threads, and the same as
    the tool's `mbn lsa`.

    Parameters
    ----------
    n_components : int, default=100
        Columns of the embedding. Those beyond the rank of the rows are zero.
    metric : {"euclidean", "cosine"}, default="euclidean"
        "cosine" scales rows to norm 1 first, so that long documents do not decide.
    random_state : int, RandomState, Generator or None, default=None
        Starts the iteration. None is 0, as in the tool.
    n_jobs : int, default=None
        Threads that work; the result does not depend on it.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    singular_values_ : array of shape (n_components,)
        Largest first.
    components_ : array of shape (n_components, n_features), float32
        The right singular vectors: V, transposed.
    lsa_ : the decomposition itself
    n_features_in_ : int
    feature_names_in_ : array of str
        Only after a fit on a frame whose columns all have string names.

    Examples
    --------
    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, random_state=1)
    >>> lsa = mbn.Lsa(n_components=3)
    >>> lsa.fit_transform(rows).shape, lsa.singular_values_.shape
    ((200, 3), (3,))
    """

    def __init__(self, n_components=100, metric="euclidean", random_state=None, n_jobs=None,
                 verbose=0):
        self.n_components = n_components
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None):
        """Finds the singular vectors of rows, dense or sparse; `y` is ignored."""
        names = feature_names(X)
        options = {name: getattr(self, key) for key, name in KEYWORDS.items()}
        options["seed"] = seed_of(self.random_state)
        rows = any_rows(X, "Lsa")
        self._take(self._run("Lsa.fit", lambda run: _core.Lsa.fit(rows, options, run)))
        self._remember_names(names)
        return self

    def fit_transform(self, X, y=None):
        """Finds the singular vectors and returns the embedding of the same rows, U S."""
        return self.fit(X).transform(X)

    def transform(self, X):
        """The embedding of rows, float32 of shape (n_samples, n_components).

        A row gives the same bytes alone, in any batch and in any order.
        """
        return self._encode(X, lambda rows, run: self.lsa_.transform(rows, run))

    def save(self, path, overwrite=False):
        """Writes a file that `mbn transform` and `mbn lsa --apply` read too."""
        self._check_fitted()
        self.lsa_.save(os.fspath(path), overwrite)

    @classmethod
    def load(cls, path):
        """Reads what `save` or `mbn lsa --model` wrote."""
        found = _core.Lsa.load(os.fspath(path))
        keyword = {name: key for key, name in KEYWORDS.items()}
        lsa = cls(**{keyword[name]: value for name, value in found.options.items()})
        lsa._take(found)
        return lsa

    def _take(self, lsa):
        self.lsa_ = lsa
        self.n_features_in_ = lsa.columns
        self.singular_values_ = lsa.singular_values
        self.components_ = np.ascontiguousarray(lsa.loadings.T)

    def _run(self, title, work):
        return run_with(self.n_jobs, None, self.verbose, None, title, work)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "lsa_")

    @property
    def _n_features_out(self):
        return self.lsa_.components
