# SPDX-License-Identifier: Apache-2.0
"""The command `mbn` of a wheel: becomes the tool itself, which lies beside this file."""

import os
import sys
from pathlib import Path


def main():
    tool = Path(__file__).resolve().parent / "bin" / "mbn"
    os.execv(tool, ["mbn", *sys.argv[1:]])
