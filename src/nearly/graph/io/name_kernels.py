"""The compiled part of reading names: words out of lines.

`parse_name_pieces` cuts plain lines into fields and notes of each end where it stands and its hash, by which
`name_table` numbers it; lines it is not sure of are odd, as in `scan_kernels`, and are left to Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import config, prange

from nearly.base.intrinsics import eight_bytes
from nearly.base.jit import inner_kernel, kernel, light_kernel, parallel_kernel
from nearly.graph.io.word_kernels import NEWLINE, SPACE, U0, U1, decimal_number, next_line

QUOTE = 34
LETTER, BLANK, END, ODD = 0, 1, 2, 3  # kinds of bytes: part of a field, or if more of it follows, or none, or not sure
_MIX = np.uint64(0x9E3779B97F4A7C15)
_EIGHT, _HALF = np.uint64(8), np.uint64(32)


class Words(NamedTuple):
    """One end of each edge of a region."""

    hashes: np.ndarray  # uint64
    begins: np.ndarray  # uint32
    sizes: np.ndarray  # uint32


class Shape(NamedTuple):
    """How a line of names looks."""

    kinds: np.ndarray  # uint8[256], the kind of each byte
    separator: int  # SPACE: any run of blanks
    comment: int  # the byte that begins a comment anywhere, or NEWLINE for none
    other_comment: int
    columns: int
    source: int  # which column
    target: int
    weight: int  # -1 where there is none
    signed: int  # whether weights may be negative
    seed: np.uint64


def _overflowing(function: Callable[..., Any]) -> Any:
    """Compile a function whose products are meant to overflow; silent also where compilation is off."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else light_kernel(function)


@inner_kernel
def some_bytes(data, begin, count):
    """Up to seven bytes as one word, zeros above them."""
    if begin + _EIGHT <= np.uint64(data.size):
        return eight_bytes(data, begin) & ((U1 << (_EIGHT * count)) - U1)
    word = U0
    for k in range(count):
        word |= np.uint64(data[begin + k]) << (_EIGHT * k)
    return word


@_overflowing
def hash_word(data, begin, end, seed):
    """The hash of the bytes from begin to end."""
    h = seed ^ ((end - begin) * _MIX)
    while begin + _EIGHT <= end:
        h = (h ^ eight_bytes(data, begin)) * _MIX
        h ^= h >> _HALF
        begin += _EIGHT
    if begin < end:
        h = (h ^ some_bytes(data, begin, end - begin)) * _MIX
        h ^= h >> _HALF
    h *= _MIX
    return h ^ (h >> _HALF)


@inner_kernel
def skip_blank(data, p, kinds, separator):
    while kinds[data[p]] == BLANK or (separator == SPACE and kinds[data[p]] == END and data[p] != NEWLINE):
        p += U1
    return p


@inner_kernel
def plain_field(data, p, kinds):
    """A field without quotes: where it ends, where what is behind it begins, and whether it is fine."""
    end = p
    while True:
        while kinds[data[p]] == LETTER:
            p += U1
        end = p
        while kinds[data[p]] == BLANK:
            p += U1
        if kinds[data[p]] != LETTER:
            return end, p, kinds[data[p]] == END


@inner_kernel
def quoted_field(data, p):
    """The same of a field in quotes, which begins behind the first one."""
    while data[p] != QUOTE:
        if data[p] == NEWLINE or data[p] == 0:
            return p, p, False
        p += U1
    return p, p + U1, data[p + U1] != QUOTE


@parallel_kernel
def parse_name_pieces(data, limit, ends, states, shape, src, dst, weights):
    """Go on with each piece below `limit` to its end or its next odd line."""
    for p in prange(limit):
        if states.at[p] < ends[p]:
            _go_on(data, p, ends[p], states, shape, src, dst, weights)


@kernel
def _go_on(data, p, end, states, shape, src, dst, weights):
    states.at[p], states.slots[p], states.odd[p], states.kinds[p] = _parse_piece(
        data, (states.at[p], end), states.slots[p], states.kinds[p], shape, src, dst, weights
    )


@inner_kernel
def _parse_piece(data, span, slot, kind, shape, src, dst, weights):
    at, end = span
    kinds, separator = shape.kinds, shape.separator
    while at < end:
        p = skip_blank(data, at, kinds, separator)
        c = np.int64(data[p])
        if c == NEWLINE:
            at = p + U1
            continue
        if c in (shape.comment, shape.other_comment):
            at = next_line(data, p)
            continue
        column = 0
        while True:
            if column == shape.weight and weights.size:
                value, q, fine, seen = decimal_number(data, p, shape.signed)
                if not fine:
                    return at, slot, True, kind
                kind |= seen
                weights[slot] = value
            else:
                begin = p
                if data[p] == QUOTE:
                    begin = p + U1
                    stop, q, fine = quoted_field(data, begin)
                else:
                    stop, q, fine = plain_field(data, p, kinds)
                ends = column == shape.source or column == shape.target
                if not fine or (ends and stop == begin):
                    return at, slot, True, kind
                if ends:
                    h = hash_word(data, begin, stop, shape.seed)
                    if column == shape.source:
                        src.hashes[slot], src.begins[slot], src.sizes[slot] = h, begin, stop - begin
                    if column == shape.target:
                        dst.hashes[slot], dst.begins[slot], dst.sizes[slot] = h, begin, stop - begin
            column += 1
            p = skip_blank(data, q, kinds, separator)
            if data[p] == NEWLINE:
                break
            if separator != SPACE:
                if data[p] != separator:
                    return at, slot, True, kind
                p = skip_blank(data, p + U1, kinds, separator)
            elif p == q:
                return at, slot, True, kind
        if column != shape.columns:
            return at, slot, True, kind
        slot += U1
        at = p + U1
    return at, slot, False, kind
