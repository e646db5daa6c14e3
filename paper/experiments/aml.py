# SPDX-License-Identifier: Apache-2.0
"""AML-ALL: 72 leukaemias of 7,129 genes, seen by five methods and by peers of today."""

from . import common

ID = "aml"
TITLE = "AML-ALL"


def tasks(setting):
    tuned = [(method, {"neighbours": neighbours}) for method in ("isomap", "lle")
             for neighbours in setting.profile.neighbours]
    peers = [(peer, {}) for peer in common.peers()]
    return common.map_tasks(setting, ID, setting.profile.aml,
                            [("pca-map", {}), *tuned, *peers, ("mbn", {"decay": 0.5}), ("mbn-defaults", {})])


def section(results, pictures):
    words = ("All 72 rows, training and test, in two dimensions; k-means looks for two clusters. As in the paper, "
             "Isomap and LLE have the number of neighbours with the best NMI, which takes labels; MBN has the paper's "
             "setting (`--paper`), and the others have their defaults.")
    return common.section_of_maps(results, pictures, ID, words, "AML-ALL in two dimensions")


def losses(results):
    return common.losses_of_maps(results, ID)
