# SPDX-License-Identifier: Apache-2.0
"""bench/compare: measures, resumes, gives up on what does not finish, and reports. Needs no peers."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bench import process
from bench.comparison import arrays, command_line, peers, report, session, summary, tables
from bench.comparison.records import Records

ROOT = Path(__file__).resolve().parents[2]


def case(**changes):
    return {"kind": "peers", "data": "toy", "rows": 100, "method": "mbn", "job": "fit", "threads": 1,
            "options": [], "repeat": 0, "seed": 0, **changes}


def measured(seconds, **changes):
    return {**case(**changes), "status": "ok", "fit_and_clusters_seconds": seconds, "nmi": 0.5,
            "peak_megabytes": 10.0}


def run(mbn, out, *arguments):
    return command_line.main([*map(str, arguments), "--output", str(out),
                              *(["--tool", mbn.path] if arguments[0] != "report" else [])])


def lines(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def test_measures_resumes_and_reports(mbn, tmp_path):
    command = ["peers", "--data", "toy", "--rows", 210, "--methods", "mbn", "--threads", 1]
    assert run(mbn, tmp_path, *command, "--repeats", 1) == 0
    first = lines(tmp_path)
    assert [(record["job"], record["status"]) for record in first] == [("fit", "ok"), ("transform", "ok")]
    for record in first:
        assert 0 < record["fit_seconds"] < record["fit_and_clusters_seconds"] < record["cold_seconds"]
        assert 1 < record["peak_megabytes"] < 1000
        assert 0.9 < record["nmi"] <= 1
        assert 0.5 < record["trustworthiness_2d"] <= 1
    assert 0 < first[1]["transform_seconds"] < first[1]["transform_cold_seconds"]

    assert run(mbn, tmp_path, *command, "--repeats", 2) == 0
    assert lines(tmp_path)[:2] == first and [r["repeat"] for r in lines(tmp_path)] == [0, 0, 1, 1]

    page = tmp_path / "page.md"
    page.write_text((ROOT / "docs/performance.md").read_text())
    assert run(mbn, tmp_path, "plan") == 0
    assert run(mbn, tmp_path, "report", "--page", page) == 0
    text = page.read_text()
    assert "| mbn | 1 | 2 |" in text and "embed the other 30" in text
    groups = json.loads((tmp_path / "compare.json").read_text())["groups"]
    assert groups[0]["nmi"]["count"] == 2 and groups[0]["runs"] == 2
    foretold = [group for group in groups if group["kind"] == "plan"]
    assert len(foretold) == 1 and foretold[0]["plan_megabytes"]["median"] > 0


def test_growth_has_a_power_and_a_ratio(mbn, tmp_path):
    run(mbn, tmp_path, "growth", "--data", "toy", "--sizes", "200,400", "--pool", 100, "--threads", 1,
        "--repeats", 1)
    assert [record["layers"][0] for record in lines(tmp_path)] == [50, 50]
    made = report.blocks(lines(tmp_path))["growth"]
    assert "| 200 |" in made and "| 400 |" in made and "to the power | " in made


def test_a_million_in_small(mbn, tmp_path):
    run(mbn, tmp_path, "million", "--sizes", "300", "--pool", 200, "--memory-limit", "1GB")
    assert "| 300 x 50 | --pool 200 --memory-limit 1GB --recall 0.25 |" in report.blocks(lines(tmp_path))["million"]


def test_a_failure_is_recorded_and_the_next_case_runs(mbn, tmp_path):
    work = session.Session(tmp_path, mbn.path)
    assert work.run(case(options=["--no-such-option"]))
    assert work.run(case())
    failed, fine = lines(tmp_path)
    assert failed["status"] == "failed" and "no-such-option" in failed["error"]
    assert fine["status"] == "ok"
    assert not work.run(case(options=["--no-such-option"], repeat=1))


@pytest.mark.parametrize("changes, hopeless", [
    ({"repeat": 1}, True), ({"rows": 200}, True), ({"threads": 1}, True), ({"rows": 50}, False),
    ({"threads": 4}, False), ({"method": "umap"}, False), ({"job": "transform"}, False)])
def test_what_did_not_finish_is_not_tried_where_it_is_harder(tmp_path, changes, hopeless):
    records = Records(tmp_path / "results.jsonl")
    records.append({**case(threads=2), "status": "timeout", "timeout": 5})
    assert (records.hopeless(case(**{"threads": 2, **changes})) is not None) == hopeless


def test_retry_forgets_what_did_not_finish(tmp_path):
    path = tmp_path / "results.jsonl"
    Records(path).append({**case(), "status": "failed"})
    Records(path).append(measured(1, repeat=1))
    assert Records(path).done(case()) and Records(path).hopeless(case(repeat=2))
    again = Records(path, retry=True)
    assert not again.done(case()) and not again.hopeless(case(repeat=2)) and again.done(case(repeat=1))


def test_a_line_that_was_cut_off_is_measured_again(tmp_path):
    path = tmp_path / "results.jsonl"
    Records(path).append(measured(1))
    path.write_text(path.read_text() + '{"kind": "pee')
    records = Records(path)
    assert records.done(case()) and not records.done(case(repeat=1))
    records.append(measured(2, repeat=1))
    assert [record["repeat"] for record in Records(path).all] == [0, 1]


def test_too_slow_and_too_large_processes_are_ended_with_their_children(tmp_path):
    pid = tmp_path / "pid"
    start = time.monotonic()
    slow = process.run(["bash", "-c", f"sleep 60 & echo $! > {pid}; wait"], 1, 0.5, 0, tmp_path / "log",
                       process.pinned_environment(1))
    assert slow.status == "timeout" and time.monotonic() - start < 20
    stat = Path(f"/proc/{int(pid.read_text())}/stat")
    time.sleep(0.2)
    assert not stat.exists() or stat.read_text().split()[2] == "Z"
    greedy = process.run([sys.executable, "-c", "import time; x = b'1' * 300000000; time.sleep(60)"], 1,
                         60, 200_000_000, tmp_path / "log", process.pinned_environment(1))
    assert greedy.status == "memory"


def test_a_process_is_pinned(tmp_path):
    script = "import os; print(len(os.sched_getaffinity(0)), os.environ['NUMBA_NUM_THREADS'])"
    done = process.run([sys.executable, "-c", script], 1, 60, 0, tmp_path / "log",
                       process.pinned_environment(1))
    assert done.status == "ok" and (tmp_path / "log").read_text().split() == ["1", "1"]


def test_methods_take_turns():
    order = [(c["repeat"], c["threads"], c["job"], c["method"]) for c in
             peers.cases(["toy"], 100, ["mbn", "umap", "tsne"], ["fit", "transform"], [1, 2], 2)]
    assert order[0] == (0, 2, "prime", "umap")
    assert order[1:6] == [(0, 2, "fit", "mbn"), (0, 2, "fit", "umap"), (0, 2, "fit", "tsne"),
                          (0, 2, "transform", "mbn"), (0, 2, "transform", "umap")]
    assert [entry[0] for entry in order[1:]] == sorted(entry[0] for entry in order[1:])


def test_medians_and_what_never_finished():
    records = [measured(seconds, repeat=i) for i, seconds in enumerate((3, 1, 2))]
    records.append({**case(method="tsne"), "status": "timeout", "timeout": 900})
    fine, never = summary.summarise(records)
    assert fine["fit_and_clusters_seconds"] == {"median": 2, "mean": 2, "min": 1, "max": 3, "count": 3}
    assert never["runs"] == 0
    text = tables.peers([fine, never])
    assert "2.0 (1.0 – 3.0)" in text and "did not finish in 900 s" in text


PEERS_TABLES = """\
**toy, 700 rows: fit on all of them**

