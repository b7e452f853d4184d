"""PageRank within a budget against a solver: certified errors, the first k, forward push, time limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.test_pagerank import oracle, zoo
from tests.budget.asking import ask
from tests.zoo import graphs

import nearly
from nearly import InvalidArgumentError
from nearly.algorithms.pagerank.leaders import leaders

small = pytest.mark.small


def check(r, wanted, max_error):
    off = np.abs(r.values - wanted)
    assert r.guarantee == "certified"
    assert off.sum() <= r.error + 1e-12
    assert r.error <= max_error
    assert (r.interval[0] <= wanted + 1e-12).all()
    assert (wanted <= r.interval[1] + 1e-12).all()
    assert r.certificate().ok


@small
@pytest.mark.parametrize("max_error", [0.5, 0.1, 0.01, 1e-4])
@pytest.mark.parametrize("directed", [True, False])
def test_the_error_is_what_was_asked_for(max_error, directed):
    for weights in (None, "zero"):
        for g in zoo(directed, weights).values():
            check(ask("pagerank/rounds", g, max_error=max_error), oracle(g), max_error)


@small
@settings(max_examples=40)
@given(graphs(), st.sampled_from([0.5, 0.05, 1e-3]), st.sampled_from([0.3, 0.85, 0.99]))
def test_any_graph_and_damping(g, max_error, damping):
    r = ask("pagerank/rounds", g, max_error=max_error, damping=damping)
    check(r, oracle(g, damping), max_error)


@small
@settings(max_examples=40)
@given(graphs(), st.data(), st.sampled_from([0.5, 0.05, 1e-3]))
def test_pushed_ranks_are_lower_bounds_with_their_error(g, data, max_error):
    if not g.n:
        return
    jumps = data.draw(st.dictionaries(st.integers(0, g.n - 1), st.floats(0.1, 3), min_size=1, max_size=3))
    p = np.zeros(g.n)
    p[list(jumps)] = list(jumps.values())
    r = ask("pagerank/push", g, max_error=max_error, personalization=jumps)
    wanted = oracle(g, p=p)
    check(r, wanted, max_error)
    if r.error_scope == "each":  # pushed, not by rounds
        assert (r.values <= wanted + 1e-12).all()
        assert np.abs(r.values - wanted).sum() == pytest.approx(r.error, abs=1e-12)


def test_pushing_touches_what_is_near():
    g = nearly.generate.grid(300, 300, seed=1)
    r = nearly.pagerank(g, personalization={0: 1}, max_error=0.01)
    assert r.plan.choice == "push"
    assert r.trace.edges < g.m / 20
    assert np.count_nonzero(r.values) < g.n / 20
    wanted = nearly.pagerank(g, personalization={0: 1}, tol=1e-12).values
    check(r, wanted, 0.01)


def test_mass_that_spreads_is_left_to_rounds():
    g = nearly.generate.random(20_000, 400_000, seed=1)
    r = nearly.pagerank(g, personalization={0: 1}, max_error=1e-3)
    assert r.error_scope == "all"  # by rounds
    check(r, nearly.pagerank(g, personalization={0: 1}, tol=1e-12).values, 1e-3)


@small
@pytest.mark.parametrize("k", [1, 3, 10])
def test_the_first_are_certain(k):
    for g in zoo().values():
        r = nearly.pagerank(g, top=k)
        wanted = oracle(g)
        order = np.argsort(-wanted, kind="stable")[: min(k, g.n)]
        assert r.vertices.size == order.size
        if r.set_certain:
            assert set(r.vertices) == set(order)
        if r.order_certain:
            assert r.vertices.tolist() == order.tolist()
        assert r.certificate().ok
        assert r.guarantee in ("exact", "certified")


@small
def test_equal_ranks_are_never_called_certain():
    g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 0])  # all alike
    r = nearly.pagerank(g, top=1)
    assert not r.set_certain
    assert not r.order_certain
    assert leaders(np.array([0.5, 0.3, 0.2]), 2, 0.15)[1:] == (False, False)
    assert leaders(np.array([0.5, 0.4, 0.1]), 2, 0.15)[1:] == (True, False)
    assert leaders(np.array([0.6, 0.35, 0.05]), 2, 0.15)[1:] == (True, True)
    assert leaders(np.array([0.6, 0.4]), 2, 0.15)[1:] == (True, True)


def test_the_first_stop_early_and_keep_an_error_too():
    g = nearly.generate.rmat(13, 16, seed=1, directed=False)
    exact = nearly.pagerank(g)
    r = nearly.pagerank(g, top=5)
    assert r.rounds < exact.rounds
    assert r.order_certain
    assert r.vertices.tolist() == np.argsort(-exact.values, kind="stable")[:5].tolist()
    both = nearly.pagerank(g, top=5, max_error=1e-5)
    assert both.error <= 1e-5
    assert both.order_certain


@small
def test_what_cannot_end_at_the_first_is_refused():
    g = zoo()["grid"]
    for keywords in ({"policy": "topology"}, {"method": "components"}, {"norm": "max"}):
        with pytest.raises(InvalidArgumentError, match="top= needs"):
            nearly.pagerank(g, top=3, **keywords)
    with pytest.raises(InvalidArgumentError, match="top must be a whole number"):
        nearly.pagerank(g, top=0)


def test_the_same_answer_for_any_number_of_threads():
    g = nearly.generate.rmat(13, 8, seed=1)
    for keywords in ({}, {"personalization": {5: 1, 7: 2}}, {"top": 4}):
        answers = [nearly.pagerank(g, max_error=0.01, threads=k, **keywords).values for k in (1, 2)]
        assert np.array_equal(*answers)


def test_time_ends_rounds_and_the_error_says_how_far_they_came():
    g = nearly.generate.rmat(13, 8, seed=1)
    wanted = nearly.pagerank(g, tol=1e-12).values
    r = ask("pagerank/rounds", g, max_seconds=1e-4)
    assert r.guarantee == "certified"
    assert np.abs(r.values - wanted).sum() <= r.error
