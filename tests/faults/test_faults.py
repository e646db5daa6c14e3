# SPDX-License-Identifier: Apache-2.0
"""Every call to the system may fail. Whichever does, a command ends with its whole answer or with a message.

`faults.c` lets the n-th call of one kind fail. Each command below is run once to count its calls, then once
for every n. `MBN_FAULTS=all` takes every n; otherwise allocations and reads, which are many, are sampled by a
fixed stride, and all others are complete.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

KINDS = ("memory", "read", "write", "sync", "rename", "open", "map", "thread")
# Runs for one command and kind, unless all are asked for.
SAMPLED = 60
SMALL = ["--clusterings", 6, "--restarts", 2, "--directions", "none"]
# Name, arguments, files that it leaves. Inputs lie in the folder above, which is not written to.
COMMANDS = {
    "cluster": (["cluster", "../rows.csv", "--clusters", 2, *SMALL, "-o", "labels.csv", "--model", "m.mbn",
                 "--plot", "plot.svg"], {"labels.csv", "m.mbn", "plot.svg"}),
    "map": (["map", "../rows.npy", *SMALL, "-o", "map.npy"], {"map.npy"}),
    "report": (["report", "../net.mbn", "../rows.csv", "-o", "page.html"], {"page.html"}),
    "transform": (["transform", "../net.mbn", "../rows.npy", "-o", "out.npy"], {"out.npy"}),
    "predict": (["predict", "../net.mbn", "../rows.csv", "-o", "out.csv"], {"out.csv"}),
    "compress": (["compress", "../net.mbn", "../rows.npy", "--epochs", 2, "--hidden", 8, "-o", "small.onnx"],
                 {"small.onnx"}),
    "index": (["index", "../texts.txt", "--clusterings", 6, "-o", "texts.mbni"], {"texts.mbni"}),
    "search": (["search", "../texts.index", "green tea", "--json"], set()),
    "checkpoint": (["fit", "../rows.npy", *SMALL, "--checkpoint", "c.mbn", "-o", "m.mbn"], {"m.mbn"}),
}
TEXTS = "\n".join(f"{a} {b} {c} tea" for a in ("green", "black", "white") for b in ("leaf", "cup", "pot")
                  for c in ("hot", "cold", "iced")) + "\n"


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = tmp_path_factory.mktemp("shim") / "faults.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, Path(__file__).with_name("faults.c"),
                    "-ldl"], check=True)
    return library


@pytest.fixture(scope="module")
def inputs(mbn, tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    mbn("generate", "moons", "-n", 60, "-o", folder / "rows.csv")
    mbn("generate", "moons", "-n", 60, "-o", folder / "rows.npy")
    mbn("cluster", folder / "rows.npy", "--clusters", 2, "--map", 2, *SMALL, "-o", folder / "l.csv", "--model",
        folder / "net.mbn")
    (folder / "texts.txt").write_text(TEXTS)
    mbn("index", folder / "texts.txt", "--clusterings", 6, "-o", folder / "texts.index")
    return folder


class Sweep:
    def __init__(self, mbn, shim, inputs, name):
        self.mbn, self.shim, self.inputs = mbn, shim, inputs
        self.arguments, self.outputs = COMMANDS[name]

    def run(self, folder, kind, at=0, lasts=False):
        """Runs the command in `folder`, and returns the process."""
        folder.mkdir()
        environment = {**os.environ, "LD_PRELOAD": str(self.shim), "MBN_FAULT_KIND": kind,
                       "MBN_FAULT_AT": str(at), "MBN_FAULT_COUNT": str(folder) + ".count"}
        if lasts:
            environment["MBN_FAULT_LASTS"] = "1"
        # One thread counts the same way every time; threads that cannot start need two.
        threads = 2 if kind == "thread" else 1
        return subprocess.run(self.mbn.command(*self.arguments, "--threads", threads), cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def problem(self, folder, wanted, kind, at, lasts):
        """What is wrong after the fault, or nothing."""
        try:
            done = self.run(folder, kind, at, lasts)
        except subprocess.TimeoutExpired:
            return "it did not end"
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        shutil.rmtree(folder)
        Path(str(folder) + ".count").unlink(missing_ok=True)
        if done.returncode == 0:
            return None if left == wanted else f"exit 0, but it left {sorted(left)} with other bytes"
        if done.returncode not in (1, 2):
            return f"exit {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
        if not done.stderr.startswith(b"mbn: ") and b"\nmbn: " not in done.stderr and kind != "write":
            return f"no message: {done.stderr.decode(errors='replace')[-300:]}"
        # A checkpoint is a whole file that a later run goes on from, and files before the failing one are whole.
        torn = [name for name, content in left.items() if content != wanted.get(name, content)]
        strange = left.keys() - self.outputs - {"c.mbn"}
        return f"it left {torn or sorted(strange)}" if torn or strange else None


def steps(calls, kind):
    every = os.environ.get("MBN_FAULTS") == "all" or kind not in ("memory", "read")
    stride = 1 if every else max(1, calls // SAMPLED)
    return range(1, calls + 1, stride)


@pytest.mark.parametrize("lasts", [False, True], ids=["once", "from-then-on"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_failing_call(mbn, shim, inputs, name, kind, lasts, record_property):
    sweep = Sweep(mbn, shim, inputs, name)
    base = inputs / f"{name}-{kind}-{lasts}"
    whole = sweep.run(base, kind)
    assert whole.returncode == 0, whole.stderr.decode()
    wanted = {path.name: path.read_bytes() for path in base.iterdir()}
    assert sweep.outputs <= wanted.keys()
    calls = int(Path(str(base) + ".count").read_text())
    shutil.rmtree(base)
    points = list(steps(calls, kind))
    record_property("fault points", len(points))
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda at: (at, sweep.problem(inputs / f"{base.name}-{at}", wanted, kind, at, lasts)), points)
        wrong = [(at, problem) for at, problem in found if problem]
    print(f"\n{name} {kind} {'from then on' if lasts else 'once'}: {calls} calls, {len(points)} fault points", end="")
    assert not wrong, f"{len(wrong)} of {len(points)}: {wrong[:5]}"
