"""The compiled part of the text writers: numbers to digits, edges to lines."""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel

U0, U1, U10 = np.uint64(0), np.uint64(1), np.uint64(10)
NEWLINE = 10
LONGEST_NUMBER = 20


@kernel
def format_edges(src, dst, weights, separator, out):
    """Write a line an edge to `out`; returns how many bytes. `weights` holds a row of bytes an edge, zeros behind."""
    at = U0
    for i in range(np.uint64(src.size)):
        at = _number(src[i], at, out)
        out[at] = separator
        at = _number(dst[i], at + U1, out)
        if weights.shape[0]:
            out[at] = separator
            at += U1
            for k in range(np.uint64(weights.shape[1])):
                if weights[i, k] == 0:
                    break
                out[at] = weights[i, k]
                at += U1
        out[at] = NEWLINE
        at += U1
    return at


@kernel
def _number(value, at, out):
    digits = U1
    rest = value // U10
    while rest > U0:
        digits += U1
        rest //= U10
    end = at + digits
    p = end
    while p > at:
        p -= U1
        out[p] = np.uint8(np.uint64(48) + value % U10)
        value //= U10
    return end
