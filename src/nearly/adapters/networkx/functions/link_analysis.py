"""PageRank, with NetworkX's stopping rule: a round changes the ranks by less than n times `tol` in sum."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, has_budget, reported


@dispatched(algorithm="pagerank")
def pagerank(  # noqa: PLR0913
    G: BackendGraph,
    alpha: float = 0.85,
    personalization: dict | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict | None = None,
    weight: str | None = "weight",
    dangling: dict | None = None,
    *,
    how: dict[str, Any],
) -> dict:
    """See `nx.pagerank`."""
    n = len(G)
    if n == 0:
        return {}
    if dangling is not None:
        raise NotImplementedError("dangling nodes jump as all others do")
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    G.lengths(weight)
    first = None if has_budget(how) else np.ones(n)  # a budget is spent as the planner likes
    if nstart is not None:
        first = _shares(G, nstart)
    result = nearly.pagerank(
        G.weighted(weight),
        damping=alpha,
        tol=tol,  # NetworkX stops at n times that: so ours is no further from the ranks than its own answer
        personalization=None if personalization is None else _shares(G, personalization),
        max_rounds=max_iter,
        start=first,
        **how,
    )
    if result.guarantee != "exact" and not result.techniques and result.plan is None:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return reported(G.by_node(result.values), result)


def _shares(G: BackendGraph, given: dict) -> np.ndarray:
    """Numbers by node as an array, 0 where a node is not named."""
    shares = np.array([given.get(node, 0) for node in G], np.float64)
    if shares.sum() == 0:
        raise ZeroDivisionError
    return shares
