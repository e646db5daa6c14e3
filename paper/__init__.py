# SPDX-License-Identifier: Apache-2.0
"""The paper's experiments, run again: `paper/reproduce --help`."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What measures mbn beside its peers knows how to run programs and to describe a machine.
sys.path.append(str(ROOT / "bench"))

# Threads that wait by spinning take the time of those that work when cores are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
