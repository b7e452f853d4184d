"""Eccentricities, diameter and radius against all distances, and with bounds that were cut short."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import graphs, zoo

import nearly
from nearly.algorithms.eccentricity.bounds import reaching_all

small = pytest.mark.small


def distances(g):
    """All of them, inf where there is no way."""
    levels = np.array([nearly.bfs(g, v).values for v in range(g.n)], np.float64).reshape(g.n, g.n)
    return np.where(levels < 0, np.inf, levels)


def check(g):
    far = distances(g)
    near = np.where(np.isfinite(far), far, 0).max(axis=1, initial=0)
    whole = far.max(axis=1, initial=0)
    r = nearly.eccentricity(g)
    assert r.values.tolist() == near.tolist()
    assert r.guarantee == "exact"
    assert r.connected == bool(np.isfinite(far).all())
    assert reaching_all(g).tolist() == np.isfinite(whole).tolist()
    assert nearly.eccentricity(g, unconnected="infinite").values.tolist() == whole.tolist()
    for asked, values in (("reachable", near), ("infinite", whole)):
        d, small_one = nearly.diameter(g, unconnected=asked), nearly.radius(g, unconnected=asked)
        assert d.values == values.max(initial=0)
        assert small_one.values == (values.min() if g.n else 0)
        assert isinstance(d.values, (int, float))
        if d.ends is not None:
            assert far[d.ends] == d.values
        if small_one.vertex is not None:
            assert values[small_one.vertex] == small_one.values
        assert d.certificate().ok
        assert small_one.certificate().ok


@small
@pytest.mark.parametrize("directed", [True, False])
def test_the_zoo(directed):
    for g in zoo(directed).values():
        if g.n < 100:
            check(g)


@small
@settings(max_examples=80)
@given(graphs())
def test_any_graph(g):
    check(g)


@pytest.mark.parametrize("directed", [True, False])
def test_graphs_of_several_kinds(directed):
    made = [
        nearly.generate.rmat(10, 2, seed=1, directed=directed),
        nearly.generate.rmat(10, 16, seed=1, directed=directed),
        nearly.generate.smallworld(1500, 4, 0.05, seed=1),
        nearly.generate.grid(40, 50),
        nearly.generate.random(1500, 1200, seed=1, directed=directed),  # dust: many are searched at once
    ]
    chain = np.arange(999)
    made.append(nearly.Graph.from_edges(chain, chain + 1, directed=directed))  # without cycles if directed
    for g in made:
        far = distances(g)
        near = np.where(np.isfinite(far), far, 0).max(axis=1)
        assert nearly.eccentricity(g).values.tolist() == near.tolist()
        assert nearly.diameter(g).values == near.max()
        assert nearly.radius(g).values == near.min()


def test_few_searches_are_enough():
    g = nearly.generate.rmat(14, 16, seed=1, directed=False)
    assert nearly.diameter(g).searches < 40
    assert nearly.diameter(nearly.generate.grid(100, 100)).searches < 100


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_bounds_are_right_when_rounds_end(rounds):
    for g in (
        nearly.generate.grid(30, 30),
        nearly.generate.rmat(9, 3, seed=2),
        nearly.generate.rmat(9, 3, seed=2).symmetrized(),
    ):
        exact = nearly.eccentricity(g).values
        r = nearly.eccentricity(g, max_rounds=rounds)
        assert (r.low <= exact).all()
        assert (exact <= r.high).all()
        assert r.certificate().ok
        for ask, right in ((nearly.diameter, exact.max()), (nearly.radius, exact.min())):
            r = ask(g, max_rounds=rounds)
            assert r.interval[0] <= right <= r.interval[1]
            assert r.certificate().ok


@small
def test_without_vertices():
    g = nearly.Graph.from_edges([], [])
    assert nearly.diameter(g).values == nearly.radius(g).values == 0
    assert nearly.eccentricity(g).values.size == 0
    assert nearly.diameter(nearly.Graph.from_edges([], [], n=2), unconnected="infinite").values == math.inf
