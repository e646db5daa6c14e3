# SPDX-License-Identifier: Apache-2.0
"""results.jsonl: one line per finished measurement, appended at once and never changed.

A command that is repeated reads it first and does only what is missing.
"""

import json
import os
from pathlib import Path

KEY = ("kind", "data", "rows", "method", "job", "threads", "options", "repeat")
OUT_OF_REACH = ("timeout", "memory")


def key(case):
    """What makes two cases the same measurement. A first run after installation happens once."""
    if case.get("job") == "prime":
        return ("prime", case["method"])
    return tuple(json.dumps(case.get(part)) for part in KEY)


class Records:
    """With `retry`, what did not finish before is tried again; its lines stay in the file."""

    def __init__(self, path, retry=False):
        self.path = Path(path)
        self.all = [record for record in self._read() if not retry or record["status"] == "ok"]

    def _read(self):
        if not self.path.exists():
            return
        with open(self.path) as file:
            for line in file:
                try:
                    yield json.loads(line)
                except json.JSONDecodeError:
                    continue  # a line that was cut off when the machine went down

    def append(self, record):
        """On disk before the next measurement starts; on its own line even after a cut-off one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write(json.dumps(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.all.append(record)

    def done(self, case):
        wanted = key(case)
        return any(key(record) == wanted for record in self.all)

    def hopeless(self, case):
        """The record that says why this case need not be tried: the same method and job did not
        finish with as many rows or fewer, on as many threads or more; or this very case failed in
        an earlier repeat."""
        for record in self.all:
            if any(record.get(part) != case.get(part) for part in ("kind", "data", "method", "job",
                                                                   "options")):
                continue
            if (record["status"] in OUT_OF_REACH and record["rows"] <= case["rows"]
                    and record["threads"] >= case["threads"]):
                return record
            if (record["status"] == "failed" and record["rows"] == case["rows"]
                    and record["threads"] == case["threads"]):
                return record
        return None
