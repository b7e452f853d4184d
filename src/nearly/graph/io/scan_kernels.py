"""The compiled part of the text readers: count lines, cut at line ends, turn plain lines into edges.

A kernel takes only lines it is sure of: two plain whole numbers and, where there is a third column, a
number whose nearest double it can prove. Every other line (letters, signs, numbers beyond the bounds,
a missing column, a decimal on the edge between two doubles) is *odd*: the piece stops there, Python
reads that one line with all the care an error message needs, and the piece goes on behind it.

Every line given to a kernel ends with a newline, so that the loops need no bounds checks: a newline
stops each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.graph.io.word_kernels import (
    NEWLINE,
    U1,
    blank,
    decimal_number,
    next_line,
    skip_blanks,
    skip_separator,
    skip_word,
    whole_number,
)  # fmt: skip


class EdgeColumns(NamedTuple):
    """Where the edges of a region go."""

    src: np.ndarray
    dst: np.ndarray
    weights: np.ndarray  # of length 0 where weights are not read


class PieceStates(NamedTuple):
    """How far each piece of a region is parsed."""

    at: np.ndarray  # the byte to go on from
    slots: np.ndarray  # where the piece's next edge goes
    odd: np.ndarray  # whether it stopped at an odd line
    tops: np.ndarray  # the largest id so far
    kinds: np.ndarray  # the kinds of weights so far, as bits


@parallel_kernel
def count_lines(data, cuts):
    """The number of newlines in each piece."""
    pieces = cuts.size - 1
    counts = np.zeros(pieces, np.int64)
    for p in prange(pieces):
        found = 0
        for i in range(cuts[p], cuts[p + 1]):
            found += data[i] == NEWLINE
        counts[p] = found
    return counts


@kernel
def cut_at_lines(data, pieces):
    """Bounds of about equal pieces, each beginning at the start of a line; `data` ends with a newline."""
    cuts = np.empty(pieces + 1, np.uint64)
    cuts[0] = 0
    size = np.uint64(data.size)
    for p in range(1, pieces):
        at = max(np.uint64(p) * (size // np.uint64(pieces)), cuts[p - 1])
        while at < size and at > cuts[p - 1] and data[at - U1] != NEWLINE:
            at += U1
        cuts[p] = at
    cuts[pieces] = size
    return cuts


@parallel_kernel
def parse_pieces(data, limit, ends, states, rules, edges):
    """Go on with each piece below `limit` to its end or its next odd line.

    `rules` are the bytes that begin a comment (two), the byte that begins a line of data or 0, the number of columns,
    the least and the largest id, and whether weights may be negative.
    """
    for p in prange(limit):
        if states.at[p] < ends[p]:
            _go_on(data, p, ends[p], states, rules, edges)


@kernel
def _go_on(data, p, end, states, rules, edges):
    """One piece. The stores stand in a function of their own: inside the `prange` numba lost them, unpacked or not."""
    states.at[p], states.slots[p], states.odd[p], states.tops[p], states.kinds[p] = _parse_piece(
        data, states.at[p], end, states.slots[p], states.tops[p], states.kinds[p], rules, edges
    )


@kernel
def _parse_piece(data, at, end, slot, top, kind, rules, edges):
    src, dst, weights = edges.src, edges.dst, edges.weights
    comment, other_comment, lead, columns = rules[0], rules[1], rules[2], rules[3]
    low, high, signed = rules[4], rules[5], rules[6]
    while at < end:
        p = skip_blanks(data, at)
        c = np.int64(data[p])
        if c == NEWLINE:
            at = p + U1
            continue
        if c in (comment, other_comment):
            at = next_line(data, p)
            continue
        if lead:
            if c != lead or not blank(data[p + U1]):
                return at, slot, True, top, kind
            p = skip_blanks(data, p + U1)
        u, p, u_fine = whole_number(data, p)
        p = skip_separator(data, p)
        v, p, v_fine = whole_number(data, p)
        if not (u_fine and v_fine) or u < low or v < low or u > high or v > high:
            return at, slot, True, top, kind
        if columns == 3:
            q = skip_separator(data, p)
            if q == p:
                return at, slot, True, top, kind
            if weights.size:
                value, p, fine, seen = decimal_number(data, q, signed)
                if not fine:
                    return at, slot, True, top, kind
                kind |= seen
                weights[slot] = value
            else:
                p = skip_word(data, q)
                if p == q:
                    return at, slot, True, top, kind
        p = skip_blanks(data, p)
        if data[p] != NEWLINE:
            return at, slot, True, top, kind
        src[slot] = u - low
        dst[slot] = v - low
        top = max(top, u, v)
        slot += U1
        at = p + U1
    return at, slot, False, top, kind
