"""A share of the arcs on parts: `PartialEdges` of one machine, with the same choice of arcs for the same seed.

What is chosen (`nearly.techniques.partial_edges`): an arc's place in an order of all arcs is a key, made of its weight
and a seeded hash of its ends. A vertex keeps the share `keep` of its arcs that have the smallest keys; its limit is the
largest of these. An arc stays if its key is within the limit of the vertex that it enters, or of the one that it
leaves. Keys are a function of the ends' global numbers, so each part computes those of its own arcs.

How parts agree: the limits for entering arcs are known to the part that owns the vertex, which has all its rows. Where
leaving arcs count on their own (directed graphs), parts send the keys of arcs to the owner of the vertex these leave,
once, and get its limit back. In undirected graphs a vertex has one limit, and others are told. Where each edge
stays by its own hash (triangle_count), or only the end that is entered decides (searches and ranks in undirected
graphs), nothing is exchanged.

Draws made anew in each round, PartialEdges's choice for bfs, sssp and connected_components unless `redraw=False`,
depend on the rounds of one machine: on a cluster they are an error.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nearly.algorithms.mst.keys import keys_of
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import kernel
from nearly.base.random import stream_key
from nearly.base.unsigned import U0, U1
from nearly.distributed.messages import Got, Send, all_values, receive
from nearly.distributed.part import Part
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.applied import as_techniques, check_supported
from nearly.engine.functor_wrappers import limit_of
from nearly.engine.technique import Task
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph
from nearly.techniques.partial_edges import STREAM, PartialEdges
from nearly.techniques.partial_edges.kernels import Order, key_of, nth


@dataclass(frozen=True)
class Thinning:
    """Which arcs of which view of a graph stay."""

    view: str
    keep: float
    select: str
    seed: int
    weighted: bool
    one_way: bool  # whether in undirected graphs an arc may stay without the one back
    sampled: bool  # whether each edge stays by its own hash
    chance: float  # with which an edge does, where answers are scaled by it; else 1
    word: str  # the guarantee of answers


def thinning_of(approx: Any, algorithm: str, seed: int, weighted: bool) -> Thinning | None:
    """What `approx` asks for; None for nothing, and an error for what does not work on a cluster."""
    techniques = as_techniques(approx)
    check_supported(techniques, algorithm)
    others = [one for one in techniques if not isinstance(one, PartialEdges)]
    if others or len(techniques) > 1:
        names = ", ".join(type(one).__name__ for one in techniques)
        raise InvalidArgumentError(f"on a cluster approx takes one PartialEdges and no other technique, not {names}")
    if not techniques or techniques[0].is_exact:
        return None
    entry = ALGORITHMS.get(algorithm)
    chosen: Any = techniques[0]
    if chosen.in_rounds(Task(algorithm, seed, weighted)):
        raise InvalidArgumentError(
            f"PartialEdges draws arcs anew in each round of {algorithm}, and rounds on a cluster are others than on "
            "one machine; choose them once: PartialEdges(redraw=False)"
        )
    sampled = entry.traits.fewer_arcs == "estimated"
    return Thinning(
        "undirected" if entry.undirected else "in", chosen.keep, chosen.select, seed, weighted, entry.traits.one_way,
        sampled, chosen.keep if sampled else 1.0, chosen.guarantee(algorithm) or "heuristic",
    )  # fmt: skip


def thinned_part(part: Part, how: Thinning) -> Generator[Send, Got, Part]:
    """The part with the arcs that stay; it has the same vertices and ghosts, and others read the same of it."""
    offsets, targets, weights = part.graph.arrays
    names = part.globals().astype(np.uint64)
    bits = keys_of(part.graph, how.weighted and part.graph.weighted and how.select != "random")
    flip, key = (
        np.uint64(2**64 - 1 if how.select == "heaviest" else 0),
        stream_key(np.uint64(how.seed), np.uint64(STREAM)),
    )
    order = Order(*bits, flip, np.uint64(key), not part.directed, part.directed)
    keys = np.empty(part.graph.m, np.uint64)
    fill_keys(offsets, targets, names, order, keys)
    into, out = np.zeros(part.graph.n, np.uint64), np.zeros(part.graph.n, np.uint64)
    if how.sampled:
        into[:] = limit_of(how.keep)
    else:
        row_limits(offsets, keys, how.keep, into)
        if part.directed:
            yield from _leaving(part, keys, how.keep, out)
        elif not how.one_way:
            got = yield Send(all_values(part, into[part.own]))
            receive(part, got, into)
            out = into
    stays = keys <= out[targets]
    mark_entering(offsets, keys, into, stays)
    ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(stays, dtype=np.uint64)])
    chosen = weights[stays] if how.weighted and part.graph.weighted else NO_WEIGHTS
    graph = Graph._trusted(Arrays(ends[offsets], targets[stays], chosen), directed=True)
    return replace(part, graph=graph, directed=part.directed or (how.one_way and not how.sampled))


def _leaving(part: Part, keys: np.ndarray, keep: float, out: np.ndarray) -> Generator[Send, Got, None]:
    """The limits for leaving arcs of all local vertices, from the keys that parts send to the vertices' owners."""
    targets = part.graph.arrays.targets
    by_source = keys[np.argsort(targets, kind="stable")]
    sizes = np.bincount(targets, minlength=part.graph.n)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    message = {}
    for q, there in part.ghost_slices.items():
        message[q] = sizes[there].astype(np.uint32), by_source[ends[there.start] : ends[there.stop]]
    got = yield Send(message)
    own = part.own
    owners = [np.repeat(np.arange(part.size), sizes[own])]
    pieces = [by_source[ends[own.start] : ends[own.stop]]]
    for q in sorted(got.values):
        counts, sent = got.values[q]
        owners.append(np.repeat(part.needed[q], counts.astype(np.int64)))
        pieces.append(sent)
    owner, together = np.concatenate(owners), np.concatenate(pieces)
    rows = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=part.size))]).astype(np.uint64)
    limits = np.zeros(part.size, np.uint64)
    row_limits(rows, together[np.argsort(owner, kind="stable")], keep, limits)
    out[own] = limits
    got = yield Send(all_values(part, limits))
    receive(part, got, out)


@kernel
def fill_keys(offsets, targets, names, order, keys):
    """The key of each arc of the part."""
    for v in range(np.uint64(offsets.size - 1)):
        for e in range(offsets[v], offsets[v + U1]):
            keys[e] = key_of(order, e, names[v], names[targets[e]])


@kernel
def row_limits(offsets, keys, keep, limits):
    """For each row the largest key among the share `keep` of smallest ones, one arc at least."""
    widest = U0
    for v in range(np.uint64(limits.size)):
        widest = max(widest, offsets[v + U1] - offsets[v])
    some = np.empty(widest, np.uint64)
    for v in range(np.uint64(limits.size)):
        low, size = offsets[v], offsets[v + U1] - offsets[v]
        for i in range(size):
            some[i] = keys[low + i]
        if size:
            wanted = np.uint64(np.ceil(keep * np.float64(size)))
            limits[v] = nth(some, size, min(max(wanted, U1), size) - U1)


@kernel
def mark_entering(offsets, keys, limits, stays):
    """Arcs within the limit of the vertex that they enter stay too."""
    for v in range(np.uint64(offsets.size - 1)):
        for e in range(offsets[v], offsets[v + U1]):
            if keys[e] <= limits[v]:
                stays[e] = True
