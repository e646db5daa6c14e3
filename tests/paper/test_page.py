# SPDX-License-Identifier: Apache-2.0
"""docs/results.md from made-up records of every experiment: the same records, the same page.

MBN_WRITE_DOCS=1 writes page.expected.txt anew; a change of it is a decision.
"""

import dataclasses
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from paper import report, tasks
from paper.experiments import ALL, common, retrieval
from paper.pictures import Pictures
from paper.profiles import FULL
from paper.setting import Setting

EXPECTED = Path(__file__).parent / "page.expected.txt"
DENSE = ("wine", "mnist5k", "mnist", "aml_all", "jain")
GENERATED = ("gaussian", "outlier", *(f"subset-{number}" for number in range(FULL.subsets)))
SPARSE = ("20news",)
ROWS, TRAINED = 12, 7
RETRIEVED = [1, 3, 7, 15, 31, 63, 127, 255, 511]
LAYERS = [3000, 1500, 750]


def put_data(folder, name, file):
    """Rows that nobody reads, and labels of three classes."""
    (folder / name).mkdir(parents=True)
    (folder / name / file).touch()
    np.save(folder / name / "y.npy", np.arange(ROWS) % 3)


@pytest.fixture
def setting(tmp_path, monkeypatch):
    """All sizes of the paper, with a few of its data sets and every peer."""
    for name in DENSE:
        put_data(tmp_path / "data", name, "X.npy")
    for name in SPARSE:
        put_data(tmp_path / "data", name, "X.npz")
    for name in GENERATED:
        put_data(tmp_path / "out/data", name, "X.npy")
    monkeypatch.setattr(common, "has", lambda module: True)
    profile = dataclasses.replace(FULL, layers={**FULL.layers, "trained": TRAINED})
    return Setting(Path("/no/tool"), tmp_path / "data", tmp_path / "out", 3, profile)


def share(task, word):
    """A number from 0 to 1 that looks measured, and is the same everywhere."""
    return int(hashlib.sha256(f"{task.title} {word}".encode()).hexdigest()[:8], 16) / 16**8


def scores_of(task, word=""):
    return {score: share(task, word + score) for score in ("nmi", "accuracy", "one_nn", "trustworthiness")}


def put_map(files, ending, rows=ROWS):
    np.save(files(ending), np.random.default_rng(rows).normal(size=(rows, 2)))


def curve(task, word):
    return {"retrieved": RETRIEVED, "curve": [share(task, f"{word}{depth}") for depth in RETRIEVED]}


def of_layers(task, files):
    for number in range(len(LAYERS)):
        put_map(files, f"layer-{number + 1}.npy", ROWS - TRAINED)
    return {"layers": [{"layer": number, "drawn": drawn, **scores_of(task, str(number))}
                       for number, drawn in enumerate(LAYERS, 1)]}


def of_students(task, files):
    told = {"student_seconds": 100 * share(task, "student"), "train_r2": share(task, "train"),
            "test_r2": share(task, "test"), "test_prediction_seconds": {"model": 2.5, "student": 0.125}}
    for who in ("model", "student"):
        put_map(files, f"{who}-train.npy", TRAINED)
        put_map(files, f"{who}-test.npy", ROWS - TRAINED)
        told[who] = curve(task, who) if task.method == "documents" else scores_of(task, who)
    return told


def made_up(task, files):
    """A record of a task as its experiment would have written it."""
    if (task.data, task.method) == ("wine", "pca-whitened"):
        return {"status": "failed", "error": "made up"}
    told = {"status": "ok", "seconds": 200 * share(task, "seconds") ** 4, **scores_of(task)}
    if task.method.startswith("mbn"):
        told["command"] = f"mbn fit {task.title}"
    if task.method == "mbn-auto":
        told["decay"] = 0.3
    if task.experiment in ("toy", "outlier", "aml", "mnist-map"):
        put_map(files, "map.npy")
    if task.experiment == retrieval.ID:
        told.update(curve(task, ""))
    more = {"mnist-layers": of_layers, "compressive": of_students}.get(task.experiment)
    return {**told, **(more(task, files) if more else {})}


def record(setting, task):
    files = tasks.Files(setting, task)
    files.write({**made_up(task, files), "experiment": task.experiment, "data": task.data, "method": task.method,
                 "settings": task.settings, "run": task.run, "elapsed": 1.0})


def record_all(setting, names=tuple(ALL)):
    """Until the best of every search has all its runs."""
    done = set()
    while new := [task for name in names for task in ALL[name].tasks(setting) if task.key not in done]:
        for task in new:
            record(setting, task)
            done.add(task.key)


def page_of(setting, folder):
    report.write(setting, folder / "results.md", folder / "images")
    return (folder / "results.md").read_text()


@pytest.fixture
def undrawn(monkeypatch):
    """Panels are drawn, but no file is written of them: that takes long."""
    def finish(self, figure, name, words):
        import matplotlib.pyplot as plt
        plt.close(figure)
        titles = [axis.get_title() for axis in figure.axes if axis.get_title()]
        return f"![{words}]({self.link}/{name}.png)\nPanels: {'; '.join(titles)}."
    monkeypatch.setattr(Pictures, "_finish", finish)


def test_the_same_records_give_the_same_page(setting, tmp_path, undrawn):
    record_all(setting)
    page = page_of(setting, tmp_path)
    body = page[page.index("## Where MBN loses"):]
    if os.environ.get("MBN_WRITE_DOCS"):
        EXPECTED.write_text(body)
    assert body == EXPECTED.read_text()
