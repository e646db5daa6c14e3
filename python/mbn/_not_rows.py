# SPDX-License-Identifier: Apache-2.0
"""Things that people hand over in place of rows, and what they meant."""

import os
import types


def refuse_what_is_not_rows(X, who):
    """Raises TypeError or ValueError with the call that helps; returns for anything else."""
    if isinstance(X, (str, bytes, os.PathLike)):
        raise TypeError(f"{who} takes rows, not a path or a text: mbn.read({X!r}).rows are the rows of "
                        "a file, and mbn.Vectorizer makes rows of texts")
    if X is None or isinstance(X, (dict, types.GeneratorType)):
        what = "None" if X is None else f"a {type(X).__name__}"
        raise TypeError(f"{who} takes rows, not {what}: a NumPy array, a list of lists, a SciPy matrix or "
                        "a frame (pandas.DataFrame makes one of a dict of columns)")
    if type(X).__module__ == "mbn.functions":
        part = {"Table": "rows", "Documents": "texts"}.get(type(X).__name__)
        if part == "rows":
            raise TypeError(f"{who} takes rows: give the table's rows (table.rows)")
        if part == "texts":
            raise TypeError(f"{who} takes rows: mbn.Vectorizer().fit_transform(documents.texts) are the "
                            "counts of their words")
    if _is_texts(X):
        raise ValueError(f"{who} takes rows of numbers, and these are texts: "
                         "mbn.Vectorizer().fit_transform(texts) counts their words, with "
                         "weighting='log-tfidf' in the network; mbn.Index.build(texts) does all of it")
    if getattr(X, "ndim", 2) > 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead.\nX.reshape(len(X), -1) makes "
                         "one row of each picture or block.")


def _is_texts(X):
    """A list, array or column whose first entries are strings themselves, not rows of them."""
    if getattr(X, "ndim", 1) != 1 or hasattr(X, "columns") or not hasattr(X, "__len__"):
        return False
    try:
        first = list(X[:5])
    except (TypeError, ValueError, KeyError):
        return False
    return bool(first) and all(isinstance(one, str) for one in first)
