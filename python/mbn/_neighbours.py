# SPDX-License-Identifier: Apache-2.0
"""Lists of nearest rows, as scikit-learn asks for them."""

import numpy as np


def check_neighbours(count, rows, queries, themselves):
    """Complains as scikit-learn does when so many neighbours cannot be found."""
    if isinstance(count, (bool, np.bool_)) or not hasattr(count, "__index__"):
        raise TypeError(f"n_neighbors must be a whole number, not {count!r}")
    if not 1 <= count <= rows - themselves:
        raise ValueError(f"Expected 1 <= n_neighbors <= {rows - themselves}, but n_neighbors = "
                         f"{count}, n_samples_fit = {rows}, n_samples = {queries}")


def without_themselves(distances, indices):
    """Lists from which row i is left out of list i, and where it is not there, the last."""
    own = indices == np.arange(len(indices))[:, None]
    own[~own.any(axis=1), -1] = True
    shape = (len(indices), indices.shape[1] - 1)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)
