# SPDX-License-Identifier: Apache-2.0
"""Multilayer Bootstrap Networks: rows without labels in, a map and clusters out.

>>> import mbn
>>> rows, truth = mbn.generate("compound", rows=300, random_state=1)
>>> net = mbn.MBNClustering(6, n_clusterings=100).fit(rows)
>>> net.labels_.shape, net.transform(rows).shape
((300,), (300, 6))

Nothing is imported before it is used: neither NumPy, nor scikit-learn, nor the library itself. The
estimators are scikit-learn's where scikit-learn is installed, and look the same where it is not.
"""

import importlib

TYPE_CHECKING = False  # type checkers take a variable of this name for true; typing costs 10 ms
if TYPE_CHECKING:
    from ._base import Layer
    from ._embedder import NotFittedError
    from ._notes import MBNNote
    from ._core import processor_target
    from ._load import load
    from ._plot import plot
    from ._report import Report
    from ._run import Progress
    from ._sheet import picture_sheet
    from ._tree import Tree, TreeCut
    from .estimators import MBN, Assignment, ClusterDescription, Mark, MBNClustering, MBNMap
    from .functions import (ClusterScores, Documents, KMeans, LayerCorrelation, MapScores,
                            NeighbourScores, Plan, RetrievalCurve, Table, choose, file_kind,
                            generate, kmeans, layer_correlation, paper, plan, read, read_documents,
                            score_clusters, score_map, score_neighbours, score_retrieval)
    from .lsa import Lsa
    from .student import Fidelity, Student, load_student
    from .text import Hit, Index, Vectorizer

    __version__: str

_HOMES = {
    "MBN": ".estimators",
    "MBNClustering": ".estimators",
    "MBNMap": ".estimators",
    "Assignment": ".estimators",
    "ClusterDescription": ".estimators",
    "Mark": ".estimators",
    "Lsa": ".lsa",
    "NotFittedError": "._embedder",
    "Layer": "._base",
    "MBNNote": "._notes",
    "Progress": "._run",
    "plot": "._plot",
    "load": "._load",
    "picture_sheet": "._sheet",
    "Report": "._report",
    **dict.fromkeys(["Tree", "TreeCut"], "._tree"),
    **dict.fromkeys(["Hit", "Index", "Vectorizer"], ".text"),
    **dict.fromkeys(["Fidelity", "Student", "load_student"], ".student"),
    **dict.fromkeys(["__version__", "processor_target"], "._core"),
    **dict.fromkeys(
        ["ClusterScores", "Documents", "KMeans", "LayerCorrelation", "MapScores", "NeighbourScores",
         "Plan", "RetrievalCurve", "Table", "choose", "file_kind", "generate", "kmeans",
         "layer_correlation", "paper", "plan", "read", "read_documents", "score_clusters",
         "score_map", "score_neighbours", "score_retrieval"],
        ".functions"),
}

__all__ = [
    "MBN", "MBNClustering", "MBNMap", "NotFittedError", "Layer", "MBNNote", "Progress", "plot", "Report",
    "picture_sheet", "load", "Tree", "TreeCut", "ClusterScores",
    "KMeans", "LayerCorrelation", "MapScores", "NeighbourScores", "Plan", "Table", "generate", "kmeans",
    "layer_correlation", "paper", "plan", "read", "score_clusters", "score_map", "score_neighbours",
    "score_retrieval", "RetrievalCurve", "Hit", "Index", "Vectorizer", "Fidelity", "Student", "load_student",
    "Assignment", "ClusterDescription", "Mark", "Documents", "Lsa", "choose", "file_kind", "processor_target",
    "read_documents", "__version__",
]


def __getattr__(name):
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mbn' has no attribute '{name}'")
    value = getattr(importlib.import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
