# SPDX-License-Identifier: Apache-2.0
"""Texts: counts of their words, and an index that answers questions."""

import copyreg
import os
from typing import NamedTuple

import numpy as np

from . import _core
from ._base import fit_options
from ._embedder import BaseEstimator, TransformerMixin, check_fitted
from ._input import any_rows, to_scipy
from ._neighbours import check_neighbours
from ._notes import tell
from ._run import run_with

__all__ = ["Hit", "Index", "Vectorizer"]

TEXT_KEYWORDS = {option["keyword"]: option["name"] for option in _core.text_options()}


def vectorizer_from_json(text):
    """For pickles: they hold the vocabulary as JSON and the name of this function."""
    return _core.Vectorizer.from_json(text)


copyreg.pickle(_core.Vectorizer, lambda words: (vectorizer_from_json, (words.to_json(),)))


class Vectorizer(TransformerMixin, BaseEstimator):
    """Counts the words of texts, as `mbn vectorize` does.

    Texts are cut into words, stop words are dropped, words are stemmed (Snowball), and the
    commonest are counted. The result is a SciPy `csr_matrix`, which `MBN` takes as it is.

    Parameters
    ----------
    words : int, default=2000
        Word stems to keep: the commonest of the collection. None: all.
    min_documents : int, default=1
        Words that stand in fewer documents than this are dropped.
    language : str or None, default="auto"
        Language of the stemmer; "auto" guesses it from the texts, None does not stem.
    stop_words : {"auto", "english"} or None, default="auto"
        Function words to drop; "auto" drops those of the language.
    weighting : {"counts", "log", "tfidf", "log-tfidf"}, default="counts"
        What an entry holds.
    accents : {"fold", "keep"}, default="fold"
        Whether "Café" and "cafe" are one word.
    n_jobs : int, default=None
        Threads that work; the result does not depend on it.

    Examples
    --------
    >>> import mbn
    >>> counts = mbn.Vectorizer().fit_transform(["cats sleep", "a cat sleeps", "dogs bark"])
    >>> counts.shape
    (3, 4)
    """

    def __init__(self, words=2000, min_documents=1, language="auto", stop_words="auto",
                 weighting="counts", accents="fold", n_jobs=None):
        self.words = words
        self.min_documents = min_documents
        self.language = language
        self.stop_words = stop_words
        self.weighting = weighting
        self.accents = accents
        self.n_jobs = n_jobs

    def fit(self, texts, y=None):
        """Finds the commonest words of texts (strings). `y` is ignored: labels decide nothing."""
        options = {name: getattr(self, key) for key, name in TEXT_KEYWORDS.items()}
        found = as_texts(texts)
        self.vectorizer_ = self._run(lambda run: _core.Vectorizer.fit(found, options, run))
        return self

    def transform(self, texts):
        """Counts of the known words, a SciPy `csr_matrix` of float32, texts x words."""
        check_fitted(self)
        found = as_texts(texts)
        return to_scipy(self._run(lambda run: self.vectorizer_.transform(found, run)))

    def whole_words(self, texts):
        """For every column the whole word behind its stem that is commonest in these texts ("cars" for
        "car"): names for :meth:`mbn.MBNClustering.describe`.
        """
        check_fitted(self)
        return np.asarray(self.vectorizer_.whole_words(as_texts(texts)), dtype=object)

    def get_feature_names_out(self, input_features=None):
        """The stems, in the order of the columns."""
        check_fitted(self)
        return np.asarray(self.vectorizer_.words, dtype=object)

    def save(self, path, overwrite=False):
        """Writes the vocabulary as JSON, which the tool reads too."""
        check_fitted(self)
        self.vectorizer_.save(os.fspath(path), overwrite)

    @classmethod
    def load(cls, path):
        """Reads a vocabulary, whoever wrote it."""
        found = _core.Vectorizer.load(os.fspath(path))
        keyword = {name: key for key, name in TEXT_KEYWORDS.items()}
        vectorizer = cls(**{keyword[name]: value for name, value in found.options.items()})
        vectorizer.vectorizer_ = found
        return vectorizer

    def _run(self, work):
        return run_with(self.n_jobs, None, 0, None, "Vectorizer", work)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "vectorizer_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