| method | threads | runs | fit, s | fit + clusters, s | from nothing, s | peak, MB | NMI, % | accuracy, % | columns | \
trustworthiness | first 2 columns | noise, % | others, cores | load |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| mbn | 1 | 2 | 1.5 (1.0 – 2.0) | 2.5 (2.0 – 3.0) | 3.2 (3.0 – 3.5) | 1,234 (1,234 – 1,234) | 50.0 (50.0 – 50.0) | \
25.0 (25.0 – 25.0) | 3 (3 – 3) | 0.875 (0.875 – 0.875) | 0.750 (0.750 – 0.750) | 0.0 (0.0 – 0.0) | \
0.25 (0.25 – 0.25) | 1.5 (1.5 – 1.5) |
| TSNE (scikit-learn) + k-means | 1 | 0 | did not finish in 9 s |  |  |  |  |  |  |  |  |  |  |  |

**toy: fit on 600 rows, embed the other 100**

| method | threads | runs | fit, s | embed, s | its compiler, s | peak, MB | NMI, % | accuracy, % | columns | \
trustworthiness | first 2 columns | noise, % | others, cores | load |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| UMAP + k-means | 2 | 1 | 1.0 | 0.12 | 4.0 | 1,234 | 50.0 | 25.0 | 3 | 0.875 | 0.750 | 0.0 | 0.25 | 1.5 |

