"""Vertex colouring: neighbours get different colours, few in all.

Returns one colour per vertex, counted from 0; `.colors` is how many there are. A directed graph is read as
undirected; self-loops are ignored.
Method: vertices stand in a line and each takes the smallest colour that none before it has among its neighbours.
In parallel a vertex waits only for those neighbours that stand before it (Jones and Plassmann, "A parallel graph
coloring heuristic", 1993): the last of them to be coloured colours it too. The line alone decides the answer, so it is
the same under every policy and for any number of threads. Lines:

- `luby-jones`: at random by the seed (Luby's priorities); about log n / log log n rounds on sparse graphs;
- `greedy`: for few colours. `order="smallest-last"` (Matula and Beck 1983), the reverse of the order in which `kcore`
  peels, needs at most degeneracy + 1 colours; `order="largest-first"` puts large degrees first (Welsh and Powell 1967).

`luby-jones-rounds` has no line: fresh hashes and one colour each round, as in Mini-Gunrock (`independent_sets`).

`auto` goes down the line one by one: that reads every arc once, where waiting and telling read it three times.
Encoding: in rounds, the colours in use around a vertex are collected 64 at a time in the bits of one word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.accuracy.judges import COLORS
from nearly.algorithms.coloring.independent_sets import NO_COLOR, color_by_sets
from nearly.algorithms.kcore import peeled_in_rounds
from nearly.algorithms.kcore.kernels import loopless_degrees
from nearly.algorithms.shared.ranking import in_line, ranking
from nearly.algorithms.shared.turns import EVERY, Turns, at_once, count_earlier
from nearly.base.arguments import choice
from nearly.base.atomics import fetch_add, going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import algorithm
from nearly.engine.devices import DEVICES, by_device
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

METHODS = ("luby-jones", "greedy", "luby-jones-rounds")
ORDERS = ("smallest-last", "largest-first")
U64 = np.uint64(64)
FULL = np.uint64(2**64 - 1)


class ColoringResult(Result):
    """Colours of the vertices."""

    shows = "classes"
    run_in_full = "no conflicts, perhaps more colours than needed"

    values: np.ndarray = field(
        "the colour of each vertex, counted from 0, int32; -1 where it has none yet", column="color"
    )
    colors: int = field("how many colours there are")


class Line(NamedTuple):
    """What rounds of colouring work on."""

    color: np.ndarray  # int32[n], NO_COLOR before it is chosen
    waiting: np.ndarray  # int32[n], neighbours earlier in line that have no colour yet
    rank: np.ndarray  # uint32[n], the place in the line
    offsets: np.ndarray
    targets: np.ndarray
    stamp: np.ndarray  # uint32[n], the round in which a vertex was coloured
    now: np.ndarray  # uint32[1]


def pass_on(state, u, v, e):
    """Tell v that u, which stands before it, has its colour; the last one to tell colours v."""
    if state.rank[u] >= state.rank[v] or fetch_add(state.waiting, v, -1) != 1:
        return False
    state.color[v] = first_free(state.offsets, state.targets, state.color, v)
    return True


@kernel(_nrt=False)
def first_free(offsets, targets, color, v):
    """The smallest colour no neighbour of v has; those later in line have none yet."""
    v = np.uint64(v)
    base = U0
    while True:
        used = U0
        for e in range(offsets[v], offsets[v + U1]):
            c = color[targets[e]]
            if c >= 0 and base <= np.uint64(c) < base + U64:
                used |= U1 << (np.uint64(c) - base)
        if used != FULL:
            while used & U1:
                used >>= U1
                base += U1
            return np.int32(base)
        base += U64


def certificate(graph: Graph, result: ColoringResult) -> Certificate:
    """No two neighbours have one colour; for an exact result every vertex has one."""
    offsets, targets, _ = graph.arrays
    color = np.ascontiguousarray(result.values, np.int32)
    fine = int(count_conflicts(offsets, targets, color)) == 0
    if result.guarantee != "exact":
        return Certificate(fine, "no two neighbours that have a colour have the same one")
    return Certificate(
        fine and bool((color >= 0).all()), "every vertex has a colour and no two neighbours the same one", 0.0
    )


@kernel
def count_conflicts(offsets, targets, color):
    """How many arcs join two vertices of one colour."""
    found = U0
    for u in range(np.uint64(color.size)):
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            found += np.uint64(v != u and color[u] >= 0 and color[u] == color[v])
    return found


@algorithm(
    memory=Needs(vertex=20), certificate=certificate, judge=COLORS, devices=DEVICES, undirected=True, direct=True
)
def coloring(run: Run, *, method: str = "luby-jones", order: str = "smallest-last") -> ColoringResult:
    """Colours from 0 such that neighbours differ; `.colors` says how many.

    Exact means that the colouring is complete and free of conflicts, not that it is a smallest one. Stopped early, the
    result is heuristic: vertices without a colour have -1.

    Parameters
    ----------
    method : {"luby-jones", "greedy", "luby-jones-rounds"}
        Vertices choose the first free colour in random order, or in an order that needs few colours; or each round
        draws fresh hashes and gives one new colour to the vertices whose hash is the largest around, on the CPU only.
    order : {"smallest-last", "largest-first"}
        The order of "greedy": at most degeneracy + 1 colours, or faster.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.coloring(nearly.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]), method="greedy")
    >>> sorted(set(r.values.tolist())), r.colors
    ([0, 1], 2)
    """
    choice("method", method, METHODS)
    choice("order", order, ORDERS)
    if method == "luby-jones-rounds":
        color, finished = color_by_sets(run)
    else:
        rank = ranking(run.graph.n, run.seed, None if method == "luby-jones" else _key(run, order))
        color, finished = (_down_the_line if run.direct else _in_rounds)(run, rank)
    return ColoringResult(
        color, guarantee="exact" if finished else "heuristic", colors=lambda: int(color.max(initial=NO_COLOR)) + 1
    )


def _down_the_line(run: Run, rank: np.ndarray) -> tuple[np.ndarray, bool]:
    offsets, targets, _ = run.graph.arrays
    color = np.full(run.graph.n, NO_COLOR, np.int32)
    return color, at_once(run, lambda: run.launch(color_in_line, offsets, targets, in_line(rank), color, run.stop))


@kernel
def color_in_line(offsets, targets, line, color, stop):
    """Give each vertex in turn the first free colour; returns how many arcs that took."""
    n = np.uint64(line.size)
    taken = np.zeros(n + U1, np.uint32)  # taken[c + 1] is the last to see colour c around it; taken[0] is for no colour
    for i in range(n):
        if i & EVERY == U0 and not going(stop):
            break
        u, mark = np.uint64(line[i]), np.uint32(i + U1)
        for e in range(offsets[u], offsets[u + U1]):
            taken[color[targets[e]] + 1] = mark
        c = U1
        while c <= n and taken[c] == mark:
            c += U1
        color[u] = np.int32(c) - 1
    return np.uint64(targets.size)


@by_device("nearly.algorithms.coloring.cuda")
def _in_rounds(run: Run, rank: np.ndarray) -> tuple[np.ndarray, bool]:
    graph = run.graph
    offsets, targets, _ = graph.arrays
    waiting = count_earlier(run, rank)
    color = np.full(graph.n, NO_COLOR, np.int32)
    first = np.flatnonzero(waiting == 0)
    color[first] = 0
    state = Line(color, waiting, rank, offsets, targets, np.zeros(graph.n, np.uint32), np.zeros(1, np.uint32))
    return color, run.enact(Turns(run, graph, pass_on, state).start(first).step)


def _key(run: Run, order: str) -> np.ndarray:
    """For each vertex a number that is smaller the earlier it should choose."""
    degree = np.empty(run.graph.n, np.int32)
    loopless_degrees(*run.graph.arrays[:2], degree)
    latest = peeled_in_rounds(run, degree)[2] if order == "smallest-last" else degree
    return latest.max(initial=0) - latest
