# SPDX-License-Identifier: Apache-2.0
"""Small data and one model, made once for the whole suite. Tests must not write into `shared`."""

from types import SimpleNamespace

import numpy as np
import pytest

# Few clusterings and starts: these tests are about the tool, not about scores.
SMALL = ["--clusterings", 20, "--restarts", 5]


@pytest.fixture(scope="session")
def small():
    return SMALL


@pytest.fixture(scope="session")
def shared(mbn, tmp_path_factory):
    """`rows` (.npy), `csv`, `labels` of two moons, and a `model` of them with two clusters."""
    folder = tmp_path_factory.mktemp("shared")
    files = SimpleNamespace(folder=folder, rows=folder / "moons.npy", csv=folder / "moons.csv",
                            labels=folder / "moons-labels.npy", model=folder / "moons.mbn")
    mbn("generate", "moons", "-n", 160, "--seed", 1, "-o", files.rows, "--labels", files.labels)
    mbn("generate", "moons", "-n", 160, "--seed", 1, "-o", files.csv)
    mbn("fit", files.rows, "--clusters", 2, *SMALL, "-o", files.model)
    files.array = np.load(files.rows)
    files.truth = np.load(files.labels)
    return files


@pytest.fixture
def save(tmp_path):
    """save(array) writes an .npy file into the test's folder and returns its path."""

    def write(array, name="data.npy"):
        np.save(tmp_path / name, array)
        return tmp_path / name

    return write


@pytest.fixture
def text(tmp_path):
    """text(content, name) writes a text file into the test's folder and returns its path."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write
