# SPDX-License-Identifier: Apache-2.0
"""Little memory: a fit ends soon, with its result or with a clear error, never with a crash or a loop."""

import resource
import subprocess
import time

import numpy as np
import pytest


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """As many rows and columns as 5,000 digits."""
    random = np.random.default_rng(5)
    centres = random.integers(0, 2, (10, 784)) * random.integers(0, 200, (10, 784))
    rows = centres[random.integers(0, 10, 5000)] + random.integers(0, 50, (5000, 784))
    path = tmp_path_factory.mktemp("memory") / "digits.npy"
    np.save(path, rows.astype(np.uint8))
    return path


def run_within(mbn, kilobytes, *arguments):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))

    try:
        return subprocess.run(mbn.command(*arguments), preexec_fn=limit, capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL)
    except (subprocess.SubprocessError, ValueError, OSError) as error:
        if isinstance(error, subprocess.TimeoutExpired):
            raise
        pytest.skip(f"the address space cannot be limited here: {error}")


def check(result, output):
    assert result.returncode in (0, 1), (result.returncode, result.stderr)
    if result.returncode == 0:
        assert output.is_file()
    else:
        assert result.stderr.startswith("mbn: ") and "memory" in result.stderr, result.stderr
        assert not output.exists() and not list(output.parent.glob(".*.tmp"))


@pytest.mark.parametrize("engine", ["auto", "exact"])
def test_a_fit_of_5000_digits_ends_in_ten_seconds(mbn, digits, tmp_path, engine):
    start = time.monotonic()
    result = run_within(mbn, 400_000, "fit", digits, "--clusterings", 20, "--engine", engine, "-o",
                        tmp_path / "x.mbn")
    check(result, tmp_path / "x.mbn")
    assert time.monotonic() - start < 30  # ten on a machine that does nothing else


@pytest.mark.parametrize("kilobytes", [30_000, 40_000, 60_000, 90_000, 130_000, 200_000])
@pytest.mark.parametrize("threads", [1, 16])
def test_any_limit_gives_a_result_or_a_clear_error(mbn, digits, tmp_path, kilobytes, threads):
    result = run_within(mbn, kilobytes, "fit", digits, "--clusterings", 10, "--threads", threads, "-o",
                        tmp_path / "x.mbn")
    if result.returncode == 127 or "shared libraries" in result.stderr:
        pytest.skip("the program itself does not fit")
    check(result, tmp_path / "x.mbn")
