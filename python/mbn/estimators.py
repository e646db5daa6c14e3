# SPDX-License-Identifier: Apache-2.0
"""The three estimators. Their parameters are the library's options, under scikit-learn's names."""

from typing import NamedTuple

import numpy as np

from . import _core
from ._base import KEYWORDS, ClusterMixin, EmbeddingNetwork, Network, is_unknown, keep_parameters
from ._tree import Reclusters

__all__ = ["MBN", "MBNClustering", "MBNMap", "Assignment", "ClusterDescription", "Mark"]


class Assignment(NamedTuple):
    """What a network says about the clusters of rows."""

    labels: np.ndarray
    probabilities: np.ndarray
    """rows x clusters"""
    confidence: np.ndarray
    """p / (p + q) for the label's probability p and the highest other q: 1 is sure."""


class Mark(NamedTuple):
    """A feature that sets a cluster apart: its number, how many standard deviations the means inside and
    outside are apart, and both means (of sparse rows the shares of rows that have it)."""

    feature: int
    effect: float
    inside: float
    outside: float


class ClusterDescription(NamedTuple):
    """A cluster in words and examples."""

    cluster: int
    rows: int
    confidence: float
    sentence: str
    marks: list
    exemplars: list
    mean: "np.ndarray | None" = None
    """The mean picture, float32, when rows are pictures."""

    def __str__(self):
        told = self.sentence or "nothing sets it apart"
        return f"cluster {self.cluster}: {self.rows} rows, confidence {100 * self.confidence:.0f} %; {told}"


def as_descriptions(found, pictures=None):
    """From what `_core.describe_clusters` gives."""
    return [ClusterDescription(number, rows, confidence, sentence, [Mark(*mark) for mark in strong], typical,
                               None if pictures is None else np.asarray(mean, np.float32).reshape(pictures))
            for number, (rows, confidence, sentence, strong, typical, mean) in enumerate(found)]


