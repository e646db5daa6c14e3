# SPDX-License-Identifier: Apache-2.0
"""docs/results.md and docs/maps.md from what was measured, complete or not."""

import os
import platform
import re
from dataclasses import dataclass
from importlib import metadata

from bench import machine

from .environment import NEEDED, PEERS, has
from .experiments import ALL, PAGES
from .pictures import Pictures
from .results import Results
from .tasks import clock


def _versions():
    return ", ".join(f"{package} {metadata.version(package)}" for module, package in {**NEEDED, **PEERS}.items()
                     if has(module))


def _runs(results):
    """Of every cell that has any."""
    return [len(cell.good) for cell in results.cells.values() if cell.good]


def _finished(results):
    return Fullness(sum(_runs(results)), len(_runs(results)))


TITLES = {"results.md": "The paper's experiments, run again", "maps.md": "Maps beside those of today"}
COMMANDS = {
    "results.md": "paper/reproduce --data $MBN_DATA                          # all but the whole of MNIST and maps\n"
                  "paper/reproduce --data $MBN_DATA --only clustering-full   # MNIST, 70,000 rows\n"
                  "paper/reproduce --only clustering,delta --runs 3          # a part",
    "maps.md": "paper/reproduce --data $MBN_DATA --only maps"}


def _head(results, name):
    told, finished, runs = machine.describe(), _finished(results), _runs(results)
    faults = sum(record["status"] == "failed" for record in results.all_records)
    spent = sum(record["elapsed"] for record in results.all_records)
    data = " --data $MBN_DATA" if not results.setting.profile.bundled else " --smoke"
    return [f"# {TITLES[name]}",
            f"<!-- Written by `paper/reproduce`. -->\n\nWritten by `paper/reproduce{data}` from "
            f"{finished.tasks} finished tasks ({finished.cells} cells, {min(runs)} to {max(runs)} runs each"
            f"{f'; {faults} tasks failed' if faults else ''}), which took {clock(spent)} in all on "
            f"{told['cores']} cores ({told['cpu']}, {told['memory_gigabytes']} GB). "
            f"Python {platform.python_version()}, {_versions()}. Every table says how many runs it has; ± is the "
            "standard deviation over runs, and a number without it is one run. Labels are used for scores, for colours, and where a table says \"best\".",
            "A run that is interrupted goes on where it was, and this page can be made of any part of it:",
            f"```sh\n{COMMANDS[name]}\n```"]


def _modules(name):
    return [ALL[experiment] for experiment in PAGES[name]]


def _losses(results, name):
    sentences = []
    for module in _modules(name):
        if hasattr(module, "losses"):
            sentences += module.losses(results)
    listed = "\n".join(f"- {sentence}" for sentence in sentences) or "Nowhere in what was run."
    return ["## Where MBN loses", "Means in percent; every case in which a baseline of this page has the better one.",
            listed]


def _sections(results, pictures, name):
    for module in _modules(name):
        own = getattr(module, "SHOWS", module.ID)
        yield f"## {module.TITLE}"
        if not any(cell.good for cell in results.select(own)):
            yield f"`--only {module.ID}` has not been run, or its data are not there."
            continue
        yield from (paragraph for paragraph in module.section(results, pictures) if paragraph)


class NotWritten(Exception):
    """Why a page was left as it is, and what to do."""


@dataclass(frozen=True)
class Fullness:
    """How much stands behind a page."""

    tasks: int
    cells: int

    def __str__(self):
        return f"{self.tasks} finished tasks in {self.cells} cells"


def fullness(page):
    """What the head of a page says of itself; none where it is not one of ours."""
    found = re.search(r"from (\d+) finished tasks \((\d+) cells", page.read_text())
    return Fullness(*map(int, found.groups())) if found else None


def _check(results, page, force):
    """Raises where writing would lose results, or where there are none."""
    if not _finished(results).tasks:
        raise NotWritten(f"nothing was run: no finished task in {results.setting.out}, so {page} was not written")
    if force or not page.exists():
        return
    ours, theirs = _finished(results), fullness(page)
    advice = "--force replaces it, --output writes elsewhere"
    if theirs is None:
        raise NotWritten(f"{page} was not written by paper/reproduce; {advice}")
    if ours.tasks < theirs.tasks or ours.cells < theirs.cells:
        raise NotWritten(f"{page} has more results ({theirs}) than there are now ({ours}); {advice}")


def gather(setting, name):
    """All that has been measured for a page. Tasks that have not been run are left out of means."""
    tasks = [task for module in _modules(name) for task in module.tasks(setting)]
    return Results(setting, list({task.key: task for task in tasks}.values()))


def write(results, page, images, force=False):
    """Writes the page, which has one of the names of PAGES, and its pictures. Raises NotWritten instead of replacing a fuller page, unless forced."""
    _check(results, page, force)
    pictures = Pictures(images, os.path.relpath(images, page.parent))
    paragraphs = [*_head(results, page.name), *_losses(results, page.name),
                  *_sections(results, pictures, page.name)]
    page.parent.mkdir(parents=True, exist_ok=True)
    unfinished = page.with_suffix(".part")
    unfinished.write_text("\n\n".join(paragraphs) + "\n")
    os.replace(unfinished, page)
