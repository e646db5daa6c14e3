# SPDX-License-Identifier: Apache-2.0
"""A slow, plain reading of the paper, to hold the library against.

It shares no code with the library. From a model file it takes only what is random (which rows and
which features every clustering drew); everything that follows from it is worked out again here, in
float64, by loops and dense NumPy.

Model files have the safetensors layout: 8 bytes little-endian length, a JSON header of that length,
then the tensors' bytes. The header's "__metadata__" holds texts, among them the fit's options. From
format version 2 on, codes and draws are packed into as many bits as they need.
"""

import json
import math
from pathlib import Path

import numpy as np

TYPES = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "F32": "<f4", "F64": "<f8"}


def bits_for(bound):
    """Bits of a number below `bound`."""
    return max(1, math.ceil(math.log2(bound)))


def unpack(packed, count, bits):
    """From every row of bytes `count` numbers, lowest bit first; nothing may follow them."""
    result = np.zeros((len(packed), count), np.uint32)
    for row, numbers in zip(packed, result):
        text = int.from_bytes(row.tobytes(), "little")
        for i in range(count):
            numbers[i] = text & ((1 << bits) - 1)
            text >>= bits
        assert text == 0, "padding"
    return result


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
        assert self.texts["format_version"] in ("1", "2")
        if self.texts["format_version"] == "2":
            self.unpack_layers()

    def unpack_layers(self):
        """Leaves the tensors as files of version 1 have them."""
        inputs, below = self.inputs, None
        for number in range(1, self.layer_count + 1):
            name = "bottom" if number == 1 else f"layer{number}"
            centroids = int(self.texts[name + ".centroids"])
            features = int(self.texts[name + ".features"])
            if below is not None:
                self.tensors[name + ".pool"] = unpack(self.tensors[name + ".pool"], inputs, bits_for(below))
            pool = self.tensors.get(name + ".pool", self.tensors.get(name + ".pool.lengths"))
            self.tensors[name + ".rows"] = unpack(self.tensors[name + ".rows"], centroids, bits_for(len(pool)))
            columns = self.tensors[name + ".columns"]
            if columns.shape[1] == math.ceil(inputs / 8):
                columns = np.array([np.flatnonzero(mask) for mask in unpack(columns, inputs, 1)])
            else:
                columns = unpack(columns, features, bits_for(inputs))
            assert columns.shape[1] == features
            self.tensors[name + ".columns"] = columns
            inputs, below = len(columns), centroids

    @property
    def layer_count(self):
        return int(self.texts["layers"])

    @property
    def training_rows(self):
        return int(self.texts["training_rows"])

    @property
    def directions(self):
        """Their basis, columns x directions, or None."""
        return self.tensors.get("directions.basis")

    @property
    def inputs(self):
        """What the bottom layer draws features from: directions, or columns where there are none."""
        return int(self.texts["columns"]) if self.directions is None else self.directions.shape[1]

    def bottom_pool(self):
        """Dense, also when the file has the nonzeros only."""
        if "bottom.pool" in self.tensors:
            return self.tensors["bottom.pool"]
        lengths = self.tensors["bottom.pool.lengths"]
        dense = np.zeros((len(lengths), self.inputs), np.float32)
        row = np.repeat(np.arange(len(lengths)), lengths)
        dense[row, self.tensors["bottom.pool.indices"]] = self.tensors["bottom.pool.values"]
        return dense

    def layer(self, number):
        """Pool, drawn rows and drawn features of layer 1, 2, ..."""
        name = "bottom" if number == 1 else f"layer{number}"
        pool = self.bottom_pool() if number == 1 else self.tensors[name + ".pool"]
        return pool, self.tensors[name + ".rows"], self.tensors[name + ".columns"]


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


def document_frequency(rows):
    """The inverse document frequency of every column."""
    return np.log((1 + len(rows)) / (1 + (rows != 0).sum(axis=0))) + 1


