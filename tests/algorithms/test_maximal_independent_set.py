"""Maximal independent sets: the set of the line under every policy, and the certificate."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph
from nearly.algorithms.shared.ranking import ranking
from nearly.engine.operators.advance import POLICIES

EVERY = ("auto", *POLICIES)
small = pytest.mark.small


def down_the_line(g, rank):
    """The oracle: one vertex after the other joins unless a neighbour has."""
    around = as_networkx(g).to_undirected()
    members: set[int] = set()
    for v in np.argsort(rank).tolist():
        if not members & (set(around[v]) - {v}):
            members.add(v)
    return [v in members for v in range(g.n)]


@small
@pytest.mark.parametrize("directed", [True, False])
def test_the_line_decides(directed):
    for name, g in zoo(directed).items():
        for seed in (1, 9):
            r = nearly.maximal_independent_set(g, seed=seed)
            assert r.values.dtype == np.bool_
            assert r.values.tolist() == down_the_line(g, ranking(g.n, seed)), name
            assert r.size == r.values.sum()
            assert r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(EVERY), st.integers(0, 2**64 - 1))
def test_random_graphs(g, policy, seed):
    r = nearly.maximal_independent_set(g, policy=policy, seed=seed)
    simple = as_networkx(g).to_undirected()
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    members = set(np.flatnonzero(r.values).tolist())
    assert simple.subgraph(members).number_of_edges() == 0
    assert nx.is_dominating_set(simple, members)
    assert r.certificate().ok


@small
def test_isolated_vertices_and_unions():
    g = zoo(False)["kron-8"]
    r = nearly.maximal_independent_set(g)
    assert r.values[g.out_degrees == 0].all()
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    twice = Graph.from_edges(np.append(src, src + g.n), np.append(dst, dst + g.n), n=2 * g.n, directed=False)
    both = nearly.maximal_independent_set(twice)
    assert both.certificate().ok
    assert nearly.maximal_independent_set(zoo(False)["clique"]).size == 1


@small
@pytest.mark.parametrize("policy", EVERY)
def test_max_rounds_leaves_an_independent_set(policy):
    g = zoo(False)["kron-8"]
    r = nearly.maximal_independent_set(g, policy=policy, max_rounds=1)
    assert (r.rounds, r.guarantee) == (1, "heuristic")
    assert r.certificate().ok
    assert np.array_equal(
        r.values, nearly.maximal_independent_set(g, policy="frontier", threads=1, max_rounds=1).values
    )
    r.guarantee = "exact"
    assert not r.certificate().ok


@small
def test_the_certificate_finds_clashes_and_gaps():
    r = nearly.maximal_independent_set(zoo(True)["path"])
    right = r.values.copy()
    for v in range(7):
        r.values = right.copy()
        r.values[v] = not r.values[v]
        assert not r.certificate().ok, v
