"""Kernels of the minimum spanning forest: keys, selection, a radix sort of packed words, and Kruskal's loop.

Keys are weights as unsigned integers that compare alike (`ordered`), so one set of kernels serves whole
numbers and floats, and nothing is sorted by comparison. An edge is its arc from the smaller to the larger
end; edges are selected in the order of those arcs, which is the order of (smaller, larger) ends, and every sort
is stable, so ties are broken in that order without a comparison. `parent` is a forest of pointers to smaller vertices,
as in `connected_components.kernels`; it is flat whenever edges are selected, so two reads tell whether an edge
joins two trees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.connected_components.kernels import unite
from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import fetch_add, going
from nearly.base.intrinsics import prefetch
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import U0, U1

DIGIT = np.uint64(11)  # bits a pass of the sort looks at
POSITION = np.uint64(32)  # a packed word is key << POSITION | position
LOW = np.uint64(2**32 - 1)
POLL = np.uint64((1 << 16) - 1)
LATER, SOON = np.uint64(24), np.uint64(12)  # how many edges ahead ends, and parents of ends, are prefetched


class KeyedRows(NamedTuple):
    """The rows of a graph, and its weights as `ordered` reads them."""

    offsets: np.ndarray
    targets: np.ndarray
    bits: np.ndarray  # of Keys: beside the targets, empty where all edges weigh the same
    sign: np.uint64  # of Keys


class Chosen(NamedTuple):
    """Edges of one level."""

    tail: np.ndarray
    head: np.ndarray
    arc: np.ndarray
    key: np.ndarray  # above the level's lowest


class Places(NamedTuple):
    """Where the chosen edges of each piece of rows are."""

    starts: np.ndarray  # uint64[pieces]
    counts: np.ndarray  # uint64[pieces]
    total: np.ndarray  # uint64[1]: how many there are in all, also those that did not fit


@kernel
def ordered(bits, sign):
    """Weight bits as an unsigned key in the weights' order; `sign` is the sign bit of floats, 0 for whole numbers."""
    key = np.uint64(bits)
    if sign == U0:
        return key
    if key > sign:
        return ~key & (sign - U1)
    return key | sign  # both zeros become the same key


@kernel
def ordered_all(bits, sign, keys):
    """The keys of all `bits`."""
    for i in range(np.uint64(bits.size)):
        keys[i] = ordered(bits[i], sign)


@parallel_kernel
def select(rows, low, high, parent, edges, places, crew):
    """Edges between two trees with keys in [low, high], each piece's together, from `starts[piece]` on in `edges`.

    Each worker gathers a piece apart and then claims room. The total may exceed the room there is: what does
    not fit is counted and left out.
    """
    cuts, cursor, workers, stop = crew
    starts, counts, total = places
    pieces, room, widest = np.uint64(cuts.size - 1), np.uint64(edges.arc.size), U0
    for piece in range(pieces):
        widest = max(widest, rows.offsets[cuts[piece + U1]] - rows.offsets[cuts[piece]])
    for _ in prange(workers):
        own = room_for(widest, edges)
        piece = fetch_add(cursor, U0, U1)
        while piece < pieces and going(stop):
            count = gather(rows, cuts[piece], cuts[piece + U1], low, high, parent, own)
            at = fetch_add(total, U0, count)
            starts[piece], counts[piece] = at, count
            if at + count <= room:
                move(own, count, edges, at)
            piece = fetch_add(cursor, U0, U1)


@kernel
def room_for(count, edges):
    """Room for `count` edges of the same types."""
    return Chosen(
        np.empty(count, edges.tail.dtype),
        np.empty(count, edges.head.dtype),
        np.empty(count, edges.arc.dtype),
        np.empty(count, edges.key.dtype),
    )


@kernel
def gather(rows, begin, end, low, high, parent, edges):
    """`select` for the rows from begin to end; returns how many edges there are."""
    offsets, targets, bits, sign = rows
    tail, head, arc, key = edges
    count = U0
    for u in range(begin, end):
        tree = parent[u]
        for e in range(first_from(targets, offsets[u], offsets[u + U1], u + U1), offsets[u + U1]):
            k = ordered(bits[e], sign)
            if k >= low and k <= high and parent[targets[e]] != tree:
                tail[count], head[count], arc[count], key[count] = u, targets[e], e, k - low
                count += U1
    return count


