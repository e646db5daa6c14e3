# SPDX-License-Identifier: Apache-2.0
"""The data sets, cut into files that every method reads alike.

A case's folder has X.npy, or X.npz for sparse counts, and y.npy (all rows), train.npy, and held.npy and
held-y.npy: the last seventh, which of 70,000 rows is the 10,000 test images.
"""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from .. import process
from . import arrays, sources
from .sources import Missing  # noqa: F401  what prepare() raises


@dataclass(frozen=True)
class DataSet:
    """`clusters` 0: no labels. `counts`: the rows are sparse counts, and so the peers weigh them."""

    rows: int
    columns: int
    clusters: int
    metric: str = "euclidean"
    counts: str = ""

    @property
    def options(self):
        """What mbn is told of the data."""
        told = ["--clusters", str(self.clusters)] if self.clusters else []
        return told + (["--metric", self.metric] if self.metric != "euclidean" else [])


SETS = {
    "fashion-mnist": DataSet(70000, 784, 10),
    "mnist": DataSet(70000, 784, 10),
    "toy": DataSet(1000, 10, 3),
    "gaussians": DataSet(1000000, 50, 10),
    "glove": DataSet(25135, 100, 18, metric="cosine"),
    "wink": DataSet(341479, 100, 0, metric="cosine"),
    "letter": DataSet(20000, 16, 26),
    "shuttle": DataSet(58000, 9, 7),
    "penbased": DataSet(10992, 16, 10),
    "optdigits": DataSet(5620, 64, 10),
    "bladder": DataSet(2100, 20670, 16, counts="cells"),
    "20news": DataSet(18846, 26214, 20, metric="cosine", counts="tfidf"),
    "reuters21578": DataSet(8293, 18933, 65, metric="cosine", counts="tfidf"),
    "isolet1": DataSet(1560, 617, 26),
    "orl": DataSet(400, 1024, 40),
    "umist": DataSet(575, 1024, 20),
    "coil100": DataSet(7200, 1024, 100),
    "wine": DataSet(178, 13, 3),
    "new_thyroid": DataSet(215, 5, 3),
    "dermatology": DataSet(366, 34, 6),
    "mnist5k": DataSet(5000, 784, 10),
}
GENERATED = ("toy", "gaussians")
IMAGES = ("fashion-mnist", "mnist", *GENERATED)  # what `peers` takes


def _generated(folder, name, rows, tool):
    command = [tool, "generate", "gaussians", "--rows", rows, "--columns", SETS[name].columns, "--clusters",
               SETS[name].clusters, "--output", folder / "X.npy", "--labels", folder / "y.npy",
               "--quiet", "--force"]
    process.check(command)


def _sparse(folder, name, rows):
    if rows != SETS[name].rows:
        raise Missing(f"{name} is sparse, and not cut to {rows} rows")
    source = sources.in_folder(name, "X.npz")
    shutil.copyfile(source / "X.npz", folder / "X.npz")
    shutil.copyfile(source / "y.npy", folder / "y.npy")


def _all_rows(folder, name, rows, tool):
    """Writes X and y. Fewer rows than there are: a fixed random choice, in file order."""
    if name in GENERATED:
        return _generated(folder, name, rows, tool)
    if SETS[name].counts:
        return _sparse(folder, name, rows)
    points, labels = sources.dense(name, folder.parent)
    if rows > points.shape[0]:
        raise Missing(f"{name} has {points.shape[0]} rows, not {rows}")
    chosen = None
    if rows < points.shape[0]:
        chosen = sorted(random.Random(0).sample(range(points.shape[0]), rows))
    for file, table in (("X.npy", points), ("y.npy", labels)):
        if table is not None:
            arrays.write_npy(folder / file, table if chosen is None else table.take(chosen))


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


def rows_file(name):
    return "X.npz" if SETS[name].counts else "X.npy"
