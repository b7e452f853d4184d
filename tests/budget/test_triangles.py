"""Triangles within a budget: coverage, adversarial graphs, the same answer on any number of threads, certificates."""

from __future__ import annotations

import math
from functools import cache

import networkx as nx
import numpy as np
import pytest
from tests.budget.wedge_graphs import (
    GRAPHS,
    STAR,
    TINY,
    assert_rare,
    estimate,
    one_triangle_in_a_forest,
    stop_after,
)

import nearly
from nearly.base.errors import InvalidArgumentError
from nearly.budget import wedge_certificate
from nearly.budget.wedges import ORIENTED, Sampler, guess
from nearly.engine.algorithm import ALGORITHMS

WEDGES = "triangle_count/wedges"
small = pytest.mark.small


@cache
def exact_of(name):
    return nearly.triangle_count(GRAPHS[name]).total


def sampler(g, *, oriented=True, seed=1):
    run = ALGORITHMS.get("triangle_count").begin(g)
    return Sampler(run, seed, oriented=oriented)


def misses(name: str, error: float, confidence: float, seeds: range) -> list[bool]:
    """Whether each seed's answer breaks its promise."""
    missed = []
    for seed in seeds:
        r = estimate(WEDGES, GRAPHS[name], max_error=error, confidence=confidence, seed=seed)
        assert r.error <= error
        off = abs(r.total - exact_of(name)) / exact_of(name) > r.error
        low, high = r.interval
        assert low <= r.total <= high
        missed.append(off or not low <= exact_of(name) <= high)
    return missed


@pytest.mark.parametrize("name", GRAPHS)
def test_coverage(name):
    assert_rare(misses(name, 0.15, 0.9, range(200)), 0.1)


def test_the_bound_is_not_wider_than_it_has_to_be():
    """Gamma-Bernoulli's error has a known law: the misses are as many as the confidence allows, but for rounding."""
    assert sum(misses("hubs", 0.15, 0.8, range(200))) > 20


@pytest.mark.full
@pytest.mark.parametrize("error", [0.2, 0.1, 0.05])
@pytest.mark.parametrize("name", GRAPHS)
def test_coverage_in_full(name, error):
    assert_rare(misses(name, error, 0.95, range(1000)), 0.05)


@small
@pytest.mark.parametrize("name", GRAPHS)
def test_wedges_are_drawn_evenly(name):
    """The share of closed wedges times their number is the number of triangles."""
    drawn = sampler(GRAPHS[name])
    trials = 2000
    closed, share = drawn.closed(ORIENTED, 0, trials), exact_of(name) / drawn.total
    assert abs(closed - trials * share) < 5 * math.sqrt(trials * share * (1 - share)) + 1e-9


def test_every_wedge_is_as_likely_as_any_other():
    """A graph whose triangles are at vertices of low and of high degree, in rows short and long: a finer look."""
    for name in ("dense", "hubs", "loops and parallel edges"):
        drawn = sampler(GRAPHS[name], seed=7)
        trials = 400_000
        closed, share = drawn.closed(ORIENTED, 0, trials), exact_of(name) / drawn.total
        assert abs(closed - trials * share) < 4.5 * math.sqrt(trials * share * (1 - share))


@small
def test_the_pilot_guesses_the_share_of_closed_wedges():
    for name in ("dense", "hubs", "equal degrees"):
        run = ALGORITHMS.get("triangle_count").begin(GRAPHS[name])
        share, met = guess(run, 3000)
        assert met > 300
        assert share == pytest.approx(exact_of(name) / sampler(GRAPHS[name]).total, rel=0.25, abs=0.1)
    assert guess(ALGORITHMS.get("triangle_count").begin(STAR), 100) == (0.0, 0)


@small
@pytest.mark.parametrize("g", [*TINY, STAR])
def test_graphs_without_triangles(g):
    r = nearly.triangle_count(g, max_error=0.1)
    assert (r.total, r.guarantee, r.error, r.values.tolist()) == (0, "exact", 0.0, [0] * g.n)
    if g.m:
        r = estimate(WEDGES, g, max_error=0.1)
        assert (r.total, r.guarantee, r.values.tolist()) == (0, "exact", [0] * g.n)


def test_one_triangle_in_a_forest_is_counted():
    g = one_triangle_in_a_forest()
    r = nearly.triangle_count(g, max_error=0.1)
    assert (r.total, r.guarantee, r.plan.choice) == (1, "exact", "exact")
    assert estimate(WEDGES, g, patient=False, max_error=0.1) is None  # it gives up by itself too


def test_few_triangles_are_not_rounded_beyond_the_error():
    g = nearly.Graph.from_networkx(nx.complete_graph(6))  # 20 triangles: an error of 5% is a whole one
    for error in (0.12, 0.07, 0.05, 0.03):
        results = [estimate(WEDGES, g, max_error=error, confidence=0.9999, seed=seed) for seed in range(30)]
        assert all(r is None or abs(r.total - 20) <= 20 * r.error <= 20 * error for r in results)
    assert {r.total for r in results if r is not None} == {20}  # within 3% there is one whole number


