"""The certificate of ranks: one exact sweep bounds how far they are from the true ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.algorithms.pagerank.problem import Problem
from nearly.base.threads import kernel_threads
from nearly.engine.result import Certificate
from nearly.engine.run import Run
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    from nearly.algorithms.pagerank import PagerankResult

_ROUNDING = 1e-14  # what float64 sums of n numbers that add up to 1 may be off


def certificate(graph: Graph, result: PagerankResult) -> Certificate:
    """One exact sweep: ||x - x*||_1 is at most ||x - F(x)||_1 / (1 - damping)."""
    problem: Problem = result.problem
    residual = residual_of(problem, result.values)
    bound = residual / (1 - problem.damping)
    if result.guarantee == "exact":
        ok = residual <= result.allowed * (1 + 1e-6) + _ROUNDING
        return Certificate(bool(ok), f"one more round changes the ranks by at most {result.allowed:g} in sum", bound)
    ok = bound <= result.bound * (1 + 1e-6) + _ROUNDING
    return Certificate(bool(ok), f"the ranks are within {result.bound:g} of the true ones in sum", bound)


def residual_of(problem: Problem, values: np.ndarray) -> float:
    """||x - F(x)||_1 by one float64 sweep over the graph."""
    if not problem.graph.n:
        return 0.0
    x = np.asarray(values, np.float64)
    with kernel_threads() as threads:
        return float(np.abs(x - problem.image(Run(problem.graph, threads=threads), x)).sum())
