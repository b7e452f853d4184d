"""PageRank against NetworkX and a plain power iteration: policies, weights, personalisation, dangling, tolerances."""

from __future__ import annotations

import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, as_networkx, graphs
from tests.zoo import zoo as named_graphs

import nearly
from nearly import Graph, InvalidArgumentError, InvalidGraphError
from nearly.algorithms.pagerank import sweeps
from nearly.engine.operators.advance import POLICIES

small = pytest.mark.small
EVERY = ("auto", *POLICIES)
PLAIN = numba.config.DISABLE_JIT  # a thousand times slower: smaller graphs have to do


def zoo(*kind, **options):
    made = named_graphs(*kind, **options)
    if PLAIN:
        made["kron-8"] = made["kron-8"].subgraph(np.arange(256) < 30)
    return made


def matrix(g, weights=True):
    """The dense transition matrix: column u is what u hands on; a dangling column is 0."""
    made = np.zeros((g.n, g.n))
    for u, v, w in arcs_of(g):
        made[v, u] += w if weights else 1
    totals = made.sum(axis=0)
    return np.divide(made, totals, out=np.zeros_like(made), where=totals > 0)


def one_round(g, x, damping=0.85, p=None, leak=False, weights=True):
    hand_on = matrix(g, weights)
    p = np.full(g.n, 1 / g.n) if p is None else np.asarray(p, float) / np.sum(p)
    loose = 0.0 if leak else x[hand_on.sum(axis=0) == 0].sum()
    return (1 - damping) * p + damping * (hand_on @ x + loose * p)


def oracle(g, damping=0.85, p=None, leak=False, weights=True):
    """The fixed point, by solving the linear system of the leaking surfer; redistribution scales it to sum 1."""
    if not g.n:
        return np.empty(0)
    p = np.full(g.n, 1 / g.n) if p is None else np.asarray(p, float) / np.sum(p)
    x = np.linalg.solve(np.eye(g.n) - damping * matrix(g, weights), (1 - damping) * p)
    return x if leak else x / x.sum()


def check(g, r, wanted, tol=1e-8):
    error = np.abs(r.values - wanted).sum()
    assert r.guarantee == "exact"
    assert r.residual <= tol * 1.0001 + 1e-14
    assert error <= r.bound + 1e-13
    assert r.certificate().ok
    assert r.certificate().bound == pytest.approx(r.bound, abs=1e-15)


@small
@pytest.mark.parametrize("directed", [True, False])
def test_against_a_solver(directed):
    for weights in (None, "zero"):
        for name, g in zoo(directed, weights).items():
            r = nearly.pagerank(g)
            check(g, r, oracle(g))
            assert r.values.sum() == pytest.approx(1 if g.n else 0), name


@small
@pytest.mark.parametrize("policy", EVERY)
@pytest.mark.parametrize("leak", [True, False])
@pytest.mark.parametrize("weights", ["int", "float"])
def test_options(policy, leak, weights):
    rng = np.random.default_rng(1)
    for name in ("kron-8", "star", "two SCCs in a chain", "self-loops", "parallel edges"):
        g = zoo(True, weights)[name]
        p = rng.random(g.n) * (rng.random(g.n) < 0.5)
        p[0] = 1
        dangling = "leak" if leak else "redistribute"
        for use in (True, False):
            r = nearly.pagerank(
                g, policy=policy, damping=0.6, personalization=p, dangling=dangling, weights=use, threshold=5
            )
            check(g, r, oracle(g, 0.6, p, leak, use))