@kernel
def move(edges, count, to, at):
    """Copy `count` edges to their place."""
    for i in range(count):
        to.tail[at + i], to.head[at + i] = edges.tail[i], edges.head[i]
        to.arc[at + i], to.key[at + i] = edges.arc[i], edges.key[i]


@kernel
def pack(key, places, words):
    """The low 32 bits of each key beside its position, in the order of the pieces."""
    starts, counts = places.starts, places.counts
    fill = U0
    for piece in range(np.uint64(starts.size)):
        for position in range(starts[piece], starts[piece] + counts[piece]):
            words[fill] = (key[position] & LOW) << POSITION | position
            fill += U1


@kernel
def repack(key, words):
    """The high 32 bits of each key in place of the low ones."""
    for i in range(np.uint64(words.size)):
        position = words[i] & LOW
        words[i] = (key[position] >> POSITION) << POSITION | position


@kernel
def radix_sort(words, spare, width, stop):
    """Order words by the `width` bits above POSITION, lowest digit first; returns the array that holds them."""
    size, done = np.uint64(words.size), U0
    passes = (width + DIGIT - U1) // DIGIT
    places = np.empty(U1 << DIGIT, np.uint64)
    while done < width and going(stop):
        step = min((width + passes - U1) // passes, width - done)
        mask, shift = (U1 << step) - U1, POSITION + done
        for d in range(U1 << step):
            places[d] = U0
        for i in range(size):
            places[(words[i] >> shift) & mask] += U1
        at = U0
        for d in range(U1 << step):
            count = places[d]
            places[d] = at
            at += count
        for i in range(size):
            d = (words[i] >> shift) & mask
            spare[places[d]] = words[i]
            places[d] += U1
        words, spare = spare, words
        done += step
    return words


@kernel
def kruskal(words, edges, parent, tree, size, stop):
    """Take the edges in order; those that join two trees are appended to `tree`. Returns its new size."""
    tail, head, arc, _ = edges
    last = np.uint64(words.size) - min(U1, np.uint64(words.size))
    for i in range(np.uint64(words.size)):
        if i & POLL == U0 and not going(stop):
            break
        later, soon = words[min(i + LATER, last)] & LOW, words[min(i + SOON, last)] & LOW
        prefetch(tail, later)
        prefetch(head, later)
        prefetch(parent, np.uint64(tail[soon]))
        prefetch(parent, np.uint64(head[soon]))
        position = words[i] & LOW
        if unite(parent, np.uint64(tail[position]), np.uint64(head[position])):
            tree[size] = arc[position]
            size += U1
            if size + U1 == np.uint64(parent.size):
                break  # one tree holds every vertex
    return size


@kernel
def kruskal_in_rows(rows, only, parent, tree, size, stop):
    """Take the edges of key `only` (all, where there are no weights) in the order of their arcs; else as `kruskal`."""
    offsets, targets, bits, sign = rows
    for u in range(np.uint64(parent.size)):
        if u & POLL == U0 and not going(stop):
            break
        for e in range(first_from(targets, offsets[u], offsets[u + U1], u + U1), offsets[u + U1]):
            wanted = bits.size == 0 or ordered(bits[e], sign) == only
            if wanted and unite(parent, u, np.uint64(targets[e])):
                tree[size] = e
                size += U1
    return size


@kernel
def plant(tail, head, parent, joins):
    """Unite the ends of edges; into `joins`, whether each joined two trees rather than closing a cycle."""
    for i in range(np.uint64(tail.size)):
        joins[i] = unite(parent, np.uint64(tail[i]), np.uint64(head[i]))


@kernel
def rows_of(offsets, arcs, rows):
    """The row that holds each arc; arcs ascend."""
    u = U0
    for i in range(np.uint64(arcs.size)):
        while offsets[u + U1] <= arcs[i]:
            u += U1
        rows[i] = u


@kernel
def lightest_arcs(rows, tail, head, arcs):
    """For each edge the lightest arc between its ends in either direction, the first of equals."""
    offsets, targets, bits, sign = rows
    for i in range(np.uint64(tail.size)):
        u, v = np.uint64(tail[i]), np.uint64(head[i])
        best, least = U0, ~U0
        for _ in range(2):
            e = first_from(targets, offsets[u], offsets[u + U1], v)
            while e < offsets[u + U1] and targets[e] == v:
                key = ordered(bits[e], sign) if bits.size else U0
                if key < least or (key == least and e < best):
                    best, least = e, key
                e += U1
            u, v = v, u
        arcs[i] = best
