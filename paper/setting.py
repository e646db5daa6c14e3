# SPDX-License-Identifier: Apache-2.0
"""What all experiments share: the tool, where data and results are, and how large everything is."""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from bench import process


@dataclass
class Setting:
    """`out` holds results and what is made on the way; `profile` is one of profiles.py."""

    tool: Path
    data: Path
    out: Path
    runs: int
    profile: object
    keep_embeddings: bool = False

    def show(self, command):
        """A command as a reader would type it: the tool by its name, data by their folder."""
        text = shlex.join(map(str, command))
        for long, short in ((self.tool, "mbn"), (self.data, "$MBN_DATA"), (self.out, "build/paper")):
            text = text.replace(str(long), short)
        return text.replace("'$MBN_DATA", "$MBN_DATA").replace(".npy'", ".npy").replace(".npz'", ".npz")

    def mbn(self, *arguments):
        """Runs the tool; what it printed as JSON."""
        return json.loads(process.check([self.tool, *arguments, "--quiet", "--force", "--json"]))
