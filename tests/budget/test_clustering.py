"""Average clustering, transitivity and coefficients of chosen vertices within a budget."""

from __future__ import annotations

import math
from functools import cache

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
from nearly import Graph
from nearly.base.errors import InvalidArgumentError
from nearly.budget import stopping, wedge_certificate
from nearly.budget.estimators import clustering_coefficient as module
from nearly.budget.question import Question
from nearly.budget.wedge_looks import likely_error, likely_trials, look_table
from nearly.budget.wedges import ANYWHERE, AT, GLOBAL, Sampler, wedge_pairs
from nearly.engine.algorithm import ALGORITHMS

WEDGES = "clustering_coefficient/wedges"
small = pytest.mark.small
EVERY = {**GRAPHS, "star": STAR, "forest": one_triangle_in_a_forest(2000)}


@cache
def exact_of(name):
    return nearly.clustering_coefficient(EVERY[name])


def sampler(g, seed=1):
    return Sampler(ALGORITHMS.get("clustering_coefficient").begin(g), seed, oriented=False)


def misses(name: str, error: float, confidence: float, seeds: range) -> list[bool]:
    """Whether each seed's answer breaks its promise for the average or the transitivity."""
    exact, missed = exact_of(name), []
    for seed in seeds:
        r = estimate(WEDGES, EVERY[name], max_error=error, confidence=confidence, seed=seed)
        assert r.error <= error
        off = max(abs(r.average - exact.average), abs(r.transitivity - exact.transitivity))
        missed.append(
            off > r.error or not (_in(exact.average, r.interval) and _in(exact.transitivity, r.transitivity_interval))
        )
    return missed


def _in(value: float, interval: tuple[float, float]) -> bool:
    return interval[0] <= value <= interval[1]


@pytest.mark.parametrize("name", EVERY)
def test_coverage(name):
    assert_rare(misses(name, 0.1, 0.8, range(200)), 0.2)


@pytest.mark.full
@pytest.mark.parametrize("error", [0.1, 0.05, 0.02])
@pytest.mark.parametrize("name", EVERY)
def test_coverage_in_full(name, error):
    assert_rare(misses(name, error, 0.9, range(1000)), 0.1)


@small
@pytest.mark.parametrize("name", EVERY)
def test_wedges_are_drawn_evenly(name):
    check_shares(name, 1500, 5)


@pytest.mark.parametrize("name", ["hubs", "loops and parallel edges", "dense", "dust"])
def test_wedges_are_drawn_evenly_on_a_finer_look(name):
    check_shares(name, 300_000, 4.5)


def check_shares(name: str, trials: int, deviations: float) -> None:
    """Shares of closed wedges against the exact values, loops and repetitions among the arcs or not."""
    exact, drawn = exact_of(name), sampler(EVERY[name])
    hub = int(np.argmax(EVERY[name].out_degrees))
    anywhere = exact.average / drawn.share if drawn.share else 0.0  # of those of two arcs or more
    for way, share in ((ANYWHERE, anywhere), (GLOBAL, exact.transitivity), (AT, exact.values[hub])):
        closed = drawn.closed(way, 0, trials, hub if way == AT else 0)
        assert abs(closed - trials * share) <= deviations * math.sqrt(trials * share * (1 - share)) + 1e-6


@small
@pytest.mark.parametrize("g", TINY)
def test_tiny_graphs(g):
    r = nearly.clustering_coefficient(g, max_error=0.1)
    assert (r.average, r.transitivity, r.error) == (0, 0, 0)
    drawn = estimate(WEDGES, g, max_error=0.1)
    assert drawn is None or (drawn.average, drawn.transitivity, drawn.error) == (0, 0, 0)


@small
def test_vertices_with_fewer_than_two_neighbours_count_as_zero():
    """A star has wedges, none of them closed; a triangle among dust is a small part of the average."""
    r = estimate(WEDGES, STAR, max_error=0.1)
    assert (r.average, r.transitivity) == (0, 0)
    g = Graph.from_edges([0, 1, 2], [1, 2, 0], n=30, directed=False)
    r = estimate(WEDGES, g, max_error=0.05)
    assert abs(r.average - 0.1) <= 0.05
    assert r.transitivity == 1.0


