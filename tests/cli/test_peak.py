# SPDX-License-Identifier: Apache-2.0
"""The memory that `mbn plan` foretells is what a fit takes at its peak."""

import json
import subprocess
import sys

import numpy as np
import pytest

pytestmark = [pytest.mark.slow,
              pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in kB, as Linux tells it")]

# What is compared: the real peak, less what the program takes before it has read a row, relative to the plan.
LEAST, MOST = 0.75, 1.15
# Beyond the plan: the program's own code and that of its libraries, read from the disk page by page as it is used.
CODE = 6e6


def rows_of(kind, random):
    if kind == "pictures":
        low = random.normal(size=(5000, 30)) @ random.normal(size=(30, 784)) + random.normal(size=(5000, 784))
        return ((low - low.min()) / (low.max() - low.min()) * 255).astype(np.uint8)
    low = random.normal(size=(9000, 12)) @ random.normal(size=(12, 160))
    if kind == "few columns":
        return random.normal(size=(20000, 6)).astype(np.float32)
    if kind == "bytes":
        return ((low - low.min()) / (low.max() - low.min()) * 255).astype(np.uint8)
    if kind == "mostly zeros":
        return (random.random((4000, 1500)) < 0.03).astype(np.float32)
    return low.astype(np.float32)


# What is chosen is not known beforehand, and a plan then counts the deepest network that may be: see the last test.
KNOWN = ["--decay", "0.5", "--scale", "none"]
FEWER = ["--clusterings", "120"]
CASES = {
    "walk": ("floats", FEWER),
    "bytes": ("bytes", FEWER),
    "exact": ("floats", ["--engine", "exact", "--clusterings", "12"]),
    "scaled": ("floats", [*FEWER, "--decay", "0.5", "--scale", "standard"]),
    "cosine": ("floats", [*FEWER, "--metric", "cosine"]),
    "manhattan": ("bytes", [*FEWER, "--metric", "manhattan"]),
    "jaccard of sparse rows": ("mostly zeros", [*FEWER, "--metric", "jaccard"]),
    "map by chi-squared": ("bytes", [*FEWER, "--metric", "chi-squared", "--map", "2"]),
    "tree": ("few columns", [*FEWER, "--feature-fraction", "1"]),
    "sparse": ("mostly zeros", [*FEWER, "--metric", "cosine"]),
    "directions": ("pictures", []),
    "few clusterings on directions": ("pictures", ["--clusterings", "20"]),
    "map": ("pictures", ["--map", "2"]),
    "map of few": ("few columns", [*FEWER, "--feature-fraction", "1", "--map", "2"]),
    "weighted": ("mostly zeros", [*FEWER, "--metric", "cosine", "--weighting", "log-tfidf"]),
}


# A new process counts the memory of the one that started it until it becomes another program, so a small one starts it.
STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_of(command):
    """The largest resident size of a program, in bytes."""
    told = subprocess.run([sys.executable, "-S", "-c", STARTER, *command], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return int(told.stdout) * 1024


@pytest.mark.parametrize("name", CASES)
def test_a_fit_takes_what_its_plan_says(mbn, tmp_path, name):
    kind, options = CASES[name]
    np.save(tmp_path / "rows.npy", rows_of(kind, np.random.default_rng(4)))
    known = [] if "--scale" in options else KNOWN
    options = [tmp_path / "rows.npy", "--clusters", 10, "--threads", 2, *known, *options]
    foretold = json.loads(mbn("plan", *options, "--json").stdout)["peak_bytes"]
    real = peak_of(mbn.command("fit", *options, "-o", tmp_path / "net.mbn")) - peak_of(mbn.command("--version"))
    assert LEAST * foretold <= real <= MOST * foretold + CODE, f"{real / 1e6:.1f} MB, {foretold / 1e6:.1f} MB foretold"


@pytest.mark.parametrize("verb", ["cluster", "map"])
def test_rows_outside_the_pool_take_what_the_plan_says_of_batches(mbn, tmp_path, verb):
    """The plan counts engines for few rows and for many, and a full batch; here one engine is made."""
    np.save(tmp_path / "rows.npy", rows_of("few columns", np.random.default_rng(4)))
    options = [tmp_path / "rows.npy", "--clusters", 10, "--threads", 2, *KNOWN, *FEWER, "--pool", 6000]
    map_too = ["--map", 2] if verb == "map" else []
    foretold = json.loads(mbn("plan", *options, *map_too, "--json").stdout)["streaming_bytes"]
    real = peak_of(mbn.command(verb, *options, "-o", tmp_path / "out.npy")) - peak_of(mbn.command("--version"))
    assert 0.5 * foretold <= real <= MOST * foretold + CODE, f"{real / 1e6:.1f} MB, {foretold / 1e6:.1f} MB foretold"


def test_a_fit_that_chooses_takes_no_more_than_its_plan_says(mbn, tmp_path):
    np.save(tmp_path / "rows.npy", rows_of("few columns", np.random.default_rng(4))[:4000])
    options = [tmp_path / "rows.npy", "--clusters", 10, "--threads", 2, *FEWER]
    foretold = json.loads(mbn("plan", *options, "--json").stdout)["peak_bytes"]
    real = peak_of(mbn.command("fit", *options, "-o", tmp_path / "net.mbn")) - peak_of(mbn.command("--version"))
    assert real <= foretold + CODE, f"{real / 1e6:.1f} MB, {foretold / 1e6:.1f} MB foretold"
