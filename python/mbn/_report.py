# SPDX-License-Identifier: Apache-2.0
"""The report: one page that explores rows, clusters and layers, as `mbn report` writes it."""

import html
import os

import numpy as np

from . import _core


class Report:
    """A page that opens in any browser, offline. A notebook shows it; `save` keeps it."""

    def __init__(self, page, title):
        self.html = page
        self.title = title

    def save(self, path, overwrite=False):
        """Writes the page to a file, whole or not at all, and returns the path."""
        path = os.fspath(path)
        _core.write_text(path, self.html, overwrite)
        return path

    def _repr_html_(self):
        # A frame of its own: nothing of the page reaches the notebook, and nothing of it the page.
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
                'sandbox="allow-scripts allow-downloads" '
                'style="width: 100%; height: 760px; border: 0"></iframe>')

    def __repr__(self):
        return f"<mbn report '{self.title}', {len(self.html) / 1e6:.1f} MB; save('report.html') keeps it>"


def page_content(net, X, labels, ids, texts, pictures, title):
    """What `_core.report_page` takes besides rows and options."""
    numbers, names = _labels(labels)
    return {"title": title or type(net).__name__,
            "columns": list(net.model_.column_names),
            "ids": _strings(ids if ids is not None else _index_of(X)),
            "texts": _strings(texts),
            "labels": numbers, "label_names": names,
            "pictures": _shape(pictures),
            "provenance": [("made by", f"{type(net).__name__}({_changed(net)}).report()")],
            "warnings": list(getattr(net, "notes_", []))}


def _labels(labels):
    if labels is None:
        return [], []
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise ValueError(f"labels has shape {labels.shape}; give one for each row")
    if np.issubdtype(labels.dtype, np.integer) and len(labels) and labels.max() < 2**31:
        return labels.astype(np.int32).tolist(), []
    names, numbers = np.unique(labels.astype(str), return_inverse=True)
    return numbers.reshape(-1).tolist(), names.tolist()


def _strings(items):
    return [] if items is None else [str(item) for item in items]


def _index_of(X):
    """The index of a pandas frame, unless it only counts the rows."""
    index = getattr(X, "index", None)
    if index is None or not hasattr(X, "columns") or type(index).__name__ == "RangeIndex":
        return None
    return index


def _shape(pictures):
    if pictures is None:
        return []
    shape = tuple(int(side) for side in pictures)
    if len(shape) not in (2, 3) or min(shape) < 1:
        raise ValueError(f"pictures is {pictures!r}; give (height, width) or (height, width, 3)")
    return list(shape) + [1] * (3 - len(shape))


def _changed(net):
    """The parameters that are not the defaults, as they would be typed."""
    defaults = type(net)().get_params()
    return ", ".join(f"{name}={value!r}" for name, value in net.get_params().items()
                     if repr(value) != repr(defaults[name]))
