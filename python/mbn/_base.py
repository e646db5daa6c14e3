# SPDX-License-Identifier: Apache-2.0
"""What the estimators share: parameters to options, rows to results, files and pickles."""

import copyreg
import json
import os
from typing import NamedTuple

import numpy as np

from . import _core
from ._distances import OwnMetric, check_parameters
from ._embedder import ClusterMixin, Embedder
from ._frames import coded, coded_as
from ._neighbours import check_neighbours, without_themselves
from ._notes import tell
from ._run import run_with, seed_of
from ._training_rows import OfTrainingRows
from ._tree import HasTree

__all__ = ["ClusterMixin", "EmbeddingNetwork", "KEYWORDS", "Layer", "Network"]

# The keyword of every option, from the library's one list of them.
KEYWORDS = {option["keyword"]: option["name"] for option in _core.fit_options()}


class Layer(NamedTuple):
    """One layer of a network."""

    centroids: int
    """Drawn rows per clustering."""
    features: int
    """Drawn features per clustering."""
    kept_rows: int
    """Rows that at least one clustering drew."""
    bytes: int
    """In memory."""


def model_from_bytes(data):
    """For pickles: they hold the bytes of a model file and the name of this function."""
    return _core.Model.from_bytes(data)


copyreg.pickle(_core.Model, lambda model: (model_from_bytes, (model.to_bytes(),)))


def no_neighbours():
    """For pickles and copies: what finds neighbours is made again when it is asked for."""


copyreg.pickle(_core.Neighbours, lambda neighbours: (no_neighbours, ()))


def keep_parameters(estimator, parameters):
    """Keeps the `locals()` of a constructor as attributes of their names, as scikit-learn wants it."""
    for name, value in parameters.items():
        if name != "self":
            setattr(estimator, name, value)


def is_unknown(n_clusters):
    """Whether no labels are asked for."""
    return n_clusters is None or (isinstance(n_clusters, str) and n_clusters == "unknown")


def fit_options(parameters, who):
    """The library's options from keywords of :class:`mbn.MBN`; TypeError for any other."""
    unknown = set(parameters) - set(KEYWORDS)
    if unknown:
        raise TypeError(f"{who}() got an unexpected keyword argument '{sorted(unknown)[0]}'")
    options = {KEYWORDS[key]: value for key, value in parameters.items()}
    if "seed" in options:
        options["seed"] = seed_of(options["seed"])
    return options


def is_mixed(coding):
    """Whether columns are of several kinds, beside those that are left out."""
    return any(column.kind != "number" and column.columns > 0 for column in coding)


