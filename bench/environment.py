# SPDX-License-Identifier: Apache-2.0
"""A virtual environment with the newest packages from PyPI, made once."""

import subprocess
import sys
from pathlib import Path


def python_of(folder):
    return Path(folder) / "bin" / "python"


def ensure(folder, packages):
    """The environment's Python. A stamp tells a complete environment from an interrupted one, and from one
    with other packages."""
    folder = Path(folder)
    stamp, content = folder / "complete", "\n".join(packages)
    if not stamp.exists() or stamp.read_text() != content:
        print(f"making a virtual environment in {folder}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python_of(folder), "-m", "pip", "install", "--quiet",
                        "--disable-pip-version-check", "--upgrade", *packages], check=True)
        stamp.write_text(content)
    return python_of(folder)
