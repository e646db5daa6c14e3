# SPDX-License-Identifier: Apache-2.0
"""The Python that the experiments run in: the one at hand if it has the packages, else one of our own."""

import importlib.util
import os
import sys

from bench import ROOT
from bench.environment import ensure

NEEDED = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn", "matplotlib": "matplotlib"}
PEERS = {"umap": "umap-learn", "pacmap": "pacmap", "openTSNE": "openTSNE"}


def has(module):
    return importlib.util.find_spec(module) is not None


def enter(smoke):
    """Goes on here, or starts the program again in build/paper-python. A smoke run needs no peers."""
    wanted = NEEDED if smoke else {**NEEDED, **PEERS}
    if all(has(module) for module in wanted):
        return
    python = ensure(ROOT / "build/paper-python", [*NEEDED.values(), *PEERS.values()])
    if os.path.samefile(os.path.dirname(python), os.path.dirname(sys.executable)):
        missing = [name for module, name in wanted.items() if not has(module)]
        sys.exit(f"build/paper-python lacks {', '.join(missing)}: remove it, and it is made again")
    os.execv(python, [str(python), "-B", "-m", "paper", *sys.argv[1:]])
