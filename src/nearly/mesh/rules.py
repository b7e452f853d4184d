"""What makes a triangle bad, where the point goes that mends it, and where a segment is split (Ruppert's method).

- A triangle is bad if its smallest angle is below its bound or its area above its bound.
- It is mended by a point on the perpendicular bisector of its shortest edge: the centre of its circle (Ruppert) or,
  with off-centres, where that is further away than needed, the nearest place from which the shortest edge is seen
  under just the wanted angle (Uengoer).
- A point that lies in the circle over a segment (the segment is its diameter) would be too near to the segment. It is
  not inserted; the segment is split instead, in the middle.
- Where segments meet at a sharp angle, splitting them in the middle would go on forever: there they are split at
  distances from the corner that are powers of two, and a triangle whose shortest edge joins two such points at the same
  distance from a common corner is left as it is, because no point can mend it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import inner_kernel
from nearly.mesh.triangle_records import U1, U2, U3

RANKS = 128
_ROOT_HALF = math.sqrt(0.5)  # where the nearest power of two changes


class Rules(NamedTuple):
    """What kernels judge triangles by, and put points by."""

    cosine: Any  # squared cosine of the smallest angle allowed
    area: Any  # largest area allowed
    reach: Any  # how far from its shortest edge, in lengths of that edge, the point may be that mends a triangle
    shortest: Any  # squared length below which an edge is not made shorter
    exponent: Any  # binary exponent of the largest squared length
    sharp: Any  # by point of the input: whether two segments meet there at less than 60 degrees


def rules_for(
    min_angle: float, max_area: float | None, points: np.ndarray, segments: np.ndarray, off_centres: bool = True
) -> Rules:
    """The rules for these bounds; the largest coordinate decides how short an edge may become."""
    size = float(np.abs(points).max(initial=0.0))
    cosine = float(np.cos(np.radians(min_angle)))
    return Rules(
        cosine=cosine**2,
        area=np.inf if max_area is None else float(max_area),
        reach=0.475 * math.sqrt((1 + cosine) / (1 - cosine)) if off_centres and min_angle > 0 else np.inf,
        shortest=(2.0**-44 * size) ** 2,
        exponent=2 * float(np.log2(max(size, 1e-300))),
        sharp=sharp_corners(points, segments),
    )


@inner_kernel
def _square(xy, p, q):
    """The squared distance of two points; without powers, because GPUs round them in another way than CPUs."""
    dx, dy = xy[p] - xy[q], xy[p + U1] - xy[q + U1]
    return dx * dx + dy * dy


@inner_kernel
def shortest_edge(records, xy, t):
    """Which edge of triangle `t` is the shortest (the first of several), and its squared length."""
    at = t << U3
    a, b, c = np.uint64(records[at]) << U1, np.uint64(records[at + U1]) << U1, np.uint64(records[at + U2]) << U1
    ab, bc, ca = _square(xy, a, b), _square(xy, b, c), _square(xy, c, a)
    if ab <= bc and ab <= ca:
        return a, b, c, ab
    if bc <= ca:
        return b, c, a, bc
    return c, a, b, ca


@inner_kernel
def badness(mesh, rules, t):
    """How bad a triangle is: -1 for a good one, else the rank of its shortest edge, the shorter the lower.

    Mending those with the shortest edges first takes the fewest points, because a point near them mends others too.
    """
    xy = mesh.xy
    a, b, c, short = shortest_edge(mesh.records, xy, t)
    ux, uy = xy[a] - xy[c], xy[a + U1] - xy[c + U1]
    vx, vy = xy[b] - xy[c], xy[b + U1] - xy[c + U1]
    dot = ux * vx + uy * vy
    product = (ux * ux + uy * uy) * (vx * vx + vy * vy)
    thin = dot > 0.0 and dot * dot > rules.cosine * product and not _at_sharp_corner(mesh, a >> U1, b >> U1)
    if thin or 0.5 * (ux * vy - uy * vx) > rules.area:
        mantissa, exponent = math.frexp(short)
        rank = RANKS - 4 - 2 * (np.int64(rules.exponent) - exponent) + (mantissa > 0.7071)
        return 0 if rank < 0 else rank if rank < RANKS else RANKS - 1
    return -1


@inner_kernel
def _at_sharp_corner(mesh, a, b):
    """Whether a and b lie on two segments with a common corner, at the same distance from it."""
    xy, ends, s, t = mesh.xy, mesh.ends, mesh.on[a], mesh.on[b]
    if s == t or s == 0 or t == 0:
        return False
    for i in range(2):
        corner = np.uint64(ends[s, i])
        if corner == np.uint64(ends[t, 0]) or corner == np.uint64(ends[t, 1]):
            one, two = _square(xy, a << U1, corner << U1), _square(xy, b << U1, corner << U1)
            return abs(one - two) < 0.002 * one
    return False


@inner_kernel
def mending_point(records, xy, rules, t):
    """Where a point mends triangle `t`, and whether its shortest edge is long enough to do so."""
    a, b, c, short = shortest_edge(records, xy, t)
    ux, uy = xy[a] - xy[c], xy[a + U1] - xy[c + U1]
    vx, vy = xy[b] - xy[c], xy[b + U1] - xy[c + U1]
    cross = ux * vy - uy * vx
    away = 0.5 * (ux * vx + uy * vy) / cross if cross > 0.0 else rules.reach
    if away > rules.reach:
        away = rules.reach
    dx, dy = xy[b] - xy[a], xy[b + U1] - xy[a + U1]
    x = xy[a] + 0.5 * dx - away * dy
    y = xy[a + U1] + 0.5 * dy + away * dx
    return x, y, short > rules.shortest and away < 1e100


@inner_kernel
def too_near(xy, a, b, x, y):
    """Whether the point lies inside the circle that has the segment from a to b as diameter."""
    a, b = a << U1, b << U1
    return (xy[a] - x) * (xy[b] - x) + (xy[a + U1] - y) * (xy[b + U1] - y) < 0.0


@inner_kernel
def splitting_point(xy, rules, a, b):
    """Where the segment from a to b is split, and whether it is long enough to be."""
    sharp = rules.sharp
    from_a, from_b = a < sharp.size and sharp[a], b < sharp.size and sharp[b]
    if from_b and not from_a:
        a, b = b, a
    a, b = a << U1, b << U1
    dx, dy = xy[b] - xy[a], xy[b + U1] - xy[a + U1]
    square = dx * dx + dy * dy
    share = 0.5
    if from_a != from_b:
        length = math.sqrt(square)
        mantissa, exponent = math.frexp(0.5 * length)
        share = math.ldexp(1.0, exponent if mantissa > _ROOT_HALF else exponent - 1) / length
    return xy[a] + share * dx, xy[a + U1] + share * dy, square > 4.0 * rules.shortest


def sharp_corners(points: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """For each point whether two segments meet there at less than 60 degrees."""
    sharp = np.zeros(len(points), np.bool_)
    if len(segments) == 0:
        return sharp
    origin = np.concatenate([segments[:, 0], segments[:, 1]])
    towards = points[np.concatenate([segments[:, 1], segments[:, 0]])] - points[origin]
    angle = np.arctan2(towards[:, 1], towards[:, 0])
    order = np.lexsort((angle, origin))
    origin, angle = origin[order], angle[order]
    same = origin[1:] == origin[:-1]
    narrow = np.pi / 3 - 1e-9
    sharp[origin[1:][same & (angle[1:] - angle[:-1] < narrow)]] = True
    last = np.append(np.flatnonzero(~same), origin.size - 1)
    first = np.append(0, last[:-1] + 1)
    sharp[origin[first[angle[first] - angle[last] + 2 * np.pi < narrow]]] = True  # from the last one back to the first
    return sharp
