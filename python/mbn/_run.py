# SPDX-License-Identifier: Apache-2.0
"""How work is done: threads, progress, seeds. Nothing here but the seed changes a result."""

import numbers
import os
import sys
from typing import NamedTuple

import numpy as np


class Progress(NamedTuple):
    """What a callback gets: where the work stands."""

    stage: str
    """What is being done, in a word or two."""
    layer: int
    """The layer, from 1; 0 outside the layers."""
    layers: int
    """How many there will be; 0 when unknown."""
    overall: float
    """From 0 to 1 over the whole job."""


def usable_cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def threads_of(n_jobs):
    """None: OMP_NUM_THREADS (which joblib's workers set), else all cores. -1: all, -2: all but 1."""
    if n_jobs is None:
        wished = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
        return int(wished) if wished.isdigit() and int(wished) > 0 else usable_cores()
    if not isinstance(n_jobs, numbers.Integral):
        raise TypeError(f"n_jobs must be a whole number or None, not {n_jobs!r}")
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; it must be at least 1, negative to count back from all "
                         "cores, or None")
    return int(n_jobs) if n_jobs > 0 else max(1, usable_cores() + 1 + int(n_jobs))


def seed_of(random_state):
    """None is seed 0, as in the tool: the same data gives the same answer."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int64).max))
    return random_state


class Bar:
    """A progress bar on standard error: tqdm's where it is installed, else a plain one."""

    def __init__(self, title):
        self._title = title
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm = tqdm and tqdm(total=1.0, desc=title, leave=True, file=sys.stderr,
                                   bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
                                              "<{remaining}{postfix}")

    def __call__(self, progress):
        where = f" {progress.layer} of {progress.layers}" if progress.layer else ""
        if self._tqdm is None:
            filled = int(28 * progress.overall)
            print(f"\r{self._title}: [{'#' * filled}{'.' * (28 - filled)}] "
                  f"{progress.overall:4.0%}  {progress.stage}{where:12}", end="", file=sys.stderr,
                  flush=True)
            return
        self._tqdm.set_postfix_str(progress.stage + where, refresh=False)
        self._tqdm.update(progress.overall - self._tqdm.n)

    def close(self, finished):
        if self._tqdm is None:
            whole = f"\r{self._title}: [{'#' * 28}] 100%  done{'':20}" if finished else ""
            print(whole, file=sys.stderr)
            return
        if finished:
            self._tqdm.update(1.0 - self._tqdm.n)
        self._tqdm.close()


def run_with(n_jobs, memory_limit, verbose, callback, title, work):
    """Calls `work(run)` with what the library wants to know about a run, and shows a bar."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable, not {callback!r}")
    bar = Bar(title) if verbose else None
    listeners = [one for one in (bar, callback) if one is not None]

    def report(*where):
        progress = Progress(*where)
        for listener in listeners:
            listener(progress)

    run = {"threads": threads_of(n_jobs), "memory_limit": memory_limit,
           "callback": report if listeners else None}
    finished = False
    try:
        result = work(run)
        finished = True
        return result
    finally:
        if bar is not None:
            bar.close(finished)
