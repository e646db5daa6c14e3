# SPDX-License-Identifier: Apache-2.0
"""How large the experiments are: as in the paper, or as small as a test wants them."""

from dataclasses import dataclass, field

NINE = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
FIVE = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True)
class Clustering:
    """A data set of the table. `search`: runs of each decay and width before the best ones and the
    untuned ones get all. `most`: the most runs of methods that take long."""

    decays: tuple = NINE
    search: int = 10
    most: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """`bundled`: data that come with scikit-learn. `network`: options that every network gets.
    `runs`: the most runs an experiment gets, where it is not ten."""

    bundled: bool
    network: dict
    restarts: int
    toys: tuple
    clustering: dict
    widths: tuple
    full: str
    aml: str
    neighbours: tuple
    images: str
    map_neighbours: tuple
    perplexities: tuple
    autoencoder: dict
    subsets: int
    of_each: int
    features: tuple
    clusterings: tuple
    timed: tuple
    layers: dict
    texts: tuple
    words: int
    drawn: tuple
    text_components: tuple
    student: dict
    text_student: dict
    maps: tuple
    runs: dict = field(default_factory=dict)


FULL = Profile(
    bundled=False, network={}, restarts=50,
    toys=("gaussian", "jain", "pathbased", "compound"),
    clustering={"wine": Clustering(), "new_thyroid": Clustering(), "dermatology": Clustering(),
                "umist": Clustering(), "orl": Clustering(), "isolet1": Clustering(),
                "mnist5k": Clustering(), "coil100": Clustering(search=2, most={"umap": 3, "pacmap": 3}),
                "20news": Clustering(search=2, most={"raw": 1, "umap": 3, "pacmap": 3})},
    widths=tuple(2.0**power for power in range(-4, 5)), full="mnist",
    aml="aml_all", neighbours=(3, 5, 8, 12, 20),
    images="mnist5k", map_neighbours=(5, 10, 20), perplexities=(10, 30, 50),
    autoencoder={"hidden": [500, 250], "epochs": 100},
    subsets=10, of_each=500,
    features=(0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0),
    clusterings=(5, 10, 25, 50, 100, 200, 400, 800), timed=(50, 100, 200, 400, 800, 1600),
    layers={"data": "mnist", "trained": 60000, "centroids": 8000},
    texts=("20news", "debian_descr", "rcv1"), words=2000, drawn=(500, 2000), text_components=(5, 100),
    student={"size": "paper", "epochs": 5}, text_student={"size": "paper", "epochs": 5, "dropout": 0.4},
    maps=("jain", "pathbased", "compound", "wine", "new_thyroid", "dermatology", "aml_all", "umist", "orl", "isolet1",
          "mnist5k", "bladder", "coil100", "reuters21578", "20news", "letter", "glove", "shuttle", "debian_descr",
          "fashion-mnist", "mnist"),
    runs={"mnist-map": 1, "maps": 3, "mnist-layers": 1, "a-V": 3, "time-V": 3, "retrieval": 1,
          "compressive": 1, "clustering-full": 3})

SMOKE = Profile(
    bundled=True, network={"clusterings": 40}, restarts=3,
    toys=("gaussian", "toy-compound"),
    clustering={"wine": Clustering((0.1, 0.5, 0.9), search=1), "iris": Clustering((0.5, 0.9)),
                "texts": Clustering((0.5,))},
    widths=(1 / 16, 1.0), full="digits",
    aml="breast_cancer", neighbours=(8,),
    images="digits", map_neighbours=(10,), perplexities=(30,),
    autoencoder={"hidden": [32, 16], "epochs": 2},
    subsets=2, of_each=15,
    features=(0.1, 0.5), clusterings=(5, 20), timed=(20, 40, 80),
    layers={"data": "digits", "trained": 180, "centroids": 60},
    texts=("texts",), words=80, drawn=(20, 40), text_components=(5,),
    student={"hidden": [16], "epochs": 2}, text_student={"hidden": [16], "epochs": 2},
    maps=("digits", "texts", "cells"),
    runs={})
