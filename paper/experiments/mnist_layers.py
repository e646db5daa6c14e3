# SPDX-License-Identifier: Apache-2.0
"""The map after every layer: a network of 60,000 digits with k1 = 8000 looks at 10,000 others."""

import numpy as np

from .. import data, methods
from ..pictures import MapPanel
from ..results import table
from ..tasks import Task
from . import common

ID = "mnist-layers"
TITLE = "The map after every layer"


def _work(setting, task, files):
    train, test = data.split(setting, task.data, task.settings["trained"])
    own = {"decay": 0.5, "centroids": task.settings["centroids"]}
    command = ["fit", train.problem.rows, *methods.network_options(setting, train.problem, own, task.run),
               "--components", 2, "-o", files("mbn")]
    told = setting.mbn(*command)
    layers = []
    for number, drawn in enumerate(told["layers"], 1):
        made = files(f"layer-{number}.npy")
        seen = setting.mbn("transform", files("mbn"), test.problem.rows, "--layer", number, "-o", made)
        layers.append({"layer": number, "drawn": drawn, "seconds": seen["seconds"],
                       **common.score_map(setting, test, made, files("labels.npy"), task.run)})
    files("mbn").unlink()
    return {"seconds": told["seconds"], "command": setting.show(["mbn", *command]), "layers": layers}


def tasks(setting):
    chosen = dict(setting.profile.layers)
    name = chosen.pop("data")
    if data.find(setting, name) is None:
        return []
    return [Task(ID, name, "mbn", chosen, run, _work) for run in common.runs(setting, ID)]


def section(results, pictures):
    cell = results.select(ID)[0]
    if not cell.good:
        return []
    record, trained = cell.good[0], cell.settings["trained"]
    labels = common.truth_of(results, cell.data)[trained:]
    panels = [MapPanel(f"layer {layer['layer']}, k = {layer['drawn']}",
                       np.load(results.file(cell, f"layer-{layer['layer']}.npy", record["run"])), labels)
              for layer in record["layers"]]
    rows = [[layer["layer"], layer["drawn"], *(f"{100 * layer[score]:.1f}" for score in
                                                ("nmi", "accuracy", "one_nn", "trustworthiness"))]
            for layer in record["layers"]]
    return [f"Trained on {trained:,} rows ({record['seconds']:.0f} s), seen on the {len(labels):,} others, in two "
            "dimensions. The paper shows layer 8 and the others in its appendix, and no numbers.",
            table(["layer", "rows drawn", "NMI of k-means", "accuracy", "1-NN", "trustworthiness"], rows),
            pictures.maps(ID, "Unseen digits after every layer", panels, columns=3), common.command_of([cell])]
