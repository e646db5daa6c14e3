# SPDX-License-Identifier: Apache-2.0
"""Wall seconds and peak memory of one command.

The process that calls this should stay small and import little: Linux counts the memory of the process
that starts another one to the peak (ru_maxrss) of both.
"""

import os
import subprocess
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    output: str
    seconds: float
    peak_megabytes: float


def measure(command):
    """Runs a command that must succeed."""
    command = [str(part) for part in command]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {child.returncode}")
    return Measured(output, seconds, usage.ru_maxrss * 1024 / 1e6)
