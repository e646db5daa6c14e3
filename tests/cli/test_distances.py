# SPDX-License-Identifier: Apache-2.0
"""--metric precomputed: a square file of distances is clustered, and new rows go by theirs to the training rows."""

import json

import numpy as np


def distances(rows, others):
    return np.sqrt(((rows[:, None] - others[None]) ** 2).sum(axis=2)).astype(np.float32)


def groups(rows, seed):
    random = np.random.default_rng(seed)
    kinds = np.arange(rows) % 3
    return 5 * np.eye(3, 4)[kinds] + random.normal(size=(rows, 4)), kinds


def test_clusters_of_distances(mbn, save, tmp_path):
    rows, kinds = groups(150, 1)
    data = save(distances(rows, rows), "d.npy")
    truth = save(kinds, "kinds.npy")
    report = json.loads(mbn("cluster", data, "--metric", "precomputed", "--clusters", 3, "--truth", truth, "--json",
                            "-o", tmp_path / "labels.csv", "--model", tmp_path / "net.mbn").stdout)
    assert report["accuracy"] > 0.95
    assert mbn("predict", tmp_path / "net.mbn", data).stdout == (tmp_path / "labels.csv").read_text()
    others, their_kinds = groups(60, 2)
    new = save(distances(others, rows), "new.npy")
    their_truth = save(their_kinds, "their_kinds.npy")
    scored = json.loads(mbn("predict", tmp_path / "net.mbn", new, "--truth", their_truth, "--json", "-o",
                            tmp_path / "new.csv").stdout)
    assert scored["accuracy"] > 0.95
    mbn("info", tmp_path / "net.mbn")
    mbn("report", tmp_path / "net.mbn", data, "-o", tmp_path / "page.html")
    told = mbn("describe", tmp_path / "net.mbn", data).stdout
    assert "no column sets it apart" in told and "typical: " in told


def test_what_is_no_distance_is_refused(mbn, save, tmp_path):
    rows, _ = groups(30, 1)
    how = ["--metric", "precomputed", "-o", tmp_path / "net.mbn"]
    told = mbn("fit", save(rows.astype(np.float32)), *how, code=2).stderr
    assert "--metric precomputed takes the distances of each row to all rows" in told and "30 x 4" in told
    square = distances(rows, rows)
    told = mbn("fit", save(square.max() - square), *how, code=2).stderr
    assert "these are similarities" in told
