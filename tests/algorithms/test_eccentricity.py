"""Eccentricities, diameter and radius against all distances, and with bounds that were cut short."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import graphs, zoo

import nearly
from nearly.algorithms.eccentricity.bounds import reaching_all, strong_parts
from nearly.algorithms.eccentricity.passing import Passing
from nearly.engine.run import Run

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


@pytest.mark.parametrize("directed", [True, False])
def test_many_small_parts_are_settled_in_few_rounds(directed):
    """A search tells nothing of other parts: one at a time, each of a thousand parts would need a round of its own."""
    s = np.arange(20_000).reshape(-1, 20)
    g = nearly.Graph.from_edges(s[:, :-1].ravel(), s[:, 1:].ravel(), directed=directed)
    along = np.arange(20)
    expected = np.tile(along[::-1] if directed else np.maximum(along, along[::-1]), s.shape[0])
    r = nearly.eccentricity(g)
    assert r.values.tolist() == expected.tolist()
    assert nearly.diameter(g).values == 19
    assert r.rounds < 20


def test_where_all_are_about_as_eccentric_a_search_settles_its_neighbours():
    g = nearly.generate.smallworld(1 << 13, 16, 0.1, seed=1)
    assert nearly.diameter(g).rounds < 16  # batches of all vertices are 32
    directed = nearly.generate.rmat(13, 8, seed=1)
    assert nearly.eccentricity(directed).rounds < 24


@small
@settings(max_examples=80)
@given(graphs())
def test_bounds_that_pass_on_stay_right(g):
    far = distances(g)
    right = np.where(np.isfinite(far), far, 0).max(axis=1, initial=0).astype(np.uint32)
    if not g.n:
        return
    passing = Passing(g, strong_parts(Run(g), across=True) if g.directed else None)
    for known in (right == right.max(), right == right.min(), np.arange(g.n) % 3 == 0):
        low, high = np.where(known, right, 0).astype(np.uint32), np.where(known, right, g.n).astype(np.uint32)
        passing.pass_on(low, high)
        assert (low <= right).all()
        assert (right <= high).all()


@small
def test_bounds_pass_from_the_middle_to_what_leads_there():
    ring = [[0, 1], [1, 2], [2, 0]]  # 3 -> 4 -> the ring -> 5 <-> 6, and 7 -> 8 apart
    g = nearly.Graph.from_edges(*zip(*ring, [3, 4], [4, 0], [2, 5], [5, 6], [6, 5], [7, 8]))
    low, high = np.zeros(9, np.uint32), np.full(9, 8, np.uint32)
    low[0] = high[0] = 4
    Passing(g, strong_parts(Run(g), across=True)).pass_on(low, high)
    assert high.tolist() == [4, 4, 4, 6, 5, 1, 1, 1, 0]
    assert low.tolist() == [4, 3, 2, 0, 0, 0, 0, 0, 0]


@small
def test_a_cover_is_next_to_many():
    g = nearly.Graph.from_edges([0] * 9 + [1], [*range(1, 10), 2], directed=False)
    low, high = np.ones(10, np.uint32), np.full(10, 5, np.uint32)
    low[9] = 2
    assert Passing(g, None).cover(low, high, np.ones(10, bool), 1).tolist() == [0]


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
