"""On which side of a line, inside or outside a circle: always the right answer.

Both determinants are computed in floating point first; where the result is larger than any rounding error
could be, its sign stands. Otherwise they are computed again with expansions, exactly. The bounds on coordinates in
`nearly.mesh.limits` keep overflow and underflow away (four differences are multiplied).
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.mesh import expansions as x
from nearly.mesh.light import light

_HALF_ULP = 2.0**-53
_ORIENT_BOUND = (3.0 + 16.0 * _HALF_ULP) * _HALF_ULP
_CIRCLE_BOUND = (10.0 + 96.0 * _HALF_ULP) * _HALF_ULP


@light
def orient(ax, ay, bx, by, cx, cy):
    """Positive where a, b, c turn left, negative where right, 0 on one line; the size is twice the area, roughly."""
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    det = left - right
    bound = _ORIENT_BOUND * (abs(left) + abs(right))
    if det > bound or -det > bound:
        return det
    return orient_exactly(ax, ay, bx, by, cx, cy)


@light
def in_circle(ax, ay, bx, by, cx, cy, dx, dy):
    """Positive where d lies inside the circle through a, b, c (which turn left), negative outside, 0 on it."""
    adx, ady = ax - dx, ay - dy
    bdx, bdy = bx - dx, by - dy
    cdx, cdy = cx - dx, cy - dy
    bc, cb = bdx * cdy, cdx * bdy
    ca, ac = cdx * ady, adx * cdy
    ab, ba = adx * bdy, bdx * ady
    a2 = adx * adx + ady * ady
    b2 = bdx * bdx + bdy * bdy
    c2 = cdx * cdx + cdy * cdy
    det = a2 * (bc - cb) + b2 * (ca - ac) + c2 * (ab - ba)
    size = a2 * (abs(bc) + abs(cb)) + b2 * (abs(ca) + abs(ac)) + c2 * (abs(ab) + abs(ba))
    bound = _CIRCLE_BOUND * size
    if det > bound or -det > bound:
        return det
    return in_circle_exactly(ax, ay, bx, by, cx, cy, dx, dy)


@kernel
def orient_exactly(ax, ay, bx, by, cx, cy):
    """The sign of `orient`, by expansions."""
    d, n = np.empty((4, 2)), np.empty(4, np.int64)
    values = (ax, cx, by, cy, ay, cy, bx, cx)
    for i in range(4):
        n[i] = x.difference(values[2 * i], values[2 * i + 1], d[i])
    det = np.empty(16)
    return x.sign(det, _two_products(d, n, (0, 1, 2, 3), -1.0, det))


@kernel
def _two_products(d, n, which, factor, out):
    """d[p] * d[q] + factor * d[r] * d[s] into `out`, `which` being p, q, r, s; returns its length."""
    product, length = np.empty((2, 8)), np.empty(2, np.int64)
    for i in range(2):
        p, q = which[2 * i], which[2 * i + 1]
        length[i] = x.multiply(d[p], n[p], d[q], n[q], product[i])
    if factor < 0.0:
        x.negate(product[1], length[1])
    return x.add(product[0], length[0], product[1], length[1], out)


@kernel
def in_circle_exactly(ax, ay, bx, by, cx, cy, dx, dy):
    """The sign of `in_circle`, by expansions: the sum of (px^2 + py^2) * (qx * ry - rx * qy) over p, q, r in turn."""
    d, n = np.empty((6, 2)), np.empty(6, np.int64)
    values = (ax, dx, ay, dy, bx, dx, by, dy, cx, dx, cy, dy)
    for i in range(6):
        n[i] = x.difference(values[2 * i], values[2 * i + 1], d[i])
    factors, lengths, term = np.empty((2, 16)), np.empty(2, np.int64), np.empty(512)
    sums, length = np.empty((2, 1536)), 0
    for i in range(3):
        p, q, r = 2 * i, 2 * ((i + 1) % 3), 2 * ((i + 2) % 3)
        for j in range(2):
            which = (p, p, p + 1, p + 1) if j == 0 else (q, r + 1, r, q + 1)
            lengths[j] = _two_products(d, n, which, 1.0 - 2.0 * j, factors[j])
        n_term = x.multiply(factors[0], lengths[0], factors[1], lengths[1], term)
        length = x.add(sums[i % 2], length, term, n_term, sums[(i + 1) % 2])
    return x.sign(sums[1], length)


# light kernels call these, and what is first compiled for one of them may not make arrays: so they are compiled now
orient_exactly(0.0, 0.0, 1.0, 0.0, 0.0, 1.0)
in_circle_exactly(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0)
