"""Arcs to 2-hop neighbours: against brute force, what they weigh, and the graph that has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, graphs

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.base.threads import set_threads
from nearly.engine.technique import Task
from nearly.engine.transform.graph_map import NO_ARC
from nearly.graph.renumber import renumbered
from nearly.techniques.shared.two_hop import Added, path_weights, two_hop_arcs, with_arcs

small = pytest.mark.small


def candidates(g: Graph) -> dict[tuple[int, int], float]:
    """All pairs that a path of two arcs joins and no arc does, with the lightest path's length."""
    out: list[list[tuple[int, float]]] = [[] for _ in range(g.n)]
    for u, v, w in arcs_of(g):
        out[u].append((v, w if g.weighted else 1))
    found: dict[tuple[int, int], float] = {}
    for u in range(g.n):
        for v, first in out[u]:
            for w, second in out[v] if v != u else []:
                if w != u and w not in {x for x, _ in out[u]}:
                    found[u, w] = min(found.get((u, w), np.inf), first + second)
    return found


@small
@settings(max_examples=60, deadline=None)
@given(graphs(weights="int"), st.integers(0, 30), st.integers(0, 3))
def test_arcs_lead_to_the_lightest_2_hop_neighbours(g, many, seed):
    """Rows of these graphs are short enough to be searched in full."""
    possible = candidates(g)
    added = two_hop_arcs(g, np.full(g.n, many), Task("sssp", seed))
    targets, weights = g.arrays.targets, g.arrays.weights
    pairs = list(zip(added.src.tolist(), added.dst.tolist()))
    assert len(set(pairs)) == len(pairs)
    for (u, w), e, f in zip(pairs, added.first.tolist(), added.second.tolist()):
        assert g.arc_sources()[e] == u
        assert g.arc_sources()[f] == targets[e]
        assert targets[f] == w
        assert int(weights[e]) + int(weights[f]) == possible[u, w]
    for u in range(g.n):
        mine = sorted(length for (a, _), length in possible.items() if a == u)
        got = sorted(possible[pair] for pair in pairs if pair[0] == u)
        assert got == mine[:many]


@small
def test_work_is_bounded_and_low_numbers_are_not_favoured():
    """A vertex with one neighbour of 50,000 looks at a few of its arcs, anywhere in the row."""
    hub = Graph.from_edges([0, *[1] * 50_000], [1, *range(2, 50_002)])
    added = two_hop_arcs(hub, np.eye(1, hub.n, dtype=np.int64)[0] * 4, Task("bfs"))
    assert added.src.tolist() == [0] * 4
    assert np.ptp(added.dst) < 96 or added.dst.min() < 96  # one stretch of the row, which may wrap
    begins = {int(two_hop_arcs(hub, np.eye(1, hub.n)[0], Task("bfs", seed)).dst[0]) for seed in range(8)}
    assert max(begins) - min(begins) > 5_000


@small
def test_sums_are_exact_or_rounded_upwards_and_left_out_if_too_large():
    whole = np.array([1, 2**32 - 1, 2**31], np.uint32)
    made, fits = path_weights(whole, np.array([2, 1, 2**31 - 1], np.uint32), "sum")
    assert made[fits].tolist() == [3, 2**32 - 1]
    assert fits.tolist() == [True, False, True]
    rng = np.random.default_rng(1)
    for kind in (np.float32, np.float64):
        a, b = (10.0 ** rng.uniform(-12, 12, 500)).astype(kind), (10.0 ** rng.uniform(-12, 12, 500)).astype(kind)
        made, fits = path_weights(a, b, "sum")
        assert made.dtype == kind
        assert fits.all()
        wide = a.astype(np.longdouble) + b.astype(np.longdouble)
        assert (made.astype(np.longdouble) >= wide).all()
        assert (np.nextafter(made, kind(0)).astype(np.longdouble) <= wide).all()
    assert not path_weights(np.array([3e38], np.float32), np.array([3e38], np.float32), "sum")[1].any()


@small
def test_a_function_of_the_users_may_weigh_arcs():
    a, b = np.array([3, 4], np.uint32), np.array([4, 4], np.uint32)
    assert path_weights(a, b, lambda x, y: (x + y.astype(float)) / 2)[0].tolist() == [4, 4]  # upwards
    for bad in (lambda x, y: 1, lambda x, y: -(x.astype(float)), lambda x, y: np.full(x.size, np.nan)):
        with pytest.raises(InvalidArgumentError, match="weight"):
            path_weights(a, b, bad)


@small
@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from([None, "int", "float"]), st.sampled_from(["sssp", "pagerank"]))
def test_the_graph_has_all_its_arcs_and_those_added(data, weights, algorithm):
    g = data.draw(graphs(weights=weights))
    task = Task(algorithm, 1, g.weighted)
    added = two_hop_arcs(g, np.full(g.n, 2), task)
    place = np.random.default_rng(g.m).permutation(g.n).astype(np.uint32)
    moved = with_arcs(g, task, added, place)
    larger = moved.graph
    larger.validate()
    back = np.argsort(place)
    own = moved.arcs != NO_ARC
    assert sorted(moved.arcs[own].tolist()) == list(range(g.m))
    assert moved.report["arcs added"] == int((~own).sum()) == larger.m - g.m
    assert larger.weighted == (g.weighted or (algorithm == "sssp" and added.src.size > 0))
    given_arcs, possible = arcs_of(g), candidates(g)
    for (u, v, w), e in zip(arcs_of(larger), moved.arcs.tolist()):
        a, b = int(back[u]), int(back[v])
        if e != int(NO_ARC):
            assert (a, b) == given_arcs[e][:2]
            assert not larger.weighted or w == (given_arcs[e][2] if g.weighted else 1)
        elif larger.weighted:
            assert w >= possible[a, b] * (1 - 1e-6)
    assert not g.directed or set(zip(added.src.tolist(), added.dst.tolist())) == {
        (int(back[u]), int(back[v])) for (u, v, _), mine in zip(arcs_of(larger), own) if not mine
    }


@small
def test_rows_under_new_numbers_keep_the_order_of_parallel_arcs():
    g = Graph.from_edges([0, 0, 1], [1, 1, 0], duplicates="keep")
    rows = renumbered(g, np.array([1, 0], np.uint32), 2, np.array([0]), np.array([1]))
    assert rows.offsets.tolist() == [0, 1, 4]
    assert rows.targets.tolist() == [1, 0, 0, 0]
    assert rows.numbers.tolist() == [2, 0, 1, 3]


def test_the_number_of_threads_does_not_show():
    g = nearly.generate.rmat(14, 8, seed=2, weights="int")
    made = []
    for k in (1, 2):
        set_threads(k)
        made.append(two_hop_arcs(g, np.minimum(g.out_degrees, 3), Task("sssp", 5)))
    set_threads(None)
    assert all(np.array_equal(a, b) for a, b in zip(*made))
    assert isinstance(made[0], Added)
