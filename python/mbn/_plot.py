# SPDX-License-Identifier: Apache-2.0
"""Rows in the plane as a matplotlib figure, in the colours of `mbn ... --plot`."""

from typing import Any, Optional, Sequence

import numpy as np

from . import _core
from ._extras import needed
from ._islands import name_islands

# More would be longer than the picture.
_MOST_LEGEND_ENTRIES = 40
_LONG_LEGEND = 20  # a second column beyond
# More rows are shaded by density: cells of two pixels.
_MOST_POINTS = 50_000
_FAINTEST = 0.3
_FAINTEST_VALUE = 0.75  # values are told by how light their shades are
# "No class", for negative labels and values that are not finite.
_GREYS = ("#aaaaaa", "#878787", "#c3c3c3", "#6e6e6e")


def plot(what: Any, labels: Any = None, *, values: Any = None, ax: Any = None, title: Optional[str] = None,
         size: Optional[float] = None, axis_names: Optional[Sequence[str]] = None,
         island_labels: bool = True) -> Any:
    """Draws the first two columns of an embedding or a map and returns the matplotlib figure.

    A notebook shows it when it is the last line of a cell; `figure.savefig("map.png")` keeps it.
    Needs matplotlib: `pip install 'mbn[plot]'`.

    Parameters
    ----------
    what : fitted MBN, MBNClustering or MBNMap, or array of shape (n_samples, n_components)
        An estimator shows its map where it has one, else its `embedding_`, coloured by its `labels_`
        where it has them.
    labels : array of shape (n_samples,), default=None
        Colours and names: numbers or words. With 2 to 40 of them, each name is also written where
        its rows are densest, as far as there is room.
    values : array of shape (n_samples,), default=None
        Numbers that decide the colours in place of the labels, with a colour bar. Labels then only
        name islands. Rows whose number is not finite are grey.
    ax : matplotlib axes, default=None
        Where to draw. None: a new figure.
    title : str, default=None
    size : float, default=None
        Area of a point. None: smaller for more rows. Above 50,000 rows there are no points: cells
        are shaded by how many rows they have.
    axis_names : sequence of str, default=None
        What the columns mean. None: the components of an estimator and their share of the variance;
        nothing for an array, since the axes of a map mean nothing.
    island_labels : bool, default=True
        False: names are in the legend only.

    Examples
    --------
    >>> import mbn
    >>> rows, truth = mbn.generate("moons", rows=100)
    >>> figure = mbn.plot(mbn.MBN(n_clusterings=50).fit(rows), truth)
    >>> figure.savefig("map.png")
    """
    embedding, labels, axis_names = _parts(what, labels, axis_names)
    values = _numbers(values, len(embedding))
    own_figure = ax is None
    if own_figure:
        needed("matplotlib", "plot", "mbn.plot")
        from ._figure import MapFigure
        # A long legend takes no room from the rows.
        many = labels is not None and values is None and len(np.unique(labels)) > _LONG_LEGEND
        figure = MapFigure(figsize=(10 if many else 7, 6), layout="constrained")
        ax = figure.add_subplot()
    places = np.column_stack([embedding[:, 0], embedding[:, 1] if embedding.shape[1] > 1
                              else np.zeros(len(embedding))]).astype(float)
    kept = np.isfinite(places).all(axis=1)
    places, labels, values = places[kept], _taken(labels, kept), _taken(values, kept)
    groups = None if labels is None else _Groups(labels)
    if values is not None:
        numbers, colours = _colours_of_values(ax, values)
    elif groups is not None:
        numbers, colours = groups.numbers, groups.colours
    else:
        numbers, colours = np.zeros(len(places), int), [_core.plot_palette()[0]]
    _set_limits(ax, places)
    if len(places) > _MOST_POINTS:
        _shade(ax, places, numbers, colours, mean=values is not None)
    else:
        _scatter(ax, places, numbers, colours, size)
    if groups is not None and values is None:
        _legend(ax, groups)
    if title is not None:
        ax.set_title(title)
    _name_axes(ax, axis_names)
    if groups is not None and island_labels:
        if own_figure:
            figure.draw_without_rendering()  # the layout decides where there is room for names
        named = ~groups.noise
        name_islands(ax, places, groups.numbers, np.where(named, groups.names, ""))
    return ax.figure


