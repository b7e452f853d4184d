"""On which side of a line, inside or outside a circle: always the right answer.

Both determinants are computed in floating point first; where the result is larger than any rounding error
could be, its sign stands. Otherwise they are computed again with expansions, exactly. The bounds on coordinates in
`nearly.mesh.mesh` keep overflow and underflow away (four differences are multiplied).

The exact forms are given the array they work in. How it is made depends on the target: here for the CPU, in
`nearly.mesh.cuda.predicates` for a GPU. On the CPU kernels call them by name, so that no kernel contains their code.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from nearly.base.jit import inner_kernel, kernel
from nearly.mesh.called_by_name import called_by_name
from nearly.mesh.expansions import add_product, difference, sign
from nearly.mesh.triangle_records import U1

_HALF_ULP = 2.0**-53
_ORIENT_BOUND = (3.0 + 16.0 * _HALF_ULP) * _HALF_ULP
_CIRCLE_BOUND = (10.0 + 96.0 * _HALF_ULP) * _HALF_ULP
_SUM = 128  # numbers of a sum: coordinates allow for 2,000 bits, which shortened take 40, and a product adds 32
_NONE, _TWO = np.int64(0), np.int64(2)  # literals would make numba compile what they are passed to once for each
SCRATCH = 12 + 2 * 16 + _SUM + 32 + _SUM  # numbers either exact form needs room for


@inner_kernel
def orient(ax, ay, bx, by, cx, cy):
    """Positive where a, b, c turn left, negative where right, 0 on one line; the size is twice the area, roughly."""
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    det = left - right
    bound = _ORIENT_BOUND * (abs(left) + abs(right))
    if det > bound or -det > bound:
        return det
    return orient_exactly(ax, ay, bx, by, cx, cy)


@inner_kernel
def turn(xy, a, b, c):
    """`orient` for three points that are given by their numbers."""
    a, b, c = a << U1, b << U1, c << U1
    return orient(xy[a], xy[a + U1], xy[b], xy[b + U1], xy[c], xy[c + U1])


@inner_kernel
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


@inner_kernel
def _two_products(d, which, factor, out, spare):
    """d_p * d_q + factor * d_r * d_s into `out`, `which` being where p, q, r, s are in d; returns its length."""
    p, q, r, s = which
    n = add_product(d[p:], _TWO, d[q:], _TWO, 1.0, out, _NONE, spare)
    return add_product(d[r:], _TWO, d[s:], _TWO, factor, out, n, spare)


@inner_kernel
def sign_in(scratch, circle, a, b, c, d):
    """The sign, by expansions, of `in_circle` for points (x, y); if `circle` is 0.0, of `orient` for a, b and d.

    With p, q, r for a, b, c in turn, as seen from d, the first is the sum of (px^2 + py^2) * (qx * ry - rx * qy), the
    second ax * by - bx * ay. They are one function because most of it is the same.
    """
    seen, square, cross = scratch[:12], scratch[12:28], scratch[28:44]
    total, spare = scratch[44 : 44 + _SUM], scratch[44 + _SUM :]
    values = (a[0], d[0], a[1], d[1], b[0], d[0], b[1], d[1], c[0], d[0], c[1], d[1])
    for i in range(6):
        difference(values[2 * i], values[2 * i + 1], seen[2 * i :])
    n = _NONE
    if circle == 0.0:
        return sign(cross, _two_products(seen, (n, n + 6, n + 4, n + 2), -1.0, cross, spare))
    for i in range(3):
        p, q, r = 4 * i, 4 * ((i + 1) % 3), 4 * ((i + 2) % 3)
        n_square = _two_products(seen, (p, p, p + 2, p + 2), 1.0, square, spare)
        n_cross = _two_products(seen, (q, r + 2, r, q + 2), -1.0, cross, spare)
        n = add_product(square, n_square, cross, n_cross, 1.0, total, n, spare)
    return sign(total, n)


@kernel(no_cfunc_wrapper=False)
def _sign(circle, a, b, c, d):
    return sign_in(np.empty(SCRATCH), circle, a, b, c, d)


_sign_by_name = called_by_name(_sign, 0.0, (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))


def orient_exactly(ax, ay, bx, by, cx, cy):
    """-1, 0 or 1 as `orient` is, by expansions."""
    return _sign(0.0, (ax, ay), (bx, by), (cx, cy), (cx, cy))


def in_circle_exactly(ax, ay, bx, by, cx, cy, dx, dy):
    """-1, 0 or 1 as `in_circle` is, by expansions."""
    return _sign(1.0, (ax, ay), (bx, by), (cx, cy), (dx, dy))


@overload(orient_exactly)
def _orient_exactly(ax, ay, bx, by, cx, cy):
    return lambda ax, ay, bx, by, cx, cy: _sign_by_name((0.0, (ax, ay), (bx, by), (cx, cy), (cx, cy)))


@overload(in_circle_exactly)
def _in_circle_exactly(ax, ay, bx, by, cx, cy, dx, dy):
    return lambda ax, ay, bx, by, cx, cy, dx, dy: _sign_by_name((1.0, (ax, ay), (bx, by), (cx, cy), (dx, dy)))
