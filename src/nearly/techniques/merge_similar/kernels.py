"""The compiled part of merging: signatures of neighbourhoods, buckets of equal ones, the exact check, the contraction.

What: `sign_rows` and `sign_selves` make the signatures, `band_keys` and `link_buckets` put vertices that agree in a
band of entries into one bucket, `compare` and `settle` decide which vertex joins which, and `count_different` and
`fill_different` make the rows of the merged graph.

How: a signature holds, for each of several hash functions, the least hash among a vertex's neighbours. Two vertices
agree in an entry with a probability equal to the Jaccard index of their neighbourhoods (Broder, "On the resemblance
and containment of documents", 1997). A hash is one word drawn for the neighbour, times an odd number that belongs to
the function. That is one multiplication for each entry, and it vectorises.

Why the answer is the same for any number of threads: all decisions depend on vertex numbers only. A bucket is a list
in ascending order, comparisons read what the band before decided, and one thread settles which vertex joins which.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.row_search import first_from
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.random import draw, wrapping
from nearly.base.unsigned import U0, U1, piece_bounds
from nearly.techniques.shared.two_hop_kernels import has_arc

PIECES = 64
TRIES = 4  # vertices of its bucket that a vertex is compared with: the first, and the last ones before it
U32 = np.uint64(32)


class Measure(NamedTuple):
    """The neighbourhoods that are compared, and from which index on two of them are similar."""

    offsets: np.ndarray  # of the graph
    targets: np.ndarray
    back_offsets: np.ndarray  # of the reverse of a directed graph, else empty
    back_targets: np.ndarray
    sizes: np.ndarray  # uint64[2, n]: different neighbours of each vertex, in the graph and in the reverse
    jaccard: float  # the least index of similar ones
    plain: bool  # whether two neighbours count in each other's neighbourhood


class Buckets(NamedTuple):
    """Vertices of equal keys, chained in ascending order; n stands for no vertex."""

    head: np.ndarray  # vertices[n]: the first of the vertex's bucket
    before: np.ndarray  # vertices[n]: the one before the vertex


class MergedRows(NamedTuple):
    """The rows of the merged graph."""

    starts: np.ndarray  # uint64[groups + 1]
    heads: np.ndarray  # vertices[arcs]: the targets
    arcs: np.ndarray  # uint64[arcs]: the given arc that stands for all between the two groups
    totals: np.ndarray  # float64[arcs]: what all of these weigh together; empty where no total is wanted


@wrapping
def lower_entries(row, word, factors):
    """Lower a signature by one more neighbour."""
    for i in range(np.uint64(factors.size)):
        row[i] = min(row[i], np.uint32(word * factors[i]))


@parallel_kernel
def sign_rows(offsets, targets, key, factors, cuts, signatures, sizes):
    """Lower each signature by the vertex's neighbours; `sizes` counts them: each once, never the vertex itself."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            row, size, last = signatures[u], U0, u
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if v != u and v != last:
                    lower_entries(row, np.uint32(draw(key, v) >> U32), factors)
                    size += U1
                    last = v
            sizes[u] = size


@parallel_kernel
def sign_selves(key, factors, signatures):
    """Lower each signature by the vertex itself, so that vertices which are neighbours of each other can agree."""
    for piece in prange(PIECES):
        low, high = piece_bounds(len(signatures), piece, PIECES)
        for u in range(low, high):
            lower_entries(signatures[u], np.uint32(draw(key, u) >> U32), factors)


@parallel_kernel
def band_keys(signatures, first, rows, keys):
    """One word for entries first to first + rows of each signature."""
    for piece in prange(PIECES):
        low, high = piece_bounds(keys.size, piece, PIECES)
        for u in range(low, high):
            key = first
            for i in range(first, first + rows):
                key = draw(key, np.uint64(signatures[u, i]))
            keys[u] = key


@kernel
def is_free(sizes, group, u):
    """Whether u has neighbours and has not joined another vertex."""
    return group[u] == u and sizes[0, u] + sizes[1, u] > 0


@parallel_kernel
def link_buckets(keys, sizes, group, firsts, lasts, buckets):
    """Chain the free vertices of equal keys.

    The hash tables `firsts` and `lasts` hold the first and the last vertex of each bucket so far. The low bits of the
    key choose a part of the tables, and each part belongs to one thread: no locks are needed. Parts are at most half
    full.
    """
    head, before = buckets
    parts, mask = np.uint64(firsts.shape[0]), np.uint64(firsts.shape[1] - 1)
    n = np.uint64(keys.size)
    for part in prange(parts):
        first, last = firsts[part], lasts[part]
        first[:] = n
        for u in range(n):
            if keys[u] & (parts - U1) == part and is_free(sizes, group, u):
                slot = (keys[u] >> U32) & mask
                while first[slot] != n and keys[first[slot]] != keys[u]:
                    slot = (slot + U1) & mask
                if first[slot] == n:
                    first[slot] = u
                    head[u] = before[u] = n
                else:
                    head[u], before[u] = first[slot], last[slot]
                last[slot] = u


