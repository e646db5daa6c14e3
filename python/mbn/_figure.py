# SPDX-License-Identifier: Apache-2.0
"""A matplotlib figure that a notebook shows, also where pyplot was never imported."""

import io

from matplotlib.figure import Figure


class MapFigure(Figure):
    """What :func:`mbn.plot` returns: a figure of matplotlib, with all that those can do."""

    def _repr_png_(self):
        # Twice the pixels in the same room are sharp on today's screens.
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=2 * self.dpi)
        width, height = (round(float(side) * self.dpi) for side in self.get_size_inches())
        return file.getvalue(), {"width": width, "height": height}
