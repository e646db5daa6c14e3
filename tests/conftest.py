# SPDX-License-Identifier: Apache-2.0
"""What all Python suites share: the tool under test and the folder of real data.

MBN_TOOL  path of the tool; by default build/release/mbn of this repository
MBN_DATA  a folder with <name>/X.npy and y.npy; tests that need it are skipped without it
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


class Tool:
    """Runs the tool. A call checks the exit code and returns the finished process."""

    def __init__(self, path):
        self.path = str(path)

    def command(self, *arguments):
        return [self.path, *map(str, arguments)]

    def __call__(self, *arguments, code=0, timeout=120, **options):
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        result = subprocess.run(self.command(*arguments), stderr=subprocess.PIPE, text=True,
                                timeout=timeout, **options)
        assert result.returncode == code, (
            f"{' '.join(self.command(*arguments))}\n"
            f"exit {result.returncode}, expected {code}\n{result.stderr}")
        return result


@pytest.fixture(scope="session")
def mbn():
    path = Path(os.environ.get("MBN_TOOL", ROOT / "build" / "release" / "mbn"))
    if not path.is_file():
        pytest.fail(f"the tool is not at {path}: build it first, or set MBN_TOOL")
    return Tool(path.resolve())


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def real_data():
    """real_data(name) is the folder of a data set; the test is skipped when there is none."""

    def find(name):
        folder = os.environ.get("MBN_DATA")
        if not folder:
            pytest.skip(f"MBN_DATA is not set, so there is no {name}")
        if not (Path(folder) / name / "X.npy").is_file():
            pytest.skip(f"MBN_DATA has no {name}/X.npy")
        return Path(folder) / name

    return find
