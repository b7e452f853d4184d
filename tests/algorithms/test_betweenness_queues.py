"""Queues of vertices by distance: both kinds against SciPy's Dijkstra, and which kind a graph's weights get."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra
from tests.zoo import graphs

import nearly
from nearly import Graph
from nearly.algorithms.betweenness.queues import LONGEST, NOWHERE, Buckets, make_trips
from nearly.algorithms.betweenness.weighted import settle_all
from nearly.base.intrinsics import trailing_zeros
from nearly.engine.run import Run

SIDE = 12 if numba.config.DISABLE_JIT else 60
SCALES = [1.0, 1e-12, 1e280, 0.1, 2.0**-990]


def settled(g, source, buckets):
    """Distances and the order of settling, and a check that the queue was left empty."""
    trips = make_trips(g, 1, buckets=buckets)
    trip = type(trips)(*(rows[0] for rows in trips))
    reached, visited, fits = settle_all(buckets)(g.arrays, trip, np.uint64(source), Run(g).stop)
    order = trip.order[: int(reached)]
    assert fits
    assert trip.size[0] == 0
    assert visited == g.out_degrees[order].sum()
    if buckets:
        assert not trip.bits.any()
        assert (trip.head == NOWHERE).all()
    return trip.distance, order, trip.sigma


def check(g, source):
    """Both kinds agree with SciPy, and settle no vertex before the tight arcs into it have been seen."""
    wanted = dijkstra(g.to_scipy(), indices=source)
    paths = []
    for buckets in (True, False):
        distance, order, sigma = settled(g, source, buckets)
        assert np.array_equal(distance, wanted)
        assert np.array_equal(np.sort(order), np.flatnonzero(np.isfinite(wanted)))
        place = np.full(g.n, g.n)
        place[order] = np.arange(order.size)
        sources, targets, weights = g.arc_sources(), g.targets, g.arrays.weights
        tight = np.isfinite(distance[sources]) & (distance[sources] + weights == distance[targets])
        assert (place[sources[tight]] < place[targets[tight]]).all()
        paths.append(sigma)
    assert np.array_equal(*paths)


@pytest.mark.small
@settings(deadline=None)
@given(graphs(weights="int"), st.integers(0, 2**31), st.sampled_from(SCALES))
def test_random_graphs(g, source, scale):
    assume(g.m)
    weights = (g.arrays.weights.astype(np.float64) + 1) * scale
    check(Graph(g.arrays.offsets, g.arrays.targets, weights, directed=True), source % g.n)


@pytest.mark.parametrize("ratio", [1, 63, 255, LONGEST - 100])
def test_rings_of_all_lengths(ratio):
    """The distance goes around the ring many times, and lists lie far apart where the ratio is great."""
    g = nearly.generate.grid(SIDE, SIDE, seed=3)
    weights = np.random.default_rng(1).choice([1.0, 1.5, 2.0, ratio / 3, ratio], g.m).clip(1, ratio)
    for scale in (1.0, 0.1, 1 / 3):
        check(Graph(g.arrays.offsets, g.arrays.targets, weights * scale, directed=True), 7)


@pytest.mark.parametrize(
    ("weights", "buckets"),
    [
        ([1, 1, 1], True),
        ([1, 255, 7], True),
        ([0.001, 60, 1], True),
        ([1, LONGEST, 1], False),
        ([1e-310, 1e-309, 1e-309], False),
        ([5e-324, 1e308, 1], False),
    ],
)
def test_which_kind_weights_get(weights, buckets):
    g = Graph(np.array([0, 1, 2, 3, 3], np.uint64), np.array([1, 2, 3], np.uint32), np.array(weights, np.float64))
    assert isinstance(make_trips(g, 1), Buckets) == buckets


def test_weights_too_small_to_move_a_sum():
    """1e9 + 1e-9 is 1e9: such arcs are never counted twice."""
    g = Graph.from_edges([0, 1, 2, 1], [1, 2, 1, 3], np.array([1e9, 1e-9, 1e-9, 1]))
    assert not isinstance(make_trips(g, 1), Buckets)
    assert nearly.betweenness(g, weights=True, normalized=False).values.tolist() == [0, 3, 0, 0]


@pytest.mark.small
def test_trailing_zeros():
    @numba.njit
    def compiled(word):
        return trailing_zeros(word)

    for bit in range(64):
        for high in (0, 1 << 63, 0xFFFF << 48):
            word = np.uint64((high | 1 << bit) & ~((1 << bit) - 1) | 1 << bit)
            assert int(trailing_zeros(word)) == int(compiled(word)) == bit


@pytest.mark.parametrize("buckets", [True, False])
def test_workers_do_not_write_to_one_cache_line(buckets):
    """Two threads that count in one line take it from each other: they were hardly faster than one."""
    g = nearly.generate.grid(2, 2, seed=1)
    assert make_trips(g, 2, buckets=buckets).size.strides[0] >= 128
