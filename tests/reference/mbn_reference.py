# SPDX-License-Identifier: Apache-2.0
"""A slow, plain reading of the paper, to hold the library against.

It shares no code with the library. From a model file it takes only what is random (which rows and
which features every clustering drew); everything that follows from it is worked out again here, in
float64, by loops and dense NumPy.

Model files have the safetensors layout: 8 bytes little-endian length, a JSON header of that length,
then the tensors' bytes. The header's "__metadata__" holds texts, among them the fit's options.
"""

import json
import math
from pathlib import Path

import numpy as np

TYPES = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "F32": "<f4", "F64": "<f8"}


class ModelFile:
    """The tensors and texts of a .mbn file."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8:8 + length])
        self.texts = header.pop("__metadata__")
        # What was left to a rule is a word in the file and None here.
        self.options = {name: None if value in ("auto", "unknown") else value
                        for name, value in json.loads(self.texts["options"]).items()}
        self.tensors = {}
        for name, tensor in header.items():
            first, last = (8 + length + offset for offset in tensor["data_offsets"])
            values = np.frombuffer(data[first:last], TYPES[tensor["dtype"]])
            self.tensors[name] = values.reshape(tensor["shape"])

    @property
    def layer_count(self):
        return int(self.texts["layers"])

    @property
    def training_rows(self):
        return int(self.texts["training_rows"])

    def layer(self, number):
        """Pool, drawn rows and drawn features of layer 1, 2, ..."""
        name = "bottom" if number == 1 else f"layer{number}"
        return tuple(self.tensors[f"{name}.{part}"] for part in ("pool", "rows", "columns"))


def widths(rows, clusters=None, centroids=None, decay=0.5):
    """Drawn rows per clustering for each layer: k1, then the floor of the running product, as long
    as it is at least 1.5 c. The paper needs c; the library stops as for 10 clusters without it."""
    narrowest = 1.5 * (clusters or 10)
    first = centroids or min(rows, max(rows // 2, math.ceil(1.5 * (clusters or 0))))
    result = [first]
    product = first * decay
    while math.floor(product) >= narrowest:
        result.append(math.floor(product))
        product *= decay
    return result


def features_drawn(inputs, fraction=0.5):
    return max(1, math.floor(fraction * inputs))


def scaling(rows, scale):
    """What is taken away from every column and what it is multiplied with, or nothing."""
    rows = rows.astype(np.float64)
    if scale == "none":
        return None
    if scale == "standard":
        shift, spread = rows.mean(axis=0), rows.std(axis=0)
    else:
        shift, spread = rows.min(axis=0), np.ptp(rows, axis=0)
    constant = np.ptp(rows, axis=0) == 0
    return shift, np.where(constant, 0.0, 1.0 / np.where(constant, 1.0, spread))


def prepare(rows, scaler, metric):
    """Rows as the bottom layer sees them: scaled, of unit length for cosine, in float32."""
    if scaler is None and metric == "euclidean":
        return rows
    prepared = rows.astype(np.float64)
    if scaler is not None:
        shift, factor = scaler
        prepared = (prepared - shift) * factor
    prepared = prepared.astype(np.float32)
    if metric == "cosine":
        squares = np.zeros(len(rows))
        for column in prepared.astype(np.float64).T:
            squares += column * column
        squares[squares == 0] = 1
        prepared = (prepared * (1 / np.sqrt(squares))[:, None]).astype(np.float32)
    return prepared


def encode_bottom(rows, pool, drawn_rows, drawn_features, metric):
    """The nearest drawn row on the drawn features, for each row (down) and clustering (across).
    argmin takes the first of equals: the one that was drawn first."""
    codes = np.empty((len(rows), len(drawn_rows)), np.int64)
    for clustering, (who, features) in enumerate(zip(drawn_rows, drawn_features)):
        x = rows[:, features].astype(np.float64)
        w = pool[who][:, features].astype(np.float64)
        distance = np.zeros((len(x), len(w)))
        if metric == "euclidean":
            for f in range(len(features)):
                distance += (x[:, f, None] - w[None, :, f]) ** 2
        else:
            squares = np.zeros(len(w))
            for f in range(len(features)):
                squares += w[:, f] ** 2
                distance -= x[:, f, None] * w[None, :, f]
            squares[squares == 0] = 1
            distance /= np.sqrt(squares)
        codes[:, clustering] = distance.argmin(axis=1)
    return codes


def encode_upper(codes, pool, drawn_rows, drawn_features):
    """The drawn row with the same code in the most drawn features: the largest inner product of
    one-hot vectors. argmax takes the first of equals."""
    result = np.empty((len(codes), len(drawn_rows)), np.int64)
    for clustering, (who, features) in enumerate(zip(drawn_rows, drawn_features)):
        agreement = np.zeros((len(codes), len(who)), np.int32)
        for f in features:
            agreement += codes[:, f, None] == pool[who, f][None, :]
        result[:, clustering] = agreement.argmax(axis=1)
    return result


def encode(model, prepared):
    """The codes of prepared rows at every layer, bottom first."""
    all_codes = [encode_bottom(prepared, *model.layer(1), model.options["metric"])]
    for number in range(2, model.layer_count + 1):
        all_codes.append(encode_upper(all_codes[-1], *model.layer(number)))
    return all_codes


def one_hot(codes, centroids):
    """Row i has a one at v * centroids + codes[i, v] for every clustering v."""
    rows, clusterings = codes.shape
    dense = np.zeros((rows, clusterings * centroids))
    for clustering in range(clusterings):
        dense[np.arange(rows), clustering * centroids + codes[:, clustering]] = 1
    return dense


class Components:
    """All principal components of one-hot codes, by a dense singular value decomposition."""

    def __init__(self, codes, centroids):
        self.centroids = centroids
        dense = one_hot(codes, centroids)
        self.mean = dense.mean(axis=0)
        _, singular, self.directions = np.linalg.svd(dense - self.mean, full_matrices=False)
        self.variance = singular ** 2 / (len(codes) - 1)

    def scores(self, codes):
        """Centred, not whitened."""
        return (one_hot(codes, self.centroids) - self.mean) @ self.directions.T
