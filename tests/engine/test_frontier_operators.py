"""Reduction and intersection on frontiers (MG2): of some vertices, of edges, of pairs; with and without output."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, graphs, zoo

import nearly
from nearly import InvalidArgumentError
from nearly.base.atomics import fetch_add
from nearly.engine.operators.advance import POLICIES
from nearly.extend import Run, operators

pytestmark = pytest.mark.small
Frontier = operators.Frontier


class Values(NamedTuple):
    x: np.ndarray
    out: np.ndarray


def value_of(state, u, v, e):
    return state.x[u]


def store(state, v, total):
    state.out[v] = total


def raise_to(state, v, total):
    """Keep the largest value around; whether that is more than the vertex has."""
    state.out[v] = total
    return total > state.x[v]


raise_to.emits = True


def fresh(g):
    return Values(np.random.default_rng(g.n).integers(1, 60, g.n).astype(np.float64), np.zeros(g.n))


def largest_around(g, x, direction):
    ends = [(v, u) if direction == "in" else (u, v) for u, v, _ in arcs_of(g)]
    return np.array([max([0.0, *(x[b] for a, b in ends if a == v)]) for v in range(g.n)])


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(["in", "out"]), st.data())
def test_a_frontier_is_reduced_and_those_that_changed_come_out(g, direction, data):
    chosen = data.draw(st.lists(st.integers(0, g.n - 1), unique=True))
    frontier, wanted = Frontier.of(np.array(chosen, np.int64), g), largest_around(g, fresh(g).x, direction)
    silent, told = fresh(g), fresh(g)
    nothing = operators.neighborhood_reduce(
        g, value_of, operators.most, store, silent, 0.0, direction, frontier=frontier
    )
    changed = operators.neighborhood_reduce(
        g, value_of, operators.most, raise_to, told, 0.0, direction, frontier=frontier
    )
    for state in (silent, told):
        assert state.out.tolist() == [wanted[v] if v in chosen else 0 for v in range(g.n)]
    assert len(nothing) == 0
    assert changed.items.tolist() == [v for v in chosen if wanted[v] > told.x[v]]  # in the frontier's order


def test_a_frontier_of_edges_is_reduced_at_their_targets():
    g = zoo()["kron-8"]
    state, wanted = fresh(g), largest_around(g, fresh(g).x, "in")
    edges = np.arange(0, g.m, 3, dtype=np.uint64)
    operators.neighborhood_reduce(g, value_of, operators.most, store, state, 0.0, frontier=Frontier(edges, edges=True))
    heads = set(g.targets[edges].tolist())
    assert state.out.tolist() == [wanted[v] if v in heads else 0 for v in range(g.n)]


@pytest.mark.parametrize("policy", ["auto", *POLICIES])
def test_every_policy_reduces_a_frontier_alike(policy):
    for g in zoo().values():
        run, state, wanted = Run(g, policy=policy, threshold=2), fresh(g), largest_around(g, fresh(g).x, "out")
        items = np.arange(0, g.n, 2, dtype=g.arrays.targets.dtype)
        did = run.reduce(value_of, raise_to, state, items, combine=operators.most)
        assert did.changed.tolist() == [v for v in items.tolist() if wanted[v] > state.x[v]]
        assert did.edges == int(g.out_degrees[items].sum())
        everything = run.reduce(value_of, raise_to, fresh(g), combine=operators.most)
        assert everything.changed.tolist() == np.flatnonzero(wanted > state.x).tolist()


class Met(NamedTuple):
    count: np.ndarray


def count_meeting(state, u, v, w):
    fetch_add(state.count, w, np.uint64(1))


def accept_odd(state, u, v, w):
    fetch_add(state.count, w, np.uint64(1))
    return w % 2 == 1


accept_odd.emits = True


def meetings(g, pairs):
    """How often each vertex is a common out-neighbour of a pair."""
    rows = [[] for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        rows[u].append(v)
    expected = np.zeros(g.n, np.int64)
    for u, v in pairs:
        for w in set(rows[u]) & set(rows[v]):
            expected[w] += min(rows[u].count(w), rows[v].count(w))
    return expected


def check(g, pairs, ask):
    """Ask with both functors, and compare with sets."""
    expected = meetings(g, pairs)
    silent, told = Met(np.zeros(g.n, np.uint64)), Met(np.zeros(g.n, np.uint64))
    assert ask(count_meeting, silent) == expected.sum()
    count, accepted = ask(accept_odd, told)
    assert silent.count.tolist() == told.count.tolist() == expected.tolist()
    assert count == expected.sum()
    assert accepted.items.tolist() == [w for w in range(1, g.n, 2) if expected[w]]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_intersections_of_vertices_edges_and_pairs(g, data):
    arcs = [(u, v) for u, v, _ in arcs_of(g)]
    chosen = data.draw(st.lists(st.integers(0, g.n - 1), unique=True))
    frontier = Frontier.of(np.array(chosen, np.int64), g)
    check(g, [(u, v) for u, v in arcs if u in chosen], lambda f, s: operators.intersect(g, f, s, frontier))
    edges = np.array(data.draw(st.lists(st.integers(0, g.m - 1), unique=True)) if g.m else [], np.uint64)
    some = Frontier(edges, edges=True)
    check(g, [arcs[int(e)] for e in edges], lambda f, s: operators.intersect(g, f, s, some))
    other = data.draw(st.lists(st.integers(0, g.n - 1), min_size=len(chosen), max_size=len(chosen)))
    beside = Frontier.of(np.array(other, np.int64), g)
    check(g, list(zip(chosen, other)), lambda f, s: operators.intersect(g, f, s, frontier, beside))


def test_pairs_in_an_algorithm():
    g = zoo(directed=False)["kron-8"]
    us = np.arange(g.n // 2)
    state = Met(np.zeros(g.n, np.uint64))
    met = Run(g).intersect(accept_odd, state, pairs=(us, us + 1))
    expected = meetings(g, zip(us.tolist(), (us + 1).tolist()))
    assert (met.total, state.count.tolist()) == (expected.sum(), expected.tolist())
    assert met.accepted.tolist() == [w for w in range(1, g.n, 2) if expected[w]]


def test_bad_pairs():
    g, state = nearly.Graph.from_edges([0, 1], [1, 2]), Met(np.zeros(3, np.uint64))
    with pytest.raises(InvalidArgumentError, match="of the same length, not 2 and 1"):
        operators.intersect(g, count_meeting, state, Frontier.of([0, 1], g), Frontier.of([2], g))
    with pytest.raises(InvalidArgumentError, match="both hold vertices"):
        operators.intersect(
            g, count_meeting, state, Frontier.of([0], g), Frontier(np.array([0], np.uint64), edges=True)
        )
