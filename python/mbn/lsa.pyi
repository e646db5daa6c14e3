# SPDX-License-Identifier: Apache-2.0
"""Types of latent semantic analysis."""

from os import PathLike
from typing import Any, Literal, Optional, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

_Self = TypeVar("_Self", bound="Lsa")
_Path = Union[str, PathLike[str]]
_Seed = Union[None, int, np.integer[Any], np.random.RandomState, np.random.Generator]

class Lsa:
    n_components: int
    metric: Literal["euclidean", "cosine"]
    random_state: _Seed
    n_jobs: Optional[int]
    verbose: int
    lsa_: _core.Lsa
    singular_values_: NDArray[np.float64]
    components_: NDArray[np.float32]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def __init__(self, n_components: int = 100,
                 metric: Literal["euclidean", "cosine"] = "euclidean",
                 random_state: _Seed = None, n_jobs: Optional[int] = None,
                 verbose: int = 0) -> None: ...
    def fit(self: _Self, X: Any, y: Any = None) -> _Self: ...
    def fit_transform(self, X: Any, y: Any = None) -> Any: ...
    def transform(self, X: Any) -> Any: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]: ...
    def set_output(self: _Self, *, transform: Optional[str] = None) -> _Self: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...
    def save(self, path: _Path, overwrite: bool = False) -> None: ...
    @classmethod
    def load(cls: type[_Self], path: _Path) -> _Self: ...
