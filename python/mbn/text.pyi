# SPDX-License-Identifier: Apache-2.0
"""Types of texts and indexes."""

from os import PathLike
from typing import Any, Callable, Iterable, Literal, NamedTuple, Optional, Sequence, TypeVar, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._run import Progress
from .estimators import ClusterDescription

_Self = TypeVar("_Self", bound="Vectorizer")
_Path = Union[str, PathLike[str]]

class Vectorizer:
    words: Optional[int]
    min_documents: int
    language: Optional[str]
    stop_words: Optional[Literal["auto", "english"]]
    weighting: Literal["counts", "log", "tfidf", "log-tfidf"]
    accents: Literal["fold", "keep"]
    n_jobs: Optional[int]
    vectorizer_: _core.Vectorizer
    def __init__(self, words: Optional[int] = 2000, min_documents: int = 1,
                 language: Optional[str] = "auto",
                 stop_words: Optional[Literal["auto", "english"]] = "auto",
                 weighting: Literal["counts", "log", "tfidf", "log-tfidf"] = "counts",
                 accents: Literal["fold", "keep"] = "fold",
                 n_jobs: Optional[int] = None) -> None: ...
    def fit(self: _Self, texts: Iterable[str], y: Any = None) -> _Self: ...
    def transform(self, texts: Iterable[str]) -> Any: ...
    def fit_transform(self, texts: Iterable[str], y: Any = None) -> Any: ...
    def whole_words(self, texts: Iterable[str]) -> NDArray[np.object_]: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]: ...
    def save(self, path: _Path, overwrite: bool = False) -> None: ...
    @classmethod
    def load(cls, path: _Path) -> Vectorizer: ...

class Hit(NamedTuple):
    row: int
    score: float
    id: str
    title: str
    passage: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()
    cluster: Optional[int] = None

_Method = Literal["fusion", "bm25", "lsa", "mbn"]

class Index:
    n_jobs: Optional[int]
    embedding: NDArray[np.float32]
    method: str
    methods: list[str]
    def __init__(self, core: _core.Index, n_jobs: Optional[int] = None) -> None: ...
    @classmethod
    def build(cls, texts: Iterable[str], ids: Optional[Iterable[Any]] = None, *,
              titles: Optional[Iterable[Any]] = None, method: _Method = "fusion",
              keep_texts: bool = True, n_jobs: Optional[int] = None,
              memory_limit: Optional[int] = None, verbose: int = 0,
              callback: Optional[Callable[[Progress], Any]] = None,
              **parameters: Any) -> Index: ...
    @classmethod
    def of(cls, embedding: Any, ids: Optional[Iterable[Any]] = None, *,
           n_jobs: Optional[int] = None) -> Index: ...
    @classmethod
    def load(cls, path: _Path, *, n_jobs: Optional[int] = None) -> Index: ...
    def save(self, path: _Path, overwrite: bool = False) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def search(self, query: str, top: int = 10, *,
               method: Optional[_Method] = None) -> list[Hit]: ...
    @overload
    def search(self, query: Sequence[str], top: int = 10, *,
               method: Optional[_Method] = None) -> list[list[Hit]]: ...
    def like(self, id: Any, top: int = 10, *, method: Optional[_Method] = None) -> list[Hit]: ...
    def added(self, texts: Iterable[str], ids: Optional[Iterable[Any]] = None, *,
              titles: Optional[Iterable[Any]] = None) -> Index: ...
    def removed(self, ids: Iterable[Any]) -> Index: ...
    def score_known_items(self, questions: Iterable[str], ids: Iterable[Any], *,
                          method: Optional[_Method] = None) -> dict[str, Any]: ...
    def transform(self, X: Any) -> NDArray[np.float32]: ...
    def predict(self, X: Any) -> NDArray[np.int32]: ...
    def describe(self, X: Any, marks: int = 5, exemplars: int = 5) -> list[ClusterDescription]: ...
    def kneighbors(self, X: Any = None, n_neighbors: int = 10,
                   return_distance: bool = True) -> Any: ...