class MBN(EmbeddingNetwork):
    """An embedding of rows: Multilayer Bootstrap Network, and principal components of its top codes.

    Each layer is an ensemble of random nearest-neighbour clusterings; layers narrow from bottom to
    top. There is no gradient and no local minimum. The same data, parameters and `random_state`
    give the same bytes on any number of threads, and the same as the tool `mbn` gives.

    Parameters
    ----------
    n_components : int, default=None
        Columns of the embedding. None: `n_clusters` (but at least 2), or 2 when that is
        unknown.
    n_clusters : int, "find" or "unknown", default="unknown"
        How many clusters are expected. Layers stop before they are narrower than
        1.5 x `n_clusters`. "unknown" (also None): layers stop as for 10 clusters, and there are no
        labels. "find": the most stable number up to `most_clusters` (small networks find the same
        clusters), or 1 when the data show none.
    n_clusterings : int, default=None
        Random clusterings per layer. More make the embedding smoother and the result steadier; time and
        memory grow in proportion. None: 400, or fewer when there are many rows (docs/options.md
        has the rule).
    feature_fraction : float or "auto", default="auto"
        Share of the features that each clustering draws. "auto": 0.5, but 1 for 3 columns or fewer.
    decay : float or "auto", default="auto"
        Width of a layer relative to the one below. Larger values build deeper networks, for data
        with strongly curved clusters; smaller values suit simple shapes. "auto": small networks
        are trained for several values, and the most stable one is taken; 0.5 when `n_clusters` is
        "unknown".
    n_centroids : int, default=None
        Rows that each clustering of the bottom layer draws. None: half of the rows.
    metric : {"euclidean", "cosine", "correlation", "manhattan", "chi-squared", "hellinger", \
"hamming", "jaccard", "precomputed"} or callable, default="euclidean"
        How far rows are apart: "cosine" ignores their norm (text, counts), "correlation" their mean
        too; "manhattan" adds up absolute differences; "chi-squared" and "hellinger" are for
        histograms and counts; "hamming" counts unequal values (codes of categories); "jaccard"
        compares sets, the columns that are not zero. "precomputed": X holds the distances of each
        row to all training rows, or, as a sparse matrix, to its neighbours among them. A function
        `metric(a, b)` is asked for each pair of rows (so it is for thousands of rows, not more),
        which may be anything: texts, graphs, series of different lengths.
    scale : {None, "none", "standard", "minmax", "auto"}, default="auto"
        What happens to every column first, for columns in different units. "auto": "standard" when
        columns differ much in size and small networks are more stable with it, and for frames with
        columns of several kinds; else "none". None is "none".
    engine : {"auto", "exact"}, default="auto"
        How the bottom layer finds the nearest drawn rows: "exact" looks at all of them; "auto"
        finds a row's neighbours once for all clusterings and checks itself against exact search.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, as in the tool: the same call gives the same answer. A generator is
        asked for a seed at every `fit`.
    n_jobs : int, default=None
        Threads that work. None: what `OMP_NUM_THREADS` says (joblib sets it in its workers), else
        all cores. -1: all cores, -2: all but one. The result does not depend on it.
    verbose : int, default=0
        1 shows a progress bar (tqdm's where it is installed).
    n_directions : int, "auto" or None, default="auto"
        Principal directions of the rows that stand in the place of the columns: better and faster
        where many columns say nearly the same (pixels, genes, words). None: the columns as they
        are, for tables whose columns are different quantities. "auto": directions where there are
        many columns (docs/options.md has the rule).
    weighting : {"counts", "log", "tfidf", "log-tfidf", "cells"}, default="counts"
        What becomes of counts first: "log-tfidf" for words of documents, "cells" for genes of
        single cells. "counts" changes nothing. The others refuse values below 0.
    excess : float, default=0.05
        How much farther than the nearest drawn row the rows may be that engine "auto" finds, on
        the mean of a sample. Larger values are faster; 0 asks for the same distances as exact
        search.
    recall : float, default=None
        Share of codes that engine "auto" must find as exact search does, on the same sample. None:
        not asked for.
    most_clusters : int, default=30
        Up to how many clusters `n_clusters="find"` looks for.
    pool : int, default=None
        Rows that the network is made from, chosen at random; all others go through it as new rows
        do. None: all rows, up to a limit (docs/options.md has it).
    solver : {"auto", "kernel", "em", "lanczos"}, default="auto"
        How the principal components of the top codes are found. All find the same ones.
    restarts : int, default=50
        Starts of k-means on the embedding, when `n_clusters` is given.
    map : {0, 1, 2, 3}, default=0
        Dimensions of a map for people to look at, which is made beside the embedding (`map_`,
        `transform_map`). 0: none. :class:`MBNMap` is the estimator for those who want nothing else.
    n_neighbors : int, default=15
        Neighbours that hold each row in its place on the map. More show the large scale, fewer the
        small.
    memory_limit : int, default=None
        Bytes that the work may take. None: what the machine has free. What cannot fit is refused
        with MemoryError before it starts.
    callback : callable, default=None
        Called as `callback(progress)` with an `mbn.Progress` now and then, on the calling thread.
        An exception that it raises stops the work.
    checkpoint : str or path, default=None
        Keep every finished layer in this file, and go on from it when it exists: the result is that
        of a fit that was never interrupted. Removed at the end. ValueError when it belongs to other
        data or other parameters.
    types : dict or list of str, default=None
        What columns of a frame hold, where it is not to be told from their cells: {"zip":
        "category"}, with "number", "boolean", "category", "date" ("dmy", "mdy"), "log", "text" or
        "drop".
    missing : {"refuse", "mean", "partial"}, default="refuse"
        Cells without a value (NaN): "mean" fills them with the mean of their column in the training
        rows, also in new rows. "partial" fills nothing in, in `fit` and for new rows, and compares
        two rows on the drawn features that both have; on principal directions, a row is first
        completed by what they say about the values that it has. It is for the metric "euclidean"
        and dense rows, and a row or a feature without any value is refused. In a category a cell
        without a value is no level.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components), float32
        What `transform` gives for the training rows.
    map_ : array of shape (n_samples, map), float32
        What `transform_map` gives for the training rows. Only with `map`.
    layers_ : list of Layer
        Bottom first: `centroids`, `features`, `kept_rows`, `bytes`.
    n_clusterings_ : int
        Clusterings per layer.
    n_directions_ : int
        Principal directions in the place of the columns; 0: none.
    directions_variance_ratio_ : float
        The share of the rows' variance that the directions hold; 0 without directions.
    explained_variance_ : array of shape (n_components,)
        Variance of the top codes along each component.
    explained_variance_ratio_ : array of shape (n_components,)
        Its share of the whole.
    notes_ : list of str
        A sentence about what was chosen, and advice about the data, which `fit` also gives as
        warnings of the category `mbn.MBNNote`.
    selection_ : dict
        What was chosen for "auto" and "find", among what, and the stability of each
        candidate: `decay`, `scale`, `clusters`, `candidates`, `counts`. Only after a fit that left
        something to choose.
    model_ : the network itself
    n_features_in_ : int
    feature_names_in_ : array of str
        Only after a fit on a frame whose columns all have string names.

    Examples
    --------
    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, n_clusters=3, random_state=1)
    >>> net = mbn.MBN(n_clusterings=50, random_state=7)
    >>> net.fit_transform(rows).shape
    (200, 2)
    >>> [layer.centroids for layer in net.layers_]
    [100, 50, 25]
    >>> bool((net.transform(rows[:5]) == net.embedding_[:5]).all())
    True
    """

    def __init__(self, n_components=None, n_clusters="unknown", n_clusterings=None, feature_fraction="auto",
                 decay="auto", n_centroids=None, metric="euclidean", scale="auto", engine="auto",
                 random_state=None, n_jobs=None, verbose=0, *, n_directions="auto",
                 weighting="counts", excess=0.05, recall=None, most_clusters=30, pool=None, solver="auto",
                 restarts=50, map=0, n_neighbors=15, memory_limit=None, callback=None, checkpoint=None,
                 types=None, missing="refuse"):
        keep_parameters(self, locals())


