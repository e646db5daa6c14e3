# SPDX-License-Identifier: Apache-2.0
"""Document retrieval by the paper's protocol: the network beside latent semantic analysis.

    bench/retrieval 20news debian_descr --data FOLDER --mbn build/release/mbn -o results/

Cuts counts to the commonest words, trains on a random half, and lets the documents of the other
half retrieve each other. Writes <name>.csv and <name>.svg with a curve for each method, and prints
a table. Needs NumPy.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import process


def commonest_words(path, out, words):
    """Writes the counts of the commonest words only."""
    with np.load(path) as arrays:
        indices, starts = arrays["indices"], arrays["indptr"].astype(np.int64)
        data, (rows, columns) = arrays["data"].astype(np.float32), arrays["shape"]
    total = np.bincount(indices, weights=data, minlength=columns)
    kept = np.sort(np.argsort(-total, kind="stable")[:words])
    place = np.full(columns, -1)
    place[kept] = np.arange(len(kept))
    inside = place[indices] >= 0
    row = np.repeat(np.arange(rows), np.diff(starts))[inside]
    np.savez(out, indices=place[indices][inside].astype(np.int32), data=data[inside],
             indptr=np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))]),
             shape=np.array([rows, len(kept)]), format=np.array(b"csr"))


@dataclass(frozen=True)
class Method:
    """Arguments of the tool: `train` on one half and write `model`, `embed` the other half."""

    name: str
    model: Path
    train: list
    embed: list


def methods(counts, folder, components, clusters, centroids):
    """LSA of both metrics, and a network for each number of rows that its clusterings draw."""
    for size in components:
        for metric in ("euclidean", "cosine"):
            lsa = folder / f"lsa-{metric}-{size}.mbn"
            yield Method(lsa.stem, lsa,
                         ["lsa", counts, "--part", "1/2", "--components", size, "--metric", metric,
                          "--model", lsa, "-o", folder / "half.npy"],
                         ["lsa", counts, "--part", "2/2", "--apply", lsa])
        for drawn in centroids:
            net = folder / f"mbn-{drawn}-{size}.mbn"
            yield Method(net.stem, net,
                         ["fit", counts, "--part", "1/2", "--metric", "cosine", "--decay", 0.5,
                          "--clusterings", 200, "--centroids", drawn, "--components", size,
                          "--clusters", clusters, "-o", net],
                         ["transform", net, counts, "--part", "2/2"])


def truth_of(source):
    """Arguments of `mbn evaluate` for the labels of a collection, and for documents that share a text."""
    tags, groups = source / "tags.npz", source / "source_id.npy"
    return ["--truth", tags if tags.exists() else source / "y.npy",
            *(["--groups", groups] if groups.exists() else [])]


def score(tool, maps, source, more=()):
    """The curve of each map of the second half."""
    command = [tool, "evaluate", "--retrieval", *maps, *truth_of(source), "--part", "2/2", "--json", *more]
    return json.loads(process.check(command))["curves"]


def retrieve(name, options):
    source = options.data / name
    folder = options.output / name
    folder.mkdir(parents=True, exist_ok=True)
    counts = folder / "counts.npz"
    commonest_words(source / "X.npz", counts, options.words)
    clusters = int(np.load(source / "y.npy").max()) + 1
    maps = []
    for method in methods(counts, folder, options.components, clusters, options.centroids):
        maps.append(folder / f"{method.name}.npy")
        for command in (method.train, [*method.embed, "-o", maps[-1]]):
            process.check([options.mbn, *command, "--force", "--quiet"])
    curves = score(options.mbn, maps, source,
                   ["--curve", options.output / f"{name}.csv", "--plot", options.output / f"{name}.svg",
                    "--force"])
    print(f"\n{name}: accuracy in percent, {curves[0]['queries']} queries")
    print(f"{'retrieved':>16}", *(f"{m:>6}" for m in curves[0]["retrieved"]))
    for curve in curves:
        print(f"{Path(curve['embedding']).stem:>16}", *(f"{100 * a:6.1f}" for a in curve["accuracy"]))


def main(argv=None):
    parser = argparse.ArgumentParser(prog="bench/retrieval", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="+", metavar="NAME", help="folders with X.npz and y.npy")
    parser.add_argument("--data", type=Path, required=True, help="where these folders are")
    parser.add_argument("--mbn", default="mbn", help="the tool")
    parser.add_argument("--words", type=int, default=2000, help="commonest words to keep")
    parser.add_argument("--components", type=int, nargs="+", default=[5, 100])
    parser.add_argument("--centroids", type=int, nargs="+", default=[500, 2000],
                        help="rows that each clustering of a network draws (500 2000)")
    parser.add_argument("-o", "--output", type=Path, default=Path("retrieval"))
    options = parser.parse_args(argv)
    for name in options.names:
        retrieve(name, options)


if __name__ == "__main__":
    main()
