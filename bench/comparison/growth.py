# SPDX-License-Identifier: Apache-2.0
"""How mbn grows: with rows, at a fixed pool or none, with threads, and up to a million rows."""


# With the default recall, single Gaussians of equal columns need the exact engine, for hours: docs/performance.md.
RECALL = "0.25"

# Rows and pool (0: none, all rows) that are measured unless others are asked for.
SIZES = {"wink": [10000, 20000, 40000, 80000, 160000]}
USUAL_SIZES = [10000, 20000, 40000, 70000]
POOL = {"wink": 0}
USUAL_POOL = 10000


def growth_cases(name, sizes, pool, threads, repeats):
    """Largest last within a repeat; sizes and threads interleaved. None: what is usual for the data."""
    sizes = SIZES.get(name, USUAL_SIZES) if sizes is None else sizes
    pool = POOL.get(name, USUAL_POOL) if pool is None else pool
    for repeat in range(repeats):
        for rows in sizes:
            for count in sorted(threads):
                yield {"kind": "growth", "data": name, "rows": rows, "method": "mbn", "job": "fit",
                       "threads": count, "options": ["--pool", str(pool)] if pool else [],
                       "repeat": repeat, "seed": repeat, "split": False, "neighbourhoods": False}


def million_cases(sizes, pool, memory_limit, threads, repeats):
    for repeat in range(repeats):
        for rows in sizes:
            yield {"kind": "million", "data": "gaussians", "rows": rows, "method": "mbn", "job": "fit",
                   "threads": threads,
                   "options": ["--pool", str(pool), "--memory-limit", memory_limit,
                               "--recall", RECALL],
                   "repeat": repeat, "seed": repeat, "split": False, "neighbourhoods": False}
