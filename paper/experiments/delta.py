# SPDX-License-Identifier: Apache-2.0
"""The effect of decay (the paper's delta): the networks of the clustering table, as curves."""

from .. import data
from ..pictures import CurvesPanel
from . import clustering

ID = "delta"
SHOWS = clustering.ID
TITLE = "The effect of decay"


def tasks(setting):
    return clustering.tasks(setting, methods=("mbn",))


def section(results, pictures):
    panels = []
    for name in results.data_names(clustering.ID):
        cells = results.select(clustering.ID, name, "mbn")
        lines = {word: [(cell.settings["decay"], 100 * cell.mean(score).mean) for cell in cells if cell.mean(score)]
                 for word, score in (("NMI", "nmi"), ("accuracy", "accuracy"))}
        if lines["NMI"]:
            panels.append(CurvesPanel(data.title(name), "decay", "%", lines))
    if not panels:
        return []
    return ["The paper found no value that is best everywhere, and neither do we: small tables like a small "
            "decay, objects that turn a large one.",
            pictures.curves(ID, "Scores against decay", panels)]
