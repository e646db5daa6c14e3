# SPDX-License-Identifier: Apache-2.0
"""How the tool words the library's errors and notes: options as flags. tests/python/test_errors.py has
the same errors in Python's words."""

import numpy as np
import pytest


@pytest.fixture
def say(mbn, small, tmp_path):
    """What the tool says when it fails, without its own name."""

    def run(*arguments, code):
        message = mbn(*arguments, code=code).stderr
        assert message.startswith("mbn: ")
        return message.removeprefix("mbn: ").strip()

    return run


@pytest.fixture
def out(tmp_path):
    return ["-o", tmp_path / "out.mbn"]


def test_out_of_range(say, shared, out):
    assert say("fit", shared.rows, *out, "--clusterings", 0, code=2) == \
        "--clusterings is 0; it must be from 1 to 32767, or auto (400; 200 for more than 10000 rows (but 400 with tf-idf), 150 for more than 20000)"
    assert say("fit", shared.rows, *out, "--feature-fraction", "nan", code=2) == \
        "--feature-fraction is nan; it must be above 0 and at most 1, or auto (0.5; 1 for 3 columns or fewer)"
    assert say("fit", shared.rows, *out, "--components", 70000, code=2) == \
        "--components is 70000; it must be from 1 to 65535, or auto (clusters but at least 2, or 2 when unknown)"


def test_more_clusters_than_rows(say, shared, out):
    assert say("fit", shared.rows, *out, "--clusters", 161, code=2) == \
        "--clusters is 161, but the data has only 160 rows; ask for fewer"


def test_file_exists(say, shared, small):
    """The tool asks before any work; a file that appears later is the library's to refuse."""
    assert say("fit", shared.rows, "-o", shared.model, *small, code=1) == \
        f"{shared.model} exists already; allow overwriting it (--force) or choose another name"


def test_no_clusters(say, mbn, shared, small, tmp_path):
    mbn("fit", shared.rows, *small, "-o", tmp_path / "m.mbn")
    said = say("predict", tmp_path / "m.mbn", shared.rows, "-o", tmp_path / "y.npy", code=2)
    assert said.startswith("the model has no clusters; fit it with --clusters")


def test_sparse_rows_scaled(say, text, out):
    rows = text("".join(f"0 {1 + i % 7}:1\n" for i in range(40)), "rows.svm")
    assert say("fit", rows, "--scale", "standard", *out, code=2) == (
        "--scale would fill in the zeros of sparse rows; leave it out (--scale none), choose "
        "--metric cosine for rows of different norm, or give dense rows")


def test_memory_limit(say, shared, out):
    said = say("fit", shared.rows, *out, "--memory-limit", "1k", code=1)
    assert said.startswith("this fit needs at least ") and "the memory limit is 1 kB" in said


def test_missing_file(say, tmp_path):
    missing = tmp_path / "missing.mbn"
    assert say("info", missing, code=1) == f"{missing}: cannot open it: No such file or directory"


def test_damaged_model(say, shared, tmp_path):
    damaged = bytearray(shared.model.read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "m.mbn").write_bytes(damaged)
    said = say("transform", tmp_path / "m.mbn", shared.rows, "-o", tmp_path / "x.npy", code=1)
    assert "does not match its checksum; the file is damaged" in said


def test_a_column_that_is_not_there(say, text, out):
    table = text("a,b\n1,2\n3,4\n")
    assert say("fit", table, "--label-column", "my label", *out, code=2) == \
        f"--label-column 'my label': the first line of {table} has no such name; it has: a, b"


def test_notes(mbn, save, small, out):
    rows = np.random.default_rng(0).random((60, 3)).astype(np.float32) * [1, 1, 1000]
    told = mbn("fit", save(rows.astype(np.float32)), "--scale", "none", "--feature-fraction", 0.5, *small, *out).stderr
    assert "different units, --scale standard will change" in told
    assert "so few columns, --feature-fraction 1 usually" in told
