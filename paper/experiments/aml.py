# SPDX-License-Identifier: Apache-2.0
"""AML-ALL: 72 leukaemias of 7,129 genes, seen by five methods and by peers of today."""

from .. import data
from . import common

ID = "aml"
TITLE = "AML-ALL"


def tasks(setting):
    name = setting.profile.aml
    if data.find(setting, name) is None:
        return []
    tuned = [(method, {"neighbours": neighbours}) for method in ("isomap", "lle")
             for neighbours in setting.profile.neighbours]
    return common.map_tasks(setting, ID, name, [("pca-map", {}), *tuned, *((peer, {}) for peer in common.peers()),
                                                ("mbn", {"decay": 0.5})])


def section(results, pictures):
    name = results.data_names(ID)[0]
    cells = common.best_of_each(results, results.select(ID), "nmi")
    return ["All 72 rows, training and test, in two dimensions; k-means looks for two clusters. As in the paper, "
            "Isomap and LLE have the number of neighbours with the best NMI, which takes labels; the others have "
            "their defaults.",
            common.map_table(results, cells, with_neighbours=True),
            pictures.maps(ID, "AML-ALL in two dimensions", common.panels(results, cells, name), columns=3),
            common.command_of(cells)]


def losses(results):
    return [sentence for name in results.data_names(ID)
            for score, words in (("nmi", "NMI of k-means on the map"), ("trustworthiness", "trustworthiness"))
            for sentence in common.losses_of_maps(results, ID, name, score, words)]
