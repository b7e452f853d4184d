"""Techniques within a budget: ladders, pilots, what named and allowed ones lead to."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import nearly
from nearly.accuracy import inaccuracy
from nearly.base.errors import InvalidArgumentError
from nearly.budget import by_techniques, rates
from nearly.budget.ladders import common_ladder, ladder
from nearly.budget.pilots import LEAST, pilots
from nearly.engine.technique import TECHNIQUES


@pytest.fixture(scope="module")
def graph():
    return nearly.generate.rmat(9, 8, seed=3, weights="int")


@pytest.fixture(scope="module")
def large():
    """Larger than what is its own pilot."""
    return nearly.generate.rmat(13, 16, seed=3, weights="int")


@pytest.fixture(scope="module")
def hub(graph):
    return int(graph.out_degrees.argmax())


@pytest.mark.parametrize("cls", list(TECHNIQUES), ids=lambda cls: cls.name)
def test_ladders_lead_towards_exact_and_leave_other_knobs(cls):
    rungs = ladder(cls())
    assert rungs
    for name, knob in cls.dials.items():
        values = [rung.settings[name] for rung in rungs]
        if knob.mild is None or not isinstance(knob.default, (int, float)):
            assert set(values) == {knob.default}
        else:
            far = [1 / v if math.isinf(knob.mild) else abs(v - knob.mild) for v in values]
            assert far == sorted(far, reverse=True)
            assert far[-1] < far[0] / 4
            assert knob.default in values


def test_the_callers_setting_is_the_boldest():
    rungs = ladder(nearly.PartialEdges(keep=0.6, select="lightest"))
    assert rungs[0] == nearly.PartialEdges(keep=0.6, select="lightest")
    assert {rung.select for rung in rungs} == {"lightest"}
    assert all(a.keep < b.keep for a, b in pairwise(rungs))


def test_techniques_climb_together():
    rungs = common_ladder([nearly.PartialEdges(keep=0.5), nearly.ReducedExecution()])
    keeps, changes = [a.keep for a, _ in rungs], [b.changed for _, b in rungs]
    assert keeps == sorted(keeps)
    assert changes == sorted(changes, reverse=True)
    assert (rungs[0][0].keep, rungs[0][1].changed) == (0.5, 0.16)
    assert rungs[-1][0].keep > 0.99


def test_pilots_are_induced_and_follow_from_the_seed(large):
    drawn, again = pilots(large, 3, 5, 7), pilots(large, 3, 5, 7)
    assert len(drawn) == 3
    assert drawn[0].vertices[drawn[0].centre] == 7
    for one, other in zip(drawn, again):
        assert one.vertices.tolist() == other.vertices.tolist()
        mask = np.zeros(large.n, bool)
        mask[one.vertices] = True
        right = large.subgraph(mask)
        assert one.graph.targets.tolist() == right.targets.tolist()
        assert one.graph.offsets.tolist() == right.offsets.tolist()
        assert one.graph.weights.tolist() == right.weights.tolist()
        assert not one.whole
        assert 1 < one.graph.n < large.n
    assert pilots(large, 1, 6, None)[0].vertices.tolist() != pilots(large, 1, 5, None)[0].vertices.tolist()


def test_a_small_graph_is_its_own_pilot(graph):
    assert graph.m < LEAST
    (only,) = pilots(graph, 3, 1, 4)
    assert only.graph is graph
    assert (only.centre, only.whole) == (4, True)


@pytest.mark.parametrize("limit", [0.3, 0.1, 0.02])
def test_as_much_of_a_technique_as_the_error_allows(graph, hub, limit):
    result = nearly.sssp(graph, hub, approx=nearly.PartialEdges(), max_error=limit)
    exact = nearly.sssp(graph, hub)
    assert result.error <= limit
    if result.techniques:  # the pilot is the graph itself, so what is told is what it is
        assert result.error == pytest.approx(inaccuracy(exact, result, graph))
        assert (result.guarantee, result.error_kind, result.error_scope) == ("upper bound", "relative", "aggregate")
        assert result.confidence is None
        assert (result.values >= exact.values).all()
        bolder = [rung for rung in ladder(nearly.PartialEdges()) if rung.keep < result.techniques[0].keep][-1:]
        for one in bolder:
            assert inaccuracy(exact, nearly.sssp(graph, hub, approx=one), graph) > limit
    assert result.plan.choice.startswith("partial-edges" if result.techniques else "exact")


def test_tighter_budgets_keep_more(graph, hub):
    kept = [
        nearly.sssp(graph, hub, approx=nearly.PartialEdges(), max_error=limit).techniques[0].keep
        for limit in (0.5, 0.2, 0.05)
    ]
    assert kept == sorted(kept)
    assert kept[0] < kept[-1]


def test_exact_where_no_setting_keeps_the_error(graph, hub):
    result = nearly.sssp(graph, hub, approx=nearly.RoundWeights(), max_error=1e-6)
    assert (result.guarantee, result.error, result.techniques) == ("exact", 0.0, ())
    assert result.plan.choice == "exact"
    assert "mildest" in result.plan.why
    assert result.values.tolist() == nearly.sssp(graph, hub).values.tolist()


@pytest.mark.parametrize("technique", [nearly.PartialEdges(), nearly.MergeSimilar(), nearly.ReducedExecution()])
def test_certified_answers_keep_their_own_bound(large, technique):
    result = nearly.pagerank(large, approx=technique, max_error=0.05)
    assert result.error == result.bound <= 0.05
    assert result.certificate().ok
    assert np.abs(result.values - nearly.pagerank(large).values).sum() <= result.error
    assert result.confidence == 1.0
    if result.techniques:
        assert result.guarantee == "certified"
        assert result.plan.choice == result.techniques[0].spec


def test_a_bound_that_is_too_large_is_tightened_and_then_left(large, monkeypatch):
    """Pilots that promise too much: the answer's own bound decides."""
    monkeypatch.setattr(by_techniques.ByTechniques, "_boldest", lambda self: 0)
    result = nearly.pagerank(large, approx=nearly.PartialEdges(), max_error=0.2)
    assert result.error <= 0.2
    if result.techniques:
        assert result.techniques[0].keep > ladder(nearly.PartialEdges())[0].keep
    monkeypatch.setattr(by_techniques, "TRIES", 1)
    monkeypatch.setattr("nearly.budget.trials.bound_of", lambda result: 0.0)  # on pilots
    result = nearly.pagerank(large, approx=nearly.PartialEdges(), max_error=0.01)
    assert (result.guarantee, result.techniques) == ("exact", ())
    assert "by its own bound" in result.plan.fell_back


