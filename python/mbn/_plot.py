# SPDX-License-Identifier: Apache-2.0
"""The map as a matplotlib figure."""

from typing import Any, Optional

import numpy as np

# More would be longer than the picture.
_MOST_LEGEND_ENTRIES = 20


def plot(what: Any, labels: Any = None, *, ax: Any = None, title: Optional[str] = None,
         size: Optional[float] = None) -> Any:
    """Draws the first two columns of an embedding and returns the matplotlib figure.

    Parameters
    ----------
    what : fitted MBN or MBNClustering, or array of shape (n_samples, n_components)
        An estimator shows its `embedding_`, coloured by its `labels_` where it has them.
    labels : array of shape (n_samples,), default=None
        Colours: numbers or words.
    ax : matplotlib axes, default=None
        Where to draw. None: a new figure.
    title : str, default=None
    size : float, default=None
        Area of a point. None: smaller for more rows.

    Examples
    --------
    >>> import mbn
    >>> rows, truth = mbn.generate("moons", rows=100)
    >>> figure = mbn.plot(mbn.MBN(n_clusterings=50).fit(rows), truth)
    >>> figure.savefig("map.png")
    """
    embedding, labels = _parts(what, labels)
    if ax is None:
        from matplotlib.figure import Figure
        figure = Figure(figsize=(7, 6), layout="constrained")
        ax = figure.add_subplot()
    if size is None:
        size = float(np.clip(40_000 / len(embedding), 2, 30))
    across = embedding[:, 0]
    up = embedding[:, 1] if embedding.shape[1] > 1 else np.zeros_like(across)
    if labels is None:
        ax.scatter(across, up, s=size, linewidths=0)
    else:
        _scatter_classes(ax, across, up, labels, size)
    if title is not None:
        ax.set_title(title)
    ax.set_xlabel("component 1")
    ax.set_ylabel("component 2" if embedding.shape[1] > 1 else "")
    return ax.figure


def _parts(what, labels):
    if hasattr(what, "_check_fitted"):
        what._check_fitted()
        if not hasattr(what, "embedding_"):
            raise ValueError("a network from a file has no embedding_; plot net.transform(X)")
        labels = getattr(what, "labels_", None) if labels is None else labels
        what = what.embedding_
    embedding = np.asarray(what)
    if embedding.ndim != 2 or embedding.shape[1] < 1:
        raise ValueError(f"an embedding has two dimensions; this has shape {embedding.shape}")
    if labels is not None:
        labels = np.asarray(labels)
        if labels.shape != (len(embedding),):
            raise ValueError(f"{len(embedding)} rows, but labels of shape {labels.shape}")
    return embedding, labels


def _scatter_classes(ax, across, up, labels, size):
    names, numbers = np.unique(labels, return_inverse=True)
    numbers = numbers.reshape(-1)
    import matplotlib
    colours = matplotlib.colormaps["tab10" if len(names) <= 10 else "tab20"]
    for number, name in enumerate(names):
        mine = numbers == number
        ax.scatter(across[mine], up[mine], s=size, linewidths=0, color=colours(number % colours.N),
                   label=str(name))
    if len(names) <= _MOST_LEGEND_ENTRIES:
        ax.legend(markerscale=max(1.0, 5 / size**0.5), frameon=False, loc="center left",
                  bbox_to_anchor=(1, 0.5))
