# SPDX-License-Identifier: Apache-2.0
"""Types of the estimators, whichever bases they have at run time."""

from os import PathLike
from typing import Any, Callable, Literal, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._base import Layer
from ._core import Model
from ._report import Report
from ._run import Progress
from ._tree import Tree
from .student import Student

_Self = TypeVar("_Self", bound="_Network")
_Path = Union[str, PathLike[str]]
_Seed = Union[None, int, np.integer[Any], np.random.RandomState, np.random.Generator]
_MetricName = Literal["euclidean", "cosine", "correlation", "manhattan", "chi-squared", "hellinger", "hamming",
                      "jaccard", "precomputed"]
_Metric = Union[_MetricName, Callable[[Any, Any], float]]
_Scale = Optional[Literal["none", "standard", "minmax", "auto"]]
_Engine = Literal["auto", "exact"]
_Solver = Literal["auto", "kernel", "em", "lanczos"]
_OrAuto = Union[int, Literal["auto"], None]
_ShareOrAuto = Union[float, Literal["auto"], None]
_Weighting = Literal["counts", "log", "tfidf", "log-tfidf", "cells"]
_Missing = Literal["refuse", "mean", "partial"]
_Clusters = Union[int, Literal["find", "unknown"], None]
_Types = Union[None, str, dict[str, str], Sequence[str]]
_Callback = Optional[Callable[[Progress], Any]]

class Assignment(NamedTuple):
    labels: NDArray[np.int32]
    probabilities: NDArray[np.float32]
    confidence: NDArray[np.float32]

class Mark(NamedTuple):
    feature: int
    effect: float
    inside: float
    outside: float

class ClusterDescription(NamedTuple):
    cluster: int
    rows: int
    confidence: float
    sentence: str
    marks: list[Mark]
    exemplars: list[int]
    mean: Optional[NDArray[np.float32]] = ...

class _Network:
    n_components: Optional[int]
    n_clusterings: _OrAuto
    feature_fraction: _ShareOrAuto
    decay: _ShareOrAuto
    n_centroids: Optional[int]
    metric: _Metric
    scale: _Scale
    engine: _Engine
    random_state: _Seed
    n_jobs: Optional[int]
    verbose: int
    n_directions: _OrAuto
    weighting: _Weighting
    excess: float
    recall: Optional[float]
    most_clusters: int
    pool: Optional[int]
    solver: _Solver
    restarts: int
    n_neighbors: int
    memory_limit: Optional[int]
    callback: _Callback
    checkpoint: Optional[_Path]
    types: _Types
    missing: _Missing
    model_: Model
    embedding_: NDArray[np.float32]
    layers_: list[Layer]
    n_clusterings_: int
    n_directions_: int
    directions_variance_ratio_: float
    explained_variance_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]
    notes_: list[str]
    selection_: dict[str, Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def fit(self: _Self, X: Any, y: Any = None) -> _Self: ...
    def fit_transform(self, X: Any, y: Any = None) -> Any: ...
    def transform(self, X: Any) -> Any: ...
    def update(self: _Self, X: Any) -> _Self: ...
    def score(self, X: Any, y: Any = None) -> float: ...
    def transform_map(self, X: Any) -> NDArray[np.float32]: ...
    def map_layer(self, X: Any, layer: int) -> NDArray[np.float32]: ...
    def apply(self, X: Any, layer: Optional[int] = None) -> NDArray[np.unsignedinteger[Any]]: ...
    def outlier_scores(self, X: Any) -> NDArray[np.float32]: ...
    def report(self, X: Any, labels: Any = None, *, ids: Optional[Sequence[str]] = None,
               texts: Optional[Sequence[str]] = None, pictures: Optional[Tuple[int, ...]] = None,
               title: Optional[str] = None, sample: int = 5000, thumbnails: int = 20_000_000) -> Report: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]: ...
    def set_output(self: _Self, *, transform: Optional[str] = None) -> _Self: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...
    def kneighbors(self, X: Any = None, n_neighbors: int = 10,
                   return_distance: bool = True) -> Any: ...
    def save(self, path: _Path, overwrite: bool = False) -> None: ...
    @classmethod
    def load(cls: type[_Self], path: _Path) -> _Self: ...

