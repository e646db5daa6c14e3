# SPDX-License-Identifier: Apache-2.0
"""bench/ and paper/ are packages below one root, and their launchers work from any folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench import retrieval_protocol

ROOT = Path(__file__).resolve().parents[2]
LAUNCHERS = {"bench/compare": "growth", "bench/choose": "--open-held-back", "bench/before-after": "--old-words",
             "bench/retrieval": "--words", "paper/reproduce": "--smoke"}


def launch(program, folder, *arguments):
    """With the Python of this test, which has what is needed, first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run([str(ROOT / program), *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})


@pytest.mark.parametrize("program", LAUNCHERS)
def test_a_launcher_says_what_it_can_from_any_folder(program, tmp_path):
    done = launch(program, tmp_path, "--help")
    assert done.returncode == 0, done.stderr
    assert f"usage: {program} " in done.stdout and LAUNCHERS[program] in done.stdout
    link = tmp_path / "link"
    link.symlink_to(ROOT / program)
    assert launch(link, tmp_path, "--help").stdout == done.stdout


def test_no_module_is_found_by_tricks():
    for folder in ("bench", "paper", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            assert path == Path(__file__) or not re.search(
                r"sys\.path\b|SourceFileLoader|spec_from_file_location", path.read_text()), path


@pytest.fixture
def collection(tmp_path):
    """Counts of 60 words in 200 documents about two things, as a folder of MBN_DATA has them."""
    random = np.random.default_rng(0)
    topics = np.arange(200) % 2
    counts = random.poisson(np.where((np.arange(60) % 2) == topics[:, None], 2.0, 0.3)).astype(np.float32)
    rows, columns = np.nonzero(counts)
    folder = tmp_path / "data/small"
    folder.mkdir(parents=True)
    np.savez(folder / "X.npz", indices=columns.astype(np.int32), data=counts[rows, columns],
             indptr=np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=200))]),
             shape=np.array(counts.shape), format=np.array(b"csr"))
    np.save(folder / "y.npy", topics)
    return folder


def test_the_commonest_words_are_kept(collection, tmp_path):
    retrieval_protocol.commonest_words(collection / "X.npz", tmp_path / "few.npz", 7)
    with np.load(collection / "X.npz") as all_of_it, np.load(tmp_path / "few.npz") as few:
        totals = np.sort(np.bincount(all_of_it["indices"], weights=all_of_it["data"]))[::-1]
        assert list(few["shape"]) == [200, 7] and few["data"].sum() == totals[:7].sum()


def test_retrieval_in_small(mbn, collection, tmp_path):
    """Names of folders are those of the folder in which the launcher is called."""
    done = launch("bench/retrieval", tmp_path, "small", "--data", "data", "--mbn", mbn.path, "--components", 5,
                  "--centroids", 20, "-o", "out")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1] == "small: accuracy in percent, 100 queries"
    assert [line.split()[0] for line in lines[3:]] == ["lsa-euclidean-5", "lsa-cosine-5", "mbn-20-5"]
    assert all(float(line.split()[1]) > 80 for line in lines[3:]), "accuracy at the first hit"
    assert (tmp_path / "out/small.csv").exists() and (tmp_path / "out/small.svg").exists()
