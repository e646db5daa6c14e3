# SPDX-License-Identifier: Apache-2.0
"""From records to groups: median, fastest, slowest and count of everything that was measured."""

import math
import statistics

GROUP = ("kind", "data", "rows", "method", "job", "threads", "options")
MEASURES = ("import_seconds", "jit_seconds", "read_seconds", "fit_seconds", "clusters_seconds",
            "fit_and_clusters_seconds", "cold_seconds", "transform_seconds", "transform_jit_seconds",
            "transform_cold_seconds", "projection_seconds", "peak_fit_megabytes", "peak_megabytes",
            "nmi", "accuracy", "trustworthiness", "trustworthiness_2d", "noise", "components",
            "load_before", "other_cores", "plan_megabytes", "plan_seconds")


def spread(values):
    return {"median": statistics.median(values), "mean": statistics.fmean(values),
            "min": min(values), "max": max(values), "count": len(values)}


def summarise(records):
    """One entry per group, in the order of first appearance. A group that never finished keeps the
    reason; one that finished sometimes counts only the finished runs."""
    groups = {}
    for record in records:
        name = tuple(str(record.get(part)) for part in GROUP) + (str(record.get("of")),)
        groups.setdefault(name, []).append(record)
    return [_entry(members) for members in groups.values()]


def _entry(members):
    entry = {part: members[0].get(part) for part in (*GROUP, "of") if part in members[0]}
    finished = [record for record in members if record["status"] == "ok"]
    if members[0]["kind"] == "plan":
        finished = finished[-1:]
    entry["runs"] = len(finished)
    entry["status"] = "ok" if finished else members[-1]["status"]
    if not finished:
        entry["timeout"] = members[-1].get("timeout")
        entry["error"] = members[-1].get("error", "")
    for measure in MEASURES:
        values = [record[measure] for record in finished if record.get(measure) is not None]
        if values:
            entry[measure] = spread(values)
    return entry


def median(entry, measure, statistic="median"):
    """None where nothing was measured."""
    return entry[measure][statistic] if entry and measure in entry else None


def mean(entry, measure):
    return median(entry, measure, "mean")


def exponent(points):
    """The slope of log y over log x by least squares: y grows as x to this power."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = statistics.fmean(x for x, _ in logs)
    mean_y = statistics.fmean(y for _, y in logs)
    below = sum((x - mean_x) ** 2 for x, _ in logs)
    if below == 0:
        return None
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / below


def facts(records):
    """Machines, tools, versions and dates that appear in the records: more than one is worth seeing."""
    def distinct(part):
        seen = []
        for record in records:
            if record.get(part) and record[part] not in seen:
                seen.append(record[part])
        return seen

    versions = {}
    for record in records:
        for name, version in record.get("versions", {}).items():
            versions.setdefault(name, set()).add(version)
    started = sorted(record["started"] for record in records if "started" in record)
    return {"machines": distinct("machine"), "tools": distinct("tool"),
            "versions": {name: sorted(found) for name, found in sorted(versions.items())},
            "first": started[0] if started else None, "last": started[-1] if started else None}
