# SPDX-License-Identifier: Apache-2.0
"""paper/reproduce in small: every experiment runs, and no label reaches a method."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.comparison import arrays, sources
from paper import data, methods, tasks
from paper.experiments import ALL, PAGES, aml, clustering, clustering_full, maps, mnist_map, retrieval, toy
from paper.prepared import prepare
from paper.profiles import FULL, SMOKE
from paper.results import Results
from paper.setting import Setting

ROOT = Path(__file__).resolve().parents[2]


def start(*arguments):
    """What paper/reproduce does, with the Python of this test."""
    return subprocess.run([sys.executable, "-m", "paper", *map(str, arguments)], cwd=ROOT, capture_output=True,
                          text=True)


def reproduce(mbn, folder, *more):
    return start("--smoke", "--runs", 1, "--mbn", mbn.path, "--work", folder / "work", "--output", folder / "page",
                 *more)


@pytest.mark.slow
def test_every_experiment_in_small(mbn, tmp_path):
    first = reproduce(mbn, tmp_path)
    assert first.returncode == 0, first.stderr[-3000:]
    page = "".join((tmp_path / "page" / name).read_text() for name in PAGES)
    for module in ALL.values():
        assert f"## {module.TITLE}\n" in page and f"--only {module.ID}` has not been run" not in page
    assert "## Where MBN loses" in page and "failed" not in page
    for picture in {"toy", "outlier", "aml", "mnist-map", "mnist-layers", "maps-digits", "maps-texts", "maps-cells",
                    "delta", "a-V", "retrieval", "compressive", "time-V"}:
        place = f"images/{'maps' if picture.startswith('maps-') else 'results'}/{picture}.png"
        assert (tmp_path / "page" / place).stat().st_size < 100_000
        assert f"({place})" in page

    # What is done is not done again.
    again = reproduce(mbn, tmp_path)
    assert again.returncode == 0, again.stderr[-3000:]
    count, before = again.stderr.splitlines()[0].split(" tasks, ")
    assert int(before.split()[0]) == int(count)


@pytest.mark.slow
def test_the_best_of_a_search_gets_all_runs(mbn, tmp_path):
    setting = Setting(Path(mbn.path), tmp_path, tmp_path / "work", 3, SMOKE)

    def networks_of_wine():
        return [task for task in clustering.tasks(setting, methods=("mbn",)) if task.data == "wine"]

    before = networks_of_wine()
    assert {decay: sum(task.settings["decay"] == decay for task in before) for decay in (0.1, 0.5, 0.9)} == {
        0.1: 1, 0.5: 3, 0.9: 1}
    tasks.run_all(setting, before[:1])
    assert len(networks_of_wine()) == len(before), "nothing is best before all have been tried"
    tasks.run_growing(setting, networks_of_wine)
    cells = Results(setting, networks_of_wine()).select("clustering", "wine")
    for score in ("nmi", "accuracy"):
        assert len(max(cells, key=lambda cell: cell.mean(score).mean).good) == 3
    assert min(len(cell.good) for cell in cells) == 1, "the others keep what the search gave them"


def test_smoke_does_not_write_into_docs(mbn, tmp_path):
    done = start("--smoke", "--mbn", mbn.path)
    assert done.returncode == 1 and "--output" in done.stderr


def permute_truth(out):
    """The same rows with their labels in another order, as a setting would find them."""
    for path in (out / "data").glob("*/y.npy"):
        truth = np.load(path)
        np.save(path, np.random.default_rng(1).permutation(truth))


def all_of_it(setting):
    """Every method of the clustering tables and of the maps."""
    return [task for module in (clustering, clustering_full, aml, mnist_map, maps, toy) for task in module.tasks(setting)]


def outputs(out):
    """Everything that was computed, moved away: {name: bytes}. The data stay."""
    found = {}
    for path in sorted(out.rglob("*.npy")):
        if path.relative_to(out).parts[0] != "data":
            found[str(path.relative_to(out))] = path.read_bytes()
    for folder in out.iterdir():
        if folder.name != "data":
            shutil.rmtree(folder)
    return found


@pytest.mark.slow
def test_permuting_labels_changes_no_output(mbn, tmp_path):
    setting = Setting(Path(mbn.path), tmp_path, tmp_path / "work", 1, SMOKE, keep_embeddings=True)
    files, scores = [], []
    for turn in range(2):
        if turn == 1:
            permute_truth(setting.out)
        tasks.run_all(setting, all_of_it(setting))
        results = Results(setting, all_of_it(setting))
        scores.append(results.one("clustering", "wine", "mbn", decay=0.5).mean("nmi").mean)
        files.append(outputs(setting.out))

    endings = [name.split(".", 1)[1] for name in files[0]]
    assert endings.count("labels.npy") >= 20 and endings.count("embedding.npy") >= 5
    assert list(files[0]) == list(files[1])
    assert [name for name in files[0] if files[0][name] != files[1][name]] == []
    assert scores[0] > 0.4 > 0.1 > scores[1], "the truth is used, but in scores only"


def test_networks_have_the_setting_of_the_paper(mbn, tmp_path):
    """All but those that show the defaults; what an experiment varies is written beside it and wins."""
    setting = Setting(Path(mbn.path), tmp_path, tmp_path, 1, SMOKE)
    wine, texts = (data.find(setting, name).problem for name in ("wine", "texts"))
    words = [str(word) for word in methods.network_options(setting, wine, {"decay": 0.9}, 3)]
    assert words == ["--paper", "--clusters", "3", "--clusterings", "40", "--decay", "0.9", "--seed", "3"]
    for method, problem in ((method, problem) for method in methods.OWN for problem in (wine, texts)):
        words = methods.network_options(setting, problem, {}, 0, method)
        assert ("--paper" in words) == (method != "mbn-defaults")
        assert ("--weighting" in words) == (method == "mbn-defaults" and problem is texts)
    found, counts = retrieval.prepare(setting, "texts")
    for method in retrieval.methods(setting, found, counts, tmp_path).values():
        assert ("--paper" in retrieval.training(method, 0)) == method.name.startswith("mbn")


class Recorder(Setting):
    """Keeps commands, and writes the map that the tool would have written."""

    def mbn(self, *arguments):
        self.commands = [*getattr(self, "commands", []), [str(word) for word in arguments]]
        np.save(arguments[arguments.index("-o") + 1], np.zeros((3, 2), np.float32))
        return {"seconds": 1.0}


def test_our_maps_get_the_metric_and_the_weighting_and_nothing_of_the_classes(mbn, tmp_path):
    setting = Recorder(Path(mbn.path), tmp_path, tmp_path / "out", 1, SMOKE)
    for name in SMOKE.maps:
        for method in methods.MAPS:
            methods.draw(setting, data.find(setting, name).problem, None, method, 7, tmp_path / "map.npy")
    made = [" ".join(word for word in words if "/" not in word) for words in setting.commands]
    assert made == ["map --seed 7 -o", "embed --components 2 --seed 7 -o",
                    "map --metric cosine --weighting log-tfidf --seed 7 -o",
                    "embed --components 2 --metric cosine --weighting log-tfidf --seed 7 -o",
                    "map --weighting cells --seed 7 -o", "embed --components 2 --weighting cells --seed 7 -o"]


def test_prepared_rows_are_dense_and_made_once(mbn, tmp_path):
    pytest.importorskip("sklearn")
    setting = Setting(Path(mbn.path), tmp_path, tmp_path / "out", 1, SMOKE)
    digits, texts, cells = (data.find(setting, name).problem for name in SMOKE.maps)
    assert prepare(setting, digits).rows == digits.rows and prepare(setting, digits).seconds == 0
    words = np.load(prepare(setting, texts).rows)
    assert words.shape == (200, 50) and np.allclose(np.linalg.norm(words, axis=1), 1, atol=1e-5)
    genes = prepare(setting, cells)
    assert np.load(genes.rows).shape == (200, 50) and np.allclose(np.load(genes.rows).mean(axis=0), 0, atol=1e-4)
    assert prepare(setting, cells) == genes and genes.seconds > 0


def test_fashion_comes_from_its_package(mbn, tmp_path, monkeypatch):
    """All images, training and test, where the folder of data has none."""
    setting = Setting(Path(mbn.path), tmp_path, tmp_path / "out", 1, FULL)
    monkeypatch.setattr(sources, "FASHION", tmp_path / "nowhere")
    assert data.find(setting, "fashion-mnist") is None
    monkeypatch.setattr(sources, "FASHION", tmp_path)
    monkeypatch.setattr(sources, "fashion", lambda: (arrays.Table("|u1", (6, 4), bytes(range(24))),
                                                     arrays.Table("|u1", (6,), bytes([0, 1, 2, 0, 1, 2]))))
    found = data.find(setting, "fashion-mnist")
    assert np.load(found.problem.rows).tolist()[1] == [4, 5, 6, 7] and found.problem.clusters == 3
    assert np.load(found.truth).dtype == np.int32


def test_a_method_sees_a_problem_without_labels(mbn, tmp_path):
    found = data.find(Setting(Path(mbn.path), tmp_path, tmp_path, 1, SMOKE), "wine")
    assert not any("y.npy" in str(value) for value in vars(found.problem).values())
