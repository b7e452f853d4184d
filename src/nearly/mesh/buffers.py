"""Room for one cavity at a time."""

from __future__ import annotations

import numpy as np


def buffers(room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """For a cavity of up to `room` triangles: its words, a stack, a ring of edges, and the place of the new point."""
    cavity, stack, ring = 8 + 2 * room + 2, room + 4, 3 * room + 8
    return np.empty(cavity, np.uint32), np.empty(stack, np.uint32), np.empty(ring, np.uint32), np.empty(2)
