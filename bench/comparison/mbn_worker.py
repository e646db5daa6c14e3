# SPDX-License-Identifier: Apache-2.0
"""One measurement of mbn through its command-line tool:
python -m bench.comparison.mbn_worker CASE.json RESULT.json

This process stays tiny: Linux counts the peak of the process that starts another one to both.
The tool's own seconds are the warm figures; the wall time of its process, with reading and writing
files, is the cold one. Its k-means is a part of its fit, and is reported as `clustering_seconds`.
Rows without labels are embedded, not clustered.
"""

import json
import sys
from pathlib import Path

from ..measure import measure as measure_command


def run(command):
    """The tool's JSON report, wall seconds and peak megabytes."""
    measured = measure_command(command)
    return json.loads(measured.output), measured.seconds, measured.peak_megabytes


def measure(case):
    folder = Path(case["folder"])
    tool, running = case["tool"], ["--threads", case["threads"], "--json", "--quiet", "--force"]
    options = [*case["data_options"], "--seed", case["seed"], *case["options"], *running]
    verb, files = "fit", ["--output", folder / "model.mbn"]
    if case["job"] == "fit" and case["clusters"]:
        verb, files = "cluster", ["--output", folder / "labels.npy", "--embedding", folder / "embedding.npy"]
    elif case["job"] == "fit":
        verb, files = "embed", ["--output", folder / "embedding.npy"]
    report, wall, peak = run([tool, verb, case["rows_file"], *options, *files])
    result = {"import_seconds": 0.0, "jit_seconds": 0.0,
              "fit_seconds": report["seconds"] - report["clustering_seconds"],
              "clusters_seconds": report["clustering_seconds"],
              "fit_and_clusters_seconds": report["seconds"], "cold_seconds": wall,
              "peak_fit_megabytes": peak, "peak_megabytes": peak, "noise": 0.0,
              "components": report["components"], "layers": report["layers"],
              "layer_seconds": report["layer_seconds"],
              "projection_seconds": report["projection_seconds"]}
    if case["job"] == "transform":
        inputs = [folder / "model.mbn", case["held_file"], *running, "--output"]
        report, wall, peak = run([tool, "transform", *inputs, folder / "embedding.npy"])
        result.update(transform_seconds=report["seconds"], transform_cold_seconds=wall,
                      peak_megabytes=max(peak, result["peak_fit_megabytes"]))
        run([tool, "predict", *inputs, folder / "labels.npy"])
    return result


def main():
    case_file, result_file = sys.argv[1:]
    result = measure(json.loads(Path(case_file).read_text()))
    Path(result_file).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