@small
def test_networkx_agrees():
    for directed in (True, False):
        for weights in (None, "float", "zero"):
            for name, g in zoo(directed, weights, duplicates="first").items():
                people = {0: 1.0, g.n // 2: 3.0} if g.n > 1 and len(name) % 2 else None
                wanted = nx.pagerank(as_networkx(g), personalization=people, tol=1e-14, max_iter=2000)
                r = nearly.pagerank(g, personalization=people)
                assert np.abs(r.values - [wanted[v] for v in range(g.n)]).sum() < 1e-7, name


@small
@settings(max_examples=10 if PLAIN else 60, deadline=None)
@given(graphs(weights="int"), st.sampled_from(EVERY), st.floats(0, 0.99), st.booleans())
def test_random_graphs(g, policy, damping, leak):
    r = nearly.pagerank(g, policy=policy, damping=damping, dangling="leak" if leak else "redistribute", max_rounds=5000)
    check(g, r, oracle(g, damping, leak=leak))


@small
@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-8, 1e-12, 1e-14])
@pytest.mark.parametrize("weights", [None, "float"])
def test_float32_sweeps_reach_any_tolerance(tol, weights, monkeypatch):
    monkeypatch.setattr(sweeps, "SINGLE", 0)
    for damping in (0.5, 0.85, 0.99):
        for name in ("kron-8", "star", "inward star", "path", "self-loops"):
            g = zoo(True, weights)[name]
            r = nearly.pagerank(g, tol=tol, damping=damping, max_rounds=5000)
            check(g, r, oracle(g, damping), tol)
            exact = one_round(g, r.values, damping)
            assert r.residual == pytest.approx(np.abs(exact - r.values).sum(), abs=1e-14), name


@small
def test_float32_survives_extreme_weights(monkeypatch):
    monkeypatch.setattr(sweeps, "SINGLE", 0)
    g = zoo(True, "int")["kron-8"]
    for factor in (2.0**-900, 2.0**900):
        h = Graph(g.offsets, g.targets, g.weights.astype(np.float64) * factor)
        check(h, nearly.pagerank(h), oracle(g))


@small
@pytest.mark.parametrize("policy", EVERY)
def test_the_largest_change_as_norm(policy):
    g = zoo()["kron-8"]
    r = nearly.pagerank(g, norm="max", tol=1e-6, policy=policy)
    assert np.abs(r.values - oracle(g)).max() < 1e-4
    assert r.certificate().ok
    if policy != "frontier":
        assert r.trace[-1].extra["largest"] <= 1e-6 < r.trace[-2].extra["largest"]
        fewer, more = (nearly.pagerank(g, tol=1e-6, norm=norm, policy=policy).rounds for norm in ("max", "l1"))
        assert fewer <= more if policy == "auto" else fewer < more  # rounds that are combined go in leaps


@small
def test_the_last_round_changes_the_ranks_by_at_most_tol():
    for name, g in zoo().items():
        if g.n > 1:
            r = nearly.pagerank(g, tol=1e-5)
            changes = [row.extra["change"] for row in r.trace]
            assert changes[-1] <= 1e-5, name
            assert all(change > 1e-5 for change in changes[:-1]), name
            assert r.trace.edges == r.rounds * g.m


@small
def test_stopped_early_is_certified():
    g = zoo()["kron-8"]
    r = nearly.pagerank(g, max_rounds=3)
    assert (r.guarantee, r.rounds) == ("certified", 3)
    assert np.abs(r.values - oracle(g)).sum() <= r.bound
    assert r.bound > 1e-8
    assert r.certificate().ok
    r.values = np.roll(r.values, 1)
    assert not r.certificate().ok


@small
@pytest.mark.parametrize("weights", [None, "int"])
def test_the_certificate_finds_wrong_ranks(weights):
    for leak in (False, True):
        g = zoo(True, weights)["kron-8"]
        r = nearly.pagerank(g, dangling="leak" if leak else "redistribute")
        right = r.values
        assert r.certificate().ok
        for wrong in (right * 1.0001, np.where(np.arange(g.n) == 5, right + 1e-6, right), right[::-1].copy()):
            r.values = wrong
            assert not r.certificate().ok


