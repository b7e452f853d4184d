"""On a cluster every algorithm gives the answer of one machine, whatever the number of parts.

`test_programs` asks the same of many more graphs without a cluster; here it is about messages between processes.
"""

from __future__ import annotations

import numpy as np
import pytest

import nearly
import nearly.distributed as nd
from nearly import Graph

PARTS = (1, 2, 5)


def tangle(directed: bool, weights: str | None, seed: int) -> Graph:
    """A graph with hubs, loops, leaves, several components and vertices without arcs."""
    rng = np.random.default_rng(seed)
    hubs = rng.integers(0, 150, 900) * rng.integers(0, 2, 900)
    src = np.concatenate([hubs, np.arange(160, 210), rng.integers(0, 150, 60)])
    dst = np.concatenate([rng.integers(0, 150, 900), np.arange(161, 211), rng.integers(0, 150, 60)])
    drawn = {None: None, "int": rng.integers(1, 9, src.size), "float": rng.random(src.size)}[weights]
    return Graph.from_edges(src, dst, drawn, n=230, directed=directed)


GRAPHS = {
    "directed": tangle(True, None, 1),
    "real weights": tangle(False, "float", 4),
    "edgeless": Graph.from_edges([], [], n=4),
}


@pytest.fixture(scope="module", params=GRAPHS, ids=str)
def given(request, client):
    """A graph, and the same in parts, several ways."""
    g = GRAPHS[request.param]
    return g, {parts: nd.from_graph(g, client, parts=parts) for parts in PARTS}


def test_the_graph_comes_back(given):
    g, spread = given
    for parts, dg in spread.items():
        back = dg.to_graph()
        assert (dg.n, dg.m, dg.parts, dg.directed, dg.weighted) == (g.n, g.m, parts, g.directed, g.weighted)
        assert all(np.array_equal(a, b) for a, b in zip(back.arrays, g.arrays))


@pytest.mark.parametrize("name", ["connected_components", "kcore", "triangle_count", "label_propagation"])
def test_undirected_questions(given, name):
    g, spread = given
    right = getattr(nearly, name)(g)
    for dg in spread.values():
        r = getattr(nd, name)(dg)
        values = r.values.compute()
        assert values.dtype == right.values.dtype
        assert np.array_equal(values, right.values)
        assert r.guarantee == right.guarantee
        assert r.error in (0.0, None)
        for fact in ("count", "degeneracy", "total"):
            if hasattr(right, fact):
                assert getattr(r, fact) == getattr(right, fact)


@pytest.mark.parametrize("name", ["bfs", "sssp"])
def test_distances(given, name):
    g, spread = given
    right = getattr(nearly, name)(g, 1)
    for dg in spread.values():
        r = getattr(nd, name)(dg, 1)
        values = r.values.compute()
        assert values.dtype == right.values.dtype
        assert np.array_equal(values, right.values)
        assert r.source == 1


def test_ranks(given):
    g, spread = given
    exact = nearly.pagerank(g, tol=1e-13).values
    for dg in spread.values():
        r = nd.pagerank(dg)
        error = np.abs(r.values.compute() - exact).sum()
        assert r.guarantee == "exact"
        assert error <= 1e-8 / 0.15
        assert error <= r.bound + 1e-12
        assert r.error == r.bound
        rough = nd.pagerank(dg, max_error=0.01)
        assert np.abs(rough.values.compute() - exact).sum() <= rough.error <= 0.01
        assert rough.rounds < r.rounds or r.rounds <= 3
        few = nd.pagerank(dg, tol=1e-14, max_rounds=2)
        assert np.abs(few.values.compute() - exact).sum() <= few.bound
        assert few.guarantee in ("certified", "exact")


def test_the_trace_tells_of_every_round(client):
    g = GRAPHS["directed"]
    dg = nd.from_graph(g, client, parts=2)
    r = nd.pagerank(dg)
    rows = r.trace.to_list()
    assert len(rows) == r.rounds > 3
    assert all(row["computing"] >= 0 and row["waiting"] >= 0 and 0 < row["balance"] <= 1 for row in rows)
    assert max(row["bytes"] for row in rows) == 8 * r.boundary  # a float64 for each value that another part reads
    level = nd.bfs(dg, 0)
    assert sum(row["bytes"] for row in level.trace.to_list()) <= 8 * level.boundary + 8 * level.rounds
    assert not r.restarts
    assert "pagerank on a cluster" in repr(r)
