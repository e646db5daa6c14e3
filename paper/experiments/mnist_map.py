# SPDX-License-Identifier: Apache-2.0
"""5,000 digits in two dimensions, by all methods of the paper's figure and by peers of today."""

from . import common

ID = "mnist-map"
TITLE = "Maps of 5,000 digits"


def tasks(setting):
    profile = setting.profile
    tuned = [(method, {"neighbours": neighbours}) for method in ("isomap", "lle", "spectral-map")
             for neighbours in profile.map_neighbours]
    tuned += [("tsne", {"perplexity": perplexity}) for perplexity in profile.perplexities]
    return common.map_tasks(setting, ID, profile.images,
                            [("pca-map", {}), *tuned, ("autoencoder", profile.autoencoder),
                             *((peer, {}) for peer in common.peers()), ("mbn", {"decay": 0.5}), ("mbn-defaults", {})])


def section(results, pictures):
    words = ("k-means looks for ten clusters in the map's two dimensions; trustworthiness is of 15 neighbours of "
             "2,000 rows. As in the paper, Isomap, LLE, Spectral (a graph of neighbours) and t-SNE were tuned: the "
             "best NMI, which takes labels. In the place of the paper's DBN is an autoencoder 784-500-250-2, "
             "trained for 100 epochs on these 5,000 rows: a stack of restricted Boltzmann machines, unrolled, "
             "learned next to nothing in that time. UMAP and PaCMAP have their defaults, and MBN has the paper's "
             "setting (`--paper`). The paper shows the maps and no numbers.")
    return common.section_of_maps(results, pictures, ID, words, "5,000 digits in two dimensions")


def losses(results):
    return common.losses_of_maps(results, ID)
