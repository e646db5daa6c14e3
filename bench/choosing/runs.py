# SPDX-License-Identifier: Apache-2.0
"""One set through the tool, and what came out against its labels."""

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import sets


@dataclass
class Run:
    """What the tool said of one set with one seed."""

    name: str
    seed: int
    classes: int
    clusters: int
    nmi: float
    seconds: float
    decay: float
    scale: str
    runners_up: list = field(default_factory=list)

    @property
    def is_right(self):
        """Within 20 %, and in any case within one."""
        return is_near(self.clusters, self.classes)

    @property
    def is_shown(self):
        """The right number, or one beside it, was found or is a runner-up."""
        return any(is_near(number, self.classes) for number in [self.clusters, *self.runners_up])


def is_near(clusters, classes):
    return abs(clusters - classes) <= max(1, 0.2 * classes)


def _save(folder, name, most):
    rows, labels = sets.load(name, most)
    np.save(folder / "y.npy", labels)
    if hasattr(rows, "indptr"):
        from scipy import sparse
        sparse.save_npz(folder / "X.npz", rows.astype(np.float32))
        return folder / "X.npz", int(labels.max()) + 1
    np.save(folder / "X.npy", rows if rows.dtype == np.uint8 else rows.astype(np.float32))
    return folder / "X.npy", int(labels.max()) + 1


def run_set(tool, name, seeds, most, options, given):
    """The tool on a set, once for each seed. `given`: the number of classes is told."""
    with tempfile.TemporaryDirectory() as place:
        path, classes = _save(Path(place), name, most)
        for seed in seeds:
            told = ["--clusters", str(classes)] if given else []
            done = subprocess.run([tool, "cluster", str(path), "--truth", str(Path(place) / "y.npy"), "--json", "--seed",
                                   str(seed), *told, *sets.TOLD.get(name, []), *options],
                                  capture_output=True, text=True, check=True)
            report = json.loads(done.stdout)
            chosen = report.get("selection", {})
            yield Run(name, seed, classes, report["clusters"], 100 * report["nmi"], report["seconds"],
                      chosen.get("decay", 0.5), chosen.get("scale", "none"),
                      [other["clusters"] for other in chosen.get("runners_up", [])])
