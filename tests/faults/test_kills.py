# SPDX-License-Identifier: Apache-2.0
"""Killed at any moment (SIGKILL, as a power cut or the kernel's killer would): no half file, and the same command again gives
the same bytes as if nothing had happened. A fit with a checkpoint goes on where it was.

Few kills in the suite; `MBN_KILLS=100 pytest -s tests/faults/test_kills.py` makes a hundred of each command.
"""

import os
import random
import signal
import subprocess
import time

import numpy as np
import pytest

KILLS = int(os.environ.get("MBN_KILLS", "4"))
COMMANDS = {
    "fit with a checkpoint": (["fit", "../rows.npy", "--clusters", 4, "--clusterings", 60, "--decay", 0.8, "--map", 2,
                               "--checkpoint", "c.mbn", "-o", "m.mbn"], "m.mbn"),
    "transform": (["transform", "../net.mbn", "../many.npy", "-o", "out.npy"], "out.npy"),
    "index": (["index", "../texts.txt", "--clusterings", 40, "-o", "texts.index"], "texts.index"),
}


@pytest.fixture(scope="module")
def inputs(mbn, tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    mbn("generate", "gaussians", "-n", 1500, "--columns", 8, "--clusters", 4, "-o", folder / "rows.npy")
    np.save(folder / "many.npy", np.tile(np.load(folder / "rows.npy"), (8, 1)) * 1.01)
    mbn("fit", folder / "rows.npy", "--clusters", 4, "--clusterings", 60, "-o", folder / "net.mbn")
    chosen = random.Random(1)
    words = [first + second for first in "brcldmts" for second in ("ane", "oil", "ump", "ash", "ink")]
    (folder / "texts.txt").write_text("".join(" ".join(chosen.choices(words, k=30)) + "\n" for _ in range(2000)))
    return folder


def run_until_killed(command, folder, wait):
    """Whether the command was killed; it may have come to its end first."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        process.wait(timeout=wait)
    except subprocess.TimeoutExpired:
        process.kill()
    _, said = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), said.decode()
    return process.returncode != 0


@pytest.mark.parametrize("name", COMMANDS)
def test_kills_change_nothing(mbn, inputs, name):
    arguments, output = COMMANDS[name]
    command = mbn.command(*arguments)
    place = inputs / name.replace(" ", "-")
    place.mkdir()
    began = time.monotonic()
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    whole = time.monotonic() - began
    expected = (place / output).read_bytes()
    moments = random.Random(len(name))
    kills = runs = 0
    while kills < KILLS:
        runs += 1
        folder = inputs / f"{place.name}-{runs}"
        folder.mkdir()
        # Killed again and again until it comes to its end; a fit with a checkpoint gets farther each time.
        while run_until_killed(command, folder, whole * moments.uniform(0.05, 0.9)):
            kills += 1
            left = {path.name for path in folder.iterdir()}
            assert left <= {"c.mbn", output}, left
            if kills >= KILLS or output in left:
                break
        if not (folder / output).exists():
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        assert (folder / output).read_bytes() == expected
        assert {path.name for path in folder.iterdir()} == {output} or (folder / "c.mbn").exists()
    print(f"{name:22} {kills} kills in {runs} runs of {whole:.2f} s: all identical")