def test_rounded_distances_are_certified_by_their_factors(graph, hub):
    result = nearly.sssp(graph, hub, approx=nearly.RoundWeights(round="nearest"), max_error=0.2)
    exact = nearly.sssp(graph, hub).values
    assert (result.guarantee, result.error_kind, result.error_scope) == ("certified", "relative", "all")
    low, high = result.interval
    reached = np.isfinite(exact)
    assert (low[reached] <= exact[reached] * (1 + 1e-9)).all()
    assert (exact[reached] <= high[reached] * (1 + 1e-9)).all()
    assert (np.abs(result.values[reached] - exact[reached]) <= 0.2 * exact[reached] + 1e-9).all()


def test_heuristic_answers_become_estimated(graph):
    result = nearly.label_propagation(graph, approx=nearly.PartialEdges(), max_error=0.9)
    assert result.techniques
    assert (result.guarantee, result.interval, result.confidence) == ("estimated", None, None)
    sure = nearly.label_propagation(graph, approx=nearly.PartialEdges(), max_error=0.9, allow="certified")
    assert sure.guarantee == "exact"
    assert "only be estimated" in sure.plan.why


def test_same_seed_same_answer_for_any_number_of_threads(large):
    hub = int(large.out_degrees.argmax())
    first, second = (
        nearly.sssp(large, hub, approx=nearly.PartialEdges(), max_error=0.2, seed=4, threads=threads)
        for threads in (1, 2)
    )
    assert first.techniques == second.techniques != ()
    assert first.error == second.error
    assert first.values.tolist() == second.values.tolist()


def test_a_technique_that_does_not_apply_is_refused(graph):
    with pytest.raises(InvalidArgumentError, match="does not apply to scc"):
        nearly.scc(graph, approx=nearly.RoundWeights(), max_error=0.1)
    with pytest.raises(InvalidArgumentError, match="source"):
        nearly.sssp(graph, graph.n, approx=nearly.PartialEdges(), max_error=0.1)


def test_what_was_applied_is_taken_as_it_is(graph):
    from nearly.engine.algorithm import ALGORITHMS

    applied = ALGORITHMS.get("pagerank").apply(nearly.MergeSimilar(jaccard=0.7), graph)
    result = nearly.pagerank(graph, approx=applied, max_error=0.9)
    assert result.techniques == (nearly.MergeSimilar(jaccard=0.7),)


def test_plans_name_the_setting(graph, hub):
    made = nearly.plan(graph, "sssp", hub, approx=nearly.PartialEdges(), max_error=0.1)
    assert made.choice == nearly.sssp(graph, hub, approx=nearly.PartialEdges(), max_error=0.1).plan.choice
    assert "it was named" in str(made)


@pytest.mark.parametrize("name", ["bfs", "sssp", "connected_components", "scc", "mst"])
def test_exact_is_chosen_where_techniques_do_not_pay(graph, hub, name):
    own = {"source": hub} if name in ("bfs", "sssp") else {}
    result = getattr(nearly, name)(graph, **own, max_error=0.1, allow="estimated")
    assert result.guarantee == "exact"
    made = nearly.plan(graph, name, **own, max_error=0.1, allow="estimated")
    assert made.choice == "exact"
    weighed = {row.name.partition(":")[0]: row.why for row in made.candidates}
    assert {"exact", "partial-edges", "merge-similar", "reduced-execution"} <= weighed.keys()
    assert all(weighed.values())


def test_techniques_are_weighed_only_where_estimates_are_allowed(graph, hub):
    assert len(nearly.plan(graph, "bfs", hub, max_error=0.1).candidates) == 1
    assert len(nearly.plan(graph, "bfs", hub, max_error=0.1, allow="estimated").candidates) > 3


def test_a_technique_that_pays_is_chosen(large, monkeypatch):
    """As if a visit took so long that pilots and transforms are for nothing."""
    monkeypatch.setitem(rates.RATES, "pagerank", (1e6, 1e6))
    monkeypatch.setattr("nearly.budget.planner.estimators_of", lambda name: [])
    monkeypatch.setattr(by_techniques, "PILOT", math.inf)  # on so small a graph a pilot is a large part
    result = nearly.pagerank(large, max_error=0.3, allow="estimated")
    assert result.techniques
    assert result.guarantee == "certified"
    assert result.error <= 0.3
    assert result.plan.choice == result.techniques[0].spec
