# SPDX-License-Identifier: Apache-2.0
"""Processes that are pinned to cores, watched for time and memory, and cleaned up after."""

import multiprocessing
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from . import ROOT

POLL_SECONDS = 0.1
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
                    "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@dataclass
class Outcome:
    """How a process ended: status is ok, timeout, memory or failed."""

    status: str
    seconds: float
    error: str = ""
    other_cores: float = 0.0  # cores kept busy by anything else meanwhile: noise


def cores():
    return sorted(os.sched_getaffinity(0))


def import_path():
    """PYTHONPATH of a Python that runs our modules: the root first, then what the caller has there."""
    return os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))


def pinned_environment(threads, **more):
    return {**os.environ, **{name: str(threads) for name in THREAD_VARIABLES}, **more}


def check(command):
    """Runs a command that must succeed."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{result.stderr.strip()}")
    return result.stdout


def _call(queue, function, arguments):
    try:
        function(*arguments)
        queue.put(None)
    except Exception as error:  # handed to the parent, which raises it
        queue.put(error)


def in_child(function, *arguments):
    """Calls a function in a child process, so that its memory is gone afterwards."""
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_call, args=(queue, function, arguments))
    child.start()
    child.join()
    if queue.empty():
        raise RuntimeError(f"{function.__name__} died with exit code {child.exitcode}")
    error = queue.get()
    if error is not None:
        raise error


def _resident_bytes(pid):
    """Resident memory of a process and its descendants. Gone ones count nothing."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError):
        return 0
    return pages * resource.getpagesize() + sum(map(_resident_bytes, children))


def _busy_seconds():
    """CPU time of the whole machine: user, nice, system, irq, softirq."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    ticks = [int(field) for field in fields]
    return sum(ticks[i] for i in (0, 1, 2, 5, 6)) / os.sysconf("SC_CLK_TCK")


def _own_seconds():
    return sum(usage.ru_utime + usage.ru_stime for usage in
               (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


def _watch(child, timeout, memory_limit):
    deadline = time.monotonic() + timeout
    while child.poll() is None:
        if time.monotonic() > deadline:
            return "timeout"
        if memory_limit and _resident_bytes(child.pid) > memory_limit:
            return "memory"
        time.sleep(POLL_SECONDS)
    return "ok" if child.returncode == 0 else "failed"


def _kill_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def run(command, threads, timeout, memory_limit, log, environment):
    """Runs a command on exactly `threads` cores until it ends, or kills it and all its children."""
    chosen = cores()[:threads]
    busy, own, start = _busy_seconds(), _own_seconds(), time.monotonic()
    with open(log, "wb") as output:
        child = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=output, env=environment,
                                 start_new_session=True,
                                 preexec_fn=lambda: os.sched_setaffinity(0, chosen))
        try:
            status = _watch(child, timeout, memory_limit)
        finally:
            _kill_group(child)
    seconds = time.monotonic() - start
    others = (_busy_seconds() - busy) - (_own_seconds() - own)
    error = "" if status == "ok" else Path(log).read_text(errors="replace")[-2000:]
    return Outcome(status, seconds, error, max(0.0, others / max(seconds, 1e-9)))
