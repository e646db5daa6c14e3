# SPDX-License-Identifier: Apache-2.0
"""What all estimators that embed rows share, on scikit-learn's bases where it is installed."""

import importlib.util

import numpy as np

from ._input import any_rows, check_input_features, check_names

if importlib.util.find_spec("sklearn") is not None:
    from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError
else:
    from ._plain import BaseEstimator, ClusterMixin, NotFittedError, TransformerMixin

__all__ = ["BaseEstimator", "ClusterMixin", "Embedder", "NotFittedError", "TransformerMixin", "check_fitted"]


def check_fitted(estimator):
    if not estimator.__sklearn_is_fitted__():
        raise NotFittedError(f"This {type(estimator).__name__} instance is not fitted yet. Call "
                             "'fit' with appropriate arguments before using this estimator.")


class Embedder(TransformerMixin, BaseEstimator):
    """What all estimators that embed rows share. They have `_run(title, work)`,
    `__sklearn_is_fitted__` and `_n_features_out`."""

    def get_feature_names_out(self, input_features=None):
        """Names for the columns of the embedding: the name of the class and 0, 1, ... ("mbn0").

        `input_features` are only checked: each column of the embedding comes from all features.
        """
        self._check_fitted()
        if input_features is not None:
            check_input_features(input_features, getattr(self, "feature_names_in_", None),
                                 self.n_features_in_)
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)

    def _encode(self, X, work):
        self._check_fitted()
        who = type(self).__name__
        rows = self._new_rows(X, who)
        return self._run(who, lambda run: work(rows, run))

    def _new_rows(self, X, who):
        check_names(X, getattr(self, "feature_names_in_", None), who)
        rows = any_rows(X, who)
        self._check_features(rows.shape[1], self.n_features_in_, who)
        return rows

    @staticmethod
    def _check_features(given, expected, who):
        if given != expected:
            raise ValueError(f"X has {given} features, but {who} is expecting "
                             f"{expected} features as input.")

    def _check_fitted(self):
        check_fitted(self)

    def _remember_names(self, names):
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._takes_missing()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.pairwise = self._takes_distances()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    def _more_tags(self):  # scikit-learn before 1.6
        return {"preserves_dtype": ["float32"], "allow_nan": self._takes_missing(),
                "pairwise": self._takes_distances()}

    def _takes_missing(self):
        return getattr(self, "missing", "refuse") == "partial"

    def _takes_distances(self):
        metric = getattr(self, "metric", None)
        return isinstance(metric, str) and metric == "precomputed"
