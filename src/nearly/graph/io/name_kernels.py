"""The compiled part of reading names: words out of lines, and a hash table that numbers them.

`parse_name_pieces` cuts plain lines into fields and notes of each end where it stands and its hash; lines it is not
sure of are odd, as in `scan_kernels`, and are left to Python. `number_words` then looks every word up. The table is cut
into parts by a few bits of the hash; a part belongs to one worker, so that nothing needs a lock, and the number a word
gets depends on its part and on the order of the file alone. A hash never decides: the bytes of two words are compared.
The table does not grow under the workers: a part that is half full stops, Python makes a larger one, and it goes on.

A row of the table is (hash, where its bytes begin in the store, how many they are, its number plus one); 0 means empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add
from nearly.base.jit import kernel, parallel_kernel
from nearly.graph.io.word_kernels import COMMA, NEWLINE, RETURN, SPACE, TAB, U0, U1, decimal_number, next_line

QUOTE = 34
U2, U3 = np.uint64(2), np.uint64(3)
_PRIME, _MIX = np.uint64(0x100000001B3), np.uint64(0x9E3779B97F4A7C15)
_HALF, _PART = np.uint64(32), np.uint64(40)


class Words(NamedTuple):
    """One end of each edge of a region."""

    hashes: np.ndarray  # uint64
    begins: np.ndarray  # uint32
    sizes: np.ndarray  # uint32


class Shape(NamedTuple):
    """How a line of names looks."""

    separator: int  # TAB, COMMA, or SPACE for any run of blanks
    comment: int  # the byte that begins a comment anywhere, or NEWLINE for none
    other_comment: int
    columns: int
    source: int  # which column
    target: int
    weight: int  # -1 where there is none
    signed: int  # whether weights may be negative
    seed: np.uint64


@kernel
def finish_hash(h):
    h = (h ^ (h >> _HALF)) * _MIX
    return h ^ (h >> _HALF)


@kernel
def hash_word(data, begin, end, seed):
    """The hash of the bytes from begin to end."""
    h = seed
    for p in range(begin, end):
        h = (h ^ np.uint64(data[p])) * _PRIME
    return finish_hash(h)


@kernel
def skip_blank(data, p, tabs):
    while data[p] == SPACE or data[p] == RETURN or (tabs and data[p] == TAB):
        p += U1
    return p


@kernel
def plain_field(data, p, separator, seed):
    """A field without quotes: where it ends, where the next one begins, its hash, and whether it is fine."""
    h, end, blanks = seed, p, separator == SPACE
    begin = p
    while True:
        c = np.int64(data[p])
        if c == NEWLINE or c == separator or (blanks and c == TAB):
            break
        if c == SPACE or c == RETURN or c == TAB and separator != TAB:  # part of the field only where more of it follows
            p += U1
            continue
        if c == QUOTE or c == 0:
            return end, p, h, False
        for q in range(end, p + U1):  # with the blanks before it, if any
            h = (h ^ np.uint64(data[q])) * _PRIME
        p += U1
        end = p
    return end, p, finish_hash(h), end > begin


@kernel
def quoted_field(data, p, seed):
    """The same of a field in quotes, which begins behind the first one."""
    h = seed
    while data[p] != QUOTE:
        if data[p] == NEWLINE or data[p] == 0:
            return p, p, h, False
        h = (h ^ np.uint64(data[p])) * _PRIME
        p += U1
    return p, p + U1, finish_hash(h), data[p + U1] != QUOTE


@parallel_kernel
def parse_name_pieces(data, limit, ends, states, shape, src, dst, weights):
    """Go on with each piece below `limit` to its end or its next odd line."""
    for p in prange(limit):
        if states.at[p] < ends[p]:
            _go_on(data, p, ends[p], states, shape, src, dst, weights)


@kernel
def _go_on(data, p, end, states, shape, src, dst, weights):
    states.at[p], states.slots[p], states.odd[p], states.kinds[p] = _parse_piece(
        data, states.at[p], end, states.slots[p], states.kinds[p], shape, src, dst, weights
    )


@kernel
def _parse_piece(data, at, end, slot, kind, shape, src, dst, weights):
    separator, tabs = shape.separator, shape.separator != TAB
    while at < end:
        p = skip_blank(data, at, tabs)
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
                    stop, q, h, fine = quoted_field(data, begin, shape.seed)
                else:
                    stop, q, h, fine = plain_field(data, p, separator, shape.seed)
                    fine = fine or (column not in (shape.source, shape.target) and stop == p)
                if not fine:
                    return at, slot, True, kind
                if column == shape.source:
                    src.hashes[slot], src.begins[slot], src.sizes[slot] = h, begin, stop - begin
                if column == shape.target:
                    dst.hashes[slot], dst.begins[slot], dst.sizes[slot] = h, begin, stop - begin
            column += 1
            p = skip_blank(data, q, tabs)
            if data[p] == NEWLINE:
                break
            if separator != SPACE:
                if data[p] != separator:
                    return at, slot, True, kind
                p = skip_blank(data, p + U1, tabs)
            elif p == q:
                return at, slot, True, kind
        if column != shape.columns:
            return at, slot, True, kind
        slot += U1
        at = p + U1
    return at, slot, False, kind


class NameTable(NamedTuple):
    """Rows of all parts one after the other, and how many words each part has."""

    rows: np.ndarray  # uint64[parts * room, 4]
    counts: np.ndarray  # uint64[parts]
    store: np.ndarray  # uint8, the bytes of the words
    used: np.ndarray  # uint64[1], how much of the store


@parallel_kernel
def number_words(data, words, starts, ends, table, at, numbers):
    """The number of each word of a region into `numbers`, from `at[part]` on; a part that is half full stops."""
    for part in prange(table.counts.size):
        _number_part(data, words, starts, ends, table, np.uint64(part), at, numbers)


@kernel
def _number_part(data, words, starts, ends, table, part, at, numbers):
    parts = np.uint64(table.counts.size)
    room = np.uint64(table.rows.shape[0]) // parts
    first, mask = part * room, room - U1
    slot, piece, fill = at[part], U0, table.counts[part]
    hashes, begins, sizes = words.hashes, words.begins, words.sizes
    while piece < np.uint64(starts.size):
        slot = max(slot, starts[piece])
        while slot < ends[piece]:
            h = hashes[slot]
            if (h >> _PART) & (parts - U1) == part:
                if fill * U2 >= room:
                    at[part], table.counts[part] = slot, fill
                    return
                number, fill = _number_word(
                    data, h, np.uint64(begins[slot]), np.uint64(sizes[slot]), table, first, mask, fill
                )
                numbers[slot] = number * parts + part
            slot += U1
        piece += U1
    at[part], table.counts[part] = slot, fill


@kernel
def _number_word(data, h, begin, size, table, first, mask, fill):
    """The number of one word within its part, and how many words the part has then."""
    rows, store = table.rows, table.store
    i = h & mask
    while rows[first + i, U3] != U0:
        if rows[first + i, U0] == h and rows[first + i, U2] == size:
            if _same(data, begin, store, rows[first + i, U1], size):
                return rows[first + i, U3] - U1, fill
        i = (i + U1) & mask
    where = fetch_add(table.used, U0, size)
    for k in range(size):
        store[where + k] = data[begin + k]
    rows[first + i, U0], rows[first + i, U1], rows[first + i, U2], rows[first + i, U3] = h, where, size, fill + U1
    return fill, fill + U1


@kernel
def _same(data, begin, store, where, size):
    for k in range(size):
        if data[begin + k] != store[where + k]:
            return False
    return True


@parallel_kernel
def move_rows(old, new, parts):
    """All rows of a table into a larger one."""
    for part in prange(parts):
        _move_part(old, new, np.uint64(part), np.uint64(parts))


@kernel
def _move_part(old, new, part, parts):
    room, larger = np.uint64(old.shape[0]) // parts, np.uint64(new.shape[0]) // parts
    for r in range(part * room, (part + U1) * room):
        if old[r, U3] != U0:
            i = old[r, U0] & (larger - U1)
            while new[part * larger + i, U3] != U0:
                i = (i + U1) & (larger - U1)
            for k in range(np.uint64(4)):
                new[part * larger + i, k] = old[r, k]


@kernel
def list_words(rows, parts, begins, sizes):
    """Where each word stands in the store and how long it is, by its number."""
    room = np.uint64(rows.shape[0]) // np.uint64(parts)
    for r in range(np.uint64(rows.shape[0])):
        if rows[r, U3] != U0:
            number = (rows[r, U3] - U1) * np.uint64(parts) + r // room
            begins[number], sizes[number] = rows[r, U1], rows[r, U2]
