"""A maximal independent set: vertices no two of which are neighbours, and to which none can be added.

Returns a bool per vertex; `.size` is how many are in. A directed graph is read as undirected; self-loops are ignored.
Method: Luby's algorithm with fixed priorities (Blelloch, Fineman, Shun, "Greedy sequential maximal independent set
and matching are parallel on average", SPAA 2012). Vertices stand in a line, at random by the seed. A vertex
is in unless a neighbour before it is: a vertex that is in puts its later neighbours out, one that is out no longer
holds them up, and the last to do so lets a vertex in. That takes O(log^2 n) rounds with high probability, and the
answer is that of going down the line one by one, whatever the policy and the number of threads. `auto` does just that:
it looks at the arcs of members alone, which are few, because vertices of many neighbours are soon put out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.accuracy.judges import MEMBERS
from nearly.algorithms.shared.ranking import in_line, ranking
from nearly.algorithms.shared.turns import EVERY, Turns, at_once, count_earlier
from nearly.base.atomics import compare_exchange, fetch_add, going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.algorithm import algorithm
from nearly.engine.needs import Needs
from nearly.engine.result import Certificate, Result, field
from nearly.engine.run import Run
from nearly.graph.csr import Graph

UNDECIDED, IN, OUT = np.uint32(0), np.uint32(1), np.uint32(2)


class IndependentSetResult(Result):
    """A set of vertices no two of which are neighbours."""

    shows = "members"
    run_in_full = "maximal, perhaps not the largest"

    values: np.ndarray = field("whether each vertex is a member, bool", column="member")
    size: int = field("how many members there are")


class Choice(NamedTuple):
    """What rounds of choosing members work on."""

    status: np.ndarray  # uint32[n], UNDECIDED, IN or OUT
    waiting: np.ndarray  # int32[n], neighbours earlier in line that are not known to be out
    rank: np.ndarray  # uint32[n], the place in the line
    stamp: np.ndarray  # uint32[n], the round in which a vertex was decided
    now: np.ndarray  # uint32[1]


def decide(state, u, v, e):
    """What the decision on u means for v, if v stands after it."""
    if state.rank[u] >= state.rank[v] or state.status[v] != UNDECIDED:
        return False
    if state.status[u] == IN:
        return compare_exchange(state.status, v, UNDECIDED, OUT) == UNDECIDED
    if fetch_add(state.waiting, v, -1) != 1:
        return False
    state.status[v] = IN
    return True


def certificate(graph: Graph, result: IndependentSetResult) -> Certificate:
    """No two members are neighbours, and every other vertex has a neighbour among them."""
    offsets, targets, _ = graph.symmetrized().arrays
    clashes, addable = check_set(offsets, targets, np.ascontiguousarray(result.values, np.bool_))
    if result.guarantee != "exact":
        return Certificate(clashes == 0, "no two members are neighbours")
    return Certificate(
        clashes == 0 and addable == 0, "no two members are neighbours and every other vertex is a neighbour of one", 0.0
    )


@kernel
def check_set(offsets, targets, member):
    """(arcs between two members, vertices that could be added)."""
    clashes, addable = U0, U0
    for u in range(np.uint64(member.size)):
        beside = False
        for e in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[e])
            if v != u and member[v]:
                beside = True
                clashes += np.uint64(member[u])
        addable += np.uint64(not member[u] and not beside)
    return clashes, addable


@algorithm(memory=Needs(vertex=40), certificate=certificate, judge=MEMBERS, undirected=True, direct=True)
def maximal_independent_set(run: Run) -> IndependentSetResult:
    """Members (True) of a set without neighbours inside that cannot be enlarged; `.size` says how many.

    Exact means that the set is independent and maximal, not that it is a largest one. Stopped early, the set is
    independent but perhaps not maximal: heuristic.

    Examples
    --------
    >>> import nearly
    >>> r = nearly.maximal_independent_set(nearly.Graph.from_edges([0, 0, 0], [1, 2, 3]))
    >>> r.values.tolist() in ([True, False, False, False], [False, True, True, True])
    True
    """
    rank = ranking(run.graph.n, run.seed)
    status, finished = (_down_the_line if run.direct else _in_rounds)(run, rank)
    values = status == IN
    return IndependentSetResult(values, guarantee="exact" if finished else "heuristic", size=int(values.sum()))


def _down_the_line(run: Run, rank: np.ndarray) -> tuple[np.ndarray, bool]:
    offsets, targets, _ = run.graph.arrays
    status = np.zeros(run.graph.n, np.uint8)
    return status, at_once(run, lambda: run.launch(admit, offsets, targets, in_line(rank), status, run.stop))


@kernel
def admit(offsets, targets, line, status, stop):
    """Let in each vertex that is not out yet, in order, and put its neighbours out; returns how many arcs that took."""
    edges = U0
    for i in range(np.uint64(line.size)):
        if i & EVERY == U0 and not going(stop):
            break
        u = np.uint64(line[i])
        if status[u] == UNDECIDED:
            edges += offsets[u + U1] - offsets[u]
            for e in range(offsets[u], offsets[u + U1]):
                status[targets[e]] = OUT
            status[u] = IN
    return edges


def _in_rounds(run: Run, rank: np.ndarray) -> tuple[np.ndarray, bool]:
    graph = run.graph
    waiting = count_earlier(run, rank)
    first = np.flatnonzero(waiting == 0)
    status = np.full(graph.n, UNDECIDED, np.uint32)
    status[first] = IN
    state = Choice(status, waiting, rank, np.zeros(graph.n, np.uint32), np.zeros(1, np.uint32))
    return status, run.enact(Turns(run, graph, decide, state).start(first).step)