**The first run after installation, before compiled code is kept on disk**

| method | threads | runs | import, s | compiler, fit, s | compiler, embed, s |
|---|---|---|---|---|---|
| UMAP + k-means | 2 | 1 | 2.0 | 5.0 | 4.0 |"""


def test_every_column_of_the_tables_of_peers():
    def complete(seconds, **changes):
        return {**measured(seconds + 1, rows=700, **changes), "fit_seconds": seconds,
                "cold_seconds": seconds + 1.5 if seconds > 1 else 3.0, "peak_megabytes": 1234.0, "accuracy": 0.25,
                "components": 3, "trustworthiness": 0.875, "trustworthiness_2d": 0.75, "noise": 0.0,
                "other_cores": 0.25, "load_before": 1.5, "transform_seconds": 0.125,
                "transform_jit_seconds": 4.0, "import_seconds": 2.0, "jit_seconds": 5.0}

    records = [complete(1.0), complete(2.0, repeat=1),
               {**case(rows=700, method="tsne"), "status": "timeout", "timeout": 9},
               complete(1.0, method="umap", job="transform", threads=2),
               complete(1.0, method="umap", job="prime", threads=2)]
    assert tables.peers(summary.summarise(records)) == PEERS_TABLES


def test_growth_table():
    sized = [measured(seconds, kind="growth", rows=rows, threads=threads, options=["--pool", "50"])
             for rows, threads, seconds in ((100, 1, 1), (1000, 1, 10), (100, 2, 0.5), (1000, 2, 50))]
    text = tables.growth(summary.summarise(sized))
    assert "to the power | 1.00 | 2.00 |" in text
    assert "| 100 | 1.0 | 0.5 | 2.00 |" in text and "| 1,000 | 10.0 | 50.0 | 0.20 |" in text


def test_plan_table_with_and_without_seconds():
    plan = {**case(kind="plan", job="plan", of="peers"), "status": "ok", "plan_megabytes": 20.0,
            "plan_seconds": None}
    entries = summary.summarise([measured(4), plan])
    assert "| 20.0 | 10.0 | 2.00 |  | 4.0 |  |" in tables.plan(entries[1:], entries)
    entries = summary.summarise([measured(4), {**plan, "plan_seconds": 2.0}])
    assert "| 20.0 | 10.0 | 2.00 | 2.0 | 4.0 | 0.50 |" in tables.plan(entries[1:], entries)


def test_blocks_are_replaced_between_markers_only():
    page = "a\n<!-- growth:begin -->\nold\n<!-- growth:end -->\nb\n"
    changed = report.replace_block(page, "growth", r"new \1")
    assert changed == "a\n<!-- growth:begin -->\nnew \\1\n<!-- growth:end -->\nb\n"
    with pytest.raises(ValueError, match="million:begin"):
        report.replace_block(page, "million", "new")


def test_arrays_agree_with_numpy(tmp_path):
    truth = np.arange(60, dtype=np.float32).reshape(12, 5)
    np.save(tmp_path / "a.npy", truth)
    table = arrays.read_npy(tmp_path / "a.npy")
    arrays.write_npy(tmp_path / "rows.npy", table.take([7, 0, 3]))
    arrays.write_npy(tmp_path / "columns.npy", table.columns(2))
    assert np.array_equal(np.load(tmp_path / "rows.npy"), truth[[7, 0, 3]])
    assert np.array_equal(np.load(tmp_path / "columns.npy"), truth[:, :2])


def test_the_program_says_what_it_can(mbn):
    done = subprocess.run([ROOT / "bench/compare", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "growth" in done.stdout
