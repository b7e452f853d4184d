"""The densest subgraph against all subsets of small graphs and planted ones, its bounds, and core decompositions."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.budget.asking import ask
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph

small = pytest.mark.small


def simple(g):
    made = as_networkx(g).to_undirected()
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def oracle(g):
    """The largest density, and the union of all sets that have it."""
    graph, best, union = simple(g), -1.0, set()
    for size in range(1, g.n + 1):
        for some in combinations(range(g.n), size):
            density = graph.subgraph(some).number_of_edges() / size
            if density > best + 1e-12:
                best, union = density, set(some)
            elif density > best - 1e-12:
                union |= set(some)
    return best, sorted(union)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(most=8))
def test_all_subsets_of_small_graphs(g):
    r = nearly.densest_subgraph(g)
    density, union = oracle(g)
    assert r.density == pytest.approx(density)
    assert r.upper == r.density
    assert r.vertices.tolist() == union == np.flatnonzero(r.values).tolist()
    assert (r.guarantee, r.error) == ("exact", 0.0)
    assert r.certificate().ok
    for rounds in (1, 3):
        near = nearly.densest_subgraph(g, max_rounds=rounds)
        assert near.density <= density + 1e-12
        assert near.upper >= density - 1e-12
        assert near.certificate().ok
        assert 2 * near.density >= density - 1e-12  # one round of peeling has half of the best


def test_a_planted_clique_is_found():
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 4000, (2, 20_000))
    clique = rng.choice(4000, 40, replace=False)
    u, v = np.nonzero(np.triu(np.ones((40, 40)), 1))
    g = Graph.from_edges(np.append(src, clique[u]), np.append(dst, clique[v]), n=4000, directed=False)
    r = nearly.densest_subgraph(g)
    assert set(clique.tolist()) <= set(r.vertices.tolist())
    assert r.density >= 19.5
    assert r.certificate().ok


@pytest.mark.parametrize("seed", range(4))
def test_a_budget_is_kept_and_certified(seed):
    g = nearly.generate.rmat(11, 6, seed=seed, directed=False)
    exact = nearly.densest_subgraph(g)
    assert exact.guarantee == "exact"
    assert exact.certificate().ok
    for max_error in (0.3, 0.05, 0.01):
        r = ask("densest_subgraph/rounds", g, max_error=max_error)
        assert r.guarantee in ("certified", "exact")
        assert 0 <= r.error <= max_error
        assert r.density >= (1 - max_error) * exact.density
        assert r.density <= exact.density <= r.upper
        assert r.guarantee == "exact" or r.interval == (r.density, r.upper)
        assert r.certificate().ok
        assert r.certificate().bound <= max_error


@small
def test_the_certificate_sees_through_false_bounds():
    g = zoo(False)["kron-8"]
    r = nearly.densest_subgraph(g)
    r.upper = r.upper * 0.99
    assert not r.certificate().ok
    r = nearly.densest_subgraph(g, max_rounds=2)
    r.shares = r.shares._replace(units=r.shares.units + 1)
    assert not r.certificate().ok
    r = nearly.densest_subgraph(g, max_rounds=2)
    r.shares = r.shares._replace(vertices=r.shares.vertices[1:])
    assert not r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs())
def test_core_decomposition(g):
    r = nearly.core_decomposition(g)
    assert r.values.tolist() == nearly.kcore(g).values.tolist()
    assert r.degeneracy == nearly.degeneracy(g) == max(r.values, default=0)
    assert r.certificate().ok
    graph, seen = simple(g), set()
    assert sorted(r.order.tolist()) == list(range(g.n))
    for v in reversed(r.order.tolist()):
        assert len(seen & set(graph[v])) <= r.values[v]
        seen.add(v)
    r.order = r.order[::-1]
    if len(set(r.values)) > 1:
        assert not r.certificate().ok


def test_core_decomposition_of_a_large_graph():
    g = nearly.generate.rmat(16, 8, seed=4)
    r = nearly.core_decomposition(g)
    assert np.array_equal(r.values, nearly.kcore(g).values)
    assert r.certificate().ok