@small
def test_a_start_near_the_answer_saves_rounds():
    g = zoo()["kron-8"]
    cold = nearly.pagerank(g, policy="topology")
    for policy in ("auto", "topology", "frontier"):
        warm = nearly.pagerank(g, start=cold.values * 7, policy=policy)
        assert warm.rounds < cold.rounds / 4
        assert warm.rounds < nearly.pagerank(g, policy=policy).rounds / 3
        check(g, warm, oracle(g))


@small
def test_metamorphic():
    g = zoo(True, "int")["kron-8"]
    once = nearly.pagerank(g).values
    heavier = Graph(g.offsets, g.targets, g.weights.astype(np.float64) * 2**30)
    assert np.allclose(nearly.pagerank(heavier).values, once, rtol=1e-12)
    src = np.concatenate([g.arc_sources(), g.arc_sources() + g.n])
    twice = Graph.from_edges(src, np.concatenate([g.targets, g.targets + g.n]), np.tile(g.weights, 2), n=2 * g.n)
    assert np.allclose(nearly.pagerank(twice).values, np.tile(once, 2) / 2, atol=1e-8)
    cycle = zoo()["cycle"]
    assert np.allclose(nearly.pagerank(cycle).values, 1 / cycle.n)


@small
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"damping": 1}, "damping must be a number from 0 up to but not including 1"),
        ({"damping": -0.1}, "damping"),
        ({"damping": np.nan}, "damping"),
        ({"damping": True}, "damping"),
        ({"tol": 0}, "tol must be a number above 0"),
        ({"tol": np.nan}, "tol"),
        ({"tol": np.inf}, "tol"),
        ({"tol": "small"}, "tol"),
        ({"norm": "l2"}, "norm must be one of l1, max"),
        ({"dangling": "keep"}, "dangling must be one of redistribute, leak"),
        ({"weights": 1}, "weights must be True or False"),
        ({"personalization": [1, 2]}, "personalization must hold 7 finite numbers"),
        ({"personalization": [-1, 1, 1, 1, 1, 1, 1]}, "not negative"),
        ({"personalization": [0] * 7}, "finite sum above 0"),
        ({"personalization": [np.nan] * 7}, "finite numbers"),
        ({"personalization": {7: 1.0}}, "personalization names 7"),
        ({"personalization": {"a": 1.0}}, "personalization: 'a' is a name, but"),
        ({"personalization": {1: "x"}}, "finite numbers"),
        ({"start": [1.0]}, "start must hold 7 finite numbers"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.pagerank(zoo()["path"], **options)


@small
def test_bad_weights():
    g = Graph.from_edges([0, 1], [1, 0], weights=[1.0, -1.0], negative="keep")
    with pytest.raises(InvalidArgumentError, match="weights of at least 0"):
        nearly.pagerank(g)
    assert nearly.pagerank(g, weights=False).values.tolist() == [0.5, 0.5]


def test_weights_whose_sum_overflows():
    huge = Graph.from_edges([0, 0], [0, 1], weights=[1.5e308, 1.5e308], weight_dtype="float64")
    with pytest.raises(InvalidGraphError, match="multiply all weights by a constant"):
        nearly.pagerank(huge)


def differential(seeds):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 60))
        m = int(rng.integers(0, 4 * n))
        weights = rng.integers(0, 5, m) if seed % 3 else None
        g = Graph.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=bool(seed % 2))
        wanted = nx.pagerank(as_networkx(g), tol=1e-13, max_iter=1000)
        r = nearly.pagerank(g, policy=EVERY[seed % 5])
        assert np.abs(r.values - [wanted[v] for v in range(n)]).sum() < 1e-7, seed


def test_against_networkx_on_random_graphs():
    differential(range(150))


@pytest.mark.full
def test_against_networkx_on_many_random_graphs():
    differential(range(150, 3000))


def test_policies_agree_on_a_large_graph():
    g = nearly.generate.rmat(scale=16, edge_factor=8, seed=3)
    results = [nearly.pagerank(g, policy=policy) for policy in EVERY]
    for r in results:
        assert np.abs(r.values - results[0].values).sum() <= r.bound + results[0].bound