class MBNClustering(ClusterMixin, Reclusters, EmbeddingNetwork):
    """Clusters of rows: k-means on the embedding of a Multilayer Bootstrap Network.

    New rows are labelled by the same network: `predict` never changes it.

    Parameters
    ----------
    n_clusters : int or "find", default="find"
        How many clusters there are. "find": the most stable number up to `most_clusters` (small
        networks find the same clusters), or 1 when the data show none (all labels are then 0).
        With fewer than 19 rows it is always 1: no number is better than chance.
    n_components : int, default=None
        Columns of the embedding. None: `n_clusters`, but at least 2.
    n_clusterings, feature_fraction, decay, n_centroids, metric, scale, engine, random_state, \
n_jobs, verbose, n_directions, weighting, excess, recall, most_clusters, pool, solver, map, \
n_neighbors, memory_limit, callback, checkpoint, types, missing
        As in :class:`MBN`.
    restarts : int, default=50
        Starts of k-means; the one with the best objective is kept.

    Attributes
    ----------
    labels_ : array of shape (n_samples,), int32
        The cluster of each training row; 0 is the largest cluster.
    confidence_ : array of shape (n_samples,), float32
        How sure each label is: p / (p + q) for its probability p and the highest other q, so that
        1 is sure and 0.5 undecided between two.
    cluster_centers_ : array of shape (n_clusters, n_components)
        In the embedding.
    embedding_, map_, layers_, n_clusterings_, n_directions_, directions_variance_ratio_, explained_variance_, \
explained_variance_ratio_, notes_, selection_, model_, n_features_in_, feature_names_in_
        As in :class:`MBN`.

    Examples
    --------
    >>> import mbn
    >>> rows, truth = mbn.generate("gaussians", rows=200, columns=8, random_state=1)
    >>> net = mbn.MBNClustering(3, n_clusterings=100).fit(rows)
    >>> bool((net.predict(rows) == net.labels_).all())
    True
    >>> mbn.score_clusters(net.labels_, truth).accuracy > 0.9
    True
    """

    def __init__(self, n_clusters="find", n_components=None, n_clusterings=None, feature_fraction="auto",
                 decay="auto", n_centroids=None, metric="euclidean", scale="auto", engine="auto",
                 random_state=None, n_jobs=None, verbose=0, *, n_directions="auto",
                 weighting="counts", excess=0.05, recall=None, most_clusters=30, pool=None, solver="auto",
                 restarts=50, map=0, n_neighbors=15, memory_limit=None, callback=None, checkpoint=None,
                 types=None, missing="refuse"):
        keep_parameters(self, locals())

    _outputs = {**EmbeddingNetwork._outputs, "labels_": "labels", "confidence_": "confidence"}

    def predict(self, X):
        """The cluster of each row, int32."""
        return self._encode(X, lambda rows, run: self.model_.predict(rows, run))

    def probabilities(self, X):
        """The probability of each cluster for each row, float32 of shape (n_samples, n_clusters).

        The clusterings of the top layer vote, each with the shares of the clusters among the
        training rows that fell where the row falls. `predict` is nearly always the highest.
        (Not called `predict_proba`: scikit-learn's checks ask that name of classifiers only, with
        a column for every class of `y`.)
        """
        return self.assign(X).probabilities

    def confidence(self, X):
        """How sure the label of each row is, float32 of shape (n_samples,): as `confidence_`."""
        return self.assign(X).confidence

    def assign(self, X):
        """Labels, probabilities and confidence of rows at once, an `mbn.Assignment`.

        The same as `predict`, `probabilities` and `confidence`, which each go through the network.
        """
        return Assignment(**self._encode(X, lambda rows, run: self.model_.assign(rows, run)))

    def score(self, X, y=None):
        """How good the clusters of rows are, from 0 to 1.

        With labels `y` the normalised mutual information of `predict(X)` with them
        (`mbn.score_clusters`). Without, the mean confidence of the labels, which compares networks
        with the same number of clusters only: of fewer clusters a network is more sure, and of one
        it always is. `n_clusters="find"` chooses a number.
        """
        found = self.assign(X)
        if y is None:
            return float(found.confidence.mean())
        from .functions import score_clusters
        return score_clusters(found.labels, y).nmi

    def describe(self, X, columns=None, marks=5, exemplars=5, pictures=None):
        """What sets each cluster apart, on these rows: the training rows or others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        columns : sequence of str, default=None
            Names of the features, such as words. None: those that the network was fitted with.
        marks : int, default=5
            Features named for each cluster, at most.
        exemplars : int, default=5
            Typical rows of each cluster, at most.
        pictures : tuple (height, width) or (height, width, 3), default=None
            When rows are pictures: each cluster then has its mean picture, and
            `mbn.picture_sheet(clusters, X)` shows them with their exemplars.

        Returns
        -------
        clusters : list of ClusterDescription
        """
        self._check_fitted()
        if pictures is not None:
            from ._sheet import checked_shape
            pictures = checked_shape(pictures, X)
        names = self.model_.column_names if columns is None else columns
        names = [str(name) for name in names]
        return as_descriptions(self._encode(X, lambda rows, run: _core.describe_clusters(
            self.model_, rows, names, marks, exemplars, pictures is not None, run)), pictures)

    def _fit(self, X):
        if is_unknown(self.n_clusters):
            raise ValueError(f"n_clusters is {self.n_clusters!r}, and rows cannot be labelled "
                             "without; say 'find', or how many there are")
        super()._fit(X)

    def _take_model(self, model):
        super()._take_model(model)
        if len(model.cluster_centres) == 0:
            raise ValueError("the model has no clusters; load it with MBN.load, or fit it with "
                             "n_clusters")
        self.cluster_centers_ = model.cluster_centres


