# SPDX-License-Identifier: Apache-2.0
"""docs/results.md and docs/maps.md from made-up records of every experiment: the same records, the same page.

MBN_WRITE_DOCS=1 writes page.expected.txt anew; a change of it is a decision.
"""

import dataclasses
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from bench.comparison import sources
from paper import command_line, environment, report, tasks
from paper.experiments import ALL, PAGES, common, maps, retrieval
from paper.pictures import Pictures
from paper.profiles import FULL
from paper.setting import Setting

EXPECTED = Path(__file__).parent / "page.expected.txt"
DENSE = ("wine", "mnist5k", "mnist", "aml_all", "jain", "glove")
GENERATED = ("gaussian", "outlier", *(f"subset-{number}" for number in range(FULL.subsets)))
SPARSE = ("20news", "bladder")
ROWS, TRAINED = 12, 7
RETRIEVED = [1, 3, 7, 15, 31, 63, 127, 255, 511]
LAYERS = [3000, 1500, 750]


def put_data(folder, name, file):
    """Rows that nobody reads, and labels of three classes."""
    (folder / name).mkdir(parents=True)
    (folder / name / file).touch()
    np.save(folder / name / "y.npy", np.arange(ROWS) % 3)


@pytest.fixture
def setting(tmp_path, monkeypatch):
    """All sizes of the paper, with a few of its data sets and every peer."""
    for name in DENSE:
        put_data(tmp_path / "data", name, "X.npy")
    for name in SPARSE:
        put_data(tmp_path / "data", name, "X.npz")
    for name in GENERATED:
        put_data(tmp_path / "out/data", name, "X.npy")
    monkeypatch.setattr(common, "has", lambda module: True)
    monkeypatch.setattr(sources, "FASHION", tmp_path / "not installed")
    profile = dataclasses.replace(FULL, layers={**FULL.layers, "trained": TRAINED})
    return Setting(Path("/no/tool"), tmp_path / "data", tmp_path / "out", 3, profile)


def share(task, word):
    """A number from 0 to 1 that looks measured, and is the same everywhere."""
    return int(hashlib.sha256(f"{task.title} {word}".encode()).hexdigest()[:8], 16) / 16**8


def scores_of(task, word=""):
    names = maps.SCORES if task.experiment == maps.ID else ("nmi", "accuracy", "one_nn", "trustworthiness")
    return {score: share(task, word + score) for score in names}


def put_map(files, ending, rows=ROWS):
    np.save(files(ending), np.random.default_rng(rows).normal(size=(rows, 2)))


def curve(task, word):
    return {"retrieved": RETRIEVED, "curve": [share(task, f"{word}{depth}") for depth in RETRIEVED]}


def of_layers(task, files):
    for number in range(len(LAYERS)):
        put_map(files, f"layer-{number + 1}.npy", ROWS - TRAINED)
    return {"layers": [{"layer": number, "drawn": drawn, **scores_of(task, str(number))}
                       for number, drawn in enumerate(LAYERS, 1)]}


def of_students(task, files):
    told = {"student_seconds": 100 * share(task, "student"), "train_r2": share(task, "train"),
            "test_r2": share(task, "test"), "test_prediction_seconds": {"model": 2.5, "student": 0.125}}
    for who in ("model", "student"):
        put_map(files, f"{who}-train.npy", TRAINED)
        put_map(files, f"{who}-test.npy", ROWS - TRAINED)
        told[who] = curve(task, who) if task.method == "documents" else scores_of(task, who)
    return told


def made_up(task, files):
    """A record of a task as its experiment would have written it."""
    if (task.data, task.method) == ("wine", "pca-whitened"):
        return {"status": "failed", "error": "made up"}
    told = {"status": "ok", "seconds": 200 * share(task, "seconds") ** 4, **scores_of(task)}
    if task.method.startswith("mbn"):
        told["command"] = f"mbn fit {task.title}"
    if task.method == "mbn-auto":
        told["decay"] = 0.3
    if task.experiment in ("toy", "outlier", "aml", "mnist-map", maps.ID):
        put_map(files, "map.npy")
    if task.experiment == retrieval.ID:
        told.update(curve(task, ""))
    more = {"mnist-layers": of_layers, "compressive": of_students}.get(task.experiment)
    return {**told, **(more(task, files) if more else {})}


