# SPDX-License-Identifier: Apache-2.0
"""Tasks of paper/reproduce: done once, in the order of runs, whole or not at all."""

import json
from pathlib import Path

import pytest

from paper import tasks
from paper.figures_of_the_paper import TABLES, figure
from paper.profiles import SMOKE
from paper.results import Results
from paper.setting import Setting


@pytest.fixture
def setting(tmp_path):
    return Setting(Path("mbn"), tmp_path, tmp_path / "out", 2, SMOKE)


def made(log, method="a", run=0, settings=None, fault=None):
    def work(setting, task, files):
        log.append((task.method, task.run))
        if fault is not None:
            raise fault
        return {"nmi": 0.5 + 0.1 * task.run, "seconds": 1.0}
    return tasks.Task("experiment", "data", method, settings or {}, run, work)


def test_done_once_and_by_runs(setting):
    log = []
    listed = [made(log, method, run) for method in "ab" for run in (0, 1)]
    tasks.run_all(setting, listed)
    assert log == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]
    tasks.run_all(setting, listed)
    assert len(log) == 4
    tasks.run_all(setting, [made(log, settings={"decay": 0.1})])
    assert len(log) == 5, "another setting is another task"


def test_the_end_is_foretold_from_what_is_known(setting):
    listed = [made([], method, run) for run in (0, 1) for method in "ab"]
    progress = tasks.Progress(setting, listed)
    record = {"status": "ok", "elapsed": 60.0}
    progress.finished(listed[0], record)
    assert progress.line(1, 4, listed[0], record, listed[1:]).endswith(
        "about 0:01:00 left, untried settings: 1")
    progress.finished(listed[1], record)
    assert progress.line(2, 4, listed[1], record, listed[2:]).endswith("about 0:02:00 left")


def test_an_interruption_loses_the_running_task_only(setting):
    log = []
    listed = [made(log, "a"), made(log, "b", fault=KeyboardInterrupt()), made(log, "c")]
    with pytest.raises(KeyboardInterrupt):
        tasks.run_all(setting, listed)
    assert [tasks.done(setting, task) for task in listed] == [True, False, False]
    tasks.run_all(setting, [made(log, method) for method in "abc"])
    assert log == [("a", 0), ("b", 0), ("b", 0), ("c", 0)]


def test_a_list_that_grows_is_done_to_its_end(setting):
    log = []
    tasks.run_growing(setting, lambda: [made(log, run=run) for run in range(min(len(log) + 2, 5))]
                      + [made(log, "b", fault=ValueError("no"))])
    assert sorted(log) == [("a", run) for run in range(5)] + [("b", 0)], "a fault is not tried again at once"


def test_a_fault_is_recorded_and_tried_again(setting):
    log = []
    tasks.run_all(setting, [made(log, "a", fault=ValueError("no")), made(log, "b")])
    cells = Results(setting, [made(log, "a"), made(log, "b")]).select("experiment")
    assert [cell.fault for cell in cells] == ["failed", ""]
    tasks.run_all(setting, [made(log, "a"), made(log, "b")])
    assert log == [("a", 0), ("b", 0), ("a", 0)]


def test_a_broken_record_is_no_record(setting):
    log = []
    tasks.run_all(setting, [made(log)])
    path = tasks.Files(setting, made(log))("json")
    path.write_text(path.read_text()[:20])
    tasks.run_all(setting, [made(log)])
    assert len(log) == 2 and json.loads(path.read_text())["status"] == "ok"


def test_means_over_runs(setting):
    listed = [made([], run=run) for run in (0, 1)]
    tasks.run_all(setting, listed)
    cell, = Results(setting, listed).select("experiment")
    assert cell.mean("nmi").percent() == "55.0 ± 5.0" and cell.mean("nmi").count == 2


def test_the_paper_s_tables():
    assert all(len(rows) == 10 and all(len(row) == 6 for row in rows.values()) for rows in TABLES.values())
    assert figure("nmi", "mnist", "mbn-best") is None and str(figure("nmi", "wine", "mbn")) == "55.49 ± 4.07"
    assert figure("accuracy", "wine", "mbn").distance(0.8191 - 2 * 0.0261) == pytest.approx(-2)
    assert figure("nmi", "wine", "raw").distance(0.5) is None, "no deviation, no distance"
