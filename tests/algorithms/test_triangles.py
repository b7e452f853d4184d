"""Triangles and clustering coefficients against NetworkX and igraph, with and without hubs; certificates."""

from __future__ import annotations

from importlib import import_module

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.alterations import ISOLATED, doubled
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph
from nearly.algorithms.triangle_count import counting as module

small = pytest.mark.small
EVERY = ("auto", "topology")


def simple(g):
    made = as_networkx(g).to_undirected()
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def counts(g):
    found = nx.triangles(simple(g))
    return [found[v] for v in range(g.n)]


@small
@pytest.mark.parametrize("few_arcs", [0, module._FEW_ARCS])
@pytest.mark.parametrize("directed", [True, False])
def test_against_networkx(monkeypatch, directed, few_arcs):
    monkeypatch.setattr(module, "_FEW_ARCS", few_arcs)
    for name, g in zoo(directed).items():
        r = nearly.triangle_count(g)
        assert r.values.tolist() == counts(g), name
        assert r.total == sum(counts(g)) // 3
        assert (r.guarantee, r.values.dtype) == ("exact", np.int64)
        assert r.certificate().ok
        c = nearly.clustering_coefficient(g)
        expected = nx.clustering(simple(g))
        assert c.values.tolist() == pytest.approx([expected[v] for v in range(g.n)], abs=1e-15)
        assert c.triangles.tolist() == counts(g)
        if g.n:
            assert c.average == pytest.approx(nx.average_clustering(simple(g)))
            assert c.transitivity == pytest.approx(nx.transitivity(simple(g)))
        assert c.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(EVERY), st.booleans())
def test_random_graphs(g, policy, merged):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", g.n if merged else 0)
        patch.setattr(module, "_FEW_ARCS", 0)
        assert nearly.triangle_count(g, policy=policy).values.tolist() == counts(g)


def check_hubs(n, density, seed, hubs):
    """A graph with more vertices than hubs, so that triangles of every mixture are counted."""
    rng = np.random.default_rng(seed)
    u, v = np.triu_indices(n, 1)
    keep = rng.random(u.size) < density
    g = Graph.from_edges(u[keep], v[keep], n=n, directed=False)
    matrix = np.zeros((n, n), np.int64)
    matrix[u[keep], v[keep]] = matrix[v[keep], u[keep]] = 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", 0)
        patch.setattr(module, "_FEW_ARCS", 0)
        patch.setattr(module, "_MOST_HUBS", hubs)
        patch.setattr(module, "_DENSE", 0)
        r = nearly.triangle_count(g)
    assert r.values.tolist() == (np.diag(matrix @ matrix @ matrix) // 2).tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(60, 200), st.floats(0.02, 0.9), st.integers(0, 2**32 - 1), st.sampled_from([64, 128]))
def test_hubs_and_others(n, density, seed, hubs):
    check_hubs(n, density, seed, hubs)


@small
def test_a_few_hubs_and_others():
    check_hubs(90, 0.2, 1, 64)


@small
@pytest.mark.parametrize("small_degree", [0, 8])
def test_parallel_edges_and_loops_play_no_role(monkeypatch, small_degree):
    monkeypatch.setattr(module, "_SMALL", small_degree)
    monkeypatch.setattr(module, "_FEW_ARCS", 0)
    offsets = np.cumsum([0, 5, 4, 3])
    g = Graph(offsets, [0, 1, 1, 2, 2, 0, 0, 2, 2, 0, 0, 1], directed=False)
    for policy in EVERY:
        assert nearly.triangle_count(g, policy=policy).values.tolist() == [1, 1, 1]
        r = nearly.clustering_coefficient(g, policy=policy)
        assert (r.values.tolist(), r.transitivity) == ([1.0, 1.0, 1.0], 1.0)


def differ(trials, seed):
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        n = int(rng.integers(1, 60))
        src, dst = rng.integers(0, n, (2, int(rng.integers(0, 6 * n))))
        g = Graph.from_edges(src, dst, n=n, self_loops="drop", directed=False)
        once = g.arc_sources() < g.targets
        peer = igraph.Graph(n, np.c_[g.arc_sources()[once], g.targets[once]].tolist())
        r = nearly.clustering_coefficient(g)
        local = peer.transitivity_local_undirected(mode="zero")
        assert r.values.tolist() == pytest.approx(local, abs=1e-12)
        assert r.transitivity == pytest.approx(peer.transitivity_undirected(mode="zero"))
        assert nearly.triangle_count(g).total == len(peer.list_triangles())


@pytest.mark.parametrize("few_arcs", [0, module._FEW_ARCS])
def test_against_igraph(monkeypatch, few_arcs):
    monkeypatch.setattr(module, "_FEW_ARCS", few_arcs)
    differ(200, 1)


def test_small_degrees_by_one_thread_and_by_several():
    """The rows as they are: some vertices have two smaller neighbours, one with a long row; others have many."""
    g = nearly.generate.smallworld(20_000, 6, 0.1, seed=3)
    hub = np.arange(2, 60)
    src = np.concatenate([g.arc_sources(), np.full(hub.size, 1), hub[:-1]])
    g = Graph.from_edges(src, np.concatenate([g.targets, hub, hub[1:]]), n=g.n, directed=False)
    assert module._small_degrees(g)
    assert g.n + g.m >= 1 << 16
    edges = igraph.Graph(g.n, list(zip(g.arc_sources().tolist(), g.targets.tolist()))).simplify()
    expected = np.bincount(np.ravel(edges.list_triangles()), minlength=g.n)
    for threads in (1, 2):
        r = nearly.triangle_count(g, threads=threads)
        assert r.values.tolist() == expected.tolist()
        assert 3 * r.total == expected.sum()


@pytest.mark.full
def test_against_igraph_at_length():
    differ(3000, 2)


@small
@settings(max_examples=30, deadline=None)
@given(graphs(), st.sampled_from(EVERY))
def test_metamorphic(g, policy):
    values = nearly.triangle_count(g, policy=policy).values
    assert np.array_equal(nearly.triangle_count(g.reverse, policy=policy).values, values)
    union = nearly.triangle_count(doubled(g), policy=policy)
    assert union.values.tolist() == [*values, *values, *[0] * ISOLATED]


@small
def test_the_certificate_finds_wrong_counts():
    g = zoo(directed=False)["kron-8"]
    r = nearly.triangle_count(g)
    right = r.values.copy()
    for change in ((0, 1), (0, 3), (1, -1), (0, 10**6)):
        r.values = right.copy()
        r.values[change[0]] += change[1]
        assert not r.certificate().ok
    r.values = right[:-1]
    assert not r.certificate().ok
    r.values, r.total = right, r.total + 1
    assert not r.certificate().ok
    c = nearly.clustering_coefficient(g)
    for field in ("average", "transitivity"):
        right = getattr(c, field)
        c.__dict__[field] = right + 1e-3
        assert not c.certificate().ok
        c.__dict__[field] = right
    assert c.certificate().ok
    c.values = c.values.copy()
    c.values[0] += 1e-3
    assert not c.certificate().ok


@small
def test_the_claim_says_how_much_was_recounted():
    assert "all of 6 were recounted" in nearly.triangle_count(zoo()["clique"]).certificate().claim
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("nearly.algorithms.triangle_count.certificate"), "_LEAST", 0)
        partly = nearly.triangle_count(zoo()["kron-8"]).certificate()
    assert partly.ok
    assert "a sample of" in partly.claim