class Hit(NamedTuple):
    """A row of a collection and how near it is to a question."""

    row: int
    score: float
    """As the method has it: for "fusion" at most 1, for "bm25" above 0, otherwise the cosine."""
    id: str
    """What the document is called; its row's number when the collection had no ids."""
    title: str
    """The beginning of the text, or its title; empty when the collection had none."""
    passage: str = ""
    """The part of the text that has most of the question's words; empty when texts were not kept."""
    marks: tuple = ()
    """The question's words in the passage, as (begin, end) of its characters."""
    words: tuple = ()
    """The words of the question that the document has."""
    cluster: int | None = None
    """Its cluster, when the index was built with `n_clusters`."""


def _nearest(index, queries, count, themselves, return_distance, run):
    """Rows of a `_core.Index` nearest to queries; with `themselves`, query i is row i."""
    check_neighbours(count, index.rows, len(queries), themselves)
    # Every query gets its whole list: one of norm 0 is as far from all rows as possible.
    lists = index.search(queries, int(count) + themselves, run)
    indices = np.empty((len(lists), int(count)), np.int64)
    distances = np.empty((len(lists), int(count)), np.float32)
    for i, hits in enumerate(lists):
        if not hits:
            hits = [(row, 0.0) for row in range(int(count) + themselves)]
        if themselves:
            hits = [hit for hit in hits if hit[0] != i]
        indices[i] = [row for row, _ in hits[:count]]
        distances[i] = [1 - score for _, score in hits[:count]]
    return (distances, indices) if return_distance else indices


