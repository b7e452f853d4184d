"""Sums over searches from many sources: whichever way they are made, they are the same."""

from __future__ import annotations

import numpy as np
import pytest
from tests.zoo import zoo

import nearly
from nearly.algorithms.shared.clustered_order import clustered
from nearly.algorithms.shared.hop_batches import HopBatches, hop_batches

small = pytest.mark.small


def sums(g, sources, threads):
    made, each = hop_batches(g, sources, threads=threads, at_sources=True, second=True, profile=4)
    at_vertices = made.reached, made.total, made.second, made.inverse, made.square, made.farthest
    return [*at_vertices, each.reached, each.total, each.farthest, each.profile, each.hops]


@small
@pytest.mark.parametrize("directed", [True, False])
def test_batches_and_single_searches_add_up_to_the_same(directed, monkeypatch):
    path = np.arange(400)
    graphs = [g for g in zoo(directed).values() if g.n] + [nearly.Graph.from_edges(path[:-1], path[1:])]
    for g in graphs:
        sources = np.random.default_rng(1).integers(0, g.n, 70)  # some twice
        found = []
        for one_by_one in (True, False):
            monkeypatch.setattr(HopBatches, "_come_apart", lambda self, chosen, now=one_by_one: now)
            found += [sums(g, sources, 1), sums(g, sources, 2)]
        for other in found[1:]:
            assert all((a == b).all() for a, b in zip(found[0], other))


def test_sources_apart_in_a_long_graph_are_searched_from_one_by_one():
    g = nearly.generate.grid(100, 100)
    apart, together = np.random.default_rng(1).integers(0, g.n, 256), clustered(g)[:256]
    wide = nearly.generate.rmat(12, 8, seed=1, directed=False)
    for graph, sources, expected in ((g, apart, True), (g, together, False), (wide, apart % wide.n, False)):
        made, _ = hop_batches(graph, sources)
        assert made._one_by_one is expected


def test_marks_are_wiped_before_they_overflow():
    g = nearly.generate.grid(30, 30)
    made, _ = hop_batches(g, np.arange(0, g.n, 9))
    assert made._marks is not None
    expected = made.total
    made._marks.base[:] = 2**32 - 50
    made.add(np.arange(0, g.n, 9))
    assert (made.total == 2 * expected).all()
    assert made._marks.base.max() < 2**31
