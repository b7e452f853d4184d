"""Operators on frontiers: how far a rumour spreads (reduction), which friends two vertices share (intersection).

A vertex believes the rumour once a share of its neighbours does. Each round reduces the neighbourhoods of the vertices
that do not believe it yet, a frontier; those that are convinced come out of the reduction as a frontier themselves.
Between pairs of believers that are no neighbours, an intersection then counts the friends both have.
"""

from typing import NamedTuple

import numpy as np

import nearly
from nearly.extend import Did, Result, Run, algorithm, fetch_add, field


class RumourResult(Result):
    """When each vertex came to believe the rumour."""

    values: np.ndarray = field("the round in which a vertex was convinced, int32; 0 for the first, -1 for never")


class Belief(NamedTuple):
    round: np.ndarray  # int32[n], -1 before a vertex is convinced
    now: np.ndarray  # int32[1]
    needed: np.ndarray  # float64[n], how many neighbours must believe it


def believes(state, u, v, e):
    """1 if the neighbour u believed it before this round."""
    return 1.0 if 0 <= state.round[u] < state.now[0] else 0.0


def convince(state, v, believers):
    """Convince v if enough neighbours believe; whether that happened."""
    if believers == 0.0 or believers < state.needed[v]:
        return False
    state.round[v] = state.now[0]
    return True


convince.emits = True  # the vertices for which it returns True are the frontier that comes out


def undecided(state, v):
    return state.round[v] < 0


@algorithm(undirected=True)
def rumour(run: Run, source: int, share: float = 0.3) -> RumourResult:
    """The round in which each vertex believes a rumour that starts at a vertex and its neighbours.

    Parameters
    ----------
    source : int
        Where it starts.
    share : float
        The share of a vertex's neighbours that convinces it.
    """
    graph = run.graph
    state = Belief(np.full(graph.n, -1, np.int32), np.zeros(1, np.int32), share * graph.out_degrees)
    first, last = graph.offsets[source : source + 2].tolist()
    state.round[[source, *graph.targets[first:last]]] = 0
    left = np.flatnonzero(state.round < 0).astype(graph.arrays.targets.dtype)

    def step():
        nonlocal left
        state.now[0] += 1
        did = run.reduce(believes, convince, state, left)
        size, left = left.size, run.filter(undecided, state, left)
        return [Did(size, did.edges, changed=did.changed.size)] if did.changed.size else None

    finished = run.enact(step)
    return RumourResult(state.round, guarantee="exact" if finished else "heuristic")


class GoBetweenResult(Result):
    """How often each vertex stands between two others."""

    values: np.ndarray = field("of how many of the given pairs a vertex is a common neighbour, uint64")


class Shared(NamedTuple):
    count: np.ndarray  # uint64[n]


def count_friend(state, u, v, w):
    """Count for w that two vertices are both its friends."""
    fetch_add(state.count, w, np.uint64(1))


@algorithm(undirected=True)
def go_betweens(run: Run, one: np.ndarray, two: np.ndarray) -> GoBetweenResult:
    """For each vertex how many of the given pairs (one[i], two[i]) it is a common neighbour of.

    Parameters
    ----------
    one, two : arrays of int
        The pairs.
    """
    state = Shared(np.zeros(run.graph.n, np.uint64))
    run.intersect(count_friend, state, pairs=(np.asarray(one), np.asarray(two)))
    return GoBetweenResult(state.count, guarantee="exact")


if __name__ == "__main__":
    import frontier_operators as these  # a module of its own, so that compiled kernels are found again next time

    graph = nearly.generate.rmat(14, 16, seed=1, directed=False)
    told = these.rumour(graph, source=int(np.argmax(graph.out_degrees)), share=0.2)
    print(told, np.bincount(told.values + 1)[1:].tolist(), "were convinced in each round")
    believers = np.flatnonzero(told.values == 1)
    between = these.go_betweens(graph, believers[:-1], believers[1:])
    print("most go-betweens:", np.argsort(between.values)[::-1][:5].tolist())
