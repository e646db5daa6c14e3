# SPDX-License-Identifier: Apache-2.0
"""The machine and the tool, as far as numbers depend on them."""

import hashlib
import os
import platform
import subprocess
from pathlib import Path

from . import ROOT, process


def _field(path, name):
    try:
        for line in Path(path).read_text().splitlines():
            if line.split(":")[0].strip() == name:
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return ""


def memory_bytes(name="MemTotal"):
    text = _field("/proc/meminfo", name)
    return int(text.split()[0]) * 1024 if text else 0


def describe():
    return {"cpu": _field("/proc/cpuinfo", "model name") or platform.processor(),
            "cores": len(process.cores()), "memory_gigabytes": round(memory_bytes() / 1e9, 1),
            "system": platform.platform(), "python": platform.python_version()}


def load():
    return round(os.getloadavg()[0], 2)


def describe_tool(tool, root=ROOT):
    """The tool's version, the commit of the checkout, and the first digits of the file's SHA-256."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True,
                            text=True).stdout.strip()
    return {"version": process.check([tool, "--version"]).splitlines()[0], "commit": commit,
            "sha256": hashlib.sha256(Path(tool).read_bytes()).hexdigest()[:12]}
