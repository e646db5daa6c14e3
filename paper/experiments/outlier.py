# SPDX-License-Identifier: Apache-2.0
"""Two Gaussians and an outlier far away: PCA gives the outlier the map, MBN does not."""

import numpy as np

from ..results import percent, table
from . import common

ID = "outlier"
TITLE = "An outlier"


def tasks(setting):
    return common.map_tasks(setting, ID, "outlier", [("pca-map", {}), ("mbn", {"feature_fraction": 1})])


def _reach(points):
    """How far the outlier (the row farthest from the rest) is from the middle, against the others."""
    distance = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    return float(distance.max() / np.sort(distance)[:-1].mean())


def section(results, pictures):
    cells = results.select(ID)
    panels = list(common.panels(results, cells, "outlier"))
    reach = {cell.method: _reach(np.load(results.file(cell, "map.npy"))) for cell in cells
             if results.file(cell, "map.npy")}
    rows = [[common.title(cell), percent(cell, "nmi"), percent(cell, "one_nn"),
             f"{reach.get(cell.method, float('nan')):.1f}", len(cell.good)] for cell in cells]
    return ["The last column is the distance of the farthest row from the middle of the map, in mean distances "
            "of the others: how much of the map the outlier takes.",
            table(["map", "NMI of k-means", "1-NN", "reach of the farthest row", "runs"], rows),
            pictures.maps(ID, "Two Gaussians and an outlier, by PCA and by MBN", panels, columns=2),
            common.command_of(cells)]


def losses(results):
    return common.losses_of_maps(results, ID, ("nmi", "one_nn"))
