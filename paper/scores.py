# SPDX-License-Identifier: Apache-2.0
"""The same scores for all methods: `mbn evaluate`. Nothing else in this folder opens a file of labels to score."""

import numpy as np


def of_labels(setting, labels, truth):
    """NMI (divided by the geometric mean of the entropies) and accuracy of the best matching."""
    told = setting.mbn("evaluate", labels, "--truth", truth)
    return {"nmi": told["nmi"], "accuracy": told["accuracy"]}


def of_map(setting, embedding, rows):
    """How many neighbours in the map are neighbours in the data."""
    return {"trustworthiness": setting.mbn("evaluate", embedding, "--data", rows)["trustworthiness"]}


MAP_SAMPLE = 2500  # rows whose neighbourhoods and triplets are asked


def of_map_and_classes(setting, embedding, rows, truth):
    """Near by, at large, and of the classes; k-means has 10 starts, and 1-NN asks all rows."""
    told = setting.mbn("evaluate", embedding, "--data", rows, "--truth", truth, "--sample", MAP_SAMPLE)
    return {"nmi": told["kmeans_nmi"], **nearest_neighbour(embedding, truth),
            **{score: told.get(score) for score in ("trustworthiness", "continuity", "random_triplets",
                                                    "centroid_triplets")}}


def nearest_neighbour(embedding, truth):
    """Share of rows whose nearest other row has their label."""
    from sklearn.neighbors import NearestNeighbors
    rows, labels = np.load(embedding), np.load(truth)
    nearest = NearestNeighbors(n_neighbors=2).fit(rows).kneighbors(return_distance=False)[:, 0]
    return {"one_nn": float(np.mean(labels[nearest] == labels))}


def correlation_of_determination(wanted, given):
    """R^2 of all outputs together, as docs/compress.md has it."""
    wanted, given = np.load(wanted).astype(float), np.load(given).astype(float)
    return float(1 - ((wanted - given) ** 2).sum() / ((wanted - wanted.mean(0)) ** 2).sum())
