# SPDX-License-Identifier: Apache-2.0
"""`mbn describe`: what sets each cluster apart, in a sentence; and the table that `cluster` shows on a terminal."""

import csv
import json
import os
import pty
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest


@pytest.fixture(scope="module")
def planted(mbn, tmp_path_factory):
    """Four groups; group g has high numbers in column hot<g> and the rest is noise."""
    folder = tmp_path_factory.mktemp("planted")
    random = np.random.default_rng(3)
    truth = np.repeat(np.arange(4), 60)
    rows = random.normal(size=(240, 12))
    rows[np.arange(240), truth] += 6
    names = [f"hot{g}" for g in range(4)] + [f"noise{g}" for g in range(8)]
    lines = ["id," + ",".join(names)] + [f"r{i}," + ",".join(f"{v:.4f}" for v in row) for i, row in enumerate(rows)]
    (folder / "rows.csv").write_text("\n".join(lines) + "\n")
    mbn("cluster", folder / "rows.csv", "--id-column", "id", "--clusters", 4, "--clusterings", 60,
        "-o", folder / "labels.csv", "--model", folder / "net.mbn")
    with open(folder / "labels.csv") as file:
        labels = np.array([int(line["label"]) for line in csv.DictReader(file)])
    group_of = {int(np.bincount(labels[truth == g], minlength=4).argmax()): g for g in range(4)}
    return SimpleNamespace(rows=folder / "rows.csv", model=folder / "net.mbn", group_of=group_of, truth=truth)


def test_names_the_planted_column_of_each_cluster_first(mbn, planted):
    told = json.loads(mbn("describe", planted.model, planted.rows, "--id-column", "id", "--json").stdout)
    assert told["rows"] == 240
    assert len(planted.group_of) == 4
    for number, cluster in enumerate(told["clusters"]):
        group = planted.group_of[number]
        assert cluster["marks"][0]["name"] == f"hot{group}"
        assert cluster["description"].startswith(f"high hot{group} (")
        assert cluster["typical"]
        for name in cluster["typical"]:
            assert planted.truth[int(name[1:])] == group


def test_a_sentence_for_people(mbn, planted):
    told = mbn("describe", planted.model, planted.rows, "--id-column", "id", "--marks", 1, "--exemplars", 2).stdout
    assert "cluster 0: " in told and "confidence" in told
    assert f"  high hot{planted.group_of[0]} (" in told
    assert told.count("typical: r") == 4


def test_names_come_from_the_model_when_the_data_has_none(mbn, planted, tmp_path):
    rows = np.loadtxt(planted.rows, delimiter=",", skiprows=1, usecols=range(1, 13))
    np.save(tmp_path / "rows.npy", rows)
    told = mbn("describe", planted.model, tmp_path / "rows.npy").stdout
    assert f"high hot{planted.group_of[0]} (" in told


def test_as_a_table(mbn, planted, tmp_path):
    mbn("describe", planted.model, planted.rows, "--id-column", "id", "-o", tmp_path / "told.csv")
    with open(tmp_path / "told.csv") as file:
        lines = list(csv.DictReader(file))
    assert [int(line["cluster"]) for line in lines] == [0, 1, 2, 3]
    assert sum(int(line["rows"]) for line in lines) == 240
    assert lines[0]["description"].startswith(f"high hot{planted.group_of[0]} (")


def test_words_are_whole(mbn, tmp_path):
    cars = ["engines and tyres of racing cars", "cars with engines", "tyres for cars and engines", "racing cars"]
    cats = ["kittens are purring cats", "purring kittens", "cats like kittens", "cats and purring kittens"]
    (tmp_path / "texts.txt").write_text("\n".join(cars * 10 + cats * 10) + "\n")
    mbn("index", tmp_path / "texts.txt", "--clusters", 2, "--clusterings", 20, "-o", tmp_path / "pets.mbn")
    told = mbn("describe", tmp_path / "pets.mbn", tmp_path / "texts.txt", "--texts").stdout
    assert "cars (" in told and "kittens (" in told
    assert "% of its rows" in told


def test_a_model_without_clusters_is_refused(mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, *small, "-o", tmp_path / "net.mbn")
    assert "--clusters" in mbn("describe", tmp_path / "net.mbn", shared.rows, code=2).stderr


def test_on_a_terminal_cluster_shows_sizes(mbn, shared, small):
    master, slave = pty.openpty()
    subprocess.run(mbn.command("cluster", shared.rows, "--clusters", 2, *small), stdout=slave, check=True,
                   stderr=subprocess.DEVNULL)
    os.close(slave)
    told = os.read(master, 65536).decode().replace("\r\n", "\n")
    os.close(master)
    lines = told.strip().split("\n")
    assert lines[0].split() == ["cluster", "rows"]
    assert len(lines) == 3
    assert sum(int(line.split()[1]) for line in lines[1:]) == 160


def test_pictures_of_clusters(mbn, save, tmp_path):
    """The mean of each cluster and its exemplars, in a file; the shape comes from the array or from --pictures."""
    random = np.random.default_rng(7)
    kinds = np.arange(90) % 3
    pictures = (80 * random.integers(0, 3, (3, 6, 5))[kinds] + random.integers(0, 60, (90, 6, 5))).astype(np.uint8)
    data, flat = save(pictures, "pictures.npy"), save(pictures.reshape(90, 30), "flat.npy")
    mbn("fit", data, "--clusters", 3, "--clusterings", 30, "-o", tmp_path / "net.mbn")
    mbn("describe", tmp_path / "net.mbn", data, "--plot", tmp_path / "sheet.svg", "--exemplars", 4)
    sheet = (tmp_path / "sheet.svg").read_text()
    assert sheet.count("<image") == 15 and sheet.count("30 rows, confidence") == 3
    mbn("describe", tmp_path / "net.mbn", flat, "--plot", tmp_path / "flat.svg", "--exemplars", 4, "--pictures", "6x5")
    assert (tmp_path / "flat.svg").read_text() == sheet
    told = mbn("describe", tmp_path / "net.mbn", flat, "--plot", tmp_path / "other.svg", code=2).stderr
    assert "--pictures 28x28" in told and not (tmp_path / "other.svg").exists()
    told = mbn("describe", tmp_path / "net.mbn", data, "--plot", tmp_path / "sheet.gif", code=2).stderr
    assert "use .svg, .png or .pdf" in told
    assert "--plot clusters.png" in mbn("describe", tmp_path / "net.mbn", data, "--pictures", "6x5", code=2).stderr
