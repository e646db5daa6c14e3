# SPDX-License-Identifier: Apache-2.0
"""Many kinds of data: the table of `bench/compare kinds`, and that of `bench/compare quick`.

mbn has all defaults, is told the number of classes and the metric, and gets the `options` of its line.
"""

from dataclasses import dataclass

from .data import SETS

METHODS = ("mbn", "umap", "pacmap", "opentsne", "evoc")


@dataclass(frozen=True)
class Kind:
    """A line of the table. `data`: of data.SETS. `options`: more for mbn. `job` transform: new rows."""

    title: str
    data: str
    options: tuple = ()
    job: str = "fit"
    heavy: bool = False  # only when asked for

    @property
    def rows(self):
        return SETS[self.data].rows

    def methods(self):
        """EVoC is for dense vectors compared by the cosine."""
        facts = SETS[self.data]
        vectors = facts.metric == "cosine" and not facts.counts and self.job == "fit"
        return [method for method in METHODS if method != "evoc" or vectors]


KINDS = {
    "glove": Kind("word vectors", "glove"),
    "letter": Kind("letters", "letter"),
    "shuttle": Kind("shuttle", "shuttle"),
    "pen": Kind("pen strokes", "penbased"),
    "bladder": Kind("single cells", "bladder", options=("--weighting", "cells")),
    "digits": Kind("digits of 64 pixels", "optdigits"),
    "mnist": Kind("MNIST", "mnist"),
    "20news": Kind("20-Newsgroups", "20news", options=("--weighting", "log-tfidf")),
    "reuters": Kind("Reuters-21578", "reuters21578", options=("--weighting", "log-tfidf")),
    "isolet1": Kind("isolet1", "isolet1"),
    "orl": Kind("orl", "orl"),
    "umist": Kind("umist", "umist"),
    "coil100": Kind("coil100", "coil100"),
    "wine": Kind("wine", "wine"),
    "new_thyroid": Kind("new_thyroid", "new_thyroid"),
    "dermatology": Kind("dermatology", "dermatology"),
    "mnist5k": Kind("mnist5k", "mnist5k"),
    "held-out": Kind("MNIST, 10,000 new rows", "mnist", job="transform"),
    "wink": Kind("all word vectors", "wink", heavy=True),
    "million": Kind("Gaussians", "gaussians", heavy=True),
}

# Rows of `quick`: exact search on all 58,000 rows of shuttle would take too long for ten fits.
QUICK = {name: SETS[name].rows for name in ("wine", "new_thyroid", "dermatology", "umist", "orl", "isolet1",
                                            "mnist5k", "glove", "letter")}
QUICK["shuttle"] = 5000
EXACT = ["--engine", "exact"]


def usual():
    return [name for name, kind in KINDS.items() if not kind.heavy]


def cases(chosen, methods, threads, repeats):
    """For each line and repeat every method in turn, so that a slow hour hits all alike."""
    for kind in (KINDS[name] for name in chosen):
        for repeat in range(repeats):
            for count in sorted(threads, reverse=True):
                for method in kind.methods():
                    if method in methods:
                        yield {"kind": "kinds", "data": kind.data, "rows": kind.rows, "method": method,
                               "job": kind.job, "threads": count,
                               "options": list(kind.options) if method == "mbn" else [], "repeat": repeat,
                               "seed": repeat, "split": kind.job != "fit", "neighbourhoods": False}


def quick_cases(chosen, threads, repeats):
    """The same seeds with the default engine and with exact search."""
    for name in chosen:
        for repeat in range(repeats):
            for options in ([], EXACT):
                yield {"kind": "quick", "data": name, "rows": QUICK[name], "method": "mbn", "job": "fit",
                       "threads": threads, "options": options, "repeat": repeat, "seed": repeat,
                       "split": False, "neighbourhoods": False}