def record(setting, task):
    files = tasks.Files(setting, task)
    files.write({**made_up(task, files), "experiment": task.experiment, "data": task.data, "method": task.method,
                 "settings": task.settings, "run": task.run, "elapsed": 1.0})


def record_all(setting, names=tuple(ALL)):
    """Until the best of every search has all its runs."""
    done = set()
    while new := [task for name in names for task in ALL[name].tasks(setting) if task.key not in done]:
        for task in new:
            record(setting, task)
            done.add(task.key)


def page_of(setting, folder, name):
    report.write(report.gather(setting, name), folder / name, folder / "images")
    return (folder / name).read_text()


@pytest.fixture
def undrawn(monkeypatch):
    """Panels are drawn, but no file is written of them: that takes long."""
    def finish(self, figure, name, words):
        import matplotlib.pyplot as plt
        plt.close(figure)
        titles = [axis.get_title() for axis in figure.axes if axis.get_title()]
        return f"![{words}]({self.link}/{name}.png)\nPanels: {'; '.join(titles)}."
    monkeypatch.setattr(Pictures, "_finish", finish)


def test_the_same_records_give_the_same_page(setting, tmp_path, undrawn):
    record_all(setting)
    pages = [page_of(setting, tmp_path, name) for name in PAGES]
    body = "".join(page[page.index("## Where MBN loses"):] for page in pages)
    if os.environ.get("MBN_WRITE_DOCS"):
        EXPECTED.write_text(body)
    assert body == EXPECTED.read_text()


@pytest.fixture
def reproduce(setting, tmp_path, monkeypatch, capsys, undrawn):
    """paper/reproduce on the made-up records: (exit code, what it said, the page or None)."""
    monkeypatch.setattr(environment, "enter", lambda smoke: None)
    page = tmp_path / "page/results.md"

    def run(*arguments, data=setting.data):
        command = ["--data", data, "--work", setting.out, "--output", page.parent, "--runs", setting.runs,
                   "--mbn", __file__, *arguments]
        try:
            code = command_line.main([str(part) for part in command])
        except SystemExit as end:
            code, message = (end.code, "") if isinstance(end.code, int) else (1, end.code)
            return code, message + capsys.readouterr().err, page.read_text() if page.exists() else None
        return code, capsys.readouterr().err, page.read_text() if page.exists() else None

    run.page = page
    return run


def put_page(path, text):
    path.parent.mkdir()
    path.write_text(text)


def test_without_a_folder_of_data_nothing_starts(reproduce, tmp_path):
    for more in ([], ["--report"], ["--only", "outlier,delta"]):
        code, said, page = reproduce(*more, data=tmp_path / "nowhere")
        assert code == 1 and page is None
        assert f"no folder of data at {tmp_path / 'nowhere'}" in said and "--data" in said and "MBN_DATA" in said


def test_without_the_data_of_any_experiment_nothing_starts(reproduce, tmp_path):
    (tmp_path / "empty").mkdir()
    code, said, page = reproduce("--only", "clustering,retrieval", data=tmp_path / "empty")
    assert (code, page) == (1, None)
    assert f"nothing to run: {tmp_path / 'empty'} has no data for clustering, retrieval" in said


def test_experiments_without_data_are_named(reproduce, setting, tmp_path):
    record_all(setting)
    (tmp_path / "empty").mkdir()
    code, said, page = reproduce("--only", "outlier,clustering", data=tmp_path / "empty")
    assert code == 0 and f"{tmp_path / 'empty'} has no data for clustering" in said
    assert "## An outlier\n\nThe last column" in page


