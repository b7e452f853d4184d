"""Your own algorithm in a few lines: the widest path (the largest bottleneck weight) from a source to every vertex.

The traits in the decorator say what changes of the graph do to the answer: with fewer arcs, or when rounds end early,
widths can only be too small. That is all the built-in techniques need to know to approximate it, with a guarantee.
"""

from typing import NamedTuple

import numpy as np

import nearly
from nearly.extend import Result, Run, algorithm, atomic_max, field


class WidestPathResult(Result):
    """Widths of the widest paths."""

    values: np.ndarray = field("the largest w such that a path from the source has only arcs of at least w; inf there")
    source: int = field("the vertex the paths start from")


class Widths(NamedTuple):
    width: np.ndarray  # float32[n]: the widest way found so far
    before: np.ndarray  # the same array, or what it held before the round (the operator sees to that)
    weight: np.ndarray  # float32[m]


def widen(state, u, v, e):
    """Going to v through u is as wide as the narrower of the way to u and the arc."""
    through = min(state.before[u], state.weight[e])
    return through > state.width[v] and atomic_max(state.width, v, through) < through


@algorithm(fewer_arcs="down", cut_short="down", heavier="up", improves=True, one_way=True)
def widest_path(run: Run, source: int) -> WidestPathResult:
    """The largest w such that some path from the source has only arcs of weight at least w.

    Parameters
    ----------
    source : int
        The vertex to start from.
    """
    graph = run.graph
    weight = graph.weights.astype(np.float32) if graph.weighted else np.ones(graph.m, np.float32)
    width, start = np.zeros(graph.n, np.float32), run.at(source)
    width[start] = np.inf
    finished = run.advance(widen, Widths(width, width, weight), start=start)
    return WidestPathResult(run.back(width), guarantee="exact" if finished else "lower bound", source=source)


if __name__ == "__main__":
    import own_algorithm  # a module of its own, so that the compiled kernel is found again next time

    graph = nearly.generate.grid(300, 300, seed=1, weights="int")
    exact = own_algorithm.widest_path(graph, source=0, policy="frontier")
    print(exact, "narrowest bottleneck:", exact.values[exact.values > 0].min())
    for approx in (nearly.PartialEdges(keep=0.7), nearly.ReducedExecution(changed=0.05)):
        nearby = own_algorithm.widest_path(graph, source=0, approx=approx)
        print(approx, nearby.guarantee, f"{np.mean(nearby.values == exact.values):.0%} of the widths are right")
