# SPDX-License-Identifier: Apache-2.0
"""The Markdown of `bench/compare kinds` and `quick`: a line for each kind of data."""

from .catalogue import METHODS
from .data import SETS
from .kinds import EXACT, KINDS, QUICK
from .kinds import METHODS as SHOWN
from .summary import mean, median
from .tables import cell, number, reason, table

SECONDS = {"fit": "fit_seconds", "transform": "transform_seconds"}
WITHIN = 0.5  # points of NMI between the engines
HEADS = [METHODS[method].title.split(" + ")[0] for method in SHOWN]


def _find(entries, kind, threads, method):
    """A line's entry; of mbn the one with the line's present options."""
    options = list(kind.options) if method == "mbn" else []
    wanted = (kind.data, kind.rows, kind.job, threads, method, options)
    for entry in entries:
        if tuple(entry[part] for part in ("data", "rows", "job", "threads", "method", "options")) == wanted:
            return entry
    return None


def _lines(entries):
    """(kind, threads, entry of each method) for every line that was measured at all."""
    for kind in KINDS.values():
        for threads in sorted({entry["threads"] for entry in entries}, reverse=True):
            found = {method: _find(entries, kind, threads, method) for method in SHOWN}
            if any(found.values()):
                yield kind, threads, found


def _shape(name, rows):
    return f"{rows:,} x {SETS[name].columns:,}"


def _seconds(entry, measure):
    if entry is None:
        return ""
    return cell(entry, measure, 2) if entry["status"] == "ok" else reason(entry)


def _ratio(kind, found):
    """mbn's seconds over UMAP's, and whether mbn is at least as fast."""
    own, other = (median(found[method], SECONDS[kind.job]) for method in ("mbn", "umap"))
    if not own or not other:
        return ["", ""]
    return [number(own / other, 2), "yes" if own <= other else "no"]


def _seconds_table(lines):
    rows = [[kind.title, _shape(kind.data, kind.rows), SETS[kind.data].metric, " ".join(kind.options), threads,
             max(entry["runs"] for entry in found.values() if entry),
             *(_seconds(entry, SECONDS[kind.job]) for entry in found.values()),
             *_ratio(kind, found)] for kind, threads, found in lines]
    return table(["data", "rows", "metric", "options of mbn", "threads", "runs", *(f"{head}, s" for head in HEADS),
                  "mbn / UMAP", "at most 1"], rows)


def _table_of(lines, show):
    """One cell for each method; lines without any are left out."""
    rows = [[kind.title, threads, *(show(entry) if entry and entry["status"] == "ok" else ""
                                    for entry in found.values())] for kind, threads, found in lines]
    return table(["data", "threads", *HEADS], [row for row in rows if any(row[2:])])


def _scores(entry):
    found = [median(entry, measure) for measure in ("nmi", "accuracy")]
    return "" if None in found else " / ".join(number(100 * value) for value in found)


def kinds(entries):
    lines = list(_lines(entries))
    return "\n\n".join(["**Seconds of the fit, from rows to the map; with new rows, of embedding them**",
                        _seconds_table(lines), "**NMI / accuracy of the clusters, %**", _table_of(lines, _scores),
                        "**Peak memory, MB**",
                        _table_of(lines, lambda entry: number(median(entry, "peak_megabytes"), 0))])


def _quick_line(name, default, exact):
    scores = [mean(entry, "nmi") for entry in (default, exact)]
    line = [name, _shape(name, QUICK[name]), min(entry["runs"] if entry else 0 for entry in (default, exact)),
            *(number(None if score is None else 100 * score, 2) for score in scores)]
    if None in scores:
        line += ["", ""]
    else:
        points = 100 * (scores[0] - scores[1])
        line += [f"{points:+.2f}", "yes" if abs(points) <= WITHIN else "no"]
    return line + [number(median(entry, "fit_seconds"), 2) for entry in (default, exact)]


def quick(entries):
    lines = []
    for name, rows in QUICK.items():
        chosen = [entry for entry in entries if (entry["data"], entry["rows"]) == (name, rows)]
        default, exact = (next((entry for entry in chosen if entry["options"] == options), None)
                          for options in ([], EXACT))
        if default or exact:
            lines.append(_quick_line(name, default, exact))
    return table(["data", "rows", "seeds", "default, NMI, %", "exact, NMI, %", "difference, points",
                  f"within {WITHIN}", "default, s", "exact, s"], lines)