class _Groups:
    """The different labels in ascending order, the colour of each, and the group of every row."""

    def __init__(self, labels):
        found, numbers, self.rows = np.unique(labels, return_inverse=True, return_counts=True)
        self.numbers = numbers.reshape(-1)
        self.names = np.array([str(name) for name in found], object)
        palette = _core.plot_palette()
        whole = np.issubdtype(found.dtype, np.integer)
        self.noise = found < 0 if whole else np.zeros(len(found), bool)
        # Small labels keep their colour from plot to plot, whichever others there are.
        by_value = whole and len(found) > 0 and found[-1] < len(palette)
        rank = np.arange(len(found)) - self.noise.sum()
        self.colours = [_GREYS[place % len(_GREYS)] if grey else palette[(name if by_value else rank[place]) % len(palette)]
                        for place, (name, grey) in enumerate(zip(found, self.noise))]


def _parts(what, labels, axis_names):
    if hasattr(what, "_check_fitted"):
        from .estimators import MBNMap
        what._check_fitted()
        if not hasattr(what, "embedding_"):
            method = "transform" if isinstance(what, MBNMap) or not what.model_.options["map"] else "transform_map"
            raise ValueError(f"the network does not hold its training rows; plot net.{method}(X)")
        labels = getattr(what, "labels_", None) if labels is None else labels
        if isinstance(what, MBNMap) or hasattr(what, "map_"):
            axis_names = axis_names or []
        if axis_names is None:
            axis_names = [f"component {number} ({100 * share:.{1 if share < 0.1 else 0}f} % of the variance)"
                          for number, share in enumerate(what.explained_variance_ratio_, 1)]
        what = getattr(what, "map_", what.embedding_)
    embedding = np.asarray(what)
    if embedding.ndim != 2 or embedding.shape[1] < 1:
        raise ValueError(f"an embedding has two dimensions; this has shape {embedding.shape}")
    if labels is not None:
        labels = np.asarray(labels)
        if labels.shape != (len(embedding),):
            raise ValueError(f"{len(embedding)} rows, but labels of shape {labels.shape}")
    return embedding, labels, list(axis_names or [])[:embedding.shape[1]]


def _numbers(values, rows):
    if values is None:
        return None
    values = np.asarray(values, dtype=float)
    if values.shape != (rows,):
        raise ValueError(f"{rows} rows, but values of shape {values.shape}")
    return values


def _taken(array, kept):
    return None if array is None else array[kept]


