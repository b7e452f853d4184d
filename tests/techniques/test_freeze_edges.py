"""Freezing: the paper's rule arc by arc, what it saves, what it may cost, and the same answer for any threads."""

from __future__ import annotations

import numpy as np
import pytest
from tests.zoo import zoo

import nearly
from nearly import Graph
from nearly.techniques.freeze_edges import rounds as pagerank_frozen
from nearly.techniques.freeze_edges.arc_bins import arc_groups

small = pytest.mark.small


def by_the_paper(g, c, against, tol=1e-9, damping=0.85):
    """Algorithm 2, one arc at a time, unweighted and leaking; with the shares of frozen arcs per round."""
    src, dst = g.arc_sources().astype(int), np.asarray(g.targets).astype(int)
    out, into = np.bincount(src, minlength=g.n), np.bincount(dst, minlength=g.n)
    bins = np.floor(np.log2(np.maximum(into[dst], 1)))
    rank = np.full(g.n, 1 / g.n)
    slots, base, frozen = np.zeros(g.m), np.full(g.m, np.inf), []
    while True:
        share = (rank / np.maximum(out, 1))[src]
        delta = np.abs(share - base)
        with np.errstate(divide="ignore"):
            start = np.floor(np.log2(c / delta) / 2)
        stays = bins < start
        slots = np.where(stays, slots, share)
        base = share if against == "previous" else slots
        frozen.append(stays.mean())
        new = (1 - damping) / g.n + damping * np.bincount(dst, slots, g.n)
        change = np.abs(new - rank).sum()
        rank = new
        if change <= tol:
            return rank, frozen


@small
@pytest.mark.parametrize("against", ["sent", "previous"])
def test_the_rule_of_the_paper(against):
    for name in ("kron-8", "star", "two SCCs in a chain", "parallel edges", "cycle"):
        g = zoo(True)[name]
        g = g.subgraph(np.arange(g.n) < 60)
        for c in (1e-3, 1e-5, 1e-7):
            wanted, shares = by_the_paper(g, c, against)
            technique = nearly.FreezeEdges(c=c, against=against, scaled=False)
            r = nearly.pagerank(g, approx=technique, tol=1e-9, dangling="leak")
            assert np.allclose(r.values, wanted, atol=1e-12), (name, c)
            assert np.allclose([row.extra["frozen"] for row in r.trace], shares)
            assert r.trace.edges == round(sum((1 - s) * g.m for s in shares))


@small
def test_groups_hold_every_arc_once_in_the_order_of_importance():
    g = zoo(True)["kron-8"]
    g = g.subgraph(np.arange(g.n) < 80)
    groups = arc_groups(g, np.asarray(g.in_degrees, float))
    assert sorted(groups.order.tolist()) == list(range(g.m))
    reverse = g.reverse
    target, source = reverse.arc_sources(), reverse.targets
    for v in range(g.n):
        own = slice(int(g.offsets[v]), int(g.offsets[v + 1]))
        assert (source[groups.order[own]] == v).all()
        assert sorted(target[groups.order[own]].tolist()) == g.targets[own].tolist()
        bins = groups.bin[groups.first[v] : groups.first[v + 1]]
        assert (np.diff(bins.astype(int)) > 0).all()
        for k in range(int(groups.first[v]), int(groups.first[v + 1])):
            arcs = groups.order[groups.start[k] : groups.start[k + 1]]
            assert (np.floor(np.log2(g.in_degrees[target[arcs]])) == groups.bin[k]).all()


@small
def test_frozen_changes_stay_within_what_the_constant_allows():
    """Against what was sent: residual <= tol + damping * c * n, for every constant; smaller constants err less."""
    for g in (zoo(True)["kron-8"], zoo(False, "int")["kron-8"]):
        g = g.subgraph(np.arange(g.n) < 100)
        errors = []
        for c in (1e-3, 1e-5, 1e-7):
            r = nearly.pagerank(g, approx=nearly.FreezeEdges(c=c, scaled=False), tol=1e-10, weights=False)
            assert r.residual <= 1e-10 + 0.85 * c * g.n
            errors.append(r.residual)
        assert errors[0] >= errors[1] >= errors[2]


@small
@pytest.mark.parametrize("importance", ["in-degree", "out-degree", "alike"])
@pytest.mark.parametrize("by", ["edges", "vertices"])
def test_importance_is_replaceable(by, importance):
    g = zoo(True, "int")["kron-8"]
    g = g.subgraph(np.arange(g.n) < 100)
    exact = nearly.pagerank(g).values
    r = nearly.pagerank(g, approx=nearly.FreezeEdges(by=by, importance=importance))
    assert np.abs(r.values - exact).sum() < 0.01
    assert r.certificate().ok

    class Hubs(nearly.FreezeEdges):
        """Only the vertex of most arcs matters."""

        def measure(self, graph):
            return np.where(np.arange(graph.n) == graph.out_degrees.argmax(), 1e6, 1.0)

    r = nearly.pagerank(g, approx=Hubs(by=by))
    assert np.abs(r.values - exact).sum() <= r.bound + 1e-7


@small
def test_frozen_vertices_save_arcs_and_the_last_ones_are_the_dangling():
    g = zoo(True)["kron-8"]
    g = g.subgraph(np.arange(g.n) < 100)
    exact = nearly.pagerank(g).values
    r = nearly.pagerank(g, approx="freeze-edges:by=vertices,c=3e-12")
    assert np.abs(r.values - exact).sum() < 2e-3
    assert r.trace[-1].extra["frozen"] > 0.1
    assert r.trace.edges < 0.97 * r.rounds * g.m
    star = Graph.from_edges([0] * 5, range(1, 6))  # all but the centre are dangling
    r = nearly.pagerank(star, approx="freeze-edges:by=vertices")
    assert np.allclose(r.values, nearly.pagerank(star).values, atol=1e-6)
    assert r.trace.edges == 0


@pytest.mark.parametrize("by", ["edges", "vertices"])
def test_any_number_of_threads_gives_the_same_bits(by, monkeypatch):
    monkeypatch.setattr(pagerank_frozen, "_STEP", 1 << 15)  # several steps a sweep
    g = nearly.generate.rmat(13, 10, seed=2)
    results = [nearly.pagerank(g, approx=nearly.FreezeEdges(by=by), threads=t) for t in (1, 2, 2)]
    for other in results[1:]:
        assert np.array_equal(results[0].values, other.values)
        assert results[0].rounds == other.rounds
    exact = nearly.pagerank(g)
    assert np.abs(results[0].values - exact.values).sum() < 2e-3
    assert results[0].certificate().ok


@small
def test_the_arcs_of_a_graph_are_put_in_groups_once():
    g = zoo(True)["kron-8"]
    g = g.subgraph(np.arange(g.n) < 50)
    nearly.pagerank(g, approx="freeze-edges")
    kept = g.__dict__["_arc_groups"][1]
    nearly.pagerank(g, approx="freeze-edges:c=1e-9")
    assert g.__dict__["_arc_groups"][1] is kept
    nearly.pagerank(g, approx="freeze-edges:importance=out-degree")
    assert g.__dict__["_arc_groups"][1] is not kept
