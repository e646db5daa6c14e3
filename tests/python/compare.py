# SPDX-License-Identifier: Apache-2.0
import numpy as np


def same(one, other):
    """The same bytes, shape and type."""
    return (one.shape == other.shape and one.dtype == other.dtype
            and np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes())
