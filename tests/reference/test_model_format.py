# SPDX-License-Identifier: Apache-2.0
"""docs/model-format.md is true: its reader runs, and it and the reference read both format versions."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

import mbn_reference as reference

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"


def blocks(language):
    page = (ROOT / "docs/model-format.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_page_reads_a_model():
    (code,), (expected,) = blocks("python"), blocks("text")
    for name in ("format-1.mbn", "format-2.mbn"):
        result = subprocess.run([sys.executable, "-c", code, GOLDEN / name], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        assert result.stdout.split("\n", 1)[1] == expected


def test_both_versions_hold_the_same():
    old, new = (reference.ModelFile(GOLDEN / name) for name in ("format-1.mbn", "format-2.mbn"))
    assert old.tensors.keys() == new.tensors.keys()
    for name, tensor in old.tensors.items():
        np.testing.assert_array_equal(tensor, new.tensors[name], err_msg=name)


def test_the_page_unpacks_as_the_reference_does():
    session = {}
    code, = blocks("python")
    exec(code[:code.index("meta, tensors = read_mbn(sys.argv[1])")], session)
    meta, tensors = session["read_mbn"](GOLDEN / "format-2.mbn")
    model = reference.ModelFile(GOLDEN / "format-2.mbn")
    for number in range(1, model.layer_count + 1):
        name = "bottom" if number == 1 else f"layer{number}"
        for ours, theirs in zip(session["layer"](meta, tensors, number), model.layer(number)):
            np.testing.assert_array_equal(ours, theirs, err_msg=name)


def test_few_features_are_numbers_and_not_masks(mbn, tmp_path):
    rows = np.random.default_rng(5).integers(0, 255, (60, 200)).astype(np.uint8)
    np.save(tmp_path / "rows.npy", rows)
    for fraction, width in ((0.05, 10), (0.5, 25)):
        path = tmp_path / f"{fraction}.mbn"
        mbn("fit", tmp_path / "rows.npy", "-o", path, "--clusters", 3, "--clusterings", 30,
            "--feature-fraction", fraction, "--directions", "none", "--engine", "exact", "--quiet")
        model = reference.ModelFile(path)
        raw = dict(re.findall(r'"(bottom\.columns)":{"dtype":"U8","shape":\[30,(\d+)\]',
                              path.read_bytes().decode("latin-1")))
        assert raw == {"bottom.columns": str(width)}
        mbn("transform", path, tmp_path / "rows.npy", "--codes", "-o", tmp_path / f"{fraction}.npy")
        ours = reference.encode(model, rows)[-1]
        np.testing.assert_array_equal(ours, np.load(tmp_path / f"{fraction}.npy"))
