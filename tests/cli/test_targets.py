# SPDX-License-Identifier: Apache-2.0
"""Processor targets: MBN_TARGET forces one, every one gives the same bytes, and a wrong one is said."""

import os

import numpy as np
import pytest


def environment(target):
    return {**os.environ, "MBN_TARGET": target}


@pytest.fixture(scope="module")
def targets(mbn):
    """Those that this machine has, the best first."""
    without = {key: value for key, value in os.environ.items() if key != "MBN_TARGET"}
    lines = mbn("--version", env=without).stdout.splitlines()
    names = lines[2].removeprefix("this machine has ").split(", ")
    assert lines[3] == f"in use: {names[0]}"
    return names


def test_each_can_be_forced(mbn, targets):
    for target in targets:
        lines = mbn("--version", env=environment(target)).stdout.splitlines()
        assert lines[2] == f"this machine has {', '.join(targets)}"
        assert lines[3] == f"in use: {target}"
    assert f"in use: {targets[0]}" in mbn("--version", env=environment("")).stdout


@pytest.mark.parametrize("arguments", [["--version"], ["plan", "5000x10"]])
def test_an_unknown_name_is_an_error(mbn, targets, arguments):
    error = mbn(*arguments, code=2, env=environment("AVX9")).stderr
    assert error.startswith("mbn: the environment variable MBN_TARGET is 'AVX9'")
    assert ", ".join(targets) in error and "Traceback" not in error


@pytest.mark.parametrize("engine", ["auto", "exact"])
def test_every_target_gives_the_same_bytes(mbn, targets, tmp_path, engine):
    random = np.random.default_rng(3)
    centres = random.integers(0, 200, (6, 50))
    rows = (centres[random.integers(0, 6, 1500)] + random.integers(0, 50, (1500, 50))).astype(np.uint8)
    np.save(tmp_path / "rows.npy", rows)
    np.save(tmp_path / "others.npy", rows[:300] // 2)
    results = set()
    for target in targets:
        mbn("cluster", tmp_path / "rows.npy", "--clusters", 6, "--clusterings", 60, "--restarts", 5,
            "--engine", engine, "-o", tmp_path / "labels.npy", "--embedding", tmp_path / "embedding.npy",
            "--map", 2, "--model", tmp_path / "model.mbn", "--force", env=environment(target), cwd=tmp_path)
        mbn("transform", tmp_path / "model.mbn", tmp_path / "others.npy", "--map", "-o", tmp_path / "map.npy",
            "--force", env=environment(target), cwd=tmp_path)
        results.add(tuple((tmp_path / name).read_bytes()
                          for name in ("labels.npy", "embedding.npy", "map.npy", "model.mbn")))
    assert len(results) == 1, f"{len(results)} different results on {targets}"
