# SPDX-License-Identifier: Apache-2.0
"""Data sets as files. A method sees no labels."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.comparison import sources


@dataclass(frozen=True)
class Problem:
    """What a method may know: the rows, how many clusters are looked for, the metric, and what counts are of
    (`weighting`: the tool's word for it)."""

    name: str
    rows: Path
    clusters: int
    metric: str = "euclidean"
    weighting: str = ""

    @property
    def sparse(self):
        return self.rows.suffix == ".npz"

    def load(self):
        if self.sparse:
            import scipy.sparse
            return scipy.sparse.load_npz(self.rows).astype(np.float64).tocsr()
        return np.load(self.rows)


@dataclass(frozen=True)
class DataSet:
    """`truth` is for scoring and colours only."""

    problem: Problem
    truth: Path

    @property
    def name(self):
        return self.problem.name


TITLES = {"isolet1": "Isolet1", "wine": "Wine", "new_thyroid": "New-Thyroid", "dermatology": "Dermatology",
          "coil100": "COIL100", "mnist5k": "MNIST(small)", "mnist": "MNIST(full)", "umist": "UMIST",
          "orl": "ORL", "20news": "20-Newsgroups", "reuters21578": "Reuters-21578",
          "debian_descr": "Debian's descriptions", "aml_all": "AML-ALL", "fashion-mnist": "Fashion-MNIST",
          "glove": "GloVe", "bladder": "Cells of the bladder",
          "letter": "Letters", "shuttle": "Shuttle"}

# What the kind of file does not tell: sparse rows are counts of words, compared by the cosine, and others neither.
KINDS = {"glove": ("cosine", ""), "bladder": ("euclidean", "cells"), "cells": ("euclidean", "cells")}


def title(name):
    return TITLES.get(name, name)


def find(setting, name):
    """The data set of that name, or None where the folder has none."""
    if name in GENERATED:
        return _generated(setting, name)
    if name.startswith("subset-"):
        return _subset(setting, name)
    folder = (setting.out / "data" if setting.profile.bundled else setting.data) / name
    if setting.profile.bundled and not (folder / "y.npy").exists():
        _write_bundled(folder, name)
    if name == FASHION and not folder.is_dir():
        folder = _installed_fashion(setting)
    rows = next((folder / file for file in ("X.npy", "X.npz") if (folder / file).is_file()), None)
    if rows is None:
        return None
    truth = folder / "y.npy"
    clusters = int(np.load(truth).max()) + 1
    usual = ("cosine", "log-tfidf") if rows.suffix == ".npz" else ("euclidean", "")
    return DataSet(Problem(name, rows, clusters, *KINDS.get(name, usual)), truth)


def find_all(setting, names):
    return [found for found in (find(setting, name) for name in names) if found is not None]


@dataclass(frozen=True)
class Generated:
    """What `mbn generate` is asked for, and how many classes are in it."""

    arguments: tuple
    classes: int


GENERATED = {"gaussian": Generated(("gaussians", "--rows", 300, "--clusters", 3), 3),
             "outlier": Generated(("outlier", "--rows", 201), 2),
             "toy-compound": Generated(("compound", "--rows", 200), 6)}


def _generated(setting, name):
    made = GENERATED[name]
    folder = setting.out / "data" / name
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "y.npy").exists():
        setting.mbn("generate", *made.arguments, "-o", folder / "X.npy", "--labels", folder / "y.npy")
    return DataSet(Problem(name, folder / "X.npy", made.classes), folder / "y.npy")


def _subset(setting, name):
    """Another draw of as many images of each class, as the small MNIST is one."""
    whole = find(setting, setting.profile.full)
    folder = setting.out / "data" / name
    if whole is None:
        return None
    if not (folder / "y.npy").exists():
        truth = np.load(whole.truth)
        random = np.random.default_rng(int(name.removeprefix("subset-")))
        kept = np.concatenate([random.permutation(np.flatnonzero(truth == label))[:setting.profile.of_each]
                               for label in range(whole.problem.clusters)])
        kept = random.permutation(kept)
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "X.npy", np.load(whole.problem.rows)[kept])
        np.save(folder / "y.npy", truth[kept])
    return DataSet(Problem(name, folder / "X.npy", whole.problem.clusters), folder / "y.npy")


FASHION = "fashion-mnist"


def _installed_fashion(setting):
    """A folder with the training and test images of Debian's package, where that is installed."""
    folder = setting.out / "data" / FASHION
    if not (folder / "y.npy").exists() and sources.FASHION.is_dir():
        rows, truth = (np.frombuffer(table.data, dtype=table.descr).reshape(table.shape[0], -1)
                       for table in sources.fashion())
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "X.npy", rows)
        np.save(folder / "y.npy", truth.ravel().astype(np.int32))
    return folder


COUNTS = ("texts", "cells")


def _write_bundled(folder, name):
    rows, truth = _small_texts() if name in COUNTS else _from_scikit_learn(name)
    folder.mkdir(parents=True, exist_ok=True)
    if name in COUNTS:
        import scipy.sparse
        scipy.sparse.save_npz(folder / "X.npz", rows)
    else:
        np.save(folder / "X.npy", rows.astype(np.float32))
    np.save(folder / "y.npy", truth.astype(np.int32))


def _from_scikit_learn(name):
    from sklearn import datasets
    rows, truth = getattr(datasets, f"load_{name}")(return_X_y=True)
    kept = np.random.default_rng(0).permutation(len(rows))[:240]
    return rows[kept], truth[kept]


def _small_texts(documents=200, words=100, topics=4):
    """Counts of words: a topic has favourites among them, and a document words of its topic."""
    import scipy.sparse
    random = np.random.default_rng(0)
    truth = random.integers(0, topics, documents)
    favourites = random.dirichlet(np.full(words, 0.05), topics)
    counts = [random.multinomial(60, 0.7 * favourites[topic] + 0.3 / words) for topic in truth]
    return scipy.sparse.csr_matrix(np.array(counts, dtype=np.float32)), truth


def split(setting, name, trained):
    """(training rows, the others) as two data sets: the first `trained` rows of the file, and the rest."""
    whole = find(setting, name)
    halves = []
    for part, rows in (("train", slice(0, trained)), ("test", slice(trained, None))):
        folder = setting.out / "data" / f"{name}-{part}-{trained}"
        if not (folder / "y.npy").exists():
            folder.mkdir(parents=True, exist_ok=True)
            np.save(folder / "X.npy", np.load(whole.problem.rows)[rows])
            np.save(folder / "y.npy", np.load(whole.truth)[rows])
        halves.append(DataSet(Problem(folder.name, folder / "X.npy", whole.problem.clusters), folder / "y.npy"))
    return halves
