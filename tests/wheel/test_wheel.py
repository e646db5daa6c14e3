# SPDX-License-Identifier: Apache-2.0
"""A wheel in an empty environment: no compiler, no libraries of this machine, NumPy only."""

import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                            timeout=1500, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel():
    run(ROOT / "tools/build-wheel.sh", ROOT / "build/wheels")
    made = list((ROOT / "build/wheels").glob("*.whl"))
    assert len(made) == 1
    return made[0]


@pytest.fixture(scope="module")
def home(wheel, tmp_path_factory):
    """An environment with the wheel, what it asks for (NumPy), and pytest."""
    folder = tmp_path_factory.mktemp("empty")
    run(run(ROOT / "tools/find-python.sh").strip(), "-m", "venv", folder)
    run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel, "pytest",
        env=bare(folder))
    return folder


def bare(home):
    """Nothing of this machine's programs on the path: no compiler, no cmake."""
    kept = {key: value for key, value in os.environ.items()
            if key not in ("PYTHONPATH", "LD_LIBRARY_PATH", "MBN_TOOL", "CC", "CXX")}
    return {**kept, "PATH": f"{home}/bin", "MBN_TOOL": f"{home}/bin/mbn"}


def test_only_numpy_came_along(home):
    listed = run(home / "bin/pip", "list", "--format=freeze", "--disable-pip-version-check")
    names = {line.split("==")[0].lower() for line in listed.splitlines()}
    assert names - {"pip", "setuptools"} == {"mbn", "numpy", "pytest", "iniconfig", "packaging",
                                             "pluggy", "pygments"}


def test_it_bundles_what_it_links(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert re.search(r"-manylinux_2_\d+_x86_64\.whl$|-manylinux_2_\d+_aarch64\.whl$", wheel.name)
    assert any(name.startswith("mbn.libs/libhwy") for name in names)
    assert {"mbn/py.typed", "mbn/_core.pyi", "mbn/estimators.pyi", "mbn/bin/mbn"} <= set(names)
    assert not [name for name in names if name.endswith((".hpp", ".a", ".cmake"))]
    assert not [name for name in names if "blas" in name or "gfortran" in name]


def test_no_library_of_this_machine_is_loaded(home):
    loaded = run(home / "bin/python", "-c", """
import mbn
mbn.MBN(n_clusterings=10, engine="exact").fit(mbn.generate("moons", rows=50)[0])
print(open("/proc/self/maps").read())""", env=bare(home))
    for name in ("libfmt", "libminizip", "libhwy", "libxxhash", "libutf8proc"):
        places = {line.split()[-1] for line in loaded.splitlines() if f"/{name}" in line}
        ours = {place for place in places if "mbn.libs" in place}
        assert ours, name
        assert all(str(home) in place for place in places), places


def test_the_command_is_there(home, tmp_path):
    assert run(home / "bin/mbn", "--version", env=bare(home)).startswith("mbn ")
    run(home / "bin/mbn", "generate", "moons", "-n", 50, "-o", "rows.csv", cwd=tmp_path,
        env=bare(home))
    assert len((tmp_path / "rows.csv").read_text().splitlines()) in (50, 51)
    refused = subprocess.run([home / "bin/mbn", "fly"], env=bare(home), capture_output=True)
    assert refused.returncode == 2


def test_the_suite_passes(home):
    """All tests of the package; those that need scikit-learn or the like are skipped."""
    out = run(home / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", ".",
              cwd=ROOT / "tests/python", env={**bare(home), "PYTHONDONTWRITEBYTECODE": "1"})
    passed = int(re.search(r"(\d+) passed", out).group(1))
    assert passed >= 120, out


def test_pip_check(home):
    run(home / "bin/pip", "check", "--disable-pip-version-check")
