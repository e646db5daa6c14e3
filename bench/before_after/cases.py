# SPDX-License-Identifier: Apache-2.0
"""The fits, and the rows that they read: made by NumPy from a fixed seed, or from a folder of data.

Options are spelled as in the newest tool; rounds.py knows how an older one spells them.
"""

from dataclasses import dataclass
from pathlib import Path

SEED = 0


@dataclass(frozen=True)
class Case:
    """A fit of `rows`, a file. With `unseen`, another file, what is timed is embedding that by the fitted model."""

    name: str
    rows: Path
    options: tuple
    unseen: Path = None


def _images(random, count, columns=784, groups=10, hidden=12):
    """Bytes, in groups, of a few hidden quantities: as images, they have far fewer directions than columns."""
    import numpy as np
    basis = random.normal(size=(hidden, columns))
    centres = random.normal(scale=2, size=(groups, hidden))
    told = centres[random.integers(groups, size=count)] + random.normal(size=(count, hidden))
    return np.clip(128 + 12 * told @ basis, 0, 255).astype(np.uint8)


def _counts(random, count, words=2000, groups=8):
    """About 40 words in each row, half of them from those of its group: (data, indices, starts)."""
    import numpy as np
    own = random.integers(groups, size=count)
    pieces = []
    for group in own:
        anything = random.integers(words, size=20)
        pieces.append(np.unique(np.concatenate([anything, random.integers(words // groups, size=20) * groups + group])))
    starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])
    return random.integers(1, 4, size=starts[-1]).astype(np.float32), np.concatenate(pieces).astype(np.int32), starts


def _gaussians(random, count, columns, groups):
    import numpy as np
    centres = 4 * random.integers(groups, size=(count, 1))
    return (random.normal(size=(count, columns)) + centres).astype(np.float32)


def write_rows(folder, scale):
    """Writes all made rows into a folder; `scale` 1 is the size of a measurement, less is for tests."""
    import numpy as np
    random = np.random.default_rng(SEED)
    images = _images(random, int(14000 * scale))
    np.save(folder / "images.npy", images[:int(6000 * scale)])
    np.save(folder / "few-images.npy", images[:int(1200 * scale)])
    np.save(folder / "unseen-images.npy", images[int(6000 * scale):])
    np.save(folder / "vectors.npy", images[:int(5000 * scale), :200].astype(np.float32) / 3)
    np.save(folder / "points.npy", _gaussians(random, int(10000 * scale), columns=3, groups=3))
    np.save(folder / "table.npy", _gaussians(random, int(600 * scale), columns=16, groups=4))
    data, indices, starts = _counts(random, int(5000 * scale))
    np.savez(folder / "counts.npz", data=data, indices=indices, indptr=starts,
             shape=np.array([len(starts) - 1, 2000]), format=np.array(b"csr"))


def made_cases(folder):
    """One for each way through the library."""
    images = folder / "images.npy"
    network = ("--clusters", 10, "--decay", 0.5)
    return [Case("dense walk", images, network),
            Case("dense exact", folder / "few-images.npy", (*network, "--clusterings", 200, "--engine", "exact")),
            Case("k-d tree", folder / "points.npy", ("--clusters", 3, "--decay", 0.5, "--feature-fraction", 1)),
            Case("cosine", folder / "vectors.npy", (*network, "--metric", "cosine")),
            Case("sparse", folder / "counts.npz", ("--clusters", 8, "--decay", 0.5, "--metric", "cosine")),
            Case("choosing", folder / "table.npy", ("--clusters", 4, "--decay", "auto")),
            Case("transform", images, network, folder / "unseen-images.npy")]


def real_cases(data):
    """Those whose data are in the folder."""
    listed = [Case("MNIST, 5,000 digits", data / "mnist5k/X.npy", ("--clusters", 10, "--decay", 0.5)),
              Case("wine, choosing", data / "wine/X.npy", ("--clusters", 3, "--decay", "auto"))]
    return [case for case in listed if case.rows.is_file()]
