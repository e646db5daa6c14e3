# SPDX-License-Identifier: Apache-2.0
"""Both tools on every case, one right after the other, so that a slow minute of the machine hits both alike.

Who comes first changes with every round. Seconds are those of the whole process, reading and writing
included. A tool's spelling of an option is found in its own help.
"""

import hashlib
import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from .. import process
from ..measure import measure

LEAST_ROUNDS = 3


class Tool:
    """A build of the tool. `old_words`: {option: its older spelling}, used where its help lacks the option."""

    def __init__(self, title, path, old_words):
        self.title, self.path = title, Path(path).resolve()
        self._help = process.check([self.path, "fit", "--help"])
        self._old_words = old_words

    def _knows(self, option):
        return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", self._help) is not None

    def spell(self, options):
        return [self._old_words.get(option, option) if not self._knows(str(option)) else option for option in options]

    def describe(self):
        version = process.check([self.path, "--version"]).strip()
        return f"{version}, SHA-256 {hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]}"


@dataclass
class Timings:
    """What one tool did on one case, over rounds."""

    seconds: list = field(default_factory=list)
    megabytes: list = field(default_factory=list)
    engine: str = ""
    answer: str = ""
    fault: str = ""


class Rounds:
    def __init__(self, tools, cases, folder, threads):
        self.tools, self.cases, self.folder, self.threads = tools, cases, folder, threads
        self.timings = {(case.name, tool.title): Timings() for case in cases for tool in tools}
        self.count = 0

    def _running(self):
        return ["--threads", self.threads, "--seed", 0, "--quiet", "--force", "--json"]

    def _fit(self, tool, verb, case, output):
        return [tool.path, verb, case.rows, *tool.spell(case.options), *self._running(), "-o", output]

    def _command(self, tool, case, output):
        if case.unseen is None:
            return self._fit(tool, "embed", case, output)
        model = self.folder / f"{tool.title}.mbn"
        if not model.exists():
            process.check(self._fit(tool, "fit", case, model))
        return [tool.path, "transform", model, case.unseen, "--threads", self.threads, "--quiet", "--force",
                "--json", "-o", output]

    def _run_one(self, tool, case):
        found, output = self.timings[case.name, tool.title], self.folder / "output.npy"
        if found.fault:
            return
        try:
            measured = measure(self._command(tool, case, output))
            told = json.loads(measured.output)
        except (RuntimeError, ValueError) as error:
            found.fault = str(error)
            return
        found.seconds.append(measured.seconds)
        found.megabytes.append(measured.peak_megabytes)
        found.engine = next((told[key] for key in ("engine", "search") if isinstance(told.get(key), str)), "")
        found.answer = hashlib.sha256(output.read_bytes()).hexdigest()

    def run(self, most, seconds, say):
        """At least three rounds, then as many as fit into the time."""
        start = time.monotonic()
        while self.count < most:
            begin = time.monotonic()
            tools = self.tools if self.count % 2 == 0 else self.tools[::-1]
            for case in self.cases:
                for tool in tools:
                    self._run_one(tool, case)
            self.count += 1
            now = time.monotonic()
            say(f"round {self.count}: {now - begin:.0f} s")
            if self.count >= LEAST_ROUNDS and now - start + (now - begin) > seconds:
                break