class Index:
    """A collection of rows or texts that can be searched: it finds the nearest ones to a question.

    Made by `Index.build` from texts, by `Index.of` from an embedding, or by `Index.load`.

    Examples
    --------
    >>> import mbn
    >>> texts = ["cats sleep", "a cat sleeps in the sun", "dogs bark", "a dog barks at cars"]
    >>> index = mbn.Index.build(texts, n_components=2)
    >>> [hit.row for hit in index.search("barking dogs", top=2)]
    [2, 3]
    >>> index.search("barking dogs", top=1)[0].words
    ('barking', 'dogs')
    """

    def __init__(self, core, n_jobs=None):
        self._core = core
        self.n_jobs = n_jobs

    @classmethod
    def build(cls, texts, ids=None, *, titles=None, method="fusion", keep_texts=True, n_jobs=None,
              memory_limit=None, verbose=0, callback=None, **parameters):
        """Counts words, trains, embeds.

        `method` is "fusion" (words and latent semantic analysis together), "bm25" (words), "lsa" or
        "mbn" (the network); with `n_clusters` there is a network too. `parameters` are those of
        :class:`Vectorizer` and :class:`mbn.MBN`; `weighting` is the Vectorizer's. The metric is
        "cosine", `n_components` 100, `words` 10,000 and `weighting` "log-tfidf" unless they say
        otherwise. `titles` are searched too. Without `keep_texts` answers have no passages.
        """
        text = {"words": 10000, "weighting": "log-tfidf"}
        text.update({TEXT_KEYWORDS[key]: parameters[key] for key in parameters if key in TEXT_KEYWORDS})
        others = {key: value for key, value in parameters.items() if key not in TEXT_KEYWORDS}
        fit = {"metric": "cosine", **fit_options(others, "build")}
        found, called, headed = as_texts(texts), as_names(ids), as_names(titles)
        index, notes = run_with(
            n_jobs, memory_limit, verbose, callback, "Index.build",
            lambda run: _core.Index.build(found, called, headed, method, text, fit, keep_texts, run))
        tell(notes)
        return cls(index, n_jobs)

    @classmethod
    def of(cls, embedding, ids=None, *, n_jobs=None):
        """An index of rows that are embedded already."""
        return cls(_core.Index.make(any_rows(embedding, "Index"), as_names(ids)), n_jobs)

    @classmethod
    def load(cls, path, *, n_jobs=None):
        """Reads what `save` or `mbn index` wrote."""
        return cls(_core.Index.load(os.fspath(path)), n_jobs)

    def save(self, path, overwrite=False):
        """Writes one file with everything in it, which `mbn search` reads too."""
        self._core.save(os.fspath(path), overwrite)

    def __len__(self):
        return self._core.rows

    @property
    def embedding(self):
        """Rows scaled to norm 1."""
        return self._core.embedding

    @property
    def method(self):
        """What answers unless told otherwise: "fusion", "bm25", "lsa", "mbn", or "none" for rows."""
        return self._core.method

    @property
    def methods(self):
        """All that can answer a question in words."""
        return self._core.methods

    def search(self, query, top=10, *, method=None):
        """The best documents for a text, best first; a list of lists for a list of texts.

        `method` is one of `methods`. A text without a known word gets an empty list.
        """
        texts = [query] if isinstance(query, str) else as_texts(query)
        lists = self._run(lambda run: self._core.search_text(texts, top, method, run))
        answers = [[self._hit(row, score, text) for row, score in hits]
                   for text, hits in zip(texts, lists)]
        return answers[0] if isinstance(query, str) else answers

    def like(self, id, top=10, *, method=None):
        """The documents most like the one with this id, which is not among them."""
        row = self._core.find(str(id))
        if row is None:
            raise ValueError(f"no document of the index is called {id!r}")
        hits, = self._run(lambda run: self._core.like(row, top, method, run))
        return [self._hit(other, score, self._core.title(row)) for other, score in hits]

    def added(self, texts, ids=None, *, titles=None):
        """An index with more documents, embedded as those that are there: nothing is fitted again."""
        found, called, headed = as_texts(texts), as_names(ids), as_names(titles)
        return Index(self._run(lambda run: self._core.added(found, called, headed, run)), self.n_jobs)

    def removed(self, ids):
        """An index without the documents of these ids."""
        return Index(self._core.removed(as_names(ids)), self.n_jobs)

    def score_known_items(self, questions, ids, *, method=None):
        """How well the document with `ids[i]` is found by `questions[i]`, a dict.

        A test without judges: a question is a document's title or short description, and the index
        has only their bodies. "mean_reciprocal_rank", "recall_at_1", "recall_at_10".
        """
        asked, about = as_texts(questions), as_names(ids)
        return self._run(lambda run: self._core.score_known_items(asked, about, method, run))

    def transform(self, X):
        """The embedding of texts (strings), or of rows like those the index was made of."""
        rows = self._rows(X)
        return self._run(lambda run: self._core.embed(rows, run))

    def predict(self, X):
        """The cluster of each text or row, int32, when the index was built with `n_clusters`."""
        model = self._clustered()
        rows = self._rows(X)
        return self._run(lambda run: model.predict(rows, run))

    def describe(self, X, marks=5, exemplars=5):
        """What sets each cluster apart: for texts the words, whole, and typical texts.

        As :meth:`mbn.MBNClustering.describe`, for an index that was built with `n_clusters`. `X` are
        texts, or rows like those the index was made of.
        """
        from .estimators import as_descriptions
        model, words = self._clustered(), self._core.vectorizer
        names = [] if words is None else words.words
        if words is not None and _are_texts(X):
            X = as_texts(X)
            names = words.whole_words(X)
        rows = self._rows(X)
        return as_descriptions(self._run(lambda run: _core.describe_clusters(
            model, rows, names, marks, exemplars, False, run)))

    def _clustered(self):
        model = self._core.model
        if model is None or len(model.cluster_centres) == 0:
            raise ValueError("the index has no clusters; build it with n_clusters")
        return model

    def kneighbors(self, X=None, n_neighbors=10, return_distance=True):
        """As `MBN.kneighbors`, but by the cosine: distances are 1 - cosine. `X` are texts, or rows
        like those the index was made of.
        """
        queries = self.embedding if X is None else self.transform(X)
        return self._run(lambda run: _nearest(self._core, queries, n_neighbors, X is None,
                                              return_distance, run))

    def _rows(self, X):
        """Rows that the library takes, of texts by the words of the index."""
        if not _are_texts(X):
            return any_rows(X, "Index")
        words = self._core.vectorizer
        if words is None:
            raise ValueError("the index has no vocabulary, so it takes rows and no texts")
        texts = as_texts(X)
        starts, indices, values, shape = self._run(lambda run: words.transform(texts, run))
        return _core.SparseRows(starts, indices, values, shape[1])

    def _hit(self, row, score, question):
        passage, marks, words = self._core.passage(row, question)
        # Bytes become characters; what is not UTF-8 becomes one character for each byte.
        places = tuple((len(passage[:begin].decode(errors="replace")),
                        len(passage[:end].decode(errors="replace"))) for begin, end in marks)
        return Hit(row, score, self._core.id(row), self._core.title(row),
                   passage.decode(errors="replace"), places, tuple(words), self._core.cluster(row))

    def _run(self, work):
        return run_with(self.n_jobs, None, 0, None, "Index", work)


def _are_texts(X):
    return not isinstance(X, str) and getattr(X, "ndim", 1) == 1 and all(
        isinstance(one, str) for one in X)


def as_names(names):
    """A list of strings from any series, or none."""
    return [] if names is None else [str(one) for one in names]


def as_texts(texts):
    """A list of strings from any series of them."""
    if isinstance(texts, (str, bytes)):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    found = list(texts)
    for i, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"text {i} is {type(text).__name__}, not str")
    return found
