# SPDX-License-Identifier: Apache-2.0
"""Seconds of a fit against V: the paper expects V squared above the bottom and observed V."""

import math

from .. import data, methods
from ..pictures import CurvesPanel
from ..results import table
from ..tasks import Task
from . import common

ID = "time-V"
TITLE = "Seconds against V"


def _fit(setting, task, files):
    found = data.find(setting, task.data)
    command = ["fit", found.problem.rows, *methods.network_options(setting, found.problem, task.settings, task.run),
               "-o", files("mbn")]
    told = setting.mbn(*command)
    files("mbn").unlink()
    return {"seconds": told["seconds"], "command": setting.show(["mbn", *command])}


def tasks(setting):
    if data.find(setting, setting.profile.images) is None:
        return []
    return [Task(ID, setting.profile.images, "mbn", {"decay": 0.5, "clusterings": count}, run, _fit)
            for run in common.runs(setting, ID) for count in setting.profile.timed]


def _fastest(cell):
    return min(record["seconds"] for record in cell.good)


def _power(points):
    """The slope of log seconds over log V."""
    logs = [(math.log(count), math.log(seconds)) for count, seconds in points]
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs))


def section(results, pictures):
    cells = [cell for cell in results.select(ID) if cell.good]
    points = [(cell.settings["clusterings"], _fastest(cell)) for cell in cells]
    if len(points) < 2:
        return []
    name, upper = data.title(cells[0].data), points[-max(2, len(points) // 2):]
    return [f"Fits of {name}, the fastest of {max(len(cell.good) for cell in cells)} runs (others may use the "
            f"machine). Seconds grow with V to the power {_power(points):.2f}, over the upper half of the V "
            f"{_power(upper):.2f}; the paper observed 1. Neighbours of rows are found once for all clusterings, a cost "
            "that V does not change.",
            table(["V", "seconds", "seconds for 100 clusterings"],
                  [[count, f"{seconds:.2f}", f"{100 * seconds / count:.2f}"] for count, seconds in points]),
            pictures.curves(ID, "Seconds against V", [CurvesPanel(name, "V", "seconds", {"fit": points})]),
            common.command_of(cells)]
