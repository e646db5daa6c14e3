# SPDX-License-Identifier: Apache-2.0
"""What was measured: means over runs, and tables of them."""

import json
import re
from dataclasses import dataclass

from .tasks import Files


@dataclass(frozen=True)
class Mean:
    """Of a score over runs; the deviation is that of the runs themselves."""

    mean: float
    deviation: float
    count: int

    def percent(self, digits=1):
        """One run has no deviation to show."""
        spread = f" ± {100 * self.deviation:.{digits}f}" if self.count > 1 else ""
        return f"{100 * self.mean:.{digits}f}{spread}"

    @property
    def short(self):
        return f"{100 * self.mean:.1f}"


def mean_of(values):
    values = list(values)
    if not values:
        return None
    mean = sum(values) / len(values)
    return Mean(mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5, len(values))


@dataclass
class Cell:
    """All runs of one method with one setting on one data set."""

    experiment: str
    data: str
    method: str
    settings: dict
    records: list

    @property
    def good(self):
        return [record for record in self.records if record["status"] == "ok"]

    @property
    def fault(self):
        """Why there is nothing, when there is nothing."""
        if self.good:
            return ""
        return self.records[0]["status"] if self.records else "not run"

    def mean(self, score):
        return mean_of(record[score] for record in self.good if record.get(score) is not None)

    @property
    def command(self):
        return tidy(next((record["command"] for record in self.good if "command" in record), ""))


def tidy(command):
    """Files of a task by what they are; data that we made by their folder."""
    command = re.sub(r"build/paper/[\w-]+/[\w.-]+?-run\d+\.((?:map|labels|embedding)\.npy)", r"\1", command)
    command = re.sub(r"build/paper/[\w-]+/[\w.-]+\.mbn", "net.mbn", command)
    command = re.sub(r"build/paper/[\w-]+/[\w.-]+\.onnx", "student.onnx", command)
    return command.replace("build/paper/data/", "")


class Results:
    """The cells of all tasks, in their order, with whatever has been measured so far."""

    def __init__(self, setting, tasks):
        self.setting = setting
        self.cells = {}
        self.files = {}
        for task in tasks:
            place = task.cell
            if place not in self.cells:
                self.cells[place] = Cell(task.experiment, task.data, task.method, task.settings, [])
            files = Files(setting, task)
            record = files.read()
            if record is not None:
                self.cells[place].records.append(record)
                self.files[place + (task.run,)] = files
        self.all_records = [record for cell in self.cells.values() for record in cell.records]

    def select(self, experiment, data=None, method=None, **settings):
        return [cell for cell in self.cells.values()
                if cell.experiment == experiment and data in (None, cell.data)
                and method in (None, cell.method)
                and all(cell.settings.get(key) == value for key, value in settings.items())]

    def one(self, experiment, data, method, **settings):
        found = self.select(experiment, data, method, **settings)
        return found[0] if found else None

    def best(self, cells, score):
        """The cell with the highest mean: chosen by labels, as the paper's "optimal" columns are."""
        return max((cell for cell in cells if cell.mean(score)), default=None,
                   key=lambda cell: cell.mean(score).mean)

    def file(self, cell, ending, run=0):
        """A file of one run, or None."""
        place = (cell.experiment, cell.data, cell.method,
                 json.dumps(cell.settings, sort_keys=True, default=str), run)
        path = self.files[place](ending) if place in self.files else None
        return path if path is not None and path.exists() else None

    def data_names(self, experiment):
        return list(dict.fromkeys(cell.data for cell in self.select(experiment)))


def table(header, rows):
    """Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(part) for part in line) + " |" for line in lines)


def percent(cell, score, digits=1):
    """A mean in percent, or why there is none."""
    if cell is None:
        return ""
    found = cell.mean(score)
    return found.percent(digits) if found else cell.fault


def seconds(cell):
    found = cell.mean("seconds") if cell else None
    if not found:
        return ""
    return f"{found.mean:.2f}" if found.mean < 1 else f"{found.mean:.1f}" if found.mean < 100 else f"{found.mean:.0f}"
