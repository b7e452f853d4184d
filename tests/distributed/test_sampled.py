"""Samples on workers that each have the whole graph: the answer does not depend on how many these are."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nearly
import nearly.distributed as nd
from nearly.budget.question import Question
from nearly.distributed.programs.sampling import estimate
from nearly.engine.algorithm import ALGORITHMS

G = nearly.generate.rmat(7, 6, seed=5)
OPTIONS = {"seed": 3, "confidence": 0.9}


@pytest.fixture(scope="module")
def spread(client):
    """The same graph on one worker, and on two with more parts than workers."""
    return [nd.from_graph(G, client, parts=parts) for parts in (1, 5)]


def alone(name: str, **own):
    """What one machine's estimator answers, if it never gives up because an exact run were faster."""
    entry = ALGORITHMS.get(name)
    options = entry.options({**OPTIONS, "max_error": own.pop("max_error")})
    question = Question.of(entry, G, (), own, options, options.budget())
    question.__dict__["exact_seconds"] = math.inf
    run = question.begin()
    return entry.measured(run, lambda: estimate(question, run), 1)


def test_betweenness(spread):
    right, exact = alone("betweenness", max_error=0.05), nearly.betweenness(G).values
    for dg in spread:
        r = nd.betweenness(dg, max_error=0.05, **OPTIONS)
        assert np.array_equal(r.values.compute(), right.values)
        assert (r.guarantee, r.confidence, r.samples, r.error) == ("statistical", 0.9, right.samples, right.error)
        assert np.abs(r.values.compute() - exact).max() <= r.error <= 0.05


@pytest.mark.parametrize("name", ["closeness", "harmonic"])
def test_all_vertices_are_sources(spread, name):
    """Left to be exact, or where so small an error would take more samples than there are vertices."""
    exact = getattr(nearly, name)(G).values
    for dg in spread:
        for budget in ({}, {"max_error": 0.001, **OPTIONS}):
            r = getattr(nd, name)(dg, **budget)
            assert np.array_equal(r.values.compute(), exact)
            assert r.guarantee == "exact"


def test_closeness_from_some_sources(client):
    g = nearly.generate.random(3000, 12000, seed=2, directed=False)
    exact, values = nearly.closeness(g).values, []
    for parts in (1, 2):
        r = nd.closeness(nd.from_graph(g, client, parts=parts), max_error=0.05, **OPTIONS)
        assert r.guarantee == "statistical"
        values.append(r.values.compute())
        assert np.abs(values[-1] - exact).max() <= r.error <= 0.05
    assert np.array_equal(*values)


def test_triangles(spread):
    right, exact = alone("triangle_count", max_error=0.2), nearly.triangle_count(G).total
    for dg in spread:
        r = nd.triangle_count(dg, max_error=0.2, **OPTIONS)
        assert (r.total, r.guarantee, r.error, r.values) == (right.total, "statistical", right.error, None)
        assert abs(r.total - exact) <= 0.2 * exact


def test_what_cannot_be_sampled(client, spread, monkeypatch):
    for call, why in (
        (lambda: nd.betweenness(spread[0], max_error=None), "pass max_error"),
        (lambda: nd.betweenness(spread[0], max_error=2.0), "below 1"),
        (lambda: nd.closeness(G), "dg must be a DistributedGraph"),
    ):
        with pytest.raises(nearly.InvalidArgumentError, match=why):
            call()
    few = nd.from_graph(nearly.Graph.from_edges([0, 1, 2], [1, 2, 0]), client, parts=2)
    assert nd.triangle_count(few, max_error=0.5).total == 1
    dg = nd.from_graph(G, client, parts=2)
    monkeypatch.setattr("nearly.distributed.cluster.memory_left", lambda client: {"tcp://small": 1 << 10})
    with pytest.raises(nearly.MemoryBudgetError, match="on every worker"):
        nd.closeness(dg)
