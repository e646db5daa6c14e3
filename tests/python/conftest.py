# SPDX-License-Identifier: Apache-2.0
"""Small data and one fitted network for the whole suite. Tests must not change them."""

import os
import subprocess
import sys
import textwrap

# scikit-learn's check of array API input is skipped unless SciPy is told so before its import.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# Figures are drawn into files, never on a screen.
os.environ.setdefault("MPLBACKEND", "agg")

import pytest  # noqa: E402

import mbn as package  # noqa: E402

SMALL = {"n_clusterings": 24, "restarts": 4, "random_state": 3}


@pytest.fixture(scope="session")
def tool(mbn):
    """The command-line tool; `mbn` is the package in these tests."""
    return mbn


@pytest.fixture(scope="session")
def small():
    """Parameters of a network that fits in milliseconds."""
    return dict(SMALL)


@pytest.fixture(scope="session")
def rows():
    made, _ = package.generate("gaussians", rows=300, columns=12, n_clusters=3, random_state=1)
    made.setflags(write=False)
    return made


@pytest.fixture(scope="session")
def truth():
    return package.generate("gaussians", rows=300, columns=12, n_clusters=3, random_state=1)[1]


@pytest.fixture(scope="session")
def net(rows):
    return package.MBNClustering(3, **SMALL).fit(rows)


@pytest.fixture
def python():
    """Runs code in an interpreter of its own; returns what it printed."""

    def run(code, *arguments, timeout=120, **environment):
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
                                capture_output=True, text=True, timeout=timeout,
                                env={**os.environ, **environment})
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run
