"""Merging by Jaccard's index over plain neighbourhoods, as the thesis writes it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.techniques.test_merge_similar import jaccard, neighbours
from tests.zoo import arcs_of, graphs

from nearly import Graph, MergeSimilar
from nearly.engine.technique import Task
from nearly.techniques.merge_similar import similar_groups


@settings(max_examples=60, deadline=None)
@given(graphs(directed=False))
def test_plain_neighbourhoods_that_are_equal_are_found_and_neighbours_never_are_equal(g):
    sides = neighbours(g)
    same = np.array([[jaccard(g, sides, a, b, plain=True) == 1 for b in range(g.n)] for a in range(g.n)], bool)
    np.fill_diagonal(same, True)
    group = similar_groups(g, 1.0, 16, 3, plain=True)
    assert np.array_equal(group[:, None] == group[None, :], same)
    assert not any(group[u] == group[v] for u, v, _ in arcs_of(g) if u != v)


@pytest.mark.small
def test_the_thesis_index_counts_the_two_vertices_themselves():
    """Two neighbours with 2 other neighbours each, the same: 2/2 without each other, 2/4 with."""
    g = Graph.from_edges([0, 0, 0, 1, 1], [1, 2, 3, 2, 3], directed=False)
    assert similar_groups(g, 0.9, 16, 1)[1] == 0
    for threshold, merged in ((0.5, True), (0.51, False)):
        pairs = [similar_groups(g, threshold, 64, seed, plain=True) for seed in range(9)]
        assert any(pair[1] == pair[0] for pair in pairs) is merged
    moved = MergeSimilar(0.51, neighbours="all").transform(g, Task("bfs"))
    assert moved.place[0] != moved.place[1]
    assert moved.place[2] == moved.place[3]
