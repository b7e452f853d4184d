"""Exact sums and products of floating-point numbers, as expansions.

An expansion is an array of numbers of growing magnitude that do not overlap; its exact value is their sum and its sign
that of the last that is not 0. Sums and products of two numbers are represented exactly by two (the rounded result and
its error), and from these longer expansions are built; zeros are left out, so that simple inputs stay short, and what
becomes long is made as short as it can be. This is what predicates fall back to when rounding could decide their sign.
Callers bound the coordinates, which keeps overflow and underflow away. Nothing here makes arrays: GPUs cannot.
"""

from __future__ import annotations

import numpy as np

from nearly.base.intrinsics import apart
from nearly.base.jit import inner_kernel

_NONE = np.int64(0)
_SPLITTER = 134217729.0  # 2^27 + 1: cuts a number into two halves of 26 bits


@inner_kernel
def two_sum(a, b):
    """a + b as the rounded sum and its error."""
    s = a + b
    virtual = s - a
    return s, (a - (s - virtual)) + (b - virtual)


@inner_kernel
def two_product(a, b):
    """a * b as the rounded product and its error."""
    p = a * b
    big = _SPLITTER * a
    a_high = big - (big - a)
    a_low = a - a_high
    big = _SPLITTER * b
    b_high = big - (big - b)
    b_low = b - b_high
    return p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inner_kernel
def difference(a, b, out):
    """a - b into the two numbers of `out`, each of which may be 0."""
    out[1], out[0] = two_sum(a, -b)


@inner_kernel
def _append(out, n, number):
    """Append a number to the n in `out`, unless it is 0; returns how many there are then."""
    if number != 0.0:
        out[n] = number
        n += 1
    return n


@inner_kernel
def add(e, ne, f, nf, out):
    """e + f into `out` (which is neither), merged by magnitude; returns its length."""
    i, j, n = 0, 0, _NONE
    q = 0.0
    while i < ne or j < nf:
        if j == nf or (i < ne and abs(e[i]) < abs(f[j])):
            term = e[i]
            i += 1
        else:
            term = f[j]
            j += 1
        q, error = two_sum(q, term)
        n = _append(out, n, error)
    return _append(out, n, q)


@inner_kernel
def scale(e, ne, b, out):
    """e * b into `out`; returns its length."""
    n, q = _NONE, 0.0
    for i in range(ne):
        if e[i] == 0.0:
            continue
        product, low = two_product(e[i], b)
        s, error = two_sum(q, low)
        n = _append(out, n, error)
        q, error = two_sum(product, s)
        n = _append(out, n, error)
    return _append(out, n, q)


@inner_kernel
def add_product(e, ne, f, nf, factor, out, n, spare):
    """Add e * f * factor (1 or -1) to the n numbers in `out`; returns how many they are then.

    `spare` is room for 2 * ne numbers and as many as `out` has, which is shortened where the next sum might not fit.
    """
    apart()
    other = spare[2 * ne :]
    for j in range(nf):
        if f[j] == 0.0:
            continue
        length = scale(e, ne, factor * f[j], spare)
        if n + length > out.size:
            n = shorten(out, n)
        n = add(out, n, spare, length, other)
        for i in range(n):
            out[i] = other[i]
    return n


@inner_kernel
def shorten(e, ne):
    """The same value in as few numbers as it takes, in place: each is at most half a last place of the next."""
    if ne == 0:
        return 0
    q, bottom = e[ne - 1], ne - 1
    for i in range(ne - 2, -1, -1):
        q, error = two_sum(q, e[i])
        if error != 0.0:
            e[bottom] = q
            bottom -= 1
            q = error
    n = _NONE
    for i in range(bottom + 1, ne):
        q, error = two_sum(e[i], q)
        n = _append(e, n, error)
    e[n] = q
    return n + 1


@inner_kernel
def sign(e, ne):
    """-1, 0 or 1."""
    return 0.0 if ne == 0 else (1.0 if e[ne - 1] > 0.0 else -1.0)
