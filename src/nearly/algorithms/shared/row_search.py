"""Binary search in a row, whose targets ascend."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import light_kernel
from nearly.base.unsigned import U1


@light_kernel
def first_from(targets, low, high, v):
    """The first arc in [low, high) whose target is v or larger."""
    while low < high:
        middle = (low + high) >> U1
        if np.uint64(targets[middle]) < v:
            low = middle + U1
        else:
            high = middle
    return low