class MBNMap(Network):
    """A map of rows to look at, in two dimensions or three.

    Rows are neighbours when they are alike in the data and alike to a Multilayer Bootstrap Network
    that was trained on it; on the map neighbours lie together, and clusters become islands. It takes
    the place of `umap.UMAP()`: no parameter is needed, the same call gives the same bytes on any
    number of threads, and `transform` gives a training row the place that `fit` gave it.

    Parameters
    ----------
    n_components : {1, 2, 3}, default=2
        Dimensions of the map.
    n_neighbors : int, default=15
        Neighbours that hold each row in its place. More show the large scale, fewer the small.
    metric : str or callable, default="euclidean"
        As in :class:`MBN`. The map of "precomputed" distances and of a function is laid out by what
        the network makes of the rows alone.
    n_clusters, n_clusterings, feature_fraction, decay, n_centroids, scale, engine, random_state, \
n_jobs, verbose, n_directions, weighting, excess, recall, most_clusters, pool, solver, restarts, \
memory_limit, callback, checkpoint, types, missing
        As in :class:`MBN`: they are of the network.

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components), float32
        The map: what `transform` gives for the training rows.
    layers_, n_clusterings_, n_directions_, directions_variance_ratio_, notes_, selection_, model_, \
n_features_in_, feature_names_in_
        As in :class:`MBN`.

    Examples
    --------
    >>> import mbn
    >>> rows, _ = mbn.generate("gaussians", rows=200, columns=8, n_clusters=3, random_state=1)
    >>> mapper = mbn.MBNMap(n_clusterings=50)
    >>> mapper.fit_transform(rows).shape
    (200, 2)
    >>> bool((mapper.transform(rows[:5]) == mapper.embedding_[:5]).all())
    True
    """

    _outputs = {"embedding_": "map"}
    _keywords = {"n_components": "map",
                 **{key: name for key, name in KEYWORDS.items() if name not in ("map", "components")}}

    def __init__(self, n_components=2, n_neighbors=15, metric="euclidean", n_clusters="unknown",
                 n_clusterings=None, feature_fraction="auto", decay="auto", n_centroids=None, scale="auto",
                 engine="auto", random_state=None, n_jobs=None, verbose=0, *, n_directions="auto",
                 weighting="counts", excess=0.05, recall=None, most_clusters=30, pool=None, solver="auto",
                 restarts=50, memory_limit=None, callback=None, checkpoint=None,
                 types=None, missing="refuse"):
        keep_parameters(self, locals())

    def transform(self, X):
        """The places of rows on the map, float32 of shape (n_samples, n_components).

        A training row gets its own place, any other the place to which its neighbours draw it: the
        same bytes alone, in any batch and in any order.
        """
        return self.transform_map(X)

    def _fit(self, X):
        if self.n_components not in (1, 2, 3):
            raise ValueError(f"n_components is {self.n_components!r}, but a map has 1 to 3 dimensions; "
                             "mbn.MBN makes embeddings of any number")
        super()._fit(X)

    def _take_model(self, model):
        super()._take_model(model)
        if model.options["map"] == 0:
            raise ValueError("the model has no map; load it with MBN.load, or fit an MBNMap")

    @property
    def _n_features_out(self):
        return self.model_.options["map"]
