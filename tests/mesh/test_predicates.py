"""Predicates against rational arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearly.base.jit import kernel
from nearly.mesh import expansions as x
from nearly.mesh import predicates as p
from nearly.mesh.predicates import in_circle_exactly, orient_exactly

pytestmark = pytest.mark.small


@kernel
def orient(ax, ay, bx, by, cx, cy):  # this and the next ones because Python cannot call what only kernels call
    return p.orient(ax, ay, bx, by, cx, cy)


@kernel
def in_circle(ax, ay, bx, by, cx, cy, dx, dy):
    return p.in_circle(ax, ay, bx, by, cx, cy, dx, dy)


@kernel
def difference(a, b, out):
    x.difference(a, b, out)


@kernel
def add_product(e, ne, f, nf, factor, out, n, spare):
    return x.add_product(e, ne, f, nf, factor, out, n, spare)


@kernel
def shorten(e, ne):
    return x.shorten(e, ne)


def sign(value):
    return (value > 0) - (value < 0)


def true_orient(a, b, c):
    return sign((a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]))


def true_in_circle(a, b, c, d):
    (ax, ay), (bx, by), (cx, cy) = ((p[0] - d[0], p[1] - d[1]) for p in (a, b, c))
    a2, b2, c2 = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    return sign(a2 * (bx * cy - cx * by) + b2 * (cx * ay - ax * cy) + c2 * (ax * by - bx * ay))


def check(points):
    exact = [(Fraction(float(u)), Fraction(float(v))) for u, v in points]
    flat = [float(v) for p in points for v in p]
    assert sign(orient(*flat[:6])) == orient_exactly(*flat[:6]) == true_orient(*exact[:3])
    assert sign(in_circle(*flat)) == in_circle_exactly(*flat) == true_in_circle(*exact)


def families():
    rng = np.random.default_rng(1)
    for _ in range(25):
        yield rng.random((4, 2))
        yield rng.integers(0, 4, (4, 2)).astype(float)  # many on one line or circle
        turn = rng.random(4) * 6.3
        yield np.column_stack([np.cos(turn), np.sin(turn)]) * 10.0 ** rng.integers(-9, 10) + rng.random(2)
        yield (
            0.1 * np.cumsum(rng.integers(1, 5, (4, 1)) * np.ones((4, 2)), axis=0) + rng.integers(-2, 3, (4, 2)) * 2**-52
        )
        yield np.array([(12, 12), (24, 24), (0.5, 0.5), (0.5, 0.5)]) + rng.integers(0, 3, (4, 2)) * 2**-53


def test_on_difficult_points():
    for points in families():
        check(points)


numbers = st.one_of(
    st.integers(-8, 8).map(float),
    st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda v: v == 0 or abs(v) > 1e-30),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=4))
def test_on_any_points(points):
    check(points)


def exactly(numbers):
    return sum(map(Fraction, numbers.tolist()), Fraction(0))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=2), st.sampled_from([1.0, -1.0]))
def test_expansions_are_exact(pairs, factor):
    one, two = np.empty(2), np.empty(2)
    for (a, b), out in zip(pairs, (one, two)):
        difference(a, b, out)
        assert exactly(out) == Fraction(a) - Fraction(b)
    out, spare = np.empty(16), np.empty(20)
    n = add_product(one, 2, two, 2, 1.0, out, 0, spare)
    n = add_product(one, 2, one, 2, factor, out, n, spare)
    assert exactly(out[:n]) == exactly(one) * exactly(two) + Fraction(factor) * exactly(one) ** 2


def test_long_expansions_are_shortened():
    bits = 2.0 ** np.arange(-500.0, 500.0, 2.0)  # a number a bit, none next to another
    short = bits.copy()
    n = shorten(short, short.size)
    assert exactly(short[:n]) == exactly(bits)
    assert n <= 1000 // 53 + 2
    assert (np.abs(short[: n - 1]) <= np.spacing(short[1:n]) / 2).all()
    assert shorten(short, 0) == 0
    room, spare = np.empty(24), np.empty(32)  # too small for a sum of this length as it stands
    n = 0
    for k in range(0, 500, 2):
        n = add_product(bits[k : k + 2], 2, np.ones(1), 1, 1.0, room, n, spare)
    assert exactly(room[:n]) == exactly(bits)


def test_coordinates_of_every_size():
    rng = np.random.default_rng(7)
    for _ in range(25):
        points = rng.choice([-1.0, 1.0], (4, 2)) * rng.random((4, 2)) * 10.0 ** rng.uniform(-59, 70, (4, 2))
        check(points)
        points[3] = points[rng.integers(3)]  # on the circle, whatever it is
        check(points)
