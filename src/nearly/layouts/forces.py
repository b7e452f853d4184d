"""One round of a force layout: every vertex moves to where its edges and the other vertices would have it.

At rest, a vertex stands at the mean of its neighbours, moved by the push of all others. A round takes each vertex a
part of the way to that point, at most `farthest`, from the positions of the round before. An edge is a spring, or pulls
alike whatever its length is (`alike`; neighbours then count by their weight over the edge's length): the first gives
meshes an even spacing, the second lets communities come apart, because long edges between them pull no more than short
ones (Noack 2007).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

_BATCH = np.uint64(256)  # vertices that a worker takes at a time
_WIDE = 0.7  # a cell is one point to vertices whose squared distance times this exceeds its squared width
_DAMPING = 0.6  # the share of its way that a vertex goes, so that two neighbours do not only change places


class Settings(NamedTuple):
    """What a round needs to know besides positions."""

    cells: np.uint64  # how many cells there are
    push: float  # the factor of pushes
    spring: float  # the part of a pull that grows with the length of the edge
    rope: float  # the part that does not
    small: float  # a squared length; shorter ones count as this long
    farthest: float  # how far a vertex may move


@kernel
def pushed(points, cells, settings, i):
    """The sum of the pushes on point i: (x, y)."""
    x, y = points.x[i], points.y[i]
    push_x, push_y, cell, small = 0.0, 0.0, U0, settings.small
    while cell < settings.cells:
        dx, dy = x - cells.x[cell], y - cells.y[cell]
        distance = dx * dx + dy * dy
        after = np.uint64(cells.after[cell])
        if cells.width[cell] < _WIDE * distance:
            strength = cells.mass[cell] / distance
            push_x += dx * strength
            push_y += dy * strength
            cell = after
        elif after == cell + U1:
            for j in range(np.uint64(cells.low[cell]), np.uint64(cells.high[cell])):
                dx, dy = x - points.x[j], y - points.y[j]
                strength = points.mass[j] / (dx * dx + dy * dy + small)
                push_x += dx * strength
                push_y += dy * strength
            cell = after
        else:
            cell += U1
    return push_x, push_y


@kernel
def pulled(level, places, v, settings):
    """The pulls on v, added up: (x, y), and the sum of their strengths."""
    pull_x, pull_y, strengths = 0.0, 0.0, 0.0
    here_x, here_y = places[0, 0, v], places[0, 1, v]
    for e in range(level.offsets[v], level.offsets[v + U1]):
        u = level.targets[e]
        dx, dy = places[0, 0, u] - here_x, places[0, 1, u] - here_y
        strength = level.weights[e] * (settings.spring + settings.rope / np.sqrt(dx * dx + dy * dy + settings.small))
        pull_x += dx * strength
        pull_y += dy * strength
        strengths += strength
    return pull_x, pull_y, strengths


@kernel
def move(level, places, points, cells, settings, first, last):
    """Where the vertices from `first` to `last` of the curve's order are after this round."""
    for i in range(first, last):
        v = np.uint64(points.order[i])
        push_x, push_y = pushed(points, cells, settings, i)
        pull_x, pull_y, strengths = pulled(level, places, v, settings)
        mass, x, y = points.mass[i], points.x[i], points.y[i]
        push = settings.push * mass
        step_x, step_y = push * push_x + pull_x, push * push_y + pull_y
        scale = _DAMPING / strengths if strengths > 0.0 else 0.0
        length = scale * np.sqrt(step_x * step_x + step_y * step_y)
        if length > settings.farthest:
            scale *= settings.farthest / length
        places[1, 0, v], places[1, 1, v] = x + scale * step_x, y + scale * step_y


@parallel_kernel
def move_all(level, places, points, cells, settings, cursor, workers, stop):
    """A round for all vertices, from `places[0]` to `places[1]`; workers take batches of them."""
    n = np.uint64(points.x.size)
    for _ in prange(workers):
        first = fetch_add(cursor, U0, _BATCH)
        while first < n and going(stop):
            move(level, places, points, cells, settings, first, min(first + _BATCH, n))
            first = fetch_add(cursor, U0, _BATCH)