def cell_size(rows):
    """The sum that rows of cells are brought to: the upper median of the sums that are not 0."""
    sums = np.sort(rows.astype(np.float64).sum(axis=1))
    sums = sums[sums > 0]
    return sums[len(sums) // 2]


def norms(rows):
    """Squares are added column by column, in float64; a row of zeros counts as of norm 1."""
    squares = np.zeros(len(rows))
    for column in rows.astype(np.float64).T:
        squares += column * column
    squares[squares == 0] = 1
    return np.sqrt(squares)[:, None]


def weigh(rows, weighting, frequency, size):
    """Counts as weights, in float32."""
    counts = rows.astype(np.float64)
    if weighting == "log":
        return np.log(1 + counts).astype(np.float32)
    if weighting == "cells":
        sums = np.zeros(len(counts))
        for column in counts.T:
            sums += column
        factor = np.where(sums > 0, size / np.where(sums > 0, sums, 1), 1)
        return np.log(1 + counts * factor[:, None]).astype(np.float32)
    if weighting == "log-tfidf":
        counts = np.where(counts < 1, counts, 1 + np.log(np.maximum(counts, 1)))
    weighted = (counts * frequency).astype(np.float32)
    return (weighted.astype(np.float64) / norms(weighted)).astype(np.float32)


def of_unit_norm(rows):
    return (rows * (1 / norms(rows))).astype(np.float32)


def row_sums(rows):
    """Added column by column, in float64."""
    sums = np.zeros(len(rows))
    for column in rows.astype(np.float64).T:
        sums += column
    return sums[:, None]


def changed_by(metric, rows):
    """What a metric makes of a row by itself, in float32."""
    if metric not in ("cosine", "correlation", "hellinger", "jaccard"):
        return rows
    rows = rows.astype(np.float32)
    if metric == "jaccard":
        return (rows != 0).astype(np.float32)
    if metric == "hellinger":
        sums = row_sums(rows)
        return np.sqrt(rows / np.where(sums > 0, sums, 1)).astype(np.float32)
    if metric == "correlation":
        constant = rows.min(axis=1) == rows.max(axis=1)
        rows = (rows - row_sums(rows) / rows.shape[1]).astype(np.float32)
        rows[constant] = 0
    return of_unit_norm(rows)


COMPARED_BY = {"correlation": "cosine", "hellinger": "euclidean"}


def sum_in_lanes(terms):
    """In the order of the format's document: rows of small counts have many distances that differ by their last
    bit only."""
    lanes = [sum(terms[lane::8]) for lane in range(8)]
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))


def distances(metric, x, w):
    """Between all rows of two matrices; what orders them, for cosine and euclidean."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    result = np.zeros((len(x), len(w)))
    pairs = [(x[:, f, None], w[None, :, f]) for f in range(x.shape[1])]
    if metric == "euclidean":
        for a, b in pairs:
            result += (a - b) ** 2
    elif metric == "manhattan":
        result += sum_in_lanes([np.abs(a - b) for a, b in pairs])
    elif metric == "chi-squared":
        result += sum_in_lanes([(a - b) ** 2 / np.where(a + b > 0, a + b, 1) for a, b in pairs])
    elif metric == "hamming":
        for a, b in pairs:
            result += a != b
        result /= x.shape[1]
    elif metric == "jaccard":
        either = sum((a != 0) | (b != 0) for a, b in pairs)
        one = sum((a != 0) != (b != 0) for a, b in pairs)
        result = one / np.maximum(either, 1)
    else:
        squares = (w ** 2).sum(axis=1)
        for a, b in pairs:
            result -= a * b
        result /= np.sqrt(np.where(squares == 0, 1, squares))
    return result


def coordinates(rows, basis, centre, sparse):
    """Along the directions. Dense rows: one chain of float32 multiply-adds, whose products are exact; float64 has
    room for them, so the sum is rounded once. Sparse rows: in float64, without the centre, which is taken off last."""
    basis = basis.astype(np.float64)
    if not sparse:
        result = np.zeros((len(rows), basis.shape[1]), np.float32)
        rows = rows if centre is None else rows - centre
        for column, loading in zip(rows.astype(np.float64).T, basis):
            result = (result + column[:, None] * loading).astype(np.float32)
        return result
    result, offset = np.zeros((len(rows), basis.shape[1])), np.zeros(basis.shape[1])
    for j, loading in enumerate(basis):
        result += rows[:, j].astype(np.float64)[:, None] * loading
        offset += 0 if centre is None else float(centre[j]) * loading
    return (result - offset).astype(np.float32)


def weigh_and_scale(rows, model):
    """Everything before the directions: weights, scaled columns, what the metric makes of rows, in float32."""
    weighting, metric = model.options["weighting"], model.options["metric"]
    prepared = rows
    if weighting != "counts":
        prepared = weigh(rows, weighting, model.tensors.get("weights.frequency"),
                         model.tensors.get("weights.size"))
    if "scaler.shift" in model.tensors:
        scaled = (prepared.astype(np.float64) - model.tensors["scaler.shift"]) * model.tensors["scaler.factor"]
        prepared = scaled.astype(np.float32)
    return changed_by(metric, prepared)


def prepare(rows, model):
    """Rows as the bottom layer sees them."""
    prepared = weigh_and_scale(rows, model)
    if model.directions is None:
        return prepared
    found = coordinates(prepared.astype(np.float32), model.directions, model.tensors.get("directions.centre"),
                        model.texts["sparse"] == "1")
    return of_unit_norm(found) if model.options["metric"] in ("cosine", "correlation") else found


def encode_bottom(rows, pool, drawn_rows, drawn_features, metric):
    """The nearest drawn row on the drawn features, for each row (down) and clustering (across).
    argmin takes the first of equals: the one that was drawn first."""
    codes = np.empty((len(rows), len(drawn_rows)), np.int64)
    for clustering, (who, features) in enumerate(zip(drawn_rows, drawn_features)):
        found = distances(COMPARED_BY.get(metric, metric), rows[:, features], pool[who][:, features])
        codes[:, clustering] = found.argmin(axis=1)
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
