"""PageRank by components and by extrapolated rounds: exact to tolerance, whatever the options."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.test_pagerank import PLAIN, check, oracle, zoo
from tests.zoo import graphs

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.algorithms.pagerank import sweeps
from nearly.algorithms.pagerank.components import in_topological_order
from nearly.algorithms.pagerank.problem import Problem
from nearly.engine.run import Run
from nearly.techniques import extrapolate

small = pytest.mark.small


@small
@pytest.mark.parametrize("norm", ["l1", "max"])
@pytest.mark.parametrize("leak", [True, False])
def test_components_on_the_zoo(leak, norm):
    dangling = "leak" if leak else "redistribute"
    for directed in (True, False):
        for weights in (None, "zero"):
            for g in zoo(directed, weights).values():
                r = nearly.pagerank(g, method="components", dangling=dangling, norm=norm)
                check(g, r, oracle(g, leak=leak), 1e-8 * (g.n if norm == "max" else 1))


@small
@settings(max_examples=10 if PLAIN else 60, deadline=None)
@given(graphs(weights="int"), st.floats(0, 0.99), st.booleans(), st.sampled_from([1e-3, 1e-8, 1e-13]))
def test_components_on_random_graphs(g, damping, leak, tol):
    p = np.arange(1, g.n + 1) % 3 + (np.arange(g.n) == 0)
    dangling = "leak" if leak else "redistribute"
    r = nearly.pagerank(g, method="components", damping=damping, dangling=dangling, personalization=p, tol=tol)
    check(g, r, oracle(g, damping, p, leak), tol)


@small
@pytest.mark.parametrize("norm", ["l1", "max"])
@pytest.mark.parametrize("leak", [True, False])
def test_frozen_for_good_is_certified(leak, norm):
    for directed in (True, False):
        for name, g in zoo(directed, "zero").items():
            if PLAIN and g.n > 60:
                continue
            r = nearly.pagerank(g, method="stic-d", dangling="leak" if leak else "redistribute", norm=norm, tol=1e-6)
            right = oracle(g, leak=leak)
            assert r.guarantee == ("certified" if g.n else "exact"), name
            assert np.abs(r.values - right).sum() <= r.bound + 1e-13, name
            assert r.certificate().ok, name


@small
def test_what_has_converged_is_never_computed_again():
    """All vertices begin at 1/n. Those that are far from the one that hands out more do not change at first."""
    n = 60
    ring = np.arange(n)
    g = Graph.from_edges(np.r_[ring, 0], np.r_[(ring + 1) % n, n // 2])  # a ring with a chord: one component
    usual, frozen = (nearly.pagerank(g, method=m, norm="max", tol=1e-6) for m in ("components", "stic-d"))
    looked = [row.frontier for row in frozen.trace]
    assert looked == sorted(looked, reverse=True)
    assert frozen.trace.edges < usual.trace.edges
    assert usual.residual < 1e-6 * n < frozen.residual  # what passed a frozen vertex is lost, and the bound says so
    assert np.abs(frozen.values - oracle(g)).sum() <= frozen.bound


@small
def test_upstream_comes_first():
    g = Graph.from_edges([0, 1, 1, 2, 3, 4, 5, 5], [1, 0, 2, 3, 2, 3, 4, 5])
    order, bounds = in_topological_order(Run(g), Problem(g, 0.85, np.full(1, 1 / 6), False, None))
    parts = [set(order[a:b].tolist()) for a, b in pairwise(bounds)]
    assert sorted(map(sorted, parts)) == [[0, 1], [2, 3], [4], [5]]
    assert parts.index({5}) < parts.index({4}) < parts.index({2, 3})
    assert parts.index({0, 1}) < parts.index({2, 3})


@small
def test_a_path_takes_two_sweeps():
    n = 50 if PLAIN else 20_000
    g = Graph.from_edges(np.arange(n - 1), np.arange(1, n))
    r = nearly.pagerank(g, method="components")
    assert r.trace.edges <= 2 * g.m
    ranks = 1 - 0.85 ** np.arange(1.0, n + 1)
    assert np.allclose(r.values, ranks / ranks.sum(), rtol=1e-10)
    assert r.certificate().ok


@small
def test_plain_rounds_finish_where_the_ranks_leak_away():
    """All but a few vertices are dangling: scaling the leaking solution to 1 multiplies what the parts left over."""
    g = Graph.from_edges([0, 1, 2], [1, 2, 0], n=200)
    for tol in (1e-4, 1e-8, 1e-15):
        check(g, nearly.pagerank(g, method="components", tol=tol, damping=0.99), oracle(g, 0.99), tol)


def test_a_giant_component_is_swept_by_all_threads_with_one_answer():
    g = nearly.generate.rmat(13, 8, seed=1)
    one, two = (nearly.pagerank(g, method="stic-d", threads=t) for t in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert one.certificate().ok
    one, two = (nearly.pagerank(g, method="components", threads=t) for t in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert one.certificate().ok
    assert any(row.extra.get("frozen", 0) > 0 for row in one.trace)
    plain = nearly.pagerank(g)
    assert np.abs(one.values - plain.values).sum() <= one.bound + plain.bound
    early = nearly.pagerank(g, method="components", max_rounds=3)
    assert early.guarantee == "certified"
    assert early.certificate().ok


@small
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("rate", ["auto", 0.5, 0.85])
def test_extrapolated_rounds_keep_the_tolerance(rate, single, monkeypatch):
    monkeypatch.setattr(sweeps, "SINGLE", 0 if single else 1 << 18)
    for directed in (True, False):
        for name, g in zoo(directed).items():
            if g.n and (directed is False or rate != 0.85):  # eigenvalues may be complex: 0.85 may go wrong
                r = nearly.pagerank(g, approx=nearly.Extrapolate(rate), max_rounds=3000)
                assert r.residual <= 1e-8 * 1.0001 + 1e-14, name
                assert np.abs(r.values - oracle(g)).sum() <= r.bound + 1e-13
                assert r.certificate().ok


def test_extrapolation_saves_rounds_on_a_grid_and_gives_up_on_a_cycle():
    g = nearly.generate.grid(60, 60, seed=1)
    plain, ahead = nearly.pagerank(g, policy="topology"), nearly.pagerank(g, approx="extrapolate")
    assert ahead.rounds < 0.6 * plain.rounds
    cycle = Graph.from_edges(np.arange(300), (np.arange(300) + 1) % 300)
    p = np.zeros(300)
    p[0] = 1  # eigenvalues all round the circle
    r = nearly.pagerank(cycle, personalization=p, approx="extrapolate", start=np.ones(300))
    assert r.residual <= 1e-8 * 1.0001
    plain = nearly.pagerank(cycle, personalization=p, start=np.ones(300), policy="topology")
    assert r.rounds <= 1.3 * plain.rounds


@small
def test_the_rate_outside_is_what_chebyshev_polynomials_say():
    """At an eigenvalue beyond rho the rate seen gives the eigenvalue back."""
    rho, beyond = 0.5, 0.7
    seen = (beyond + np.sqrt(beyond**2 - rho**2)) / (1 + np.sqrt(1 - rho**2))
    fake = object.__new__(extrapolate.Chebyshev)
    fake.rho, fake.problem, fake.fixed = rho, Problem(None, 0.99, None, False, None), False
    assert not fake._adapt(seen)
    assert fake.rho == pytest.approx(beyond * 1.1)


@small
def test_rounds_of_different_kinds_do_not_mix():
    g = zoo()["path"]
    with pytest.raises(InvalidArgumentError, match="method must be one of power, components, stic-d"):
        nearly.pagerank(g, method="magic")
    mixed = (["freeze-edges", "extrapolate"], "power"), ("extrapolate", "components"), ("extrapolate", "stic-d")
    for approx, method in mixed:
        with pytest.raises(InvalidArgumentError, match="use one"):
            nearly.pagerank(g, approx=approx, method=method)
    assert nearly.pagerank(g, approx="freeze-edges:c=0", method="components").guarantee == "exact"
