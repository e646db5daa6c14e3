# SPDX-License-Identifier: Apache-2.0
"""A virtual environment with the newest packages from PyPI, made once."""

import subprocess
import sys
from pathlib import Path


def python_of(folder):
    return Path(folder) / "bin" / "python"


def ensure(folder, packages):
    """The environment's Python. A stamp tells a complete environment from an interrupted one."""
    folder = Path(folder)
    stamp = folder / "complete"
    if not stamp.exists():
        print(f"making a virtual environment in {folder}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python_of(folder), "-m", "pip", "install", "--quiet",
                        "--disable-pip-version-check", "--upgrade", *packages], check=True)
        stamp.touch()
    return python_of(folder)
