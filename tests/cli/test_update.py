# SPDX-License-Identifier: Apache-2.0
"""`mbn update`: the layers of a model, with components, clusters and map of other rows."""

import json

import numpy as np


def test_with_the_training_rows_nothing_changes_but_the_note_of_it(mbn, shared, tmp_path):
    new = tmp_path / "new.mbn"
    said = mbn("update", shared.model, shared.rows, "-o", new).stderr
    assert "the layers of" in said and "of 160 rows" in said
    labels = [mbn("predict", model, shared.rows).stdout for model in (shared.model, new)]
    assert labels[0] == labels[1]
    told = json.loads(mbn("info", new, "--json").stdout)
    assert told["updated_rows"] == 160 and told["training_rows"] == 160
    assert "updated: components, clusters and map are of 160 other rows" in mbn("info", new).stdout
    assert "updated" not in mbn("info", shared.model).stdout


def test_the_same_bytes_on_any_number_of_threads(mbn, shared, save, tmp_path):
    other = save(shared.array[:90] + np.float32(0.05))
    for threads in (1, 3):
        mbn("update", shared.model, other, "-o", tmp_path / f"{threads}.mbn", "--threads", threads)
    assert (tmp_path / "1.mbn").read_bytes() == (tmp_path / "3.mbn").read_bytes()


def test_what_it_refuses(mbn, shared, save, tmp_path):
    new = tmp_path / "new.mbn"
    assert "at least 2 rows" in mbn("update", shared.model, save(shared.array[:1]), "-o", new, code=2).stderr
    counts = save(np.ones((9, 2), np.float32), "counts.npy")
    mbn("lsa", counts, "--components", 1, "--model", tmp_path / "lsa.mbn", "-o", tmp_path / "lsa.npy")
    said = mbn("update", tmp_path / "lsa.mbn", counts, "-o", new, code=1).stderr
    assert "only a model can be updated" in said
    assert not new.exists()
    mbn("update", shared.model, shared.rows, "-o", shared.model, code=1)


def test_the_order_of_named_columns_does_not_matter(mbn, text, tmp_path):
    random = np.random.default_rng(2)
    rows = random.normal(size=(80, 3)) + np.repeat([[0], [6]], 40, axis=0)
    lines = ["a,b,c"] + [",".join(f"{cell:.5f}" for cell in row) for row in rows]
    turned = ["c,a,b"] + [",".join(f"{cell:.5f}" for cell in row[[2, 0, 1]]) for row in rows]
    given, other = text("\n".join(lines), "rows.csv"), text("\n".join(turned), "turned.csv")
    model = tmp_path / "net.mbn"
    mbn("fit", given, "--clusters", 2, "--clusterings", 20, "-o", model)
    mbn("update", model, given, "-o", tmp_path / "a.mbn")
    mbn("update", model, other, "-o", tmp_path / "b.mbn")
    assert (tmp_path / "a.mbn").read_bytes() == (tmp_path / "b.mbn").read_bytes()
