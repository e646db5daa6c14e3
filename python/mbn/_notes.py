# SPDX-License-Identifier: Apache-2.0
"""Notes of the library as warnings."""

import sys
import warnings


class MBNNote(UserWarning):
    """Advice about the data, or doubt about the clusters; nothing is wrong. Also in `notes_`.

    `warnings.simplefilter("ignore", mbn.MBNNote)` silences it.
    """


def tell(notes):
    """Each note as a warning at the user's own line, also from within scikit-learn's pipelines."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in (
            "mbn", "sklearn"):
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, MBNNote, stacklevel=level)
