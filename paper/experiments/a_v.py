# SPDX-License-Identifier: Apache-2.0
"""The effect of a (feature_fraction) and V (clusterings) on the small MNIST."""

from .. import data
from ..pictures import CurvesPanel
from ..results import percent, seconds, table
from ..tasks import Task
from . import common

ID = "a-V"
TITLE = "The effect of a and V"


def _choices(profile):
    return ([{"decay": 0.5, "feature_fraction": share} for share in profile.features]
            + [{"decay": 0.5, "clusterings": count} for count in profile.clusterings])


def tasks(setting):
    if data.find(setting, setting.profile.images) is None:
        return []
    return [Task(ID, setting.profile.images, "mbn", settings, run, common.cluster_and_score)
            for run in common.runs(setting, ID) for settings in _choices(setting.profile)]


def _varied(results, key):
    return [cell for cell in results.select(ID) if key in cell.settings]


def section(results, pictures):
    panels, tables = [], []
    for key, letter, logarithmic in (("feature_fraction", "a", False), ("clusterings", "V", True)):
        cells = _varied(results, key)
        lines = {word: [(cell.settings[key], 100 * cell.mean(score).mean) for cell in cells if cell.mean(score)]
                 for word, score in (("NMI", "nmi"), ("accuracy", "accuracy"))}
        panels.append(CurvesPanel(f"{letter}, {data.title(cells[0].data)}", letter, "%", lines, logarithmic))
        tables.append(table([letter, "NMI", "accuracy", "seconds", "runs"],
                            [[cell.settings[key], percent(cell, "nmi"), percent(cell, "accuracy"),
                              seconds(cell), len(cell.good)] for cell in cells]))
    return ["The paper says: no very small a, and V of at least 100.", *tables,
            pictures.curves(ID, "Scores against a and V", panels), common.command_of(results.select(ID))]
