# SPDX-License-Identifier: Apache-2.0
"""The same scores for all: `mbn evaluate` on the files that a worker left, outside the measured time."""

import json

from .. import process
from . import arrays

SAMPLE = 2000  # rows whose neighbourhoods are asked; chosen by a fixed seed, so the same for all


def _evaluate(tool, *arguments):
    return json.loads(process.check([tool, "evaluate", *arguments, "--json", "--quiet"]))


def _trustworthiness(tool, embedding, rows_file):
    return _evaluate(tool, embedding, "--data", rows_file, "--sample", SAMPLE)["trustworthiness"]


def score(tool, folder, rows_file, truth_file, neighbourhoods=True):
    """NMI and accuracy of labels.npy; trustworthiness of embedding.npy and of its first two columns."""
    labels = _evaluate(tool, folder / "labels.npy", "--truth", truth_file)
    result = {"nmi": labels["nmi"], "accuracy": labels["accuracy"]}
    embedding = folder / "embedding.npy"
    if neighbourhoods and embedding.exists():
        result["trustworthiness"] = _trustworthiness(tool, embedding, rows_file)
        table = arrays.read_npy(embedding)
        if table.shape[1] > 2:
            arrays.write_npy(folder / "flat.npy", table.columns(2))
            result["trustworthiness_2d"] = _trustworthiness(tool, folder / "flat.npy", rows_file)
        else:
            result["trustworthiness_2d"] = result["trustworthiness"]
    return result
