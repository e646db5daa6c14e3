# SPDX-License-Identifier: Apache-2.0
"""mbn beside its peers: for each repeat, every method in turn, so that a slow hour hits all alike."""

from .catalogue import METHODS

PRIME_ROWS = 5600  # enough for a warm-up: more are not used


def cases(datasets, rows, methods, jobs, threads, repeats):
    """All cases in the order of running. Many threads come first: what does not finish there need
    not be tried on fewer."""
    for method in methods:
        if METHODS[method].compiles:
            yield {"kind": "peers", "data": datasets[0], "rows": min(rows, PRIME_ROWS),
                   "method": method, "job": "prime", "threads": max(threads), "options": [],
                   "repeat": 0, "seed": 0}
    for name in datasets:
        for repeat in range(repeats):
            for count in sorted(threads, reverse=True):
                for job in jobs:
                    for method in methods:
                        if job == "transform" and not METHODS[method].transforms:
                            continue
                        yield {"kind": "peers", "data": name, "rows": rows, "method": method,
                               "job": job, "threads": count, "options": [], "repeat": repeat,
                               "seed": repeat}
