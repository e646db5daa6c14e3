# SPDX-License-Identifier: Apache-2.0
"""Does one case after another and records each at once. Nothing a case does can end the session."""

import datetime
import json
import shutil
import sys
import traceback
from pathlib import Path

from .. import machine, process
from . import data, scores
from .records import Records


def say(text):
    print(text, file=sys.stderr, flush=True)


class Session:
    """`out` is the folder of results; `python` runs the peers; limits hold for every process."""

    def __init__(self, out, tool, python=None, timeout=900, memory_limit=0, retry=False):
        self.out, self.tool, self.python = Path(out).resolve(), Path(tool).resolve(), python
        self.timeout = timeout
        self.memory_limit = memory_limit or int(0.9 * machine.memory_bytes("MemAvailable"))
        self.out.mkdir(parents=True, exist_ok=True)
        self.records = Records(self.out / "results.jsonl", retry)
        self.machine = machine.describe()
        self.tool_facts = machine.describe_tool(self.tool)
        self._warn_of_another_tool()

    def _warn_of_another_tool(self):
        older = {record["tool"]["sha256"] for record in self.records.all if "tool" in record}
        if older - {self.tool_facts["sha256"]}:
            say(f"note: {self.records.path} has results of another build of the tool; use another "
                "--output for a clean comparison")

    def run(self, case):
        """Measures a case unless it is done or hopeless. True when something was measured."""
        if self.records.done(case):
            return False
        name = (f"{case['kind']} {case['data']} {case['rows']} {case['method']} {case['job']} "
                f"threads={case['threads']} repeat={case['repeat']}")
        because = self.records.hopeless(case)
        if because is not None:
            say(f"{name}: skipped, {because['status']} before")
            return False
        record = {**case, "started": datetime.datetime.now().isoformat(timespec="seconds"),
                  "load_before": machine.load(), "timeout": self.timeout, "machine": self.machine,
                  "tool": self.tool_facts}
        say(f"{name} ...")
        try:
            record.update(self._measure(case))
        except data.Missing as missing:
            say(f"{name}: skipped, {missing}")
            return False
        except Exception:
            record.update(status="failed", error=traceback.format_exc()[-2000:])
        self.records.append(record)
        say(f"{name}: {record['status']}" + "".join(
            f", {field} {record[field]:.3g}" for field in
            ("fit_and_clusters_seconds", "transform_seconds", "peak_megabytes", "nmi")
            if field in record))
        return True

    def _measure(self, case):
        files = data.prepare(self.out, case["data"], case["rows"], self.tool,
                             split=case.get("split", True))
        folder = self.out / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        whole, facts, all_rows = case["job"] == "fit", data.SETS[case["data"]], data.rows_file(case["data"])
        full = {**case, "folder": str(folder), "tool": str(self.tool),
                "clusters": facts.clusters, "metric": facts.metric, "counts": facts.counts,
                "data_options": facts.options, "rows_file": str(files / (all_rows if whole else "train.npy")),
                "held_file": str(files / "held.npy")}
        (folder / "case.json").write_text(json.dumps(full))
        outcome = self._start(case, folder)
        result = {"status": outcome.status, "process_seconds": outcome.seconds,
                  "other_cores": round(outcome.other_cores, 2)}
        if outcome.status != "ok":
            return {**result, "error": outcome.error}
        result.update(json.loads((folder / "result.json").read_text()))
        if case["job"] != "prime" and facts.clusters:
            rows, truth = (all_rows, "y.npy") if whole else ("held.npy", "held-y.npy")
            result.update(scores.score(self.tool, folder, files / rows, files / truth,
                                       case.get("neighbourhoods", True)))
        shutil.rmtree(folder, ignore_errors=True)
        return result

    def _start(self, case, folder):
        own = case["method"] == "mbn"
        command = [sys.executable if own else self.python,
                   "-m", "bench.comparison." + ("mbn_worker" if own else "worker"),
                   folder / "case.json", folder / "result.json"]
        # Compiled code is kept between processes, as it is for any user; each method has its own.
        cache = self.out / "numba-cache" / case["method"]
        if case["job"] == "prime":
            shutil.rmtree(cache, ignore_errors=True)
        environment = process.pinned_environment(
            case["threads"], PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=process.import_path(),
            NUMBA_CACHE_DIR=str(cache))
        return process.run(command, case["threads"], self.timeout, self.memory_limit,
                           folder / "log.txt", environment)
