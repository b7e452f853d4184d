"""Exact sums and products of floating-point numbers, as expansions.

An expansion is an array of numbers of growing magnitude that do not overlap; its exact value is their sum and its sign
that of the last. Sums and products of two numbers are represented exactly by two (the rounded result and its
error), and from these longer expansions are built; zeros are left out, so that simple inputs stay short. This is what
predicates fall back to when rounding could decide their sign. Overflow and underflow are kept away by the
callers, who bound the coordinates.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel

_SPLITTER = 134217729.0  # 2^27 + 1: cuts a number into two halves of 26 bits


@kernel
def two_sum(a, b):
    """a + b as the rounded sum and its error."""
    s = a + b
    virtual = s - a
    return s, (a - (s - virtual)) + (b - virtual)


@kernel
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


@kernel
def difference(a, b, out):
    """a - b into `out`; returns its length."""
    s, error = two_sum(a, -b)
    n = 0
    if error != 0.0:
        out[n] = error
        n += 1
    if s != 0.0:
        out[n] = s
        n += 1
    return n


@kernel
def add(e, ne, f, nf, out):
    """e + f into `out` (which is neither), merged by magnitude; returns its length."""
    i, j, n = 0, 0, 0
    q = 0.0
    while i < ne or j < nf:
        if j == nf or (i < ne and abs(e[i]) < abs(f[j])):
            term = e[i]
            i += 1
        else:
            term = f[j]
            j += 1
        q, error = two_sum(q, term)
        if error != 0.0:
            out[n] = error
            n += 1
    if q != 0.0:
        out[n] = q
        n += 1
    return n


@kernel
def scale(e, ne, b, out):
    """e * b into `out`; returns its length."""
    n = 0
    q = 0.0
    for i in range(ne):
        product, low = two_product(e[i], b)
        s, error = two_sum(q, low)
        if error != 0.0:
            out[n] = error
            n += 1
        q, error = two_sum(product, s)
        if error != 0.0:
            out[n] = error
            n += 1
    if q != 0.0:
        out[n] = q
        n += 1
    return n


@kernel
def multiply(e, ne, f, nf, out):
    """e * f into `out` (of at least 2 * ne * nf numbers); returns its length."""
    scaled = np.empty(2 * max(ne, 1))
    other = np.empty(2 * max(ne * nf, 1))
    n = 0
    for j in range(nf):
        length = scale(e, ne, f[j], scaled)
        total = add(out, n, scaled, length, other)
        for i in range(total):
            out[i] = other[i]
        n = total
    return n


@kernel
def negate(e, ne):
    """-e, in place."""
    for i in range(ne):
        e[i] = -e[i]


@kernel
def sign(e, ne):
    """-1, 0 or 1."""
    return 0.0 if ne == 0 else (1.0 if e[ne - 1] > 0.0 else -1.0)
