# SPDX-License-Identifier: Apache-2.0
"""compare.json, and the generated blocks of docs/performance.md."""

import json
import re
from pathlib import Path

from . import kinds_tables, summary, tables

NOT_RUN = "Not yet run."
BLOCKS = {"compare": "peers", "kinds": "kinds", "quick": "quick", "growth": "growth", "million": "million",
          "plan": "plan"}
TABLES = {"peers": tables.peers, "kinds": kinds_tables.kinds, "quick": kinds_tables.quick,
          "growth": tables.growth, "million": tables.million}


def circumstances(records):
    """One line: when, on what, with which versions."""
    facts = summary.facts(records)
    lines = [f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gigabytes']} GB"
             for machine in facts["machines"]]
    lines += [f"{tool['version']} ({tool['commit']}, {tool['sha256']})" for tool in facts["tools"]]
    lines += [f"{name} {' and '.join(found)}" for name, found in facts["versions"].items()]
    if facts["first"]:
        lines.append(f"from {facts['first']} to {facts['last']}")
    return "; ".join(lines) + "."


def blocks(records):
    """The Markdown of every block for which there are records."""
    made = {}
    entries = summary.summarise(records)
    for block, kind in BLOCKS.items():
        chosen = [entry for entry in entries if entry["kind"] == kind]
        if not chosen:
            continue
        if kind == "plan":
            made[block] = tables.plan(chosen, entries)
            continue
        text = TABLES[kind](chosen)
        made[block] = text + "\n\n" + circumstances([r for r in records if r["kind"] == kind])
    return made


def replace_block(page, name, text):
    """The page with new text between its markers. A page without them is an error, not a guess."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page needs exactly one pair of {begin} and {end}")
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page)


def write(records, out, page):
    """Writes compare.json and compare.md into `out`, and the blocks into the page, if there is one."""
    out = Path(out)
    made = blocks(records)
    content = {"facts": summary.facts(records), "groups": summary.summarise(records)}
    (out / "compare.json").write_text(json.dumps(content, indent=1) + "\n")
    (out / "compare.md").write_text("\n\n".join(made.values()) + "\n")
    if page:
        text = Path(page).read_text()
        for name, block in made.items():
            text = replace_block(text, name, block)
        Path(page).write_text(text)
    return made
