# SPDX-License-Identifier: Apache-2.0
"""Clusters of pictures as one picture."""

from typing import Any, Sequence

import numpy as np


def checked_shape(pictures, X):
    """(height, width) or (height, width, 3) of whole numbers that fit the columns of X."""
    shape = tuple(int(side) for side in pictures)
    sound = len(shape) == 2 or (len(shape) == 3 and shape[2] in (1, 3))
    if not sound or min(shape) < 1:
        raise ValueError(f"pictures is {pictures!r}; give (height, width) or (height, width, 3)")
    columns = getattr(X, "shape", (0, int(np.prod(shape))))[1]
    if int(np.prod(shape)) != columns:
        raise ValueError(f"pictures is {pictures!r}, which takes {int(np.prod(shape))} columns, but X has {columns}")
    return shape


def picture_sheet(clusters: Sequence[Any], X: Any, gap: int = 2) -> np.ndarray:
    """A line for each cluster: its mean, and its exemplars, as one picture.

    Parameters
    ----------
    clusters : list of ClusterDescription
        What `describe(X, pictures=...)` gave.
    X : array-like of shape (n_samples, n_features)
        The same rows.
    gap : int, default=2
        White pixels between pictures.

    Returns
    -------
    sheet : array of uint8, of shape (height, width) or (height, width, 3)
        `matplotlib.pyplot.imshow(sheet, cmap="gray")` shows it. Bytes are shades already; other
        numbers are stretched from the lowest to the highest that is shown.
    """
    if not clusters or any(cluster.mean is None for cluster in clusters):
        raise ValueError("the clusters have no mean pictures; describe them with pictures=(height, width)")
    rows = np.asarray(X)
    shape = clusters[0].mean.shape
    lines = [[cluster.mean] + [rows[row].reshape(shape) for row in cluster.exemplars] for cluster in clusters]
    low, high = 0.0, 255.0
    if rows.dtype != np.uint8:
        low = min(float(np.nanmin(picture)) for line in lines for picture in line)
        high = max(float(np.nanmax(picture)) for line in lines for picture in line)
    height, width = shape[0] + gap, shape[1] + gap
    most = max(len(line) for line in lines)
    size = (gap + height * len(lines), 2 * gap + width * most)
    sheet = np.full(size + tuple(shape[2:]), 255, np.uint8)
    for i, line in enumerate(lines):
        for j, picture in enumerate(line):
            shades = (np.nan_to_num(np.asarray(picture, float), nan=low) - low) * (255 / (high - low or 1))
            left = gap + width * j + (gap if j else 0)  # the mean stands apart
            sheet[gap + height * i:height * (i + 1), left:left + shape[1]] = np.clip(np.rint(shades), 0, 255)
    return sheet[..., 0] if sheet.ndim == 3 and sheet.shape[2] == 1 else sheet
