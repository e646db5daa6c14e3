# SPDX-License-Identifier: Apache-2.0
"""What peers make of sparse counts. A part of their fit, as mbn's own weighting is of its fit."""

DENSE_COLUMNS = 50  # of the singular value decomposition, for methods that take no sparse rows


def cells(counts):
    """Every cell to the median number of counts, then log(1 + x)."""
    import numpy
    import scipy.sparse
    sizes = numpy.asarray(counts.sum(axis=1), dtype=numpy.float64).ravel()
    scale = numpy.median(sizes[sizes > 0]) / numpy.maximum(sizes, 1)
    return (scipy.sparse.diags(scale.astype(numpy.float32)) @ counts).tocsr().log1p()


def tfidf(counts):
    """(1 + log count) x idf, rows of norm 1."""
    from sklearn.feature_extraction.text import TfidfTransformer
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts)


WEIGHTINGS = {"": lambda rows: rows, "cells": cells, "tfidf": tfidf}


def ready(rows, weighting, sparse, seed):
    """The rows as a method gets them: weighed, and dense if it does not take sparse ones."""
    rows = WEIGHTINGS[weighting](rows)
    if not weighting or sparse:
        return rows
    from sklearn.decomposition import TruncatedSVD
    return TruncatedSVD(DENSE_COLUMNS, random_state=seed).fit_transform(rows)
