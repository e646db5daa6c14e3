# SPDX-License-Identifier: Apache-2.0
"""The two estimators. Their parameters are the library's options, under scikit-learn's names."""

from typing import NamedTuple

import numpy as np

from ._base import ClusterMixin, Network, is_unknown

__all__ = ["MBN", "MBNClustering", "Assignment"]


class Assignment(NamedTuple):
    """What a network says about the clusters of rows."""

    labels: np.ndarray
    probabilities: np.ndarray
    """rows x clusters"""
    confidence: np.ndarray
    """p / (p + q) for the label's probability p and the highest other q: 1 is sure."""


class MBN(Network):
    """A map of rows: Multilayer Bootstrap Network, and principal components of its top codes.

    Each layer is an ensemble of random nearest-neighbour clusterings; layers narrow from bottom to
    top. There is no gradient and no local minimum. The same data, parameters and `random_state`
    give the same bytes on any number of threads, and the same as the tool `mbn` gives.

    Parameters
    ----------
    n_components : int, default=None
        Columns of the embedding. None: `n_clusters`, or 2 when that is unknown.
    n_clusters : int, "find" or "unknown", default="unknown"
        How many clusters are expected. Layers stop before they are narrower than
        1.5 x `n_clusters`. "unknown" (also None): layers stop as for 10 clusters, and there are no
        labels. "find": the most stable number up to `most_clusters` (small networks find the same
        clusters), or 1 when the data show none.
    n_clusterings : int, default=400
        Random clusterings per layer. More make the map smoother and the result steadier; time and
        memory grow in proportion.
    feature_fraction : float, default=0.5
        Share of the features that each clustering draws. Use 1 for data of few columns.
    decay : float or "auto", default=0.5
        Width of a layer relative to the one below. Larger values build deeper networks, for data
        with strongly curved clusters; smaller values suit simple shapes. "auto": small networks
        are trained for several values, and the most stable one is taken.
    n_centroids : int, default=None
        Rows that each clustering of the bottom layer draws. None: half of the rows.
    metric : {"euclidean", "cosine"}, default="euclidean"
        How far rows are apart: "cosine" ignores their norm (text, counts).
    scale : {None, "standard", "minmax", "auto"}, default=None
        What happens to every column first. Use it when columns have different units. "auto":
        "standard" when columns differ much in size and small networks are more stable with it.
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
    recall : float, default=0.995
        Share of codes that engine "auto" must find as exact search does, on a sample.
    most_clusters : int, default=30
        Up to how many clusters `n_clusters="find"` looks for.
    pool : int, default=None
        Rows that all clusterings draw from, chosen at random, for data with millions of rows.
        None: all rows.
    solver : {"auto", "kernel", "em", "lanczos"}, default="auto"
        How the principal components of the top codes are found. All find the same ones.
    restarts : int, default=50
        Starts of k-means on the embedding, when `n_clusters` is given.
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

    Attributes
    ----------
    embedding_ : array of shape (n_samples, n_components), float32
        What `transform` gives for the training rows.
    layers_ : list of Layer
        Bottom first: `centroids`, `features`, `kept_rows`, `bytes`.
    explained_variance_ : array of shape (n_components,)
        Variance of the top codes along each component.
    explained_variance_ratio_ : array of shape (n_components,)
        Its share of the whole.
    notes_ : list of str
        Advice about the data, and a sentence about what was chosen. `fit` also gives each as a
        warning of the category `mbn.MBNNote`.
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

    def __init__(self, n_components=None, n_clusters="unknown", n_clusterings=400, feature_fraction=0.5,
                 decay=0.5, n_centroids=None, metric="euclidean", scale=None, engine="auto",
                 random_state=None, n_jobs=None, verbose=0, *, recall=0.995,
                 most_clusters=30, pool=None, solver="auto", restarts=50, memory_limit=None,
                 callback=None, checkpoint=None):
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_clusterings = n_clusterings
        self.feature_fraction = feature_fraction
        self.decay = decay
        self.n_centroids = n_centroids
        self.metric = metric
        self.scale = scale
        self.engine = engine
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.recall = recall
        self.most_clusters = most_clusters
        self.pool = pool
        self.solver = solver
        self.restarts = restarts
        self.memory_limit = memory_limit
        self.callback = callback
        self.checkpoint = checkpoint


class MBNClustering(ClusterMixin, Network):
    """Clusters of rows: k-means on the map of a Multilayer Bootstrap Network.

    New rows are labelled by the same network: `predict` never changes it.

    Parameters
    ----------
    n_clusters : int or "find", default="find"
        How many clusters there are. "find": the most stable number up to `most_clusters` (small
        networks find the same clusters), or 1 when the data show none (all labels are then 0).
        With fewer than 19 rows it is always 1: no number is better than chance.
    n_components : int, default=None
        Columns of the embedding. None: `n_clusters`.
    n_clusterings, feature_fraction, decay, n_centroids, metric, scale, engine, random_state, \
n_jobs, verbose, recall, most_clusters, pool, solver, memory_limit, callback, checkpoint
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
    embedding_, layers_, explained_variance_, explained_variance_ratio_, notes_, selection_, model_, \
n_features_in_, feature_names_in_
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

    def __init__(self, n_clusters="find", n_components=None, n_clusterings=400, feature_fraction=0.5,
                 decay=0.5, n_centroids=None, metric="euclidean", scale=None, engine="auto",
                 random_state=None, n_jobs=None, verbose=0, *, recall=0.995,
                 most_clusters=30, pool=None, solver="auto", restarts=50, memory_limit=None,
                 callback=None, checkpoint=None):
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_clusterings = n_clusterings
        self.feature_fraction = feature_fraction
        self.decay = decay
        self.n_centroids = n_centroids
        self.metric = metric
        self.scale = scale
        self.engine = engine
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.recall = recall
        self.most_clusters = most_clusters
        self.pool = pool
        self.solver = solver
        self.restarts = restarts
        self.memory_limit = memory_limit
        self.callback = callback
        self.checkpoint = checkpoint

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

    def _fit(self, X):
        if is_unknown(self.n_clusters):
            raise ValueError(f"n_clusters is {self.n_clusters!r}, and rows cannot be labelled "
                             "without; say 'find', or how many there are")
        result = super()._fit(X)
        self.labels_ = result["labels"]
        self.confidence_ = result["confidence"]
        return result

    def _take_model(self, model):
        super()._take_model(model)
        if len(model.cluster_centres) == 0:
            raise ValueError("the model has no clusters; load it with MBN.load, or fit it with "
                             "n_clusters")
        self.cluster_centers_ = model.cluster_centres
