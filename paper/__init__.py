# SPDX-License-Identifier: Apache-2.0
"""The paper's experiments, run again: `paper/reproduce --help`."""

import os

# Threads that wait by spinning take the time of those that work when cores are shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
