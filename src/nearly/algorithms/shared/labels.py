"""The form of labels: a label is the smallest member's index.

Inside kernels labels have the type of the graph's targets; a caller gets signed integers, so that differences of
labels mean what they say.
"""

from __future__ import annotations

import numpy as np

_SIGNED_32 = 2**31


def as_labels(labels: np.ndarray) -> np.ndarray:
    """Kernel labels as signed integers, without a copy where 32 bits do."""
    if labels.dtype == np.uint32 and labels.size <= _SIGNED_32:
        return labels.view(np.int32)
    return labels.astype(np.int64)


def count_labels(labels: np.ndarray) -> int:
    """How many parts there are: the vertices that are their own label."""
    return int(np.count_nonzero(labels == np.arange(labels.size)))


def are_vertices(labels: np.ndarray, n: int) -> bool:
    """Whether there is a label for each of n vertices, and each is a vertex."""
    return labels.shape == (n,) and bool((labels >= 0).all() and (labels < n).all())
