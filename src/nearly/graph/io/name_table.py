"""The compiled part of reading names: a hash table that numbers words.

The table is cut into parts by a few bits of the hash; a part belongs to one worker, so that nothing needs a lock, and
the number a word gets depends on its part and on the order of the file alone. A hash never decides: the bytes of two
words are compared. A worker first lists the next words of its part, and asks for the lines of memory it will need some
words ahead. The table does not grow under the workers: a part that is full stops, Python makes a larger one, and it
goes on.

A row of the table is two words: half of the hash above the word's number plus one, which is 0 where the row is empty;
and where its bytes begin in the store, above how many they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add
from nearly.base.intrinsics import eight_bytes, prefetch
from nearly.base.jit import inner_kernel, kernel, parallel_kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.io.name_kernels import some_bytes

BATCH = np.uint64(512)
_EIGHT, _SIZE_BITS, _HALF = np.uint64(8), np.uint64(24), np.uint64(32)
_LOW, _SIZE = np.uint64(2**32 - 1), np.uint64(2**24 - 1)
_FAR, _NEAR = np.uint64(12), np.uint64(6)  # words ahead at which rows and bytes are asked for


class NameTable(NamedTuple):
    """Rows of all parts one after the other, and how many words each part has."""

    rows: np.ndarray  # uint64[2 * parts * room]
    counts: np.ndarray  # uint64[parts]
    store: np.ndarray  # uint8, the bytes of the words
    used: np.ndarray  # uint64[1], how much of the store


@inner_kernel
def room_of(table):
    """How many rows a part has."""
    return np.uint64(table.rows.size) // (np.uint64(2) * np.uint64(table.counts.size))


@parallel_kernel
def number_words(data, words, starts, ends, table, at, numbers):
    """The number of each word of a region into `numbers`, from `at[part]` on; a part that is full stops."""
    for part in prange(table.counts.size):
        _number_part(data, words, starts, ends, table, np.uint64(part), at, numbers)


@kernel
def _number_part(data, words, starts, ends, table, part, at, numbers):
    parts, hashes = np.uint64(table.counts.size), words.hashes
    room = room_of(table)
    mine = np.empty(BATCH, np.uint64)
    slot, piece = at[part], U0
    while piece < np.uint64(starts.size):
        slot = max(slot, starts[piece])
        while slot < ends[piece]:
            if (table.counts[part] + BATCH) * np.uint64(3) > room * np.uint64(2):
                at[part] = slot
                return
            last, count = min(slot + BATCH, ends[piece]), U0
            for s in range(slot, last):
                mine[count] = s
                count += np.uint64(hashes[s] & (parts - U1) == part)
            _number_batch(data, words, table, part, mine, count, numbers)
            slot = last
        piece += U1
    at[part] = slot


@inner_kernel
def _number_batch(data, words, table, part, mine, count, numbers):
    rows, store, hashes = table.rows, table.store, words.hashes
    parts, room = np.uint64(table.counts.size), room_of(table)
    first, mask, fill = part * room, room - U1, table.counts[part]
    for i in range(min(_FAR, count)):
        prefetch(rows, (first + ((hashes[mine[i]] >> _HALF) & mask)) << U1)
    for i in range(count):
        if i + _FAR < count:
            prefetch(rows, (first + ((hashes[mine[i + _FAR]] >> _HALF) & mask)) << U1)
        if i + _NEAR < count:
            row = (first + ((hashes[mine[i + _NEAR]] >> _HALF) & mask)) << U1
            prefetch(store, rows[row + U1] >> _SIZE_BITS)
        s = mine[i]
        number, fill = _number_word(
            data, hashes[s], np.uint64(words.begins[s]), np.uint64(words.sizes[s]), table, first, mask, fill
        )
        numbers[s] = number * parts + part
    table.counts[part] = fill


@inner_kernel
def _number_word(data, h, begin, size, table, first, mask, fill):
    """The number of one word within its part, and how many words the part has then."""
    rows, store, i = table.rows, table.store, (h >> _HALF) & mask
    row = (first + i) << U1
    while rows[row] & _LOW != U0:
        alike = (rows[row] ^ h) >> _HALF == U0 and rows[row + U1] & _SIZE == size
        if alike and _same(data, begin, store, rows[row + U1] >> _SIZE_BITS, size):
            return (rows[row] & _LOW) - U1, fill
        i = (i + U1) & mask
        row = (first + i) << U1
    where = fetch_add(table.used, U0, size)
    for k in range(size):
        store[where + k] = data[begin + k]
    rows[row], rows[row + U1] = (h & ~_LOW) | (fill + U1), (where << _SIZE_BITS) | size
    return fill, fill + U1


@inner_kernel
def _same(data, begin, store, where, size):
    """Whether two words of this size are equal; the store has eight bytes more than it says."""
    end = begin + size
    while begin + _EIGHT <= end:
        if eight_bytes(data, begin) != eight_bytes(store, where):
            return False
        begin += _EIGHT
        where += _EIGHT
    return begin == end or some_bytes(data, begin, end - begin) == some_bytes(store, where, end - begin)


@parallel_kernel
def move_rows(old, new, parts):
    """All rows of a table into a larger one."""
    for part in prange(parts):
        _move_part(old, new, np.uint64(part), np.uint64(parts))


@kernel
def _move_part(old, new, part, parts):
    room, larger = np.uint64(old.size) // (parts + parts), np.uint64(new.size) // (parts + parts)
    for r in range(part * room, (part + U1) * room):
        if old[r << U1] & _LOW != U0:
            i = (old[r << U1] >> _HALF) & (larger - U1)
            while new[(part * larger + i) << U1] & _LOW != U0:
                i = (i + U1) & (larger - U1)
            to = (part * larger + i) << U1
            new[to], new[to + U1] = old[r << U1], old[(r << U1) + U1]


@parallel_kernel
def list_words(rows, parts, begins, sizes):
    """Where each word stands in the store and how long it is, by its number."""
    for part in prange(parts):
        _list_part(rows, np.uint64(part), np.uint64(parts), begins, sizes)


@kernel
def _list_part(rows, part, parts, begins, sizes):
    room = np.uint64(rows.size) // (parts + parts)
    for r in range(part * room, (part + U1) * room):
        if rows[r << U1] & _LOW != U0:
            number = ((rows[r << U1] & _LOW) - U1) * parts + part
            begins[number], sizes[number] = rows[(r << U1) + U1] >> _SIZE_BITS, rows[(r << U1) + U1] & _SIZE
