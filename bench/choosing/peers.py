# SPDX-License-Identifier: Apache-2.0
"""HDBSCAN on UMAP, and EVoC, on the same sets with no number given: python -m bench.choosing.peers SETS...

Needs umap-learn, hdbscan and evoc. UMAP and HDBSCAN as umap-learn's page on clustering says (30 neighbours, distance
0, 2 components; 10 samples, and clusters of at least 1/140 of the rows, as 500 of 70,000 there, but 5). NMI twice: rows
that are left out as noise as a cluster of their own, and without these rows.
"""

import sys

import numpy as np

from . import sets


def hdbscan_on_umap(rows, seed):
    import hdbscan
    import umap
    layout = umap.UMAP(n_neighbors=min(30, len(rows) - 1), min_dist=0.0, n_components=2,
                       random_state=seed).fit_transform(rows)
    least = max(5, len(rows) // 140)
    return hdbscan.HDBSCAN(min_samples=10, min_cluster_size=least).fit_predict(layout)


def evoc(rows, seed):
    from evoc import EVoC
    return EVoC(random_state=seed).fit_predict(np.ascontiguousarray(rows, np.float32))


METHODS = {"HDBSCAN on UMAP": hdbscan_on_umap, "EVoC": evoc}


def dense(rows):
    """Peers take dense rows: of sparse ones, 50 components of tf-idf."""
    if not hasattr(rows, "indptr"):
        return np.asarray(rows, np.float32)
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer
    weighted = TfidfTransformer(sublinear_tf=True).fit_transform(rows)
    return TruncatedSVD(50, random_state=0).fit_transform(weighted).astype(np.float32)


def main(names, most=1200, seeds=3):
    from sklearn.metrics import normalized_mutual_info_score as nmi
    print("| data | classes | method | clusters | noise % | NMI | NMI without noise |\n|---|---|---|---|---|---|---|")
    for name in names:
        rows, labels = sets.load(name, most)
        rows = dense(rows)
        for method, run in METHODS.items():
            results = []
            for seed in range(seeds):
                try:
                    found = np.asarray(run(rows, seed))
                except Exception as error:  # a peer that fails on a set is part of the table
                    print(f"| {name} | {labels.max() + 1} | {method} | {type(error).__name__} | | | |", flush=True)
                    break
                kept = found >= 0
                results.append((found.max() + 1, 100 * (1 - kept.mean()), 100 * nmi(labels, found),
                                100 * nmi(labels[kept], found[kept]) if kept.any() else 0.0))
            else:
                numbers = ", ".join(str(result[0]) for result in results)
                noise, whole, without = np.mean([result[1:] for result in results], axis=0)
                print(f"| {name} | {labels.max() + 1} | {method} | {numbers} | {noise:.0f} | {whole:.1f} | "
                      f"{without:.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or sets.DEVELOPMENT)
