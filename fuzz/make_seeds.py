# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of the readers whose files other libraries write (HDF5, MATLAB, pictures, vectors):

    build/python-newest/bin/python fuzz/make_seeds.py

They are kept in fuzz/corpus and are read by tests/input too, so that the C++ tests need no such library.
"""

import io
import struct
from pathlib import Path

import h5py
import numpy as np
import scipy.io
import scipy.sparse
from PIL import Image

CORPUS = Path(__file__).resolve().parent / "corpus"
COUNTS = np.array([[7, 1, 0, 0], [0, 0, 0, 2], [9, 0, 5, 0]], dtype=np.float32)
CELLS = ["AAA-1", "CCC-1", "GGG-1"]
GENES = ["CD4", "TBCE", "TBCE2", "MS4A1"]


def put(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def hdf5(fill, **options):
    memory = io.BytesIO()
    with h5py.File(memory, "w", **options) as file:
        fill(file)
    return memory.getvalue()


def frame(file, name, index):
    group = file.create_group(name)
    group.attrs["encoding-type"] = "dataframe"
    group.attrs["_index"] = "_index"
    group.create_dataset("_index", data=np.array(index, dtype=object),
                         dtype=h5py.string_dtype())


def sparse(file, name, matrix, **how):
    group = file.create_group(name)
    group.attrs["encoding-type"] = f"{matrix.format}_matrix"
    group.attrs["shape"] = np.array(matrix.shape, dtype=np.int64)
    for part in ("data", "indices", "indptr"):
        group.create_dataset(part, data=getattr(matrix, part), **how)


def anndata_sparse(file):
    file.attrs["encoding-type"] = "anndata"
    sparse(file, "X", scipy.sparse.csr_matrix(np.log1p(COUNTS)), compression="gzip")
    sparse(file, "layers/counts", scipy.sparse.csc_matrix(COUNTS.astype(np.int64)))
    sparse(file, "raw/X", scipy.sparse.csr_matrix(np.hstack([COUNTS, COUNTS[:, :1]])))
    file["obsm/X_pca"] = np.arange(6, dtype=np.float64).reshape(3, 2)
    frame(file, "obs", CELLS)
    frame(file, "var", GENES)
    frame(file, "raw/var", GENES + ["ACTB"])


def anndata_dense(file):
    file.attrs["encoding-type"] = "anndata"
    file.create_dataset("X", data=COUNTS, chunks=(2, 3), compression="gzip", shuffle=True)
    frame(file, "obs", CELLS)
    frame(file, "var", GENES)


def anndata_old(file):
    sparse(file, "X", scipy.sparse.csr_matrix(COUNTS))
    group = file["X"]
    del group.attrs["encoding-type"], group.attrs["shape"]
    group.attrs["h5sparse_format"] = "csr"
    group.attrs["h5sparse_shape"] = COUNTS.shape
    file["obs"] = np.array([(name.encode(), 1.5) for name in CELLS], dtype=[("index", "S5"), ("n", "f4")])
    file["var"] = np.array([(name.encode(),) for name in GENES], dtype=[("index", "S5")])


def ten_x(group, names):
    by_cell = scipy.sparse.csr_matrix(COUNTS.astype(np.int32))
    for part in ("data", "indices", "indptr"):
        group.create_dataset(part, data=getattr(by_cell, part), compression="gzip")
    group["shape"] = np.array(COUNTS.T.shape, dtype=np.int32)
    group["barcodes"] = np.array(CELLS, dtype="S5")
    for name, values in names.items():
        group[name] = np.array(values, dtype="S8")


def ten_x_new(file):
    ten_x(file.create_group("matrix"), {"features/id": ["E1", "E2", "E3", "E4"],
                                        "features/name": ["CD4", "TBCE", "TBCE", "MS4A1"]})


def ten_x_old(file):
    for genome in ("hg19", "mm10"):
        ten_x(file.create_group(genome), {"genes": ["E1", "E2", "E3", "E4"],
                                          "gene_names": ["CD4", "TBCE", "TBCE", "MS4A1"]})


def plain(file):
    file["train/images"] = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    file["train/half"] = np.arange(6, dtype=">f2").reshape(3, 2)
    file["flags"] = np.array([[True, False], [False, True]])
    file["words"] = np.array([b"no", b"numbers"])
    file["single"] = 3.5


def elsewhere(file):
    file["X"] = h5py.ExternalLink("other.h5", "/X")
    file["soft"] = h5py.SoftLink("/data")
    file["data"] = np.arange(6, dtype=np.float32).reshape(3, 2)
    file.create_dataset("outside", shape=(2, 2), dtype="f4", external=[("numbers.bin", 0, 16)])
    layout = h5py.VirtualLayout(shape=(2, 2), dtype="f4")
    layout[0] = h5py.VirtualSource("other.h5", "X", shape=(2,))
    file.create_virtual_dataset("virtual", layout)


def matlab73(file):
    for name, values in (("X", COUNTS.astype(np.float64)), ("y", np.array([[1.0], [2], [1]]))):
        file[name] = values.T
        file[name].attrs["MATLAB_class"] = np.bytes_("double")
    by_column = scipy.sparse.csc_matrix(COUNTS.astype(np.float64))
    group = file.create_group("S")
    group.attrs["MATLAB_class"] = np.bytes_("double")
    group.attrs["MATLAB_sparse"] = np.uint64(3)
    group["data"], group["ir"], group["jc"] = (
        by_column.data, by_column.indices.astype(np.uint64), by_column.indptr.astype(np.uint64))
    file["words"] = np.array([[72], [105]], dtype=np.uint16)
    file["words"].attrs["MATLAB_class"] = np.bytes_("char")


def make_hdf5():
    for name, fill in (("sparse.h5ad", anndata_sparse), ("dense.h5ad", anndata_dense),
                       ("old.h5ad", anndata_old), ("ten_x.h5", ten_x_new),
                       ("two_genomes.h5", ten_x_old), ("plain.h5", plain),
                       ("elsewhere.h5", elsewhere)):
        put("fuzz_hdf5", name, hdf5(fill))
    put("fuzz_hdf5", "newer.h5ad", hdf5(anndata_sparse, libver=("v108", "v110")))
    put("fuzz_hdf5", "lzf.h5", hdf5(lambda file: file.create_dataset(
        "X", data=np.zeros((64, 64)), compression="lzf")))
    put("fuzz_hdf5", "huge.h5", hdf5(lambda file: file.create_dataset(
        "X", shape=(1 << 40, 1 << 20), dtype="f4", chunks=(64, 64))))
    made = bytearray(hdf5(matlab73, userblock_size=512))
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64"
    made[:128] = header.ljust(124) + b"\x00\x02IM"
    put("fuzz_hdf5", "new.mat", bytes(made))
    put("fuzz_hdf5", "cut.h5ad", hdf5(anndata_sparse)[:3000])


def mat(variables, **options):
    memory = io.BytesIO()
    scipy.io.savemat(memory, variables, **options)
    return memory.getvalue()


def make_mat5():
    both = {"X": COUNTS.astype(np.float64), "y": np.array([1, 2, 1]), "name": "words",
            "S": scipy.sparse.csc_matrix(COUNTS)}
    put("fuzz_mat5", "plain.mat", mat(both))
    put("fuzz_mat5", "packed.mat", mat(both, do_compression=True))
    put("fuzz_mat5", "pixels.mat", mat({"fea": np.arange(12, dtype=np.uint8).reshape(3, 4)}))
    put("fuzz_mat5", "cut.mat", mat(both)[:300])
    put("fuzz_mat5", "big_endian.mat", big_endian_mat())


def big_endian_mat():
    """A matrix of doubles that are stored as bytes, as MATLAB does it; small elements; other order."""
    flags = struct.pack(">IIII", 6, 8, 6, 0)
    shape = struct.pack(">IIii", 5, 8, 3, 2)
    name = struct.pack(">HH", 1, 1) + b"X\0\0\0"
    numbers = struct.pack(">II", 2, 6) + bytes([1, 2, 3, 4, 5, 255]) + b"\0\0"
    inside = flags + shape + name + numbers
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI"
    return header + struct.pack(">II", 14, len(inside)) + inside


def make_vecs():
    rows = [[1.5, -2, 3], [4, 5, 6.25]]
    put("fuzz_vecs", "good.fvecs", b"".join(struct.pack("<i3f", 3, *row) for row in rows))
    put("fuzz_vecs", "good.ivecs", b"".join(struct.pack("<i3i", 3, *map(int, row)) for row in rows))
    put("fuzz_vecs", "good.bvecs", b"".join(struct.pack("<i3B", 3, 1, 2, 255) for _ in rows))
    put("fuzz_vecs", "ragged.bvecs", struct.pack("<i3Bi3B", 3, 1, 2, 3, 2, 1, 2, 3))


def picture(mode="RGB", size=(6, 4)):
    width, height = size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    cells = np.stack([40 * x, 60 * y, 255 - 30 * x, 255 - 50 * y], axis=-1).astype(np.uint8)
    return Image.fromarray(cells).convert(mode)


def encoded(image, **options):
    memory = io.BytesIO()
    image.save(memory, **options)
    return memory.getvalue()


def make_pictures():
    for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16"):
        image = Image.fromarray(np.arange(24, dtype=np.uint16).reshape(4, 6) * 2700) if mode == "I;16" \
            else picture(mode)
        put("fuzz_picture", f"{mode.replace(';', '')}.png", encoded(image, format="PNG"))
    for name, options in (("plain", {}), ("progressive", {"progressive": True}), ("half", {"subsampling": 2})):
        put("fuzz_picture", f"{name}.jpg", encoded(picture("RGB", (20, 18)), format="JPEG", **options))
    put("fuzz_picture", "grey.jpg", encoded(picture("L", (9, 9)), format="JPEG"))
    put("fuzz_picture", "print.jpg", encoded(picture("CMYK", (9, 9)), format="JPEG"))
    put("fuzz_picture", "lossless.webp", encoded(picture("RGBA"), format="WEBP", lossless=True, exact=True))
    put("fuzz_picture", "lossy.webp", encoded(picture("RGB", (20, 18)), format="WEBP"))
    put("fuzz_picture", "cut.jpg", encoded(picture("RGB", (64, 64)), format="JPEG")[:700])
    put("fuzz_picture", "cut.png", encoded(picture(), format="PNG")[:60])
    put("fuzz_picture", "huge.png", huge_png())


def huge_png():
    """A header that claims 60,000 x 60,000 pixels."""
    import zlib

    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content +
                struct.pack(">I", zlib.crc32(kind + content)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b""))


def make_streams():
    names = b"".join(struct.pack("<I", len(name)) + name.encode() for name in CELLS)
    rows = struct.pack("<BBBBQQ", 2, 10, 0, 2, 3, 2) + struct.pack("<6f", *range(6))
    put("fuzz_array_stream", "dense", rows + struct.pack("<BQ", 7, 3) + names + b"\x09\x00")
    compressed = (struct.pack("<BBQQ", 3, 0, 2, 3) + struct.pack("<BBBBQ3I", 4, 7, 0, 1, 3, 0, 1, 2) +
                  struct.pack("<BBBBQ2i", 5, 3, 0, 1, 2, 0, 2) + struct.pack("<BBBBQ2d", 6, 11, 0, 1, 2, 1, 4))
    put("fuzz_array_stream", "sparse", compressed + b"\x00")
    put("fuzz_array_stream", "error", b"\x01\x01\x03" + struct.pack("<I", 5) + b"wrong")


if __name__ == "__main__":
    make_hdf5()
    make_mat5()
    make_vecs()
    make_pictures()
    make_streams()
