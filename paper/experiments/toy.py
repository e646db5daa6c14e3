# SPDX-License-Identifier: Apache-2.0
"""Density estimation on toy shapes: the rows as they are, and MBN's map of them, with a = 1."""

import dataclasses

import numpy as np

from .. import data
from ..results import percent, table
from ..tasks import Task
from . import common

ID = "toy"
TITLE = "Toy shapes"
SETTINGS = {"feature_fraction": 1}


def _as_they_are(setting, task, files):
    found = data.find(setting, task.data)
    np.save(files("map.npy"), np.load(found.problem.rows).astype(np.float32)[:, :2])
    return {"seconds": 0.0,
            **common.score_map(setting, found, files("map.npy"), files("labels.npy"), task.run)}


def tasks(setting):
    return [task for found in data.find_all(setting, setting.profile.toys)
            for run in common.runs(setting, ID)
            for task in (Task(ID, found.name, "raw", {}, run, _as_they_are),
                         Task(ID, found.name, "mbn", SETTINGS, run, common.map_and_score))]


def section(results, pictures):
    cells = results.select(ID)
    panels, rows = [], []
    for name in results.data_names(ID):
        both = results.select(ID, name)
        before, after = (results.one(ID, name, method) for method in ("raw", "mbn"))
        for panel, when in zip(common.panels(results, both, name), ("before", "after")):
            panels.append(dataclasses.replace(panel, title=f"{name}, {when}"))
        rows.append([name] + [_pair(before, after, score) for score in ("one_nn", "nmi", "accuracy")]
                    + [len(after.good)])
    return ["The paper shows maps and no numbers. 1-NN is the share of rows whose nearest other row has their "
            "class; k-means gets the number of classes. Before is the plane itself, after is MBN's map in two "
            "dimensions.",
            table(["data", "1-NN, before → after", "NMI of k-means", "accuracy of k-means", "runs"], rows),
            pictures.maps(ID, "Toy shapes before and after", panels), common.command_of(cells)]


def _pair(before, after, score):
    return f"{percent(before, score)} → {percent(after, score)}"


def losses(results):
    return common.losses_of_maps(results, ID, ("nmi", "one_nn"))