def test_rows_of_nothing_but_repetitions_are_left_to_the_exact_run():
    twins = Graph.from_edges([0] * 50, [1] * 50, n=2, directed=False, duplicates="keep")
    assert estimate(WEDGES, twins, max_error=0.1) is None
    assert nearly.clustering_coefficient(twins, max_error=0.1).average == 0


def test_the_same_answer_on_any_number_of_threads():
    one, two = (estimate(WEDGES, GRAPHS["hubs"], max_error=0.05, seed=5, threads=k) for k in (1, 2))
    assert (one.average, one.transitivity, one.error) == (two.average, two.transitivity, two.error)
    assert one.average != estimate(WEDGES, GRAPHS["hubs"], max_error=0.05, seed=6).average


def test_what_a_result_tells():
    r = estimate(WEDGES, GRAPHS["hubs"], max_error=0.05, confidence=0.95)
    assert (r.values, r.triangles, r.vertices) == (None, None, None)
    assert (r.guarantee, r.error_kind, r.error_scope, r.confidence) == ("statistical", "absolute", "aggregate", 0.95)
    assert 0 < r.error <= 0.05
    exact = exact_of("hubs")
    assert exact.transitivity_interval == (exact.transitivity, exact.transitivity)


def test_small_shares_take_fewer_trials():
    """Looks before the last one end the sampling where shares are far from a half."""
    few, many = (estimate(WEDGES, EVERY[name], max_error=0.02) for name in ("star", "dense"))
    assert trials_of(few) * 3 < trials_of(many)


def trials_of(result) -> int:
    return sum(one.edges for did, _ in result.trace.steps for one in did)


def test_the_planner_chooses_wedges_where_they_pay():
    g = nearly.generate.rmat(15, 16, seed=1, directed=False)
    r = nearly.clustering_coefficient(g, max_error=0.05, seed=2)
    exact = nearly.clustering_coefficient(g)
    assert r.plan.choice == "wedges"
    assert abs(r.average - exact.average) <= r.error
    assert nearly.plan(g, "clustering_coefficient", max_error=1e-4).choice == "exact"
    assert nearly.plan(g, "clustering_coefficient", max_error=2.0).choice == "wedges"


@pytest.mark.parametrize("wrong", [{"confidence": 1}, {"max_error": -0.1}, {"vertices": [0, 0]}, {"vertices": [10**9]}])
def test_budgets_without_sense_are_refused(wrong):
    with pytest.raises(InvalidArgumentError):
        nearly.clustering_coefficient(GRAPHS["hubs"], **{"max_error": 0.1, **wrong})


@pytest.mark.parametrize("error", [None, 0.01])
def test_a_run_that_is_out_of_time_has_a_bound_that_holds(error, monkeypatch):
    exact, missed = exact_of("hubs"), []
    for seed in range(150):
        stop_after(monkeypatch, 1)
        r = estimate(WEDGES, GRAPHS["hubs"], max_seconds=9, max_error=error, confidence=0.8, seed=seed)
        assert 0.01 < r.error < 0.2
        missed.append(max(abs(r.average - exact.average), abs(r.transitivity - exact.transitivity)) > r.error)
    assert_rare(missed, 0.2)


def test_no_time_at_all(monkeypatch):
    stop_after(monkeypatch, 0)
    r = estimate(WEDGES, GRAPHS["hubs"], max_seconds=9)
    assert (r.error, r.interval) == (0.5, (0, 1))


def test_certificates_of_estimates(monkeypatch):
    for counted in (wedge_certificate.COUNTED, 0):
        monkeypatch.setattr(wedge_certificate, "COUNTED", counted)
        r = estimate(WEDGES, GRAPHS["hubs"], max_error=0.05, seed=3)
        assert r.certificate(GRAPHS["hubs"]).ok
        right = r.transitivity
        r.transitivity = right + 0.2
        assert not r.certificate(GRAPHS["hubs"]).ok  # outside its interval
        r.transitivity_interval = (right + 0.17, right + 0.23)
        assert not r.certificate(GRAPHS["hubs"]).ok  # an interval that is wrong


# chosen vertices


