# SPDX-License-Identifier: Apache-2.0
"""Pictures for the report: small PNG files, few colours, no more points than the eye can use."""

from dataclasses import dataclass

import numpy as np

POINTS = 2500  # of one map: the paper draws 250 for each of ten digits
COLOURS = 64


@dataclass(frozen=True)
class MapPanel:
    """`points`: a map with two columns; `labels`: true ones, as colours."""

    title: str
    points: np.ndarray
    labels: np.ndarray


@dataclass(frozen=True)
class CurvesPanel:
    """`lines`: {title: [(x, y)]}; `logarithmic`: the x axis."""

    title: str
    x_title: str
    y_title: str
    lines: dict
    logarithmic: bool = False


class Pictures:
    """Writes into a folder; `link` is how the page names that folder."""

    def __init__(self, folder, link):
        self.folder, self.link = folder, link

    def _finish(self, figure, name, words):
        import matplotlib.pyplot as plt
        from PIL import Image
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.png"
        figure.savefig(path, dpi=70)
        plt.close(figure)
        Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)
        return f"![{words}]({self.link}/{name}.png)"

    def maps(self, name, words, panels, columns=4):
        panels = list(panels)
        figure, axes = _grid(len(panels), columns, 2.9, 2.9)
        for axis, panel in zip(axes, panels):
            axis.set_axis_off()
            kept = np.random.default_rng(0).permutation(len(panel.points))[:POINTS]
            axis.scatter(panel.points[kept, 0], panel.points[kept, 1], c=panel.labels[kept],
                         cmap="tab10" if panel.labels.max() < 10 else "nipy_spectral",
                         s=3 if len(kept) > 500 else 9, linewidths=0)
            axis.set_title(panel.title, fontsize=9)
        figure.tight_layout()
        return self._finish(figure, name, words)

    def curves(self, name, words, panels, columns=3):
        figure, axes = _grid(len(panels), columns, 3.4, 2.6)
        for axis, panel in zip(axes, panels):
            for line, points in ((line, points) for line, points in panel.lines.items() if points):
                axis.plot(*zip(*sorted(points)), marker="o", markersize=3, label=line)
            if panel.logarithmic:
                axis.set_xscale("log")
            axis.set_title(panel.title, fontsize=9)
            axis.set_xlabel(panel.x_title, fontsize=8)
            axis.set_ylabel(panel.y_title, fontsize=8)
            axis.tick_params(labelsize=7)
            if axis.get_legend_handles_labels()[0]:
                axis.legend(fontsize=7, frameon=False)
        figure.tight_layout()
        return self._finish(figure, name, words)


def _grid(count, columns, width, height):
    """A figure with that many panels, and nothing where a row has fewer."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    rows, columns = -(-count // columns), min(columns, count)
    figure, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    for axis in axes.flat[count:]:
        axis.set_axis_off()
    return figure, axes.flat
