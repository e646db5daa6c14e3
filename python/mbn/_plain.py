# SPDX-License-Identifier: Apache-2.0
"""Base classes of the estimators where scikit-learn is not installed.

The parts of its bases that a user of one estimator sees: parameters, their printing, and the
methods that the mixins add.
"""

import inspect

from ._extras import needed


class NotFittedError(ValueError, AttributeError):
    """A method was called that needs `fit` first. The same kinds as scikit-learn's error."""


class BaseEstimator:
    @classmethod
    def _get_param_names(cls):
        return sorted(name for name in inspect.signature(cls.__init__).parameters
                      if name != "self")

    def get_params(self, deep=True):
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params):
        """Changes parameters; takes effect at the next `fit`."""
        known = self._get_param_names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. "
                                 f"Valid parameters are: {known!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not defaults[name].default and value != defaults[name].default]
        return f"{type(self).__name__}({', '.join(changed)})"


class TransformerMixin:
    def fit_transform(self, X, y=None):
        """Fits and returns what `transform` gives for the same rows."""
        return self.fit(X).transform(X)

    def set_output(self, *, transform=None):
        """Asks for data frames as output; scikit-learn does that."""
        needed("sklearn", "sklearn", "set_output")


class ClusterMixin:
    _estimator_type = "clusterer"

    def fit_predict(self, X, y=None):
        """Fits the network and returns the cluster of each row."""
        return self.fit(X).labels_
