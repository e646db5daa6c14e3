# SPDX-License-Identifier: Apache-2.0
"""One measurement of one peer, in a fresh process:
python -m bench.comparison.worker CASE.json RESULT.json

Imports are timed. Methods that compile at run time then do the same job twice on a few rows: the
difference is the time of the compiler, and what follows is warm. `peak` is VmHWM, which, unlike
ru_maxrss, holds nothing of the process that started this one.
"""

import importlib.metadata
import json
import sys
import time
import warnings
from pathlib import Path

from .catalogue import METHODS, PACKAGES
from .methods import CLASSES

# UMAP searches neighbours differently from 4,096 rows on; the warm-up must take the same way.
WARM_UP_ROWS = 4500
WARM_UP_HELD = 500


def timed(function, *arguments):
    start = time.perf_counter()
    value = function(*arguments)
    return time.perf_counter() - start, value


def peak_megabytes():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return None


def versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


def read(path):
    import numpy
    if str(path).endswith(".npz"):
        import scipy.sparse
        return scipy.sparse.csr_matrix(scipy.sparse.load_npz(path)).astype(numpy.float32)
    return numpy.load(path).astype(numpy.float32)


def fit(method, rows):
    return method.fit(method.ready(rows))


def cluster(method, rows, embedding):
    """None where the number of clusters is not known."""
    return method.cluster(rows, embedding) if method.clusters else None


def compile_seconds(make, rows, held):
    """Seconds that the first small job takes longer than the second: for fit, then for transform."""
    fits, transforms = [], []
    for _ in range(2):
        method = make()
        seconds, embedding = timed(fit, method, rows[:WARM_UP_ROWS])
        fits.append(seconds + timed(cluster, method, rows[:WARM_UP_ROWS], embedding)[0])
        if held is not None:
            transforms.append(timed(method.transform, held[:WARM_UP_HELD])[0])
    gain = [max(0.0, pair[0] - pair[1]) for pair in (fits, transforms) if pair]
    return {"jit_seconds": gain[0], **({"transform_jit_seconds": gain[1]} if held is not None else {})}


def save(folder, name, embedding, labels, result):
    """Noise (label -1) becomes a cluster of its own."""
    import numpy
    if labels is not None:
        labels = numpy.asarray(labels).astype(numpy.int32)
        result["noise"] = float((labels < 0).mean())
        labels[labels < 0] = labels.max() + 1
        numpy.save(folder / f"{name}labels.npy", labels)
    if embedding is not None:
        numpy.save(folder / f"{name}embedding.npy", numpy.asarray(embedding, dtype=numpy.float32))
        result["components"] = int(embedding.shape[1])


def measure(case):
    folder = Path(case["folder"])

    def make():
        return CLASSES[case["method"]](case["clusters"], case["threads"], case["seed"], case["metric"],
                                       case["counts"])

    result = {"import_seconds": timed(make().load)[0], "jit_seconds": 0.0}
    result["read_seconds"], rows = timed(read, case["rows_file"])
    held = read(case["held_file"]) if case["job"] != "fit" else None
    if METHODS[case["method"]].compiles:
        result.update(compile_seconds(make, rows, held))
    if case["job"] == "prime":
        return {**result, "versions": versions()}

    method = make()
    result["fit_seconds"], embedding = timed(fit, method, rows)
    result["clusters_seconds"], labels = timed(cluster, method, rows, embedding)
    result["peak_fit_megabytes"] = peak_megabytes()
    if held is None:
        save(folder, "", embedding, labels, result)
    else:
        result["transform_seconds"], embedding = timed(method.transform, held)
        save(folder, "", embedding, method.predict(held, embedding), result)
    result["fit_and_clusters_seconds"] = result["fit_seconds"] + result["clusters_seconds"]
    result["cold_seconds"] = sum(result[part] for part in (
        "import_seconds", "read_seconds", "jit_seconds", "fit_and_clusters_seconds"))
    result["peak_megabytes"] = peak_megabytes()
    return {**result, "versions": versions()}


def main():
    warnings.simplefilter("ignore")
    case_file, result_file = sys.argv[1:]
    result = measure(json.loads(Path(case_file).read_text()))
    Path(result_file).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
