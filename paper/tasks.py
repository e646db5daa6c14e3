# SPDX-License-Identifier: Apache-2.0
"""Tasks, their results on disk, and doing the missing ones.

A task is one method with its settings on one data set in one run. Its result is a small JSON file
whose name holds a digest of the settings: a changed setting is another task. Files are written
beside it first and the JSON last, whole or not at all, so that an end at any moment loses the
running task only.
"""

import hashlib
import json
import os
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Task:
    """`work(setting, task, files)` returns the result as a dictionary."""

    experiment: str
    data: str
    method: str
    settings: dict
    run: int
    work: Callable

    @property
    def name(self):
        told = json.dumps(self.settings, sort_keys=True, default=str)
        digest = hashlib.sha256(told.encode()).hexdigest()[:8]
        return f"{self.data}-{self.method}-{digest}-run{self.run}"

    @property
    def key(self):
        """The same for tasks that several experiments ask for."""
        return self.experiment, self.name

    @property
    def title(self):
        settings = " ".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.experiment} {self.data} {self.method} {settings} run {self.run}"

    @property
    def cell(self):
        """What its other runs have in common with it."""
        return self.experiment, self.data, self.method, json.dumps(self.settings, sort_keys=True, default=str)


class Files:
    """Paths of a task's files: files("labels.npy") stands beside its result."""

    def __init__(self, setting, task):
        self.stem = setting.out / task.experiment / task.name
        self.stem.parent.mkdir(parents=True, exist_ok=True)

    def __call__(self, ending):
        return self.stem.parent / f"{self.stem.name}.{ending}"

    def read(self):
        try:
            return json.loads(self("json").read_text())
        except (OSError, json.JSONDecodeError):
            return None

    def write(self, record):
        unfinished = self("json.part")
        unfinished.write_text(json.dumps(record, indent=1) + "\n")
        os.replace(unfinished, self("json"))


def say(text):
    print(text, file=sys.stderr, flush=True)


def clock(seconds):
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


def done(setting, task):
    record = Files(setting, task).read()
    return record is not None and record["status"] == "ok"


def perform(setting, task):
    """Does a task and keeps its record; a failure is recorded too, and tried again by the next start."""
    files = Files(setting, task)
    start = time.monotonic()
    try:
        record = {"status": "ok", **task.work(setting, task, files)}
    except Exception:
        record = {"status": "failed", "error": traceback.format_exc()[-2000:]}
    record.update(experiment=task.experiment, data=task.data, method=task.method,
                  settings=task.settings, run=task.run, elapsed=time.monotonic() - start)
    files.write(record)
    return record


class Progress:
    """Predicts the end: a task takes as long as another run of its cell. Tasks without one are counted apart."""

    def __init__(self, setting, tasks):
        self.started = time.monotonic()
        self.known = {}
        for task in tasks:
            record = Files(setting, task).read()
            if record:
                self.known[task.cell] = record["elapsed"]

    def finished(self, task, record):
        self.known[task.cell] = record["elapsed"]

    def line(self, number, count, task, record, rest):
        left = sum(self.known.get(task.cell, 0) for task in rest)
        untried = len({task.cell for task in rest} - set(self.known))
        more = f", untried settings: {untried}" if untried else ""
        gone = time.monotonic() - self.started
        fault = "" if record["status"] == "ok" else " " + record["status"] + ": " + last_line(record)
        return (f"[{number}/{count}] {task.title}: {record['elapsed']:.1f} s{fault}; "
                f"{clock(gone)} gone, about {clock(left)} left{more}")


def last_line(record):
    return record.get("error", "").strip().split("\n")[-1][:200]


def run_growing(setting, list_tasks):
    """Does what list_tasks() lists, and what it lists more once that is done."""
    known = set()
    while new := [task for task in list_tasks() if task.key not in known]:
        known |= {task.key for task in new}
        run_all(setting, new)


def run_all(setting, tasks):
    """Run 0 of everything comes first, so that an unfinished whole already has every cell."""
    unique = {task.key: task for task in tasks}
    ordered = sorted(unique.values(), key=lambda task: task.run)
    missing = [task for task in ordered if not done(setting, task)]
    say(f"{len(ordered)} tasks, {len(ordered) - len(missing)} of them done before")
    progress = Progress(setting, ordered)
    for number, task in enumerate(missing, 1):
        record = perform(setting, task)
        progress.finished(task, record)
        say(progress.line(number, len(missing), task, record, missing[number:]))
