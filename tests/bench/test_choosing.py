# SPDX-License-Identifier: Apache-2.0
"""bench/choose: the split of the sets is kept, and a number counts as right when it is near."""

import numpy as np
import pytest

from bench.choosing import command_line, runs, sets, table


def test_the_split_is_fixed():
    assert len(sets.DEVELOPMENT) == 28
    assert set(sets.HELD_BACK) == {"orl", "isolet1", "coil100", "reuters21578", "bladder", "glove", "compound",
                                   "pathbased"}
    assert not set(sets.DEVELOPMENT) & set(sets.HELD_BACK)


def test_held_back_sets_are_not_opened_by_accident(capsys):
    with pytest.raises(SystemExit):
        command_line.main(["orl"])
    assert "held back" in capsys.readouterr().err


def test_near_is_one_or_a_fifth():
    assert [number for number in range(1, 9) if runs.is_near(number, 3)] == [2, 3, 4]
    assert [number for number in range(10, 30) if runs.is_near(number, 20)] == list(range(16, 25))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    labels = np.arange(300) % 3
    (tmp_path / "data/wine").mkdir(parents=True)
    rows = np.tile(9 * np.eye(3)[labels], 3) + random.normal(size=(300, 9))
    np.save(tmp_path / "data/wine/X.npy", rows.astype(np.float32))
    np.save(tmp_path / "data/wine/y.npy", labels + 5)
    monkeypatch.setenv("MBN_DATA", str(tmp_path / "data"))
    return tmp_path


def test_a_set_is_cut_and_its_labels_begin_at_0(folder):
    rows, labels = sets.load("wine", 100)
    assert rows.shape == (100, 9) and sorted(set(labels)) == [0, 1, 2]
    assert np.array_equal(rows, sets.load("wine", 100)[0])


def test_the_tool_is_run_and_scored(folder, mbn, capsys):
    assert command_line.main(["wine", "--mbn", str(mbn.path), "--seeds", "2", "--output", str(folder / "out.jsonl"), "--",
                              "--clusterings", "40"]) == 0
    said = capsys.readouterr().out
    assert table.HEADER in said and "| wine | 3 | 3, 3 |" in said
    assert "2 of 2 runs have the right number" in said
    assert len((folder / "out.jsonl").read_text().splitlines()) == 2
