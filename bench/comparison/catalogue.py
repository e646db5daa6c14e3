# SPDX-License-Identifier: Apache-2.0
"""What is compared, in words that the driver needs before anything is imported."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """`transforms`: can embed new rows. `compiles`: has a compiler at run time (numba). `vectors`: only for
    vectors compared by the cosine."""

    title: str
    packages: tuple = ()
    transforms: bool = True
    compiles: bool = False
    vectors: bool = False


METHODS = {
    "mbn": Entry("mbn"),
    "umap": Entry("UMAP + k-means", ("umap-learn",), compiles=True),
    "umap-wide": Entry("UMAP, as many columns as clusters, + k-means", ("umap-learn",), compiles=True),
    "umap-hdbscan": Entry("UMAP + HDBSCAN", ("umap-learn", "hdbscan"), compiles=True),
    "opentsne": Entry("openTSNE + k-means", ("openTSNE",)),
    "pacmap": Entry("PaCMAP + k-means", ("pacmap",), compiles=True),
    "kmeans": Entry("k-means on the rows", ("scikit-learn",)),
    "spectral": Entry("SpectralClustering (scikit-learn)", ("scikit-learn",), transforms=False),
    "tsne": Entry("TSNE (scikit-learn) + k-means", ("scikit-learn",), transforms=False),
    "evoc": Entry("EVoC", ("evoc",), transforms=False, compiles=True, vectors=True),
}

# All of them, for the virtual environment and for the versions in a record.
PACKAGES = ("numpy", "scipy", "numba", "pynndescent", "scikit-learn", "umap-learn", "hdbscan", "openTSNE",
            "pacmap", "evoc")
