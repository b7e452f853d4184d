"""The operators on small graphs: which edges they visit, what they put out, and how they reduce."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import arcs_of, graphs, zoo

from nearly import Graph, InvalidArgumentError
from nearly.base.atomics import fetch_add
from nearly.engine.operators import (
    Frontier,
    add,
    advance,
    filter,
    for_each,
    intersect,
    least,
    most,
    neighborhood_reduce,
)

pytestmark = pytest.mark.small


class Visits(NamedTuple):
    count: np.ndarray  # uint32[m]: how often each edge was visited


def count_visit(state, u, v, e):
    fetch_add(state.count, e, np.uint32(1))
    return v % 2 == 0


def fresh(g):
    return Visits(np.zeros(g.m, np.uint32))


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_advance_visits_each_edge_once_and_emits_each_vertex_once(g):
    arcs = arcs_of(g)
    chosen = list(range(0, g.n, 2))
    for frontier, sources in [(Frontier.of(chosen, g), set(chosen)), (Frontier.everything(), set(range(g.n)))]:
        expected = sorted({v for u, v, _ in arcs if u in sources and v % 2 == 0})
        state = fresh(g)
        out = advance(g, frontier, count_visit, state)
        assert sorted(out.items.tolist()) == expected
        assert state.count.tolist() == [int(u in sources) for u, _, _ in arcs]
        assert set(advance(g, frontier, count_visit, fresh(g), once=False).items.tolist()) == set(expected)
        assert len(advance(g, frontier, count_visit, fresh(g), output=None)) == 0


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_edge_frontiers(g):
    arcs = arcs_of(g)
    first = advance(g, Frontier.everything(), count_visit, fresh(g), output="edges")
    assert first.items.tolist() == [e for e, (_, v, _) in enumerate(arcs) if v % 2 == 0]
    second = advance(g, first, count_visit, fresh(g), output="vertices")
    heads = {arcs[e][1] for e in first.items.tolist()}
    assert sorted(second.items.tolist()) == sorted({v for u, v, _ in arcs if u in heads and v % 2 == 0})


class Numbers(NamedTuple):
    x: np.ndarray
    out: np.ndarray


def is_large(state, v):
    return state.x[v] >= 5


def double(state, v):
    state.out[v] = 2 * state.x[v]


def value_of(state, u, v, e):
    return state.x[u]


def keep_total(state, v, total):
    state.out[v] = total


def test_filter_and_for_each():
    g = zoo()["star"]
    state = Numbers(np.arange(g.n, dtype=np.float64) % 11, np.zeros(g.n))
    kept = filter(Frontier.everything(), is_large, state, g)
    assert kept.items.tolist() == np.flatnonzero(state.x >= 5).tolist()
    for_each(kept, double, state, g)
    assert np.array_equal(state.out, np.where(state.x >= 5, 2 * state.x, 0))
    for_each(Frontier.everything(), double, state, g)
    assert np.array_equal(state.out, 2 * state.x)


@pytest.mark.parametrize(
    ("combine", "start", "expected"), [(add, 0.0, sum), (least, np.inf, min), (most, -np.inf, max)]
)
@pytest.mark.parametrize("direction", ["in", "out"])
def test_neighborhood_reduce(combine, start, expected, direction):
    for name, g in zoo().items():
        rng = np.random.default_rng(3)
        state = Numbers(rng.integers(0, 50, g.n).astype(np.float64), np.zeros(g.n))
        neighborhood_reduce(g, value_of, combine, keep_total, state, start, direction)
        ends = [(v, u) if direction == "in" else (u, v) for u, v, _ in arcs_of(g)]
        wanted = [expected([start, *(state.x[b] for a, b in ends if a == v)]) for v in range(g.n)]
        assert state.out.tolist() == wanted, name


class Common(NamedTuple):
    count: np.ndarray


def count_common(state, u, v, w):
    fetch_add(state.count, w, np.uint64(1))


def test_intersect_finds_common_neighbours():
    for name, g in zoo(directed=False).items():
        state = Common(np.zeros(g.n, np.uint64))
        rows = [set() for _ in range(g.n)]
        for u, v, _ in arcs_of(g):
            rows[u].add(v)
        expected = np.zeros(g.n, int)
        for u, v, _ in arcs_of(g):
            for w in rows[u] & rows[v]:
                expected[w] += 1
        assert intersect(g, count_common, state) == expected.sum(), name
        assert state.count.tolist() == expected.tolist()


def test_bad_arguments():
    g = Graph.from_edges([0], [1])
    with pytest.raises(InvalidArgumentError, match="vertex numbers from 0 to 1"):
        Frontier.of([2], g)
    with pytest.raises(InvalidArgumentError, match="output must be"):
        advance(g, Frontier.everything(), count_visit, fresh(g), output="all")
    with pytest.raises(InvalidArgumentError, match="direction must be"):
        neighborhood_reduce(g, value_of, add, keep_total, None, 0.0, "up")
