# SPDX-License-Identifier: Apache-2.0
"""Names on the islands of a map, placed so that none covers another; see src/report/island_labels.cpp."""

import math

import numpy as np

_FEWEST_GROUPS, _MOST_GROUPS = 2, 40
_SMALLEST_SHARE = 0.0005  # of the rows: a smaller group is left to the legend
_CELLS = 40
_PADDING = 2.0  # pixels, as all lengths below
_RING_STEP, _RINGS, _DIRECTIONS = 6, 16, 16
_LEADER_FROM = 9


def name_islands(ax, places, numbers, names):
    """Writes `names[g]` where the rows with number `g` are densest; an empty name is not written."""
    if not _FEWEST_GROUPS <= len(names) <= _MOST_GROUPS:
        return
    from matplotlib.patheffects import withStroke
    size = 11 if len(names) <= 12 else 9.5 if len(names) <= 24 else 8
    ax.apply_aspect()
    pixels = ax.transData.transform(places)
    frame = ax.get_window_extent()
    scale = ax.figure.dpi / 72
    for group, anchor, centre, leader in _placed(pixels, numbers, names, frame, size, scale):
        shift = (np.subtract(centre, anchor)) / scale
        ax.annotate(names[group], ax.transData.inverted().transform(anchor), xytext=shift,
                    textcoords="offset points", ha="center", va="center", fontsize=size, fontweight="bold",
                    color="#22272e", path_effects=[withStroke(linewidth=0.28 * size, foreground="white", alpha=0.85)],
                    arrowprops={"arrowstyle": "-", "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0} if leader else None)


def _placed(pixels, numbers, names, frame, size, scale):
    """(group, anchor, centre of the name, whether a line leads to it) for the names that find room."""
    from matplotlib.textpath import TextPath
    rows = np.bincount(numbers, minlength=len(names))
    boxes, leaders, found = [], [], []
    for group in np.argsort(-rows, kind="stable"):
        if not names[group] or rows[group] < max(1, _SMALLEST_SHARE * len(pixels)):
            continue
        anchor = densest(pixels[numbers == group], frame)
        half_width = TextPath((0, 0), names[group], size=size, prop="DejaVu Sans:bold").get_extents().width * scale / 2
        half_height = 0.6 * size * scale
        for centre in _candidates(anchor, half_width):
            box = (centre[0] - half_width - _PADDING, centre[1] - half_height - _PADDING,
                   centre[0] + half_width + _PADDING, centre[1] + half_height + _PADDING)
            leader = (tuple(np.clip(anchor, box[:2], box[2:])), tuple(anchor))
            far = math.dist(*leader) > _LEADER_FROM
            if (box[0] < frame.x0 or box[1] < frame.y0 or box[2] > frame.x1 or box[3] > frame.y1
                    or any(_overlap(box, other) or (far and _touches(leader, other)) for other in boxes)
                    or any(_touches(other, box) for other in leaders)):
                continue
            boxes.append(box)
            if far:
                leaders.append(leader)
            found.append((group, anchor, centre, far))
            break
    return found


def densest(pixels, frame):
    """The mean of the rows round the densest cell of a coarse, smoothed histogram."""
    corner = np.array([frame.x0, frame.y0])
    shares = (pixels - corner) / (frame.width, frame.height)
    cells = np.clip((shares * _CELLS).astype(int), 0, _CELLS - 1)
    counts = np.zeros((_CELLS, _CELLS))
    np.add.at(counts, (cells[:, 0], cells[:, 1]), 1)
    for axis in (0, 1, 0, 1):
        wide = np.pad(counts, [(1, 1) if a == axis else (0, 0) for a in (0, 1)])
        counts = sum(weight * np.take(wide, range(start, start + _CELLS), axis)
                     for start, weight in enumerate((1, 2, 1)))
    mode = np.unravel_index(counts.argmax(), counts.shape)
    near = (np.abs(cells - mode) <= 1).all(axis=1)
    return pixels[near].mean(axis=0) if near.any() else corner + (np.array(mode) + 0.5) / _CELLS * (frame.width,
                                                                                                  frame.height)


def _candidates(anchor, half_width):
    yield tuple(anchor)
    for ring in range(1, _RINGS + 1):
        for turn in range(_DIRECTIONS):
            step = turn // 2 if turn % 2 == 0 else -(turn + 1) // 2
            angle = 2 * math.pi * step / _DIRECTIONS + math.pi / 2
            reach = _RING_STEP * ring
            yield anchor[0] + (reach + half_width) * math.cos(angle), anchor[1] + reach * math.sin(angle)


def _touches(line, box):
    """Whether a line touches a box (Liang and Barsky)."""
    enter, leave = 0.0, 1.0
    for axis in (0, 1):
        start, step = line[0][axis], line[1][axis] - line[0][axis]
        low, high = box[axis], box[axis + 2]
        if step == 0:
            if not low <= start <= high:
                return False
            continue
        ends = sorted(((low - start) / step, (high - start) / step))
        enter, leave = max(enter, ends[0]), min(leave, ends[1])
    return enter <= leave


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