@small
def test_chosen_vertices():
    for name, g in EVERY.items():
        r = nearly.clustering_coefficient(g, vertices=[5, 0, 7])
        exact = exact_of(name)
        assert r.values.tolist() == exact.values[[5, 0, 7]].tolist()
        assert r.vertices.tolist() == [5, 0, 7]
        assert (r.average, r.transitivity) == (exact.average, exact.transitivity)
        assert r.triangles.tolist() == exact.triangles[[5, 0, 7]].tolist()
        assert r.certificate().ok
        r.values[0] += 0.25
        assert not r.certificate().ok


def test_chosen_vertices_within_an_error(monkeypatch):
    """Those of many pairs are drawn from; all bounds hold at once."""
    g, chosen = GRAPHS["dense"], [3, 1, 4, 15, 9]
    monkeypatch.setitem(module.rates.RATES, "clustering_coefficient", (1e6, 1e6))  # so that drawing pays
    missed = []
    for seed in range(150):
        r = estimate(WEDGES, g, max_error=0.1, confidence=0.8, vertices=chosen, seed=seed)
        assert r.guarantee == "statistical"
        assert (r.error_scope, r.values.size) == ("all", 5)
        assert 0 < r.error <= 0.1
        missed.append(bool((np.abs(r.values - exact_of("dense").values[chosen]) > r.error).any()))
    assert_rare(missed, 0.2)
    assert r.certificate(g).ok == (not missed[-1])
    assert abs(r.average - exact_of("dense").average) <= 0.1
    r.values[2] += 0.3
    assert not r.certificate(g).ok


def test_chosen_vertices_that_are_cheap_are_counted():
    r = nearly.clustering_coefficient(GRAPHS["hubs"], max_error=0.01, vertices=[20, 3])
    assert (r.guarantee, r.error) == ("exact", 0)
    assert r.values.tolist() == exact_of("hubs").values[[20, 3]].tolist()


@small
def test_the_likely_error_is_about_that_of_the_exact_bound():
    for trials in (200, 1500, 30_000):
        for share in (0.0, 0.02, 0.1, 0.5, 0.97, 1.0):
            for part in (0.0025, 0.0004):
                closed = round(share * trials)
                low, high = stopping.binomial_interval(closed, trials, part)
                wide = max(high - closed / trials, closed / trials - low)
                row = look_table([(trials, part)], 0.1)[0]
                assert likely_error(closed / trials, row[0], row[1]) == pytest.approx(wide, rel=0.1)


@small
def test_trials_end_at_a_look_that_is_likely_to_be_content():
    drawn, looks = sampler(EVERY["star"]), stopping.looks(400, 0.01)
    table = look_table(looks, 0.05)
    closed, trials = drawn.until_look(GLOBAL, 0, 0, table)  # none is closed
    assert (closed, trials) == (0, likely_trials(0.0, looks, 0.05))
    assert trials in [size for size, _ in looks][:-1]
    drawn = sampler(EVERY["dense"])
    closed, trials = drawn.until_look(GLOBAL, 0, 0, look_table(looks, 1e-9))
    assert (closed, trials) == (drawn.closed(GLOBAL, 0, 400), 400)
    begun = drawn.closed(GLOBAL, 0, 100)
    assert drawn.until_look(GLOBAL, 100, begun, look_table(looks[1:], 1e-9)) == (closed, 400)


def test_what_wedges_are_drawn_from_is_kept_with_the_graph():
    g = nearly.generate.rmat(10, 8, seed=1, directed=False)
    assert wedge_pairs(g) is wedge_pairs(g)
    assert sampler(g).total == wedge_pairs(g).total > 0


def test_a_pilot_tells_that_few_trials_will_do():
    """Shares near 0 need a fraction of the trials that Hoeffding asks for, and are predicted to."""
    g = nearly.generate.random(1 << 14, 1 << 18, seed=1, directed=False)
    asked = ALGORITHMS.get("clustering_coefficient")
    entry_options = asked.options({"max_error": 0.004})
    question = Question.of(asked, g, (), {}, entry_options, entry_options.budget())
    one = module.Wedges(question)
    told = one.predict(question.begin())
    assert "a few wedges" in told.why
    r = estimate(WEDGES, g, max_error=0.004)
    assert trials_of(r) < one._trials()
