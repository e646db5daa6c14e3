# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/scale.md for other systems say what the tool says."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import mbn

ROWS = 100_000
COLUMNS = [f"c{i}" for i in range(6)]


@pytest.fixture(scope="module")
def work(tool, tmp_path_factory):
    """Rows, a model of some of them, and the tool's labels of all."""
    folder = tmp_path_factory.mktemp("recipes")
    rows, _ = mbn.generate("gaussians", rows=ROWS, columns=6, n_clusters=4, random_state=5)
    np.save(folder / "x.npy", rows)
    mbn.MBNClustering(4, n_clusterings=20, restarts=3).fit(rows[:2000]).save(folder / "net.mbn")
    tool("predict", folder / "net.mbn", folder / "x.npy", "-o", folder / "labels.npy")
    return folder


@pytest.fixture
def frame(work):
    pandas = pytest.importorskip("pandas")
    made = pandas.DataFrame(np.load(work / "x.npy"), columns=COLUMNS)
    made.insert(0, "id", np.arange(len(made)))
    return made


def recipe(root, name, language):
    found = re.findall(rf"<!-- recipe: {name} -->\n```{language}\n(.*?)```", (root / "docs/scale.md").read_text(),
                       re.DOTALL)
    assert len(found) == 1
    return found[0]


def run(code, **names):
    session = {"mbn": mbn, "columns": COLUMNS, **names}
    exec(compile(code, "scale.md", "exec"), session)
    return session


def check(table, work):
    table = table.sort_values("id")
    assert (table["id"].to_numpy() == np.arange(ROWS)).all()
    assert (table["label"].to_numpy() == np.load(work / "labels.npy")).all()


@pytest.mark.slow
def test_spark(root, work, frame, monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = (sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
             .config("spark.sql.execution.arrow.pyspark.enabled", "true").getOrCreate())
    try:
        rows = spark.createDataFrame(frame).repartition(5)
        session = run(recipe(root, "spark", "python"), frame=rows, model_file=str(work / "net.mbn"))
        check(session["labelled"].toPandas(), work)
        check(session["the_same"].toPandas(), work)
    finally:
        spark.stop()


@pytest.mark.slow
def test_ray(root, work, frame):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    pytest.importorskip("ray.data", reason="ray's data sets are not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}})
    try:
        session = run(recipe(root, "ray", "python"), frame=frame, model_file=str(work / "net.mbn"))
        check(session["labelled"].to_pandas(), work)
    finally:
        ray.shutdown()


def test_slurm(root, work, tool, tmp_path):
    script = tmp_path / "job.sh"
    script.write_text(recipe(root, "slurm", "sh"))
    shutil.copy(work / "net.mbn", tmp_path / "net.mbn")
    rows = np.load(work / "x.npy")[:3000]
    for number, part in enumerate(np.split(rows, [700, 701])):
        np.save(tmp_path / f"part-{number}.npy", part)
        subprocess.run(["sh", script], check=True, cwd=tmp_path, capture_output=True, env={
            **os.environ, "PATH": f"{os.path.dirname(tool.path)}:{os.environ['PATH']}", "SLURM_CPUS_PER_TASK": "1",
            "SLURM_ARRAY_TASK_ID": str(number)})
    joined = np.concatenate([np.load(tmp_path / f"labels-{number}.npy") for number in range(3)])
    assert (joined == np.load(work / "labels.npy")[:3000]).all()
