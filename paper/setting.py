# SPDX-License-Identifier: Apache-2.0
"""What all experiments share: the tool, where data and results are, and how large everything is."""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from comparison import process


class NotAvailable(Exception):
    """The tool or the machine cannot do this; the report says so and the other tasks go on."""


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
        """Runs the tool; what it printed as JSON. An option it does not know is NotAvailable."""
        try:
            printed = process.check([self.tool, *arguments, "--quiet", "--force", "--json"])
        except RuntimeError as error:
            if "--decay" in str(error).split("\n", 1)[-1] and "auto" in map(str, arguments):
                raise NotAvailable("this build of mbn has no --decay auto") from error
            raise
        return json.loads(printed)
