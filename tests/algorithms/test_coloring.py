"""Colourings: the greedy answer of the line under every policy, quality, certificate, bad arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.algorithms.coloring import independent_sets
from nearly.algorithms.shared.ranking import ranking
from nearly.base.random import draw, stream_key
from nearly.engine.operators.advance import POLICIES

EVERY = ("auto", *POLICIES)
WAYS = (
    {"method": "luby-jones"},
    {"method": "greedy", "order": "smallest-last"},
    {"method": "greedy", "order": "largest-first"},
)
SETS = {"method": "luby-jones-rounds"}
small = pytest.mark.small


def conflicts(g, color):
    return [(u, v) for u, v, _ in arcs_of(g) if u != v and color[u] == color[v]]


def down_the_line(g, rank):
    """The oracle: one vertex after the other takes the first colour that is free."""
    around = [set() for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        if u != v:
            around[u].add(v)
            around[v].add(u)
    color = np.full(g.n, -1)
    for v in np.argsort(rank):
        used = {color[u] for u in around[v]}
        color[v] = next(c for c in range(g.n + 1) if c not in used)
    return color.tolist()


@small
@pytest.mark.parametrize("directed", [True, False])
def test_the_line_decides(directed):
    for name, g in zoo(directed).items():
        r = nearly.coloring(g, seed=5)
        assert r.values.tolist() == down_the_line(g, ranking(g.n, 5)), name
        assert r.certificate().ok
        assert r.colors == len(set(r.values.tolist()))


@small
@pytest.mark.parametrize("policy", EVERY)
def test_other_orders(policy):
    for name, g in zoo(False).items():
        for way in WAYS[1:]:
            r = nearly.coloring(g, policy=policy, threads=2, threshold=3, **way)
            assert conflicts(g, r.values) == []
            assert r.certificate().ok
            assert r.values.tolist() == nearly.coloring(g, policy="frontier", **way).values.tolist(), (name, way)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(), st.sampled_from(EVERY), st.sampled_from([*WAYS, SETS]), st.integers(0, 2**64 - 1))
def test_random_graphs(g, policy, way, seed):
    r = nearly.coloring(g, policy=policy, seed=seed, **way)
    assert conflicts(g, r.values) == []
    assert sorted(set(r.values.tolist())) == list(range(r.colors))
    assert r.certificate().ok
    if way.get("order") == "smallest-last":
        assert r.colors <= nearly.kcore(g).degeneracy + 1


def by_sets(g, seed):
    """The oracle of luby-jones-rounds: fresh hashes, one colour for the largest around, again and again."""
    around = [set() for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        if u != v:
            around[u].add(v)
            around[v].add(u)
    color, left, rounds = [-1] * g.n, set(range(g.n)), 0
    while left:
        key = stream_key(np.uint64(seed), np.uint64(independent_sets._STREAM + (rounds << 16)))
        hashes = {v: (int(draw(np.uint64(key), np.uint64(v))) >> 32, v) for v in left}
        chosen = {v for v in left if all(hashes[v] > hashes[u] for u in around[v] & left)}
        for v in chosen:
            color[v] = rounds
        left, rounds = left - chosen, rounds + 1
    return color


@small
@pytest.mark.parametrize("policy", EVERY)
@pytest.mark.parametrize("directed", [True, False])
def test_fresh_hashes_and_one_colour_a_round(policy, directed):
    for name, g in zoo(directed).items():
        r = nearly.coloring(g, method="luby-jones-rounds", seed=3, policy=policy, threads=2, threshold=3)
        assert r.values.tolist() == by_sets(g, 3), name
        assert conflicts(g, r.values) == []
        assert (r.colors, r.guarantee) == (r.rounds, "exact")
        assert r.certificate().ok
        assert [row.extra["changed"] for row in r.trace] == np.bincount(r.values).tolist()


@small
def test_independent_sets_cut_short_leave_vertices_without_a_colour():
    g = zoo(False)["kron-8"]
    whole, r = (nearly.coloring(g, method="luby-jones-rounds", max_rounds=k) for k in (None, 2))
    assert r.values.tolist() == np.where(whole.values < 2, whole.values, -1).tolist()
    assert (r.guarantee, r.colors) == ("heuristic", 2)
    assert r.certificate().ok
    assert nearly.coloring(zoo(False)["clique"], method="luby-jones-rounds").colors == 6


def test_independent_sets_are_the_same_for_any_number_of_threads():
    g = nearly.generate.rmat(14, 8, seed=3)
    one, two = (nearly.coloring(g, method="luby-jones-rounds", threads=k) for k in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert one.certificate().ok
    assert one.colors > nearly.coloring(g).colors  # the first free colour needs fewer


@small
def test_known_numbers_of_colours():
    for way in WAYS:
        assert nearly.coloring(zoo(False)["clique"], **way).colors == 6
        assert nearly.coloring(zoo(False)["star"], **way).colors == 2
        assert nearly.coloring(zoo(False)["edgeless"], **way).colors == 1
        assert nearly.coloring(zoo(False)["empty"], **way).colors == 0
    assert nearly.coloring(zoo(False)["path"], method="greedy").colors == 2
    big = Graph.from_edges(*np.triu_indices(150, 1), directed=False)  # beyond one word, and two, of colours
    for policy in EVERY:
        assert sorted(nearly.coloring(big, policy=policy).values.tolist()) == list(range(150))


@small
def test_the_line_is_a_permutation_that_follows_its_key():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 64, 1000):
        assert sorted(ranking(n, 7).tolist()) == list(range(n))
        key = rng.integers(0, 5, n)
        rank = ranking(n, 7, key)
        assert sorted(rank.tolist()) == list(range(n))
        assert (np.diff(key[np.argsort(rank)]) >= 0).all()
    assert ranking(1000, 1).tolist() != ranking(1000, 2).tolist()


@small
@pytest.mark.parametrize("policy", EVERY)
def test_max_rounds_leaves_some_without_a_colour(policy):
    g = zoo(False)["kron-8"]
    r = nearly.coloring(g, policy=policy, max_rounds=2)
    assert (r.rounds, r.guarantee) == (2, "heuristic")
    assert (r.values == -1).any()
    assert r.certificate().ok
    assert np.array_equal(r.values, nearly.coloring(g, policy="frontier", threads=1, max_rounds=2).values)
    r.guarantee = "exact"
    assert not r.certificate().ok


@small
def test_the_certificate_finds_a_conflict():
    g = zoo(True)["path"]
    r = nearly.coloring(g)
    r.values = r.values.copy()
    r.values[3] = r.values[4]
    assert not r.certificate().ok


@small
def test_bad_arguments():
    g = zoo()["path"]
    with pytest.raises(
        InvalidArgumentError, match="method must be one of luby-jones, greedy, luby-jones-rounds; not 'magic'"
    ):
        nearly.coloring(g, method="magic")
    with pytest.raises(InvalidArgumentError, match="order must be one of smallest-last, largest-first; not 3"):
        nearly.coloring(g, method="greedy", order=3)


def test_other_orders_of_a_large_graph_give_one_answer():
    g = nearly.generate.rmat(scale=18, edge_factor=8, seed=4)
    for way in WAYS[1:]:
        first = nearly.coloring(g, threads=1, **way)
        assert first.certificate().ok
        for policy, threads in (("auto", 2), ("frontier", 1), ("frontier", 2), ("frontier", 2)):
            assert np.array_equal(nearly.coloring(g, policy=policy, threads=threads, **way).values, first.values)
    assert nearly.coloring(g, method="greedy").colors < nearly.coloring(g).colors
