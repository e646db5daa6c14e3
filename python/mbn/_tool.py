# SPDX-License-Identifier: Apache-2.0
"""The command `mbn` of a wheel: becomes the tool itself, which lies beside the extension."""

import importlib.util
import os
import sys
from pathlib import Path


def main():
    extension = importlib.util.find_spec("mbn._core").origin
    tool = Path(extension).parent / "bin" / "mbn"
    os.execv(tool, ["mbn", *sys.argv[1:]])