@kernel
def agreement(signatures, a, b):
    """In how many entries two signatures agree."""
    count = U0
    for i in range(np.uint64(signatures.shape[1])):
        count += np.uint64(signatures[a, i] == signatures[b, i])
    return count


@kernel
def overlap(offsets, targets, size, plain, a, b):
    """How many neighbours a and b have in common and how many together, a and b themselves left out unless `plain`."""
    i, j = offsets[a], offsets[b]
    end_i, end_j = offsets[a + U1], offsets[b + U1]
    common, last = U0, a
    while i < end_i and j < end_j:
        x, y = np.uint64(targets[i]), np.uint64(targets[j])
        if x == y and x != a and x != b and x != last:
            common += U1
            last = x
        i += np.uint64(x <= y)
        j += np.uint64(y <= x)
    inside = U0
    if not plain:
        inside = np.uint64(has_arc(offsets, targets, a, b)) + np.uint64(has_arc(offsets, targets, b, a))
    return common, size[a] + size[b] - inside - common


@kernel
def too_uneven(size, a, b, jaccard):
    """Whether the sizes alone rule out similarity: the larger neighbourhood has too many more members."""
    fewer, more = min(size[a], size[b]), max(size[a], size[b])
    return more > U1 and np.float64(fewer) / np.float64(more - U1) < jaccard


@kernel
def similar(measure, a, b):
    """Whether the Jaccard index is high enough; in a directed graph on both sides, where two empty sides agree."""
    sizes, jaccard = measure.sizes, measure.jaccard
    if too_uneven(sizes[0], a, b, jaccard) or too_uneven(sizes[1], a, b, jaccard):
        return False
    common, together = overlap(measure.offsets, measure.targets, sizes[0], measure.plain, a, b)
    if together and np.float64(common) / np.float64(together) < jaccard:
        return False
    if measure.back_offsets.size:
        shared, together = overlap(measure.back_offsets, measure.back_targets, sizes[1], measure.plain, a, b)
        if together and np.float64(shared) / np.float64(together) < jaccard:
            return False
        common += shared
    return common > U0


@parallel_kernel
def compare(measure, signatures, least, group, buckets, cuts, found):
    """For each free vertex the first of a few from its bucket that is similar to it, else n.

    Signatures that agree in fewer than `least` entries are not compared exactly.
    """
    sizes, (head, before) = measure.sizes, buckets
    n = np.uint64(group.size)
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            found[u] = n
            if not is_free(sizes, group, u):
                continue
            other = np.uint64(head[u])
            for step in range(TRIES):
                if other == n or (step > 0 and other == head[u]):
                    break
                if agreement(signatures, u, other) >= least and similar(measure, u, other):
                    found[u] = other
                    break
                other = np.uint64(before[u] if step == 0 else before[other])


@kernel
def settle(measure, found, group, leads):
    """In ascending order, let each vertex join the one it was found similar to; a leader of others never joins."""
    n = np.uint64(group.size)
    for u in range(n):
        other = np.uint64(found[u])
        if other == n or group[u] != u:
            continue
        leader = np.uint64(group[other])
        if leader == u:
            continue
        if leader != other and not similar(measure, u, leader):
            continue
        if not leads[u]:
            group[u], leads[leader] = leader, True
        elif not leads[leader]:
            group[leader] = u


@parallel_kernel
def count_different(offsets, targets, members, cuts, counts):
    """How many arcs each row keeps, into counts[1:]: arcs to one target become one, those inside a group disappear."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            count = U0
            for e in range(offsets[u], offsets[u + U1]):
                fresh = e == offsets[u] or targets[e] != targets[e - U1]
                count += np.uint64(fresh and (targets[e] != u or members[u] == 1))
            counts[u + U1] = count


@parallel_kernel
def fill_different(rows, weights, members, cuts, merged):
    """Target, lightest given arc (the first of equals) and, where wanted, total weight of the arcs that are left."""
    offsets, targets, numbers = rows
    starts, heads, arcs, totals = merged
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            at, e = starts[u], offsets[u]
            while e < offsets[u + U1]:
                v, arc, total = targets[e], np.uint64(numbers[e]), 0.0
                while e < offsets[u + U1] and targets[e] == v:
                    if weights.size and weights[numbers[e]] < weights[arc]:
                        arc = np.uint64(numbers[e])
                    total += np.float64(weights[numbers[e]]) if weights.size else 1.0
                    e += U1
                if v != u or members[u] == 1:
                    heads[at], arcs[at] = v, arc
                    if totals.size:
                        totals[at] = total
                    at += U1


@parallel_kernel
def mirror_totals(offsets, targets, cuts, totals):
    """Give an arc to a smaller vertex the total of the arc back: the two sums differ, as their order did."""
    for piece in prange(np.uint64(cuts.size - 1)):
        for u in range(cuts[piece], cuts[piece + U1]):
            for e in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[e])
                if v < u:
                    totals[e] = totals[first_from(targets, offsets[v], offsets[v + U1], u)]
