"""Partial processing with a share of the arcs drawn anew each round, for pagerank, scc and mst."""

from __future__ import annotations

import numpy as np
import pytest
from tests.algorithms.questions import ask, check_promise
from tests.zoo import zoo

import nearly
from nearly import InvalidArgumentError, PartialEdges
from nearly.engine.technique import Task

pytestmark = pytest.mark.small
ANEW = {"pagerank": "certified", "scc": "upper bound", "mst": "upper bound"}


@pytest.mark.parametrize("algorithm", ANEW)
def test_which_choices_are_drawn_anew(algorithm):
    assert PartialEdges(redraw=True).in_rounds(Task(algorithm))
    for once in (PartialEdges(), PartialEdges(redraw=False), PartialEdges(redraw=True, select="heaviest")):
        assert not once.in_rounds(Task(algorithm))
    assert PartialEdges(redraw=True).guarantee(algorithm) == PartialEdges().guarantee(algorithm) == ANEW[algorithm]
    assert PartialEdges().in_rounds(Task("sssp"))
    assert not PartialEdges(redraw=False).in_rounds(Task("sssp"))
    assert not PartialEdges(redraw=True).in_rounds(Task("triangle_count"))


@pytest.mark.parametrize("policy", ["auto", "topology", "frontier"])
@pytest.mark.parametrize("algorithm", ANEW)
def test_what_is_promised_holds(algorithm, policy):
    for directed in (True, False):
        for name in ("grid", "kron-8", "two cycles", "parallel"):
            g = zoo(directed, "int").get(name)
            if g is None:
                continue
            exact = ask(algorithm, g)
            for seed in (1, 2):
                for knobs in ({"keep": 0.3}, {"keep": 0.6, "growth": 1.3}):
                    got = ask(algorithm, g, approx=PartialEdges(redraw=True, **knobs), policy=policy, seed=seed)
                    assert got.guarantee == ANEW[algorithm]
                    check_promise(algorithm, got.guarantee, exact, got)
                    assert got.certificate().ok, (name, got.certificate())


def test_draws_differ_by_seed_and_not_by_threads():
    g = zoo(True, "int")["kron-8"]
    for algorithm in ANEW:
        one, two, other = (
            ask(algorithm, g, approx="partial-edges:keep=0.4,redraw=true", seed=seed, threads=threads)
            for seed, threads in ((3, 1), (3, 2), (4, 1))
        )
        assert np.array_equal(one.values, two.values)
        assert not np.array_equal(one.values, other.values)


def test_a_share_that_grows_to_all_arcs_ends_in_the_exact_ranks():
    g = zoo(True, "int")["kron-8"]
    got = nearly.pagerank(g, approx=PartialEdges(keep=0.5, growth=1.5, redraw=True))
    assert np.abs(got.values - nearly.pagerank(g).values).sum() < 1e-7
    assert got.bound < 1e-6


def test_ranks_from_draws_are_near_the_true_ones_and_nearer_than_from_one_draw():
    g = nearly.generate.rmat(9, 16, seed=1)
    exact = nearly.pagerank(g).values
    errors = {
        redraw: np.mean([
            np.abs(nearly.pagerank(g, approx=PartialEdges(keep=0.7, redraw=redraw), seed=seed).values - exact).sum()
            for seed in range(5)
        ])
        for redraw in (True, False)
    }  # fmt: skip
    assert errors[True] < errors[False]
    assert errors[True] < 0.1


def test_rounds_of_two_techniques_are_refused():
    g = zoo(True, None)["kron-8"]
    with pytest.raises(InvalidArgumentError, match="make different rounds"):
        nearly.pagerank(g, approx=["partial-edges:redraw=true", "freeze-edges"])
    assert nearly.pagerank(g, approx=["partial-edges:redraw=false", "freeze-edges"]).guarantee == "certified"