def test_a_page_of_nothing_is_not_written(reproduce):
    """Not even by --force: it would say that MBN loses nowhere."""
    for more in ([], ["--force"]):
        code, said, page = reproduce("--report", *more)
        assert (code, page) == (1, None) and "nothing was run" in said


def test_a_page_of_nothing_replaces_no_page(reproduce):
    put_page(reproduce.page, "from 2 finished tasks (1 cells")
    code, said, page = reproduce("--report", "--force")
    assert code == 1 and page == "from 2 finished tasks (1 cells" and "nothing was run" in said


def test_what_failed_is_not_a_result(reproduce, setting):
    for task in ALL["delta"].tasks(setting):
        files = tasks.Files(setting, task)
        files.write({"status": "failed", "error": "made up", "experiment": task.experiment, "data": task.data,
                     "method": task.method, "settings": task.settings, "run": task.run, "elapsed": 1.0})
    code, said, page = reproduce("--report")
    assert (code, page) == (1, None) and "nothing was run" in said and "made up" in said


def test_a_fuller_page_stays(reproduce, setting):
    record_all(setting, ["delta"])
    code, said, poor = reproduce("--report")
    assert code == 0 and "finished tasks" in poor
    assert reproduce("--report")[0] == 0, "as many results again are no loss"

    fuller = poor.replace(" finished tasks", "0 finished tasks", 1)
    for kept in (fuller, poor.replace(" cells", "0 cells", 1)):
        reproduce.page.write_text(kept)
        code, said, page = reproduce("--report")
        assert code == 1 and page == kept
        assert f"{reproduce.page} has more results" in said and "--force" in said and "--output" in said
    assert reproduce("--report", "--force")[::2] == (0, poor)

    record_all(setting, ["delta", "aml"])
    assert reproduce("--report")[0] == 0 and "## AML-ALL\n\nAll 72 rows" in reproduce.page.read_text()


def test_a_page_that_is_not_ours_stays(reproduce, setting):
    record_all(setting, ["delta"])
    put_page(reproduce.page, "My results\n")
    code, said, page = reproduce("--report")
    assert code == 1 and page == "My results\n" and "was not written by paper/reproduce" in said
    assert reproduce("--report", "--force")[0] == 0


@pytest.mark.parametrize("name", PAGES)
def test_the_page_in_docs_tells_how_full_it_is(name):
    page = Path(__file__).resolve().parents[2] / "docs" / name
    assert report.fullness(page).tasks > 0


def test_maps_have_a_page_of_their_own(reproduce, setting):
    record_all(setting, ["maps", "delta"])
    code, said, page = reproduce("--report")
    assert code == 0 and maps.TITLE not in page and not (reproduce.page.parent / "maps.md").exists()
    code, said, unchanged = reproduce("--report", "--only", "maps")
    assert code == 0 and unchanged == page
    assert f"## {maps.TITLE}" in (reproduce.page.parent / "maps.md").read_text()


def put_scores(setting, ours, theirs):
    """The same NMI in every run; other scores and methods are as made up."""
    wanted = {maps.OWN: ours, maps.BESIDE: theirs}
    for task in maps.tasks(setting):
        files = tasks.Files(setting, task)
        told = {**files.read(), **({"nmi": wanted[task.method][task.data]} if task.method in wanted else {})}
        files.write(told)


def test_the_summary_of_maps_counts_wins_and_names_losses(setting, tmp_path, undrawn):
    record_all(setting, ["maps"])
    names = {task.data for task in maps.tasks(setting)}
    ours = {**dict.fromkeys(names, 0.5), "wine": 0.7, "glove": 0.495, "bladder": 0.3}
    put_scores(setting, ours, {**dict.fromkeys(names, 0.5), "jain": 0.4})
    page = page_of(setting, tmp_path, "maps.md")
    assert (f"MBN is above UMAP on 2 of {len(names)} data sets, and below by more than a point on Cells of the bladder "
            "(by 20.0).") in page
