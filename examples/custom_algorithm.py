"""Your own algorithm in a few lines: the widest path (the largest bottleneck weight) from a source to every vertex."""

from typing import NamedTuple

import numpy as np

import nearly
from nearly.base.atomics import atomic_max
from nearly.engine.algorithm import algorithm
from nearly.engine.operators.advance import POLICIES, Advance
from nearly.engine.result import Result


class Widths(NamedTuple):
    width: np.ndarray  # float32[n]: the widest way found so far
    weight: np.ndarray  # float32[m]


def widen(state, u, v, e):
    """Going to v through u is as wide as the narrower of the way to u and the arc."""
    through = min(state.width[u], state.weight[e])
    return through > state.width[v] and atomic_max(state.width, v, through) < through


@algorithm(policies=POLICIES)
def widest_path(run, source: int) -> Result:
    """The largest w such that some path from the source has only arcs of weight at least w."""
    width = np.zeros(run.graph.n, np.float32)
    width[source] = np.inf
    state = Widths(width, run.graph.arrays.weights.astype(np.float32))
    Advance(run, run.graph, widen, state).start([source]).to_fixed_point()
    return Result(width)


if __name__ == "__main__":
    import custom_algorithm  # a module of its own, so that the compiled kernel is found again next time

    graph = nearly.generate.grid(300, 300, seed=1, weights="int")
    result = custom_algorithm.widest_path(graph, source=0, policy="frontier")
    print(result, "narrowest bottleneck:", result.values[result.values > 0].min())
