# SPDX-License-Identifier: Apache-2.0
"""Tensors of a model file, read as docs/model-format.md says and without the library."""

import json

import numpy as np


def drawn_columns(path):
    """Which columns of distances each clustering drew, from the bits of `distances.columns`."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    meta, info = header["__metadata__"], header["distances.columns"]
    first, last = info["data_offsets"]
    packed = np.frombuffer(data[first:last], np.uint8).reshape(info["shape"])
    width = max(1, (int(meta["columns"]) - 1).bit_length())
    bits = np.unpackbits(packed, axis=1, bitorder="little")[:, :int(meta["distances.centroids"]) * width]
    return bits.reshape(len(bits), -1, width) @ (1 << np.arange(width))
