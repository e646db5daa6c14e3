# SPDX-License-Identifier: Apache-2.0
"""What `mbn plan` predicted for every measured fit of mbn: memory and seconds."""

import json

from .. import process
from . import data

OF = ("peers", "growth", "million")


def predict(session, case):
    """The plan of a case: predicted megabytes and seconds."""
    files = data.prepare(session.out, case["data"], case["rows"], session.tool, split=False)
    report = json.loads(process.check(
        [session.tool, "plan", files / data.rows_file(case["data"]),
         *data.SETS[case["data"]].options, *case["options"], "--threads", case["threads"], "--json", "--quiet"]))
    return {"plan_megabytes": report["peak_bytes"] / 1e6, "plan_seconds": report["fit_seconds"]}


def run(session):
    """Asks once per case that was measured; the newest answer counts."""
    asked = set()
    for record in list(session.records.all):
        case = (record["kind"], record["data"], record["rows"], record["threads"],
                tuple(record["options"]))
        if record["method"] != "mbn" or record["job"] != "fit" or record["status"] != "ok" or case in asked:
            continue
        if record["kind"] not in OF:
            continue
        asked.add(case)
        session.records.append({
            "kind": "plan", "of": record["kind"], "data": record["data"], "rows": record["rows"],
            "method": "mbn", "job": "plan", "threads": record["threads"], "options": record["options"],
            "repeat": 0, "status": "ok", **predict(session, record)})
    return len(asked)