def _colours_of_values(ax, values):
    """The shade of every row and the list of shades; the last is for rows without a value."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize
    shades = _core.plot_scale()
    known = np.sort(values[np.isfinite(values)])
    low, high = (known[0], known[-1]) if len(known) else (0.0, 0.0)
    tail = len(known) // 200
    # A few extreme values would leave one shade for all the others.
    if tail and 0 < known[-1 - tail] - known[tail] < (high - low) / 2:
        low, high = known[tail], known[-1 - tail]
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[
        bool(len(known) and known[0] < low), bool(len(known) and known[-1] > high)]
    ax.figure.colorbar(ScalarMappable(Normalize(low, high), ListedColormap(shades)), ax=ax, extend=extend,
                       shrink=0.5)
    share = np.clip((values - low) / (high - low), 0, 1) if high > low else np.where(np.isfinite(values), 0.5, np.nan)
    numbers = np.full(len(values), len(shades))
    finite = np.isfinite(share)
    numbers[finite] = np.minimum((share[finite] * len(shades)).astype(int), len(shades) - 1)
    return numbers, [*shades, _GREYS[2]]


def _set_limits(ax, places):
    """Both axes get the same scale, unless the picture would then be a thin line."""
    if not len(places):
        return
    ax.update_datalim([places.min(axis=0), places.max(axis=0)])
    ax.margins(0.04)
    ax.autoscale_view()
    width, height = np.ptp(places, axis=0)
    if 0 < width < 4 * height and height < 4 * width:
        ax.set_aspect("equal", adjustable="datalim")
        ax.apply_aspect()


def _scatter(ax, places, numbers, colours, size):
    from matplotlib.colors import to_rgba_array
    if size is None:
        size = float(np.clip(40_000 / max(len(places), 1), 2, 30))
    # Rows in the order of a spread sequence: sorted ones would cover each other class by class.
    order = np.argsort(np.arange(len(places)) * 0.6180339887498949 % 1, kind="stable")
    opacity = float(np.clip(1.35 * max(len(places), 1)**-0.08, 0.55, 0.9))
    ax.scatter(places[order, 0], places[order, 1], s=size, linewidths=0, c=to_rgba_array(colours)[numbers[order]],
               alpha=opacity)


def _shade(ax, places, numbers, colours, mean):
    """Cells of two pixels, more opaque the more rows they have. Where groups meet, a cell takes the colour of
    one of its rows, so that neighbouring cells show the groups in proportion; shades of values are averaged."""
    from matplotlib.colors import to_rgba_array
    frame = ax.get_window_extent()
    corner = places.min(axis=0)
    limits = np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1)
    step = limits / np.maximum([frame.width / 2, frame.height / 2], 50)  # two pixels in the data's units
    columns, lines = ((places - corner) / step).astype(int).T
    across, up = int(columns.max()) + 1, int(lines.max()) + 1
    cell = lines * across + columns
    counts = np.bincount(cell, minlength=across * up)
    if mean:
        known = numbers < len(colours) - 1
        rows = np.bincount(cell[known], minlength=across * up)
        sums = np.bincount(cell[known], weights=numbers[known], minlength=across * up)
        shown = np.where(rows > 0, np.rint(sums / np.maximum(rows, 1)), len(colours) - 1).astype(int)
    else:
        order = np.argsort(cell, kind="stable")
        first = np.cumsum(counts) - counts
        line, column = np.divmod(np.arange(across * up), across)
        share = 52.9829189 * ((0.06711056 * column + 0.00583715 * line) % 1) % 1
        chosen = np.minimum(first + (share * counts).astype(int), len(places) - 1)
        shown = numbers[order[chosen]]
    picture = to_rgba_array(colours)[shown]
    strength = np.log2(1 + counts) / np.log2(1 + np.quantile(counts[counts > 0], 0.995))
    faintest = _FAINTEST_VALUE if mean else _FAINTEST
    picture[:, 3] = np.where(counts > 0, faintest + (1 - faintest) * np.minimum(strength, 1), 0)
    (left, bottom), (right, top) = corner, corner + step * (across, up)
    ax.imshow(picture.reshape(up, across, 4), extent=(left, right, bottom, top), origin="lower",
              interpolation="nearest", aspect=ax.get_aspect()).sticky_edges.x[:] = []
    ax.images[-1].sticky_edges.y[:] = []
    ax.autoscale_view()


def _legend(ax, groups):
    from matplotlib.lines import Line2D
    shown = len(groups.names) if len(groups.names) <= _MOST_LEGEND_ENTRIES else _MOST_LEGEND_ENTRIES - 1
    entries = [Line2D([], [], linestyle="", marker="o", color=groups.colours[place],
                      label=f"{groups.names[place]}  ({groups.rows[place]:,})") for place in range(shown)]
    if shown < len(groups.names):
        entries.append(Line2D([], [], linestyle="", label=f"and {len(groups.names) - shown:,} more"))
    if entries:
        ax.legend(handles=entries, frameon=False, loc="upper left", bbox_to_anchor=(1, 1),
                  ncols=1 if len(entries) <= _LONG_LEGEND else 2, fontsize="small", handletextpad=0.2,
                  columnspacing=0.8)


def _name_axes(ax, names):
    ax.set_xlabel(names[0] if names else "")
    ax.set_ylabel(names[1] if len(names) > 1 else "")
    if not names:
        ax.set_xticks([])
    if len(names) < 2:
        ax.set_yticks([])
    ax.spines[:].set_color("#d5dae0")
    ax.tick_params(color="#d5dae0", labelcolor="#59616b")
