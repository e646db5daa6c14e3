# SPDX-License-Identifier: Apache-2.0
"""Measuring mbn, from Python. `bench/*.cpp` times the stages of the library from inside.

    comparison/           mbn beside its peers: bench/compare
    before_after/         two builds of the tool in turns: bench/before-after
    choosing/             what is chosen without labels, on sets that have them: bench/choose
    retrieval_protocol    document retrieval as in the paper: bench/retrieval
    process, machine, environment, measure    what they and paper/ share: running programs, describing
                          the machine, a Python with packages, seconds and peak memory of a command

The launchers put the root of the repository on PYTHONPATH and run a module with `python3 -m`; from the root
`python3 -m bench.comparison` does the same.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