@pytest.mark.parametrize("error", [0.3, 0.05])
def test_the_same_answer_on_any_number_of_threads(error):
    one, two = (estimate(WEDGES, GRAPHS["hubs"], max_error=error, seed=5, threads=k) for k in (1, 2))
    assert (one.total, one.interval, one.error) == (two.total, two.interval, two.error)
    assert one.total != estimate(WEDGES, GRAPHS["hubs"], max_error=error, seed=6).total


def test_what_a_result_tells():
    r = estimate(WEDGES, GRAPHS["hubs"], max_error=0.05)
    assert (r.values, r.guarantee, r.error_kind, r.error_scope) == (None, "statistical", "relative", "aggregate")
    assert isinstance(r.total, int)
    assert 0.04 < r.error <= 0.05
    assert r.confidence == 0.99


def test_the_planner_chooses_wedges_where_they_pay():
    g = nearly.generate.rmat(15, 16, seed=1, directed=False)
    r = nearly.triangle_count(g, max_error=0.1, seed=2)
    assert r.plan.choice == "wedges"
    assert not r.plan.fell_back
    assert abs(r.total - nearly.triangle_count(g).total) <= r.error * nearly.triangle_count(g).total
    assert nearly.plan(g, "triangle_count", max_error=1e-4).choice == "exact"
    assert nearly.plan(g, "triangle_count", max_error=0.1, vertices=[0]).choice == "exact"
    assert nearly.plan(g, "triangle_count", max_error=0.1, allow="certified").choice == "exact"
    assert nearly.plan(g, "triangle_count", max_error=5.0).choice == "wedges"
    sparse = nearly.generate.random(1 << 15, 1 << 19, seed=1, directed=False)
    assert nearly.plan(sparse, "triangle_count", max_error=0.1).choice == "exact"


@pytest.mark.parametrize("wrong", [{"confidence": 1}, {"confidence": 0}, {"max_error": 0}, {"max_error": math.nan}])
def test_budgets_without_sense_are_refused(wrong):
    with pytest.raises(InvalidArgumentError):
        nearly.triangle_count(GRAPHS["hubs"], **{"max_error": 0.1, **wrong})


@pytest.mark.parametrize("error", [None, 0.01])
@pytest.mark.parametrize("name", ["hubs", "dust"])
def test_a_run_that_is_out_of_time_has_a_bound_that_holds(name, error, monkeypatch):
    missed = []
    for seed in range(150):
        stop_after(monkeypatch, 2)
        r = estimate(WEDGES, GRAPHS[name], max_seconds=9, max_error=error, confidence=0.8, seed=seed)
        assert 0.01 < r.error < 1
        assert r.guarantee == "statistical"
        assert r.interval[0] <= r.total <= r.interval[1]
        missed.append(abs(r.total - exact_of(name)) > r.error * exact_of(name))
    assert_rare(missed, 0.2)


def test_no_time_at_all(monkeypatch):
    stop_after(monkeypatch, 0)
    r = estimate(WEDGES, GRAPHS["hubs"], max_seconds=9)
    assert r.error == math.inf


def test_certificates_of_estimates():
    r = estimate(WEDGES, GRAPHS["hubs"], max_error=0.1, seed=3)
    seen = r.certificate(GRAPHS["hubs"])
    assert seen.ok
    assert 0 < seen.bound <= 0.1
    r.total = round(exact_of("hubs") * 1.3)
    assert not r.certificate(GRAPHS["hubs"]).ok
    r.interval = (r.total / 1.1, r.total / 0.9)
    assert not r.certificate(GRAPHS["hubs"]).ok


def test_certificates_by_other_wedges(monkeypatch):
    monkeypatch.setattr(wedge_certificate, "COUNTED", 0)
    r = estimate(WEDGES, GRAPHS["hubs"], max_error=0.1, seed=3)
    seen = r.certificate(GRAPHS["hubs"])
    assert seen.ok
    assert "other wedges" in seen.claim
    right = r.total
    r.total = round(right * 1.2)
    assert not r.certificate(GRAPHS["hubs"]).ok  # outside its interval
    r.interval = (r.total / 1.05, r.total / 0.95)
    assert not r.certificate(GRAPHS["hubs"]).ok  # an interval that other wedges do not meet


@small
def test_chosen_vertices():
    for g in GRAPHS.values():
        every = nearly.triangle_count(g)
        r = nearly.triangle_count(g, vertices=[5, 0, 7])
        assert r.values.tolist() == every.values[[5, 0, 7]].tolist()
        assert r.total == every.total
        assert r.certificate().ok
        r.values[1] += 1
        assert not r.certificate().ok
    with pytest.raises(InvalidArgumentError, match="vertices must"):
        nearly.triangle_count(GRAPHS["hubs"], vertices=[-1])
    assert np.array_equal(nearly.triangle_count(STAR, vertices=np.arange(STAR.n)).values, np.zeros(STAR.n))