class Network(OfTrainingRows, Embedder):
    """The parts that all estimators with a network share."""

    _keywords = KEYWORDS  # of parameters, with the options that they stand for
    _own_metric = None  # what a fit with a function as `metric` keeps

    def fit(self, X, y=None):
        """Trains the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A NumPy array, memory map, list, SciPy sparse matrix, a pandas or polars frame, an
            Arrow table, or what `mbn.read` returns. float32 and uint8 are used as they are; other
            numbers become float32. Columns of words, booleans and dates in frames become numbers
            (docs/python.md). With metric="precomputed" the distances between all rows, or a sparse
            matrix of those to each row's neighbours; with a function as `metric`, whatever it takes.
        y : ignored
            It is there because scikit-learn's pipelines pass it. Labels never decide anything
            here: there is no supervised mode as in `umap.UMAP().fit(X, y)`.

        Returns
        -------
        self
        """
        self._fit(X)
        self._warn()
        return self

    def fit_transform(self, X, y=None):
        """Trains the network and returns the embedding of its training rows.

        The same bytes that `fit(X).transform(X)` gives, without encoding the rows a second time.
        `y` is ignored, as in `fit`.
        """
        self._fit(X)
        self._warn()
        return self.embedding_.copy()

    def update(self, X):
        """Keeps the network, and finds components, clusters and map anew, for other rows.

        For data that drifts or comes a day at a time. What was drawn stays as it is, and so does the
        number of clusters; clusters are numbered anew, by size. With the training rows it gives the
        bytes of `fit`. It takes as long as `transform` and k-means, and a map as long as it does in
        `fit`. Rows unlike any that the network drew need a new `fit`: a warning tells, and
        `outlier_scores` for each of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            With the columns of the training data. `embedding_`, `map_`, `labels_` and
            `confidence_` are then of these rows.

        Returns
        -------
        self
        """
        self._take_result(self._encode(X, lambda rows, run: _core.update(self.model_, rows, run)))
        self._warn()
        return self

    def score(self, X, y=None):
        """How good the embedding of rows is, from 0 to 1.

        Without `y` the trustworthiness of what `transform` gives: whether its neighbours are
        neighbours in the data (`mbn.score_neighbours`). With labels `y`, the share of rows whose
        nearest other row in the embedding has their label (`mbn.score_map`).
        """
        from .functions import score_map, score_neighbours
        shown = np.asarray(self.transform(X))
        metric = self.model_.options["metric"]
        if metric == "precomputed":
            if y is None:
                raise ValueError("distances have no columns to compare with; give labels, or ask "
                                 "sklearn.manifold.trustworthiness(D, embedding, metric='precomputed')")
            return score_map(shown, shown, y, n_jobs=self.n_jobs).nearest_neighbour
        if y is not None:
            return score_map(X, shown, y, metric=metric, n_jobs=self.n_jobs).nearest_neighbour
        few = max(1, min(15, (len(shown) - 1) // 2))
        return score_neighbours(X, shown, neighbours=few, metric=metric,
                                n_jobs=self.n_jobs).trustworthiness

    def transform(self, X):
        """The embedding of rows, float32 of shape (n_samples, n_components).

        A row gives the same bytes alone, in any batch and in any order.
        """
        return self._encode(X, lambda rows, run: self.model_.transform(rows, 0, run))

    def transform_map(self, X):
        """The places of rows on the map, float32 of shape (n_samples, map).

        A training row gets its own place, any other the place to which its neighbours draw it: the
        same bytes alone, in any batch and in any order. ValueError when the network was fitted
        without a map.
        """
        return self._encode(X, lambda rows, run: self.model_.map(rows, run))

    def map_layer(self, X, layer):
        """A map of these rows after a layer, 1 (the bottom) to `len(layers_)`, laid out anew.

        A picture of what the layer knows. Here a row's place depends on the other rows.
        """
        self._check_layer(layer)
        return self._encode(X, lambda rows, run: self.model_.map_layer(rows, layer, run))

    def apply(self, X, layer=None):
        """The codes of rows: for every clustering of a layer, the number of the nearest drawn row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        layer : int, default=None
            1 is the bottom; None is the top.

        Returns
        -------
        codes : array of shape (n_samples, n_clusterings)
            In the smallest unsigned type that holds them.
        """
        if layer is not None:
            self._check_layer(layer)
        return self._encode(X, lambda rows, run: self.model_.codes(rows, layer or 0, run))

    def outlier_scores(self, X):
        """How far outside the training data each row lies, float32 of shape (n_samples,).

        The distance to the sixth nearest row that the network drew (nearly all training rows are
        drawn), relative to what is usual among them: 1 is usual, 3 is far. A network on principal
        directions (`n_directions_` above 0) sees a row only along them: what differs in no
        direction is not an outlier to it. `n_directions=None` looks at all columns.
        """
        return self._encode(X, lambda rows, run: self.model_.outlier_scores(rows, run))

    def report(self, X, labels=None, *, ids=None, texts=None, pictures=None, title=None, sample=5000,
               thumbnails=20_000_000):
        """One page that explores rows, clusters and layers. It opens in any browser, offline.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The training rows or others.
        labels : array of shape (n_samples,), default=None
            True classes, numbers or words, to look at.
        ids, texts : sequence of str, default=None
            Shown with each row and searched. Without `ids`, the index of a pandas frame.
        pictures : tuple (height, width) or (height, width, 3), default=None
            When rows are pictures.
        title : str, default=None
        sample : int, default=5000
            Rows that are followed through the layers; all when there are no more.
        thumbnails : int, default=20_000_000
            Bytes that pictures of rows may take; beyond, only those of exemplars are shown.

        Returns
        -------
        report : Report
            `report.save("report.html")` writes it; a notebook shows it.
        """
        from ._report import Report, page_content
        self._check_fitted()
        content = page_content(self, X, labels, ids, texts, pictures, title)
        page = self._encode(X, lambda rows, run: _core.report_page(self.model_, rows, content, sample,
                                                                   thumbnails, run))
        return Report(page, content["title"])

    def kneighbors(self, X=None, n_neighbors=10, return_distance=True):
        """The training rows nearest to rows, by the Euclidean distance in what `transform` gives.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), default=None
            None asks for every training row, which is then not its own neighbour.
        n_neighbors : int, default=10
        return_distance : bool, default=True

        Returns
        -------
        distances : array of shape (n_queries, n_neighbors), float32
            Ascending. Only with `return_distance`.
        indices : array of shape (n_queries, n_neighbors), int64
            Of rows that are equally far, the first comes first.
        """
        self._check_fitted()
        if not hasattr(self, "embedding_"):
            raise ValueError(f"{self._lacks_rows()}; fit or unpickle one that has them, or keep an "
                             "mbn.Index")
        themselves = X is None
        queries = self.embedding_ if themselves else np.asarray(self.transform(X), np.float32)
        check_neighbours(n_neighbors, len(self.embedding_), len(queries), themselves)
        distances, indices = self._run("kneighbors", lambda run: self._neighbours_of_embedding().find(
            queries, int(n_neighbors) + themselves, run))
        indices = indices.astype(np.int64).reshape(distances.shape)
        if themselves:
            distances, indices = without_themselves(distances, indices)
        return (distances, indices) if return_distance else indices

    def _neighbours_of_embedding(self):
        """Made at the first call, and kept until there is another embedding."""
        kept = getattr(self, "_neighbours", None)
        if kept is None or kept[0] is not self.embedding_ or kept[1] is None:
            kept = self._neighbours = (self.embedding_, _core.Neighbours(self.embedding_))
        return kept[1]

    def save(self, path, overwrite=False):
        """Writes the network to a `.mbn` file, which the tool and the C++ library read too.

        The file appears whole or not at all. It holds the kept rows (training rows that were
        drawn) and the names of features. After loading, `embedding_`, `labels_` and their like are
        made again from the kept rows where those are all training rows (nearly always, up to
        100,000 rows); a pickle holds them in any case.
        """
        self._check_fitted()
        if self._own_metric is not None:
            raise ValueError("metric is a function, which a model file cannot hold: pickle the estimator, or "
                             "fit the distances that it gives with metric='precomputed' and save that")
        self.model_.save(os.fspath(path), overwrite)

    @classmethod
    def load(cls, path):
        """Reads a `.mbn` file, whoever wrote it, as a fitted estimator. `mbn.load` finds the class."""
        return cls._from_model(_core.Model.load(os.fspath(path)))

    @classmethod
    def _from_model(cls, model):
        options = {key: model.options[name] for key, name in cls._keywords.items()}
        net = cls(**options)
        net._take_model(model)
        return net

    def _options(self):
        options = {name: getattr(self, key) for key, name in self._keywords.items()}
        options["seed"] = seed_of(self.random_state)
        if callable(self.metric):
            options["metric"] = "precomputed"
        if self.missing == "mean":  # no gaps are left for the library
            options["missing"] = "refuse"
        return options

    def _run(self, title, work):
        return run_with(self.n_jobs, self.memory_limit, self.verbose, self.callback, title, work)

    def _fit(self, X):
        who = type(self).__name__
        options = self._options()
        if self.missing not in ("refuse", "mean", "partial"):
            raise ValueError(f"missing is {self.missing!r}; it must be 'refuse', 'mean' or 'partial'")
        own_metric = None
        if callable(self.metric) or self._takes_distances():
            check_parameters(self)
        if callable(self.metric):
            own_metric = OwnMetric(self.metric, X, who)
            X = own_metric.between_training_rows()
        data = coded(X, who, self.types, self.missing, least_rows=2, pool=lambda: _pool_of(X, options))
        notes = list(data.notes)
        if self.scale == "auto" and is_mixed(data.coding):
            options["scale"] = "standard"
            notes.append("columns of several kinds are brought to one scale (scale='standard'); "
                         "scale='none' takes them as they are")
        checkpoint = "" if self.checkpoint is None else os.fspath(self.checkpoint)
        result = self._run(f"{who}.fit", lambda run: _core.fit(
            data.rows, options, checkpoint, data.names, data.means, data.coding, run))
        result["notes"] = notes + result["notes"]
        result["advice"] = notes + result["advice"]
        self._own_metric = own_metric
        self._take_result(result)

    def _take_result(self, result):
        self._take_model(result["model"])
        self._take_output(result)
        self.notes_ = result["notes"]
        self._advice = result["advice"]

    def _warn(self):
        """Only when all is set: a filter may turn notes into errors."""
        tell(self._advice)

    def _take_model(self, model):
        self.model_ = model
        coding = model.coding
        self.n_features_in_ = len(coding) or model.columns
        if self._own_metric is not None:
            self.n_features_in_ = self._own_metric.columns
        names = [column.name for column in coding] if coding else model.column_names
        known = len(names) > 0 and len(model.column_names) > 0
        self._remember_names(np.asarray(names, dtype=object) if known else None)
        if model.column_means:
            self.column_means_ = np.asarray(model.column_means)
        elif hasattr(self, "column_means_"):
            del self.column_means_
        self.layers_ = [Layer(**layer) for layer in model.layers]
        self.n_clusterings_ = model.options["clusterings"]
        self.n_directions_ = model.directions["count"]
        self.directions_variance_ratio_ = model.directions["variance"]
        self.explained_variance_ = model.explained_variance
        self.explained_variance_ratio_ = model.explained_variance_ratio
        selection = json.loads(model.selection)
        if selection["candidates"] or selection["counts"]:
            self.selection_ = selection
        elif hasattr(self, "selection_"):
            del self.selection_

    def _new_rows(self, X, who):
        model = self.model_
        if self._own_metric is not None:
            return self._own_metric.to_training_rows(X, who)
        rows, notes = coded_as(X, model.coding, model.column_means, getattr(self, "feature_names_in_", None), who,
                               takes_gaps=model.options["missing"] == "partial")
        tell(notes)
        given = rows.shape[1]
        if given != self.model_.columns:
            self._check_features(given, self.n_features_in_, who)
            raise ValueError(f"X has {given} features that are numbers, but {who} was fitted on "
                             "columns of words too; give a frame with all of them")
        return rows

    def _check_layer(self, layer):
        self._check_fitted()
        if isinstance(layer, (bool, np.bool_)) or not hasattr(layer, "__index__"):
            raise TypeError(f"layer must be a whole number, not {layer!r}")
        if not 1 <= layer <= len(self.layers_):
            raise ValueError(f"layer is {layer}, but the model has {len(self.layers_)} "
                             "(1 is the bottom)")

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    @property
    def _n_features_out(self):
        return self.model_.components


def _pool_of(X, options):
    """The numbers of the rows that a network is made from, or None when it is made from all."""
    numbers = _core.pool_rows(X.shape[0], options)
    return None if len(numbers) == X.shape[0] else np.asarray(numbers, np.int64)


class EmbeddingNetwork(HasTree, Network):
    """What MBN and MBNClustering share: their embedding is the network's components."""

    def transform_layer(self, X, layer):
        """The embedding after a layer, 1 (the bottom) to `len(layers_)` (what `transform` gives)."""
        self._check_layer(layer)
        return self._encode(X, lambda rows, run: self.model_.transform(rows, layer, run))

    def compress(self, X, *, target="embedding", size="paper", hidden=None, epochs=20,
                 batch_rows=256, learning_rate=0.001, dropout=None, validation=0.05, patience=5,
                 augment="auto", augment_rows=None, augment_strength=None, random_state=None):
        """Trains a small neural network that does what this network does, many times faster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to learn from, most often the training rows. No labels are needed: this network
            labels them.
        target : {"embedding", "clusters"}
            What the student learns: the embedding, or the probabilities of the clusters.
        size : {"paper", "small"}
            Two hidden layers of 2048 units as in the paper, or of 256.
        hidden : list of int, default=None
            Units of each hidden layer; None: by `size`.
        epochs, batch_rows, learning_rate, dropout, validation, patience, augment, augment_rows, \
augment_strength, random_state
            How it learns; docs/options.md explains each.

        Returns
        -------
        student : mbn.Student
            Ctrl-C after the first epoch gives the best student so far, with a warning.
        """
        self._check_fitted()
        if self._own_metric is not None:
            raise ValueError("metric is a function, and a student takes rows of numbers; fit the distances that "
                             "it gives with metric='precomputed'")
        parameters = {"target": target, "size": size, "hidden": hidden, "epochs": epochs,
                      "batch_rows": batch_rows, "learning_rate": learning_rate, "dropout": dropout,
                      "validation": validation, "patience": patience, "augment": augment,
                      "augment_rows": augment_rows, "augment_strength": augment_strength,
                      "random_state": random_state}
        from .student import teach
        who = type(self).__name__
        return teach(self.model_, self._new_rows(X, who), parameters,
                     lambda work: self._run(f"{who}.compress", work))
