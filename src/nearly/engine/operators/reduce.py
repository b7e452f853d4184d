"""Reduce (MG2, `neighborhood_reduce`): one value from the neighbourhood of each vertex, without a float atomic.

For each chosen vertex v, `gather(state, u, v, e)` is combined over the arcs e of row v, then `apply(state, v, total)`
stores what becomes of it. With `apply.emits = True` it also returns whether v changed, and the vertices that did are
the frontier that comes out. The pull algorithms (pagerank, betweenness) are made of it. A policy decides how rows are
cut into work:

- `auto`, `topology`, `frontier`: a row is one piece of work;
- `split`: rows are cut into virtual nodes of at most `threshold` arcs (64);
- `heavy-light`: only rows above the threshold (1,024) are cut, into shares that all workers take.

A cut row leaves one partial result per piece, and these are combined in order: the answer depends neither on the
number of threads nor on which thread took which piece.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.base.atomics import fetch_add, going
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.engine.functor import functor
from nearly.engine.primitives import compact, load_balanced_search, scan
from nearly.engine.row_pieces import crew_for
from nearly.graph.csr import Graph

_WHOLE = 1 << 62  # no row is cut
_LIMITS = {"split": 64, "heavy-light": 1024}
_SERIAL = 1 << 13  # with fewer arcs one thread is faster
_BATCH = np.uint64(256)  # nodes or vertices a worker takes at a time
_ZERO = np.float64(0)


def add(total, value):
    """The sum."""
    return total + value


def least(a, b):
    """The minimum."""
    return min(a, b)


def most(a, b):
    """The maximum."""
    return max(a, b)


class Reduction(NamedTuple):
    """What is computed of a neighbourhood: the functors, and what an empty one gives, whose type all results have."""

    gather: Callable[..., Any]
    apply: Callable[..., Any]
    start: Any = _ZERO
    combine: Callable[..., Any] = add


class Nodes(NamedTuple):
    """Pieces of rows, laid end to end."""

    items: np.ndarray  # the vertices; empty for all
    first: np.ndarray  # uint64: where each one's pieces start
    start: Any  # the result of an empty piece
    partial: np.ndarray  # the result of each piece


class Reduced(NamedTuple):
    """What a reduction did: the arcs it visited, and the items that changed, if `apply.emits` says that it tells."""

    edges: int
    changed: np.ndarray


def reduce(run: Any, graph: Graph, what: Reduction, state: Any, items: np.ndarray | None = None) -> Reduced:
    """Reduce the rows of `items` (default: of all vertices); hand in the reverse graph for in-neighbours."""
    emit = getattr(what.apply, "emits", False)
    arcs = graph.m if items is None else int(graph.out_degrees[items].sum())
    count = graph.n if items is None else items.size
    stay = np.zeros(count if emit else 0, np.bool_)
    if arcs > _SERIAL or run.threads == 1:
        _reduce(run, graph, what, state, items, stay, run.threads)
    else:
        with kernel_threads(1):
            _reduce(run, graph, what, state, items, stay, 1)
    if not emit:
        return Reduced(arcs, graph.rows.targets[:0])
    everything = np.arange(count, dtype=graph.rows.targets.dtype) if items is None else items
    out = np.empty_like(everything)
    return Reduced(arcs, out[: int(compact(everything, stay, out))])


def _reduce(
    run: Any, graph: Graph, what: Reduction, state: Any, items: np.ndarray | None, stay: np.ndarray, workers: int
) -> None:
    most = (run.threshold or _LIMITS[run.policy]) if run.policy in _LIMITS else _WHOLE
    if items is not None or most != _WHOLE:
        _reduce_pieces(run, graph, what, state, items, stay, most, workers)
        return
    kernel, crew = whole_rows(what.gather, what.combine, what.apply, stay.size > 0), crew_for(graph, workers, run.stop)
    run.launch(kernel, graph.rows, what.start, state, stay, crew)


def _reduce_pieces(
    run: Any, graph: Graph, what: Reduction, state: Any, items: Any, stay: np.ndarray, most: int, workers: int
) -> None:
    first = _node_starts(graph, items, most)
    listed = graph.rows.targets[:0] if items is None else items
    nodes = Nodes(listed, first, what.start, np.empty(int(first[-1]), np.result_type(what.start)))
    cursor = np.zeros(1, np.uint64)
    kernel, rows = reduce_nodes(what.gather, what.combine), graph.rows
    run.launch(kernel, rows, nodes, np.uint64(most), state, cursor, workers, run.stop)
    cursor[0] = 0
    run.launch(join_nodes(what.combine, what.apply, stay.size > 0), nodes, state, stay, cursor, workers, run.stop)


def _node_starts(graph: Graph, items: np.ndarray | None, most: int) -> np.ndarray:
    """Where each row's pieces start when those of all rows are laid end to end; for all rows it is kept."""
    kept = graph.__dict__.setdefault("_node_starts", {})
    if items is None and most in kept:
        return kept[most]
    degrees = graph.out_degrees if items is None else graph.out_degrees[items]
    first = np.empty(degrees.size + 1, np.uint64)
    scan(-(-degrees.astype(np.int64) // most), first)
    if items is None:
        kept[most] = first
    return first


@cache
def row_result(gather: Callable[..., Any], combine: Callable[..., Any]) -> Any:
    """The function that combines the arcs [low, high) of v; the order of a sum is left to the compiler."""
    gathers, joins = functor(gather), functor(combine)

    @kernel(fastmath=SUM_ORDER_FREE)
    def row(targets, low, high, v, start, state):
        total = start
        for e in range(low, high):
            total = joins(total, gathers(state, targets[e], v, e))
        return total

    return row


@cache
def applying(apply: Callable[..., Any], emit: bool) -> Any:
    """The function that applies a result to v, and notes in `stay` whether v, the i-th item, changed."""
    applies = functor(apply)

    @kernel(_nrt=False)
    def done(state, v, total, stay, i):
        if emit:
            stay[i] = applies(state, v, total)
        else:
            applies(state, v, total)

    return done


@cache
def whole_rows(gather: Callable[..., Any], combine: Callable[..., Any], apply: Callable[..., Any], emit: bool) -> Any:
    """The kernel `run(rows, start, state, stay, crew)` over all rows, each of them one piece of work."""
    row, done = row_result(gather, combine), applying(apply, emit)

    @parallel_kernel
    def run(rows, start, state, stay, crew):
        offsets, targets = rows.offsets, rows.targets
        cuts, cursor, stop = crew.cuts, crew.cursor, crew.stop
        for _ in prange(crew.workers):
            piece = fetch_add(cursor, U0, U1)
            while piece < np.uint64(cuts.size - 1) and going(stop):
                for v in range(cuts[piece], cuts[piece + U1]):
                    done(state, v, row(targets, offsets[v], offsets[v + U1], v, start, state), stay, v)
                piece = fetch_add(cursor, U0, U1)

    return run


@kernel(_nrt=False)
def keep(partial, k, value):
    """Store the result of a piece; apart, because a store in the parallel loop itself could be lost."""
    partial[k] = value


@cache
def reduce_nodes(gather: Callable[..., Any], combine: Callable[..., Any]) -> Any:
    """The kernel that puts the result of each piece's arcs into `partial`."""
    row = row_result(gather, combine)

    @parallel_kernel
    def run(rows, nodes, most, state, cursor, workers, stop):
        offsets, targets = rows.offsets, rows.targets
        items, first, start, partial = nodes.items, nodes.first, nodes.start, nodes.partial
        count = np.uint64(partial.size)
        for _ in prange(workers):
            node = fetch_add(cursor, U0, _BATCH)
            while node < count and going(stop):
                i = load_balanced_search(first, node)
                for k in range(node, min(node + _BATCH, count)):
                    while first[i + U1] <= k:
                        i += U1
                    v = np.uint64(items[i]) if items.size else i
                    low = offsets[v] + (k - first[i]) * most
                    keep(partial, k, row(targets, low, min(low + most, offsets[v + U1]), v, start, state))
                node = fetch_add(cursor, U0, _BATCH)

    return run


@cache
def join_nodes(combine: Callable[..., Any], apply: Callable[..., Any], emit: bool) -> Any:
    """The kernel that combines each row's partial results in order and applies what comes out."""
    joins, done = functor(combine), applying(apply, emit)

    @parallel_kernel
    def run(nodes, state, stay, cursor, workers, stop):
        items, first, start, partial = nodes.items, nodes.first, nodes.start, nodes.partial
        rows = np.uint64(first.size - 1)
        for _ in prange(workers):
            row = fetch_add(cursor, U0, _BATCH)
            while row < rows and going(stop):
                for i in range(row, min(row + _BATCH, rows)):
                    total = start
                    for k in range(first[i], first[i + U1]):
                        total = joins(total, partial[k])
                    done(state, np.uint64(items[i]) if items.size else i, total, stay, i)
                row = fetch_add(cursor, U0, _BATCH)

    return run
