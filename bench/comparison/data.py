# SPDX-License-Identifier: Apache-2.0
"""The data sets, cut into files that every method reads alike.

A case's folder has X.npy and y.npy (all rows), train.npy, and held.npy and held-y.npy: the last
seventh, which of 70,000 rows is the 10,000 test images.
"""

import os
import random
from pathlib import Path

from .. import process
from . import arrays

FASHION = Path("/usr/share/datasets/fashion-mnist")
CLUSTERS = {"fashion-mnist": 10, "mnist": 10, "toy": 3, "gaussians": 10}
NAMES = tuple(CLUSTERS)


class Missing(Exception):
    """The data set is not on this machine; the message says where it would be looked for."""


def _fashion():
    if not FASHION.is_dir():
        raise Missing("Fashion-MNIST is not here: apt-get install dataset-fashion-mnist")
    parts = [(arrays.read_idx(FASHION / f"{part}-images-idx3-ubyte.gz"),
              arrays.read_idx(FASHION / f"{part}-labels-idx1-ubyte.gz")) for part in ("train", "t10k")]
    return arrays.stack(parts[0][0], parts[1][0]), arrays.stack(parts[0][1], parts[1][1])


def _mnist():
    folder = Path(os.environ.get("MBN_DATA", "")) / "mnist"
    if not os.environ.get("MBN_DATA") or not (folder / "X.npy").is_file():
        raise Missing("MNIST is not here: set MBN_DATA to a folder with mnist/X.npy and mnist/y.npy")
    return arrays.read_npy(folder / "X.npy"), arrays.read_npy(folder / "y.npy")


def _generated(folder, name, rows, tool):
    columns = 10 if name == "toy" else 50
    command = [tool, "generate", "gaussians", "--rows", rows, "--columns", columns, "--clusters",
               CLUSTERS[name], "--output", folder / "X.npy", "--labels", folder / "y.npy",
               "--quiet", "--force"]
    process.check(command)


def _all_rows(folder, name, rows, tool):
    """Writes X.npy and y.npy. Fewer rows than there are: a fixed random choice, in file order."""
    if name in ("toy", "gaussians"):
        _generated(folder, name, rows, tool)
        return
    images, labels = _fashion() if name == "fashion-mnist" else _mnist()
    if rows < images.shape[0]:
        chosen = sorted(random.Random(0).sample(range(images.shape[0]), rows))
        images, labels = images.take(chosen), labels.take(chosen)
    elif rows > images.shape[0]:
        raise Missing(f"{name} has {images.shape[0]} rows, not {rows}")
    arrays.write_npy(folder / "X.npy", images)
    arrays.write_npy(folder / "y.npy", labels)


def _split(folder):
    images, labels = arrays.read_npy(folder / "X.npy"), arrays.read_npy(folder / "y.npy")
    rows = images.shape[0]
    train = rows - rows // 7
    arrays.write_npy(folder / "train.npy", images.take(range(train)))
    arrays.write_npy(folder / "held.npy", images.take(range(train, rows)))
    arrays.write_npy(folder / "held-y.npy", labels.take(range(train, rows)))


def prepare(out, name, rows, tool, split=True):
    """The folder of a data set's files, made once. The work is done by a child process: what this
    process once held in memory would be counted to every process it starts."""
    folder = Path(out) / "data" / f"{name}-{rows}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "rows-ready").exists():
        process.in_child(_all_rows, folder, name, rows, tool)
        (folder / "rows-ready").touch()
    if split and not (folder / "split-ready").exists():
        process.in_child(_split, folder)
        (folder / "split-ready").touch()
    return folder
