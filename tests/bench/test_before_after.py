# SPDX-License-Identifier: Apache-2.0
"""bench/before-after: the same fits by two builds in turns, whatever words they have for an option."""

import numpy as np
import pytest

from bench.before_after import cases, command_line
from bench.before_after.rounds import Rounds, Timings, Tool
from bench.before_after.table import line

SCALE = "0.02"


@pytest.fixture
def script(tmp_path, mbn):
    """script(name, body): a program in the place of the tool; $TOOL is the tool."""
    def write(name, body):
        path = tmp_path / name
        path.write_text(f"#!/bin/bash\nTOOL={mbn.path}\n{body}\n")
        path.chmod(0o755)
        return path
    return write


def compare(capsys, old, new, *more):
    """(exit code, lines of the table, what was said)"""
    code = command_line.main([str(old), str(new), "--scale", SCALE, *map(str, more)])
    told = capsys.readouterr()
    return code, [text.strip("| ").split(" | ") for text in told.out.splitlines() if text.startswith("| ")], told.err


def test_every_way_through_the_library(mbn, capsys, monkeypatch):
    monkeypatch.delenv("MBN_DATA", raising=False)
    code, (head, *lines), said = compare(capsys, mbn.path, mbn.path, "--rounds", 2)
    assert code == 0 and "round 2: " in said
    assert head == ["fit", "engine", "old, s", "new, s", "new / old", "old, MB", "new, MB", "same bytes"]
    assert [parts[0] for parts in lines] == ["dense walk", "dense exact", "k-d tree", "cosine", "sparse", "choosing",
                                             "transform"]
    for parts in lines:
        assert parts[-1] == "yes" and float(parts[4]) > 0 and float(parts[5]) > 1 and "–" in parts[2]


def test_rows_are_the_same_every_time(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        cases.write_rows(tmp_path / name, float(SCALE))
    made = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert {case.rows.name for case in cases.made_cases(tmp_path)} <= set(made)
    for name in made:
        first, second = (np.load(tmp_path / folder / name) for folder in "ab")
        if name.endswith(".npz"):
            assert all(np.array_equal(first[key], second[key]) for key in first)
        else:
            assert np.array_equal(first, second)


def test_real_data_where_there_are_some(tmp_path):
    assert cases.real_cases(tmp_path) == []
    (tmp_path / "wine").mkdir()
    (tmp_path / "wine/X.npy").touch()
    assert [case.name for case in cases.real_cases(tmp_path)] == ["wine, choosing"]


def test_a_tool_is_asked_in_its_own_words(script):
    old = Tool("old", script("old", "echo '  --search TEXT  --decay FLOAT'"), command_line.OLD_WORDS)
    new = Tool("new", script("new", "echo '  --engine TEXT  --search-depth UINT'"), command_line.OLD_WORDS)
    options = ("--engine", "exact", "--decay", 0.5)
    assert old.spell(options) == ["--search", "exact", "--decay", 0.5]
    assert new.spell(options) == list(options)
    assert command_line._words("a=b,c=d") == {"--a": "--b", "--c": "--d"}


def test_tools_take_turns(script, tmp_path):
    """Who is first changes with the round."""
    body = "echo {title} >> {log}; for last; do :; done; echo '{{}}'; touch $last"
    tools = [Tool(title, script(title, body.format(title=title, log=tmp_path / "log")), {}) for title in ("old", "new")]
    (tmp_path / "log").write_text("")
    rounds = Rounds(tools, [cases.Case("a", tmp_path, ()), cases.Case("b", tmp_path, ())], tmp_path, 1)
    rounds.run(100, 0, lambda text: None)
    assert rounds.count == 3, "three rounds, however little time there is"
    assert (tmp_path / "log").read_text().split() == ["old", "new"] * 2 + ["new", "old"] * 2 + ["old", "new"] * 2
    assert all(len(found.seconds) == 3 for found in rounds.timings.values())


def test_another_answer_and_a_failure_are_told(mbn, script, capsys):
    seed = script("seed", 'for word; do [ "$word" = 0 ] && word=1; words+=("$word"); done; "$TOOL" "${words[@]}"')
    code, (_, parts), _ = compare(capsys, mbn.path, seed, "--only", "sparse", "--rounds", 1)
    assert code == 0 and parts[-1] == "no"
    broken = script("broken", 'if [ "$1" = embed ]; then echo no >&2; exit 3; fi; "$TOOL" "$@"')
    code, (_, *lines), said = compare(capsys, mbn.path, broken, "--only", "sparse,transform", "--rounds", 1)
    assert code == 1 and lines[0][1] == "new failed" and lines[1][-1] == "yes" and "exit code 3" in said


def test_a_tool_or_a_fit_that_is_not_there(mbn, tmp_path):
    with pytest.raises(SystemExit, match="no tool at"):
        command_line.main([mbn.path, str(tmp_path / "nothing")])
    with pytest.raises(SystemExit, match="'walks' is none of dense walk, "):
        command_line.main([mbn.path, mbn.path, "--only", "walks"])


def test_a_line_of_the_table():
    old = Timings([3.0, 1.0, 2.0], [10.0, 30.0, 20.0], "walk", "a")
    new = Timings([1.0], [15.4], "exact", "b")
    assert line("sparse", old, new) == ["sparse", "walk, now exact", "2.00 (1.00 – 3.00)", "1.00", "0.50", "20", "15",
                                        "no"]
