"""Closeness and harmonic closeness against NetworkX, in hops and by weights, and the searches they are made of."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import InvalidArgumentError
from nearly.algorithms.shared.clustered_order import clustered
from nearly.algorithms.shared.hop_batches import hop_batches

small = pytest.mark.small


def check(g, weights):
    graph, name = as_networkx(g), "weight" if weights else None
    for improved in (True, False):
        wanted = nx.closeness_centrality(graph, distance=name, wf_improved=improved)
        got = nearly.closeness(g, wf_improved=improved, weights=weights)
        assert np.allclose(got.values, [wanted[v] for v in range(g.n)], rtol=1e-9)
    wanted = np.array([nx.harmonic_centrality(graph, distance=name)[v] for v in range(g.n)])
    assert np.allclose(nearly.harmonic(g, weights=weights).values, wanted, rtol=1e-9)
    scaled = nearly.harmonic(g, weights=weights, normalized=True)
    assert np.allclose(scaled.values, wanted / max(g.n - 1, 1), rtol=1e-9)
    assert scaled.certificate().ok


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weights", [None, "int", "float", "zero"])
def test_the_zoo(directed, weights):
    for g in zoo(directed, weights, duplicates="first").values():
        if g.n < 100:
            check(g, weights is not None)


@small
@settings(max_examples=60)
@given(graphs(weights="float"))
def test_any_graph(g):
    check(g, False)
    check(g, True)


@small
def test_weights_must_not_be_negative():
    g = nearly.Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], negative="keep")
    for ask in (nearly.closeness, nearly.harmonic):
        with pytest.raises(InvalidArgumentError, match="weights of at least 0"):
            ask(g, weights=True)


@pytest.mark.parametrize("directed", [True, False])
def test_sums_over_many_batches_are_those_of_single_searches(directed):
    g = nearly.generate.rmat(10, 3, seed=2, directed=directed)
    sums, each = hop_batches(g, np.arange(g.n), at_sources=True)
    levels = np.array([nearly.bfs(g, v).values for v in range(g.n)])
    near = np.where(levels > 0, levels, 0)
    assert (sums.total == near.sum(axis=0)).all()
    assert (sums.reached == (levels > 0).sum(axis=0)).all()
    assert (sums.farthest == near.max(axis=0)).all()
    assert np.allclose(sums.inverse, np.where(levels > 0, 1 / np.maximum(near, 1), 0).sum(axis=0), rtol=1e-12)
    assert (each.total == near.sum(axis=1)).all()
    assert (each.reached == (levels > 0).sum(axis=1)).all()
    assert (each.farthest == near.max(axis=1)).all()
    assert (sums.hops[:32] == [0, *((levels == d).sum() for d in range(1, 32))]).all()


def test_long_graphs_are_searched_in_clusters():
    g = nearly.generate.grid(40, 50)
    assert sorted(clustered(g)) == list(range(g.n))
    sums, _ = hop_batches(g, clustered(g))
    for v in (0, 777, 1999):
        assert sums.total[v] == nearly.bfs(g, v).values.sum()


@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_the_same_bits_for_any_number_of_threads(weights):
    g = nearly.generate.rmat(10, 6, seed=1, weights=weights)
    for ask in (nearly.closeness, nearly.harmonic):
        one, two = (ask(g, weights=weights is not None, threads=k).values for k in (1, 2))
        assert one.tobytes() == two.tobytes()
        assert one.max() > 0


def test_rounds_that_end_early_leave_a_lower_bound_of_the_harmonic_closeness():
    g = nearly.generate.rmat(15, 8, seed=1)
    exact, part = nearly.harmonic(g), nearly.harmonic(g, max_rounds=1)
    assert part.guarantee == "lower bound"
    assert (part.values <= exact.values).all()
    assert 0 < part.values.sum() < exact.values.sum()
    assert part.certificate().ok
    assert nearly.closeness(g, max_rounds=1).guarantee == "heuristic"
