# SPDX-License-Identifier: Apache-2.0
"""Other draws of 5,000 digits: how much of a score is the choice of images, which the paper does not name."""

from .. import data
from ..results import mean_of, table
from ..tasks import Task
from . import common

ID = "subsets"
TITLE = "Other draws of 5,000 digits"
DECAYS = (0.5, 0.6, 0.7, 0.8, 0.9)


def tasks(setting):
    names = [f"subset-{number}" for number in range(setting.profile.subsets)]
    return [Task(ID, found.name, "mbn", {"decay": decay}, 0, common.cluster_and_score)
            for found in data.find_all(setting, names) for decay in DECAYS]


def _spread(cells, score):
    """Mean and deviation over draws, and the lowest and highest."""
    values = [record[score] for cell in cells for record in cell.good]
    if not values:
        return ""
    return f"{mean_of(values).percent()} ({100 * min(values):.1f} to {100 * max(values):.1f})"


def _best(results, score):
    """The best decay of each draw."""
    best = [results.best(results.select(ID, name), score) for name in results.data_names(ID)]
    return _spread([cell for cell in best if cell], score)


def section(results, pictures):
    rows = [[decay, *(_spread(results.select(ID, decay=decay), score) for score in ("nmi", "accuracy"))]
            for decay in DECAYS]
    rows.append(["best of each draw", _best(results, "nmi"), _best(results, "accuracy")])
    return [f"{len(results.data_names(ID))} random draws of 500 images of each digit, one fit each: mean ± deviation "
            "over draws, and the lowest and highest.", table(["decay", "NMI", "accuracy"], rows),
            common.command_of(results.select(ID))]