class _EmbeddingNetwork(_Network):
    map: int
    map_: NDArray[np.float32]
    def tree(self, X: Any) -> Tree: ...
    def transform_layer(self, X: Any, layer: int) -> NDArray[np.float32]: ...
    def compress(
        self, X: Any, *, target: Literal["embedding", "clusters"] = "embedding",
        size: Literal["paper", "small"] = "paper", hidden: Optional[Sequence[int]] = None,
        epochs: int = 20, batch_rows: int = 256, learning_rate: float = 0.001,
        dropout: Optional[float] = None, validation: float = 0.05, patience: int = 5,
        augment: Optional[Literal["jitter", "mix", "auto", "pictures", "words", "table"]] = "auto",
        augment_rows: Optional[float] = None,
        augment_strength: Optional[float] = None, random_state: _Seed = None) -> Student: ...

class MBN(_EmbeddingNetwork):
    n_clusters: _Clusters
    def __init__(
        self, n_components: Optional[int] = None, n_clusters: _Clusters = "unknown",
        n_clusterings: _OrAuto = None, feature_fraction: _ShareOrAuto = "auto",
        decay: _ShareOrAuto = "auto",
        n_centroids: Optional[int] = None, metric: _Metric = "euclidean", scale: _Scale = "auto",
        engine: _Engine = "auto", random_state: _Seed = None, n_jobs: Optional[int] = None,
        verbose: int = 0, *, n_directions: _OrAuto = "auto", weighting: _Weighting = "counts",
        excess: float = 0.05, recall: Optional[float] = None,
        most_clusters: int = 30, pool: Optional[int] = None,
        solver: _Solver = "auto", restarts: int = 50, map: int = 0, n_neighbors: int = 15,
        memory_limit: Optional[int] = None,
        callback: _Callback = None, checkpoint: Optional[_Path] = None,
        types: _Types = None, missing: _Missing = "refuse") -> None: ...

class MBNClustering(_EmbeddingNetwork):
    n_clusters: _Clusters
    labels_: NDArray[np.int32]
    confidence_: NDArray[np.float32]
    cluster_centers_: NDArray[np.float32]
    def __init__(
        self, n_clusters: _Clusters = "find", n_components: Optional[int] = None,
        n_clusterings: _OrAuto = None, feature_fraction: _ShareOrAuto = "auto",
        decay: _ShareOrAuto = "auto",
        n_centroids: Optional[int] = None, metric: _Metric = "euclidean", scale: _Scale = "auto",
        engine: _Engine = "auto", random_state: _Seed = None, n_jobs: Optional[int] = None,
        verbose: int = 0, *, n_directions: _OrAuto = "auto", weighting: _Weighting = "counts",
        excess: float = 0.05, recall: Optional[float] = None,
        most_clusters: int = 30, pool: Optional[int] = None,
        solver: _Solver = "auto", restarts: int = 50, map: int = 0, n_neighbors: int = 15,
        memory_limit: Optional[int] = None,
        callback: _Callback = None, checkpoint: Optional[_Path] = None,
        types: _Types = None, missing: _Missing = "refuse") -> None: ...
    def with_clusters(self: _Self, n_clusters: int) -> _Self: ...
    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int32]: ...
    def describe(self, X: Any, columns: Optional[Sequence[str]] = None, marks: int = 5,
                 exemplars: int = 5,
                 pictures: Optional[tuple[int, ...]] = None) -> list[ClusterDescription]: ...
    def predict(self, X: Any) -> NDArray[np.int32]: ...
    def probabilities(self, X: Any) -> NDArray[np.float32]: ...
    def confidence(self, X: Any) -> NDArray[np.float32]: ...
    def assign(self, X: Any) -> Assignment: ...

class MBNMap(_Network):
    n_clusters: _Clusters
    def __init__(
        self, n_components: int = 2, n_neighbors: int = 15, metric: _Metric = "euclidean",
        n_clusters: _Clusters = "unknown", n_clusterings: _OrAuto = None,
        feature_fraction: _ShareOrAuto = "auto", decay: _ShareOrAuto = "auto",
        n_centroids: Optional[int] = None, scale: _Scale = "auto", engine: _Engine = "auto",
        random_state: _Seed = None, n_jobs: Optional[int] = None, verbose: int = 0, *,
        n_directions: _OrAuto = "auto", weighting: _Weighting = "counts", excess: float = 0.05,
        recall: Optional[float] = None, most_clusters: int = 30, pool: Optional[int] = None,
        solver: _Solver = "auto", restarts: int = 50, memory_limit: Optional[int] = None,
        callback: _Callback = None, checkpoint: Optional[_Path] = None,
        types: _Types = None, missing: _Missing = "refuse") -> None: ...
