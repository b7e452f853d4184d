"""Core numbers against NetworkX and igraph under every policy, the certificate, and large graphs on both paths."""

from __future__ import annotations

from importlib import import_module

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph
from nearly.engine.operators.advance import POLICIES

EVERY = ("auto", *POLICIES)
small = pytest.mark.small


def oracle(g):
    simple = as_networkx(g).to_undirected()
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    core = nx.core_number(simple)
    return [core[v] for v in range(g.n)]


def by_igraph(g):
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    once = src < dst if not g.directed else src != dst
    made = igraph.Graph(n=g.n, edges=np.stack([src[once], dst[once]], 1)).simplify()
    return np.array(made.coreness())


@small
@pytest.mark.parametrize("directed", [True, False])
def test_against_networkx(directed):
    for name, g in zoo(directed).items():
        r = nearly.kcore(g)
        assert r.values.tolist() == oracle(g), name
        assert r.degeneracy == max(oracle(g), default=0)
        assert r.guarantee == "exact"
        assert r.certificate().ok, name


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(EVERY))
def test_random_graphs(g, policy):
    r = nearly.kcore(g, policy=policy)
    assert r.values.tolist() == oracle(g)
    assert r.certificate().ok


@small
def test_copies_and_loops_change_nothing():
    g = zoo(False)["kron-8"]
    values = nearly.kcore(g).values
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    twice = Graph.from_edges(np.append(src, src + g.n), np.append(dst, dst + g.n), n=2 * g.n + 3, directed=False)
    assert nearly.kcore(twice).values.tolist() == [*values.tolist() * 2, 0, 0, 0]
    looped = Graph.from_edges(np.append(src, np.arange(g.n)), np.append(dst, np.arange(g.n)), directed=False)
    assert np.array_equal(nearly.kcore(looped).values, values)


@small
@pytest.mark.parametrize("policy", EVERY)
def test_max_rounds_gives_a_lower_bound(policy):
    g = zoo(False)["kron-8"]
    exact = nearly.kcore(g).values
    for rounds in (1, 3, 8):
        r = nearly.kcore(g, policy=policy, max_rounds=rounds)
        assert (r.rounds, r.guarantee) == (rounds, "lower bound")
        assert (r.values <= exact).all()
        assert r.certificate().ok
        assert np.array_equal(r.values, nearly.kcore(g, policy="frontier", threads=1, max_rounds=rounds).values)


@small
def test_the_certificate_finds_wrong_numbers():
    r = nearly.kcore(zoo(False)["kron-8"])
    right = r.values.copy()
    for v in (int(np.argmax(right)), int(np.argmin(right)), 17):
        for change in (-1, 1):
            r.values = right.copy()
            r.values[v] += change
            assert not r.certificate().ok, (v, change)
    r.values = np.zeros_like(right)  # a lower bound everywhere, but nobody could be peeled
    assert not r.certificate().ok
    r.guarantee = "lower bound"
    assert r.certificate().ok


def differential(trials, seed):
    rng = np.random.default_rng(seed)
    for trial in range(trials):
        n, m = int(rng.integers(2, 80)), int(rng.integers(1, 600))
        g = Graph.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), n=n, directed=bool(trial % 2))
        assert np.array_equal(nearly.kcore(g, policy=EVERY[trial % len(EVERY)]).values, by_igraph(g)), trial


@small
def test_against_igraph():
    differential(150, 5)


@pytest.mark.full
def test_against_igraph_many():
    differential(3000, 6)


def test_large_graphs_agree_for_any_number_of_threads():
    g = nearly.generate.rmat(scale=18, edge_factor=8, seed=4)
    expected = by_igraph(g)
    for threads in (1, 2, 2, 2):
        r = nearly.kcore(g, threads=threads)
        assert np.array_equal(r.values, expected)
        assert r.trace.edges == g.symmetrized().m  # every vertex is peeled once
    assert np.array_equal(nearly.kcore(g, policy="frontier").values, expected)
    assert r.certificate().ok


@small
@pytest.mark.parametrize("few", [0, 40, 150, 1 << 14])
def test_one_thread_finishes_what_several_began(monkeypatch, few):
    monkeypatch.setattr(import_module("nearly.algorithms.kcore"), "_FEW", few)
    for g in zoo(False).values():
        r = nearly.kcore(g, threads=2)
        assert np.array_equal(r.values, nearly.kcore(g, threads=1).values)
        assert r.trace.edges == g.m


def test_an_avalanche_overflows_the_stacks():
    """A 3-regular random graph less one edge: at level 2 one vertex after the other falls, thousands wait at a time."""
    n = 300_000
    rng = np.random.default_rng(8)
    ends = np.repeat(np.arange(n), 3)
    rng.shuffle(ends)
    src, dst = ends[0::2], ends[1::2]
    g = Graph.from_edges(src[1:], dst[1:], n=n, directed=False, self_loops="drop")
    expected = by_igraph(g)
    for threads in (1, 2):
        assert np.array_equal(nearly.kcore(g, threads=threads).values, expected)
