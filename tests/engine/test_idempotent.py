"""Idempotent rounds: exact levels, duplicates as a simulation of the filter counts them, what they do not go with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import graphs, zoo

import nearly
from nearly import InvalidArgumentError
from nearly.engine.operators import idempotent
from nearly.extend import Run

small = pytest.mark.small


def culled(accepted, tile, slots):
    """What a filter of small tables leaves of a list."""
    out = []
    for i in range(0, len(accepted), tile):
        table = {}
        for v in accepted[i : i + tile]:
            if table.get(v % slots) != v:
                out.append(v)
            table[v % slots] = v
    return out


def simulated(g, source):
    """Levels, and for each round the frontier's size, its edges, accepted targets and duplicates among what stays."""
    rows = [[] for _ in range(g.n)]
    for u, v in zip(g.arc_sources().tolist(), g.targets.tolist()):
        rows[u].append(v)
    level, here, told = {source: 0}, [source], []
    while here:
        if sum(len(rows[u]) for u in here) > g.m:
            here = sorted(set(here))
        depth = level[here[0]] + 1
        accepted = [v for u in here for v in rows[u] if level.setdefault(v, depth) == depth]
        there = culled(accepted, int(idempotent.TILE), int(idempotent.SLOTS))
        told.append((len(here), sum(len(rows[u]) for u in here), len(accepted), len(there) - len(set(there))))
        here = there
    return [level.get(v, -1) for v in range(g.n)], told


def told(r):
    return [(row.frontier, row.edges, row.extra["accepted"], row.extra["duplicates"]) for row in r.trace]


@small
@pytest.mark.parametrize("directed", [True, False])
def test_levels_are_exact_and_duplicates_counted(directed):
    for name, g in zoo(directed).items():
        for source in {0, g.n // 2} & set(range(g.n)):
            r = nearly.bfs(g, source, idempotent=True)
            levels, rounds = simulated(g, source)
            assert r.values.tolist() == levels, name
            assert told(r) == rounds, name
            assert r.guarantee == "exact"
            assert r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_random_graphs(g, data):
    source = data.draw(st.integers(0, g.n - 1))
    r = nearly.bfs(g, source, idempotent=True, policy="frontier")
    assert (r.values.tolist(), told(r)) == simulated(g, source)


def test_frontiers_explode_alike_for_any_number_of_threads():
    g = nearly.generate.rmat(13, 16, seed=2, directed=False)
    source = int(np.argmax(g.out_degrees))
    exact, *made = nearly.bfs(g, source), *(nearly.bfs(g, source, idempotent=True, threads=k) for k in (1, 2))
    assert all(np.array_equal(r.values, exact.values) for r in made)
    assert told(made[0]) == told(made[1])
    assert sum(row.extra["duplicates"] for row in made[0].trace) > g.n // 10
    assert max(row.edges for row in made[0].trace) <= g.m


@small
def test_stopped_after_some_rounds_it_has_reached_just_so_many_hops():
    g = zoo(directed=False)["kron-8"]
    exact = nearly.bfs(g, 3).values
    for rounds in (1, 2, 3):
        r = nearly.bfs(g, 3, idempotent=True, max_rounds=rounds)
        assert r.values.tolist() == np.where(exact <= rounds, exact, -1).tolist()
        assert r.guarantee == ("exact" if exact.max() < rounds else "upper bound")


@small
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"policy": "topology"}, "policy 'auto'"),
        ({"policy": "split"}, "policy 'auto'"),
        ({"approx": "reduced-execution:rounds=2"}, "leave out approx="),
        ({"approx": "split-nodes:mda=2"}, "leave out approx="),
    ],
)
def test_what_it_does_not_go_with(more, why):
    with pytest.raises(InvalidArgumentError, match=why):
        nearly.bfs(zoo(directed=False)["kron-8"], 0, idempotent=True, **more)
    with pytest.raises(InvalidArgumentError, match="idempotent must be True or False"):
        nearly.bfs(zoo()["path"], 0, idempotent=1)


class Seen(NamedTuple):
    seen: np.ndarray


def see(state, u, v, e):
    """Accept v in every round until a later one: a store that may be made twice."""
    if state.seen[v] == 2:
        return False
    state.seen[v] = 1
    return True


@small
def test_a_functor_of_ones_own():
    run = Run(nearly.Graph.from_edges([0, 0, 1, 1], [1, 2, 2, 3]), max_rounds=2)
    state = Seen(np.zeros(4, np.uint32))
    assert run.advance(see, state, start=[0, 1, 0], idempotent=True) is False
    assert state.seen.tolist() == [0, 1, 1, 1]
    assert told(run) == [(2, 4, 4, 0), (3, 2, 2, 0)]  # the third vertex made more edges than the graph has
