"""The compiled part of the METIS reader: line k holds the neighbours of vertex k.

Two passes over the pieces of a region: how many vertex lines and words each has, then the arcs. As in
`scan_kernels.py` every line ends with a newline, and a line that is not as it must be stops its piece.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from nearly.base.jit import kernel, parallel_kernel
from nearly.graph.io.word_kernels import COMMA, NEWLINE, U0, U1, next_line, skip_blanks, skip_word, whole_number

PERCENT = 37


@parallel_kernel
def measure_rows(data, cuts):
    """Vertex lines and words of each piece."""
    pieces = cuts.size - 1
    rows, words = np.zeros(pieces, np.uint64), np.zeros(pieces, np.uint64)
    for p in prange(pieces):
        rows[p], words[p] = _measure_piece(data, cuts[p], cuts[p + 1])
    return rows, words


@kernel
def _measure_piece(data, at, end):
    rows, words = U0, U0
    while at < end:
        at = skip_blanks(data, at)
        if data[at] == PERCENT:
            at = next_line(data, at)
            continue
        while data[at] != NEWLINE:
            words += U1
            at = skip_blanks(data, _skip_dense(data, at))
        rows += U1
        at += U1
    return rows, words


@kernel
def _skip_dense(data, at):
    """Past a word, commas being part of it."""
    at = skip_word(data, at + U1)
    while data[at] == COMMA:
        at = skip_word(data, at + U1)
    return at


@parallel_kernel
def parse_rows(data, cuts, row_starts, slot_starts, leads, n, edges):
    """The arcs of each piece, from its first slot on; returns where each piece stopped and how far it filled.

    `leads` numbers at the start of each line are skipped (vertex sizes and weights); where `edges` have room for
    weights, there is one behind each neighbour. Vertices are numbered from 1 in the file and from 0 in the arrays.
    """
    pieces = cuts.size - 1
    stops, slots = np.empty(pieces, np.uint64), np.empty(pieces, np.uint64)
    for p in prange(pieces):
        stops[p], slots[p] = _parse_piece(data, cuts[p], cuts[p + 1], row_starts[p], slot_starts[p], leads, n, edges)
    return stops, slots


@kernel
def _parse_piece(data, at, end, row, slot, leads, n, edges):
    src, dst, weights = edges.src, edges.dst, edges.weights
    weighted = weights.size > 0
    while at < end:
        line = at
        at = skip_blanks(data, at)
        if data[at] == PERCENT:
            at = next_line(data, at)
            continue
        before = slot
        words = 0
        while data[at] != NEWLINE:
            value, at, fine = whole_number(data, at)
            after = skip_blanks(data, at)
            if not fine or (after == at and data[at] != NEWLINE):
                return line, before
            at = after
            words += 1
            if words <= leads:
                continue
            if weighted and (words - leads) % 2 == 0:
                weights[slot] = value
                slot += U1
                continue
            if value < 1 or value > n or row >= np.uint64(n):
                return line, before
            src[slot] = row
            dst[slot] = value - 1
            slot += np.uint64(not weighted)
        if row >= np.uint64(n):  # blank lines may follow the last vertex, nothing else
            if words:
                return line, before
        elif words < leads or (weighted and (words - leads) % 2 == 1):
            return line, before
        row += U1
        at += U1
    return end, slot
