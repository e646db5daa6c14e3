# SPDX-License-Identifier: Apache-2.0
"""The Markdown of each block of docs/performance.md, from the summary."""

from dataclasses import dataclass

from .catalogue import METHODS
from .data import SETS
from .summary import exponent, median


def number(value, digits=1):
    return "" if value is None else f"{value:,.{digits}f}"


def cell(entry, measure, digits=1, scale=1):
    """Median, and in brackets the range when there was more than one run."""
    if measure not in entry:
        return ""
    found = entry[measure]
    text = number(scale * found["median"], digits)
    if found["count"] > 1:
        text += f" ({number(scale * found['min'], digits)} – {number(scale * found['max'], digits)})"
    return text


def table(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(map(str, line)) + " |" for line in lines)])


def reason(entry):
    if entry["status"] == "timeout":
        return f"did not finish in {entry['timeout']:g} s"
    return {"memory": "needed more memory than there is", "failed": "failed"}[entry["status"]]


@dataclass(frozen=True)
class Column:
    """`measure`: which of the summary's; shown with `digits` behind the point, times `scale`."""

    head: str
    measure: str
    digits: int = 1
    scale: float = 1


FIT_SECONDS = Column("fit, s", "fit_seconds")
QUALITY = (Column("peak, MB", "peak_megabytes", digits=0), Column("NMI, %", "nmi", scale=100),
           Column("accuracy, %", "accuracy", scale=100), Column("columns", "components", digits=0),
           Column("trustworthiness", "trustworthiness", digits=3),
           Column("first 2 columns", "trustworthiness_2d", digits=3), Column("noise, %", "noise", scale=100),
           Column("others, cores", "other_cores", digits=2), Column("load", "load_before"))

# The columns of each job's table.
COLUMNS = {
    "fit": (FIT_SECONDS, Column("fit + clusters, s", "fit_and_clusters_seconds"),
            Column("from nothing, s", "cold_seconds"), *QUALITY),
    "transform": (FIT_SECONDS, Column("embed, s", "transform_seconds", digits=2),
                  Column("its compiler, s", "transform_jit_seconds"), *QUALITY),
    "prime": (Column("import, s", "import_seconds"), Column("compiler, fit, s", "jit_seconds"),
              Column("compiler, embed, s", "transform_jit_seconds")),
}


def _title(job, name, rows):
    if job == "fit":
        return f"**{name}, {rows:,} rows: fit on all of them**"
    if job == "prime":
        return "**The first run after installation, before compiled code is kept on disk**"
    return f"**{name}: fit on {rows - rows // 7:,} rows, embed the other {rows // 7:,}**"


def peers(entries):
    parts = []
    cases = {(entry["data"], entry["rows"]) for entry in entries}
    for name, rows in sorted(cases):
        for job, columns in COLUMNS.items():
            chosen = [entry for entry in entries
                      if (entry["data"], entry["rows"], entry["job"]) == (name, rows, job)]
            if not chosen:
                continue
            order = list(METHODS)
            chosen.sort(key=lambda entry: (-entry["threads"], order.index(entry["method"])))
            head = ["method", "threads", "runs", *(column.head for column in columns)]
            lines = [[METHODS[entry["method"]].title, entry["threads"], entry["runs"],
                      *([cell(entry, column.measure, column.digits, column.scale) for column in columns]
                        if entry["status"] == "ok" else [reason(entry)] + [""] * (len(columns) - 1))]
                     for entry in chosen]
            parts += [_title(job, name, rows), table(head, lines)]
    return "\n\n".join(parts)


def growth(entries):
    parts = []
    for name, options in sorted({(entry["data"], " ".join(entry["options"])) for entry in entries}):
        chosen = [entry for entry in entries if (entry["data"], " ".join(entry["options"])) == (name, options)]
        told = f"`{options}`" if options else "all defaults"
        labels = ", labels included" if SETS[name].clusters else ""
        parts += [f"**{name}, {told}: seconds of the whole fit{labels}**", _growth_table(chosen)]
    return "\n\n".join(parts)


def _growth_table(entries):
    """Rows down, threads across; below, the power of the rows that the seconds follow."""
    threads = sorted({entry["threads"] for entry in entries})
    by_case = {(entry["rows"], entry["threads"]): entry for entry in entries}
    lines = []
    for rows in sorted({entry["rows"] for entry in entries}):
        found = [by_case.get((rows, count)) for count in threads]
        seconds = [median(entry, "fit_and_clusters_seconds") for entry in found]
        ratio = seconds[0] / seconds[-1] if len(threads) > 1 and seconds[0] and seconds[-1] else None
        lines.append([f"{rows:,}", *("" if entry is None else reason(entry) if entry["status"] != "ok"
                                     else cell(entry, "fit_and_clusters_seconds") for entry in found),
                      number(ratio, 2), cell(found[-1] or {}, "peak_megabytes", 0)])
    powers = []
    for count in threads:
        points = [(entry["rows"], median(entry, "fit_and_clusters_seconds")) for entry in entries
                  if entry["threads"] == count and entry["status"] == "ok"]
        powers.append(number(exponent(points), 2) if len(points) > 1 else "")
    lines.append(["seconds grow as rows to the power", *powers, "", ""])
    head = ["rows", *(f"{count} thread{'s' if count > 1 else ''}" for count in threads),
            "times faster", "peak, MB"]
    return table(head, lines)


def million(entries):
    lines = [[f"{entry['rows']:,} x 50", " ".join(entry["options"]), entry["threads"], entry["runs"],
              *((cell(entry, "fit_and_clusters_seconds"), cell(entry, "cold_seconds"),
                 cell(entry, "peak_megabytes", 0), cell(entry, "nmi", 1, 100))
                if entry["status"] == "ok" else (reason(entry), "", "", ""))]
             for entry in sorted(entries, key=lambda entry: entry["rows"])]
    return table(["rows", "options", "threads", "runs", "fit + clusters, s", "with files, s",
                  "peak, MB", "NMI, %"], lines)


def plan(plans, entries):
    """Forecast over measurement: 1 is right, above 1 is too high."""
    def same(entry):
        return (entry["data"], entry["rows"], entry["threads"], str(entry["options"]))

    measured = {(entry["kind"], *same(entry)): entry for entry in entries
                if entry["method"] == "mbn" and entry["job"] == "fit"}
    lines = []
    for entry in plans:
        found = measured.get((entry["of"], *same(entry)))
        if not found:
            continue
        line = [entry["data"], f"{entry['rows']:,}", " ".join(entry["options"]), entry["threads"]]
        for forecast, measure in (("plan_megabytes", "peak_megabytes"),
                                  ("plan_seconds", "fit_and_clusters_seconds")):
            told, true = median(entry, forecast), median(found, measure)
            line += [number(told), number(true), number(told / true, 2) if told and true else ""]
        lines.append(line)
    return table(["data", "rows", "options", "threads", "plan, MB", "measured, MB", "ratio",
                  "plan, s", "measured, s", "ratio"], lines)
