# SPDX-License-Identifier: Apache-2.0
"""Just enough of .npy and IDX to cut data sets into files without NumPy."""

import ast
import gzip
import re
import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"\x93NUMPY"


@dataclass
class Table:
    """A C-ordered array: `descr` is NumPy's name of the type, `shape` a tuple, `data` its bytes."""

    descr: str
    shape: tuple
    data: bytes

    @property
    def row_bytes(self):
        size = int(re.sub(r"\D", "", self.descr))
        for extent in self.shape[1:]:
            size *= extent
        return size

    def take(self, rows):
        """The rows with these numbers, in this order."""
        view, size = memoryview(self.data), self.row_bytes
        data = b"".join(view[row * size:(row + 1) * size] for row in rows)
        return Table(self.descr, (len(rows), *self.shape[1:]), data)

    def columns(self, count):
        """The first `count` columns of a two-dimensional array."""
        view, size = memoryview(self.data), self.row_bytes
        kept = size // self.shape[1] * count
        data = b"".join(view[start:start + kept] for start in range(0, len(view), size))
        return Table(self.descr, (self.shape[0], count), data)


def read_npy(path):
    content = Path(path).read_bytes()
    if content[:6] != MAGIC:
        raise ValueError(f"{path} is not an .npy file")
    width = 2 if content[6] == 1 else 4
    start = 8 + width
    length = int.from_bytes(content[8:start], "little")
    header = ast.literal_eval(content[start:start + length].decode("latin1"))
    if header["fortran_order"]:
        raise ValueError(f"{path} is in Fortran order: save it with np.ascontiguousarray")
    return Table(header["descr"], header["shape"], content[start + length:])


def write_npy(path, table):
    header = repr({"descr": table.descr, "fortran_order": False, "shape": tuple(table.shape)})
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    head = MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1")
    partial = Path(f"{path}.partial")
    with open(partial, "wb") as file:
        file.write(head)
        file.write(table.data)
    partial.rename(path)


def read_idx(path):
    """An IDX file of bytes (MNIST's format), images flattened to rows."""
    with gzip.open(path, "rb") as file:
        content = file.read()
    if content[:3] != b"\x00\x00\x08":
        raise ValueError(f"{path} is not an IDX file of bytes")
    dimensions = content[3]
    shape = struct.unpack(f">{dimensions}I", content[4:4 + 4 * dimensions])
    if dimensions == 3:
        shape = (shape[0], shape[1] * shape[2])
    return Table("|u1", shape, content[4 + 4 * dimensions:])


def stack(first, second):
    return Table(first.descr, (first.shape[0] + second.shape[0], *first.shape[1:]),
                 first.data + second.data)
