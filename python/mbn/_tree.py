# SPDX-License-Identifier: Apache-2.0
"""The tree of rows that agree, and other numbers of clusters, of a network that is fitted already."""

from typing import NamedTuple

import numpy as np

from . import _core

__all__ = ["HasTree", "Reclusters", "Tree", "TreeCut"]


class TreeCut(NamedTuple):
    """An answer that a tree contains."""

    clusters: int
    """How many clusters it ends in."""
    least_rows: int
    """Groups of fewer rows are strays."""
    persistence: float
    """How long these clusters stay clusters while `least_rows` grows. Larger: clearer."""


class Tree:
    """Which rows agree: single linkage over the share of unequal codes of all layers.

    Attributes
    ----------
    rows : array of int64
        The rows of the tree, ascending: all of them, or a random 4,000 where there are more.
    linkage : array of shape (len(rows) - 1, 4), float64
        As SciPy's `scipy.cluster.hierarchy` takes it.
    cuts : list of TreeCut
        Numbers of clusters that the tree contains, the clearest first.
    """

    def __init__(self, rows, linkage, cuts):
        self.rows = rows
        self.linkage = linkage
        self.cuts = cuts

    def labels(self, clusters=None):
        """The cluster of each row of the tree, int32; -1 for strays.

        `clusters` is a number that `cuts` has; None: the clearest.
        """
        if not self.cuts:
            return np.zeros(len(self.rows), np.int32)
        if clusters is None:
            clusters = self.cuts[0].clusters
        for cut in self.cuts:
            if cut.clusters == clusters:
                return _core.tree_labels(np.ascontiguousarray(self.linkage).ravel(), cut.least_rows)
        known = ", ".join(str(number) for number in sorted(cut.clusters for cut in self.cuts))
        raise ValueError(f"clusters is {clusters!r}, but this tree ends in {known}; take one of these, or "
                         "scipy.cluster.hierarchy.fcluster on `linkage`")

    def __repr__(self):
        return f"<Tree of {len(self.rows)} rows; clearest: {', '.join(str(cut.clusters) for cut in self.cuts[:3])}>"


class HasTree:
    """For networks: `tree`."""

    def tree(self, X):
        """The tree of rows that agree, with coarse and fine clusters in one.

        Two rows are as far apart as their codes are unequal, averaged over all layers; a row is
        joined no lower than the distance to its 4th nearest row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The training rows or others. Time and memory grow as the square of their number, up to
            4,000; of more, a random choice is taken.

        Returns
        -------
        tree : mbn.Tree
        """
        found = self._encode(X, lambda rows, run: self.model_.tree(rows, run))
        return Tree(np.asarray(found["rows"], np.int64), found["linkage"].reshape(-1, 4),
                    [TreeCut(*cut) for cut in found["cuts"]])


class Reclusters:
    """For networks with clusters: `with_clusters`."""

    def with_clusters(self, n_clusters):
        """The same network cut into another number of clusters, without a new fit.

        `self` stays as it is. Layers and map stay, and the components follow the number unless
        `n_components` was given. `selection_` has other numbers that are well supported.

        Returns
        -------
        net : MBNClustering
            With `labels_` and their like of the training rows. ValueError when the network does not
            hold them all (`model_.holds_training_rows`).
        """
        self._check_fitted()
        result = self._run(type(self).__name__,
                           lambda run: _core.with_clusters(self.model_, n_clusters, run))
        net = type(self)(**{**self.get_params(deep=False), "n_clusters": n_clusters})
        net._take_result(result)
        net._warn()
        return net
