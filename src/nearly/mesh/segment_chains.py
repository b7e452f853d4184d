"""Whether segments of a mesh are still there as chains of shorter ones."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel


@kernel
def count_broken(points, segments, first, others, slack):
    """How many segments no chain of edges (`others[first[v]:first[v + 1]]`) leads along, off the line by `slack`."""
    broken = 0
    for s in range(segments.shape[0]):
        at, goal = segments[s, 0], segments[s, 1]
        left = others.size
        while at != goal and left > 0:
            left -= 1
            at = _next(points, first, others, at, goal, slack)
            if at < 0:
                break
        broken += at != goal
    return broken


@kernel
def _next(points, first, others, at, goal, slack):
    """The end of the edge from `at` that leads straight towards `goal`, the nearest if there are several; or -1."""
    gx, gy = points[goal, 0] - points[at, 0], points[goal, 1] - points[at, 1]
    length = np.sqrt(gx * gx + gy * gy)
    best, nearest = -1, 2.0
    for i in range(first[at], first[at + 1]):
        v = others[i]
        if v == goal:
            return v
        dx, dy = points[v, 0] - points[at, 0], points[v, 1] - points[at, 1]
        along = (dx * gx + dy * gy) / (length * length)
        off = abs(dx * gy - dy * gx) / length
        if 0.0 < along < 1.0 and off <= slack + 1e-9 * length * along and along < nearest:
            best, nearest = v, along
    return best
