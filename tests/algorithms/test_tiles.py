"""Arcs in tiles: each arc once, and sums over in-arcs as without them."""

from __future__ import annotations

import numpy as np
import pytest

from nearly import Graph
from nearly.algorithms.shared import tiles

pytestmark = pytest.mark.small


@pytest.mark.parametrize("seed", range(8))
def test_sums_over_in_arcs(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 400)), int(rng.integers(0, 3000))
    monkeypatch.setattr(tiles, "_STRIPS", int(rng.integers(1, 9)))
    monkeypatch.setattr(tiles, "_COLUMNS", int(rng.integers(1, 9)))
    monkeypatch.setattr(tiles, "_GROUPS", int(rng.integers(1, 2 * n)))
    monkeypatch.setattr(tiles, "_PLACE", int(rng.integers(9, 20)))
    src, dst = np.floor(n * rng.random((2, m)) ** 2).astype(int)
    g = Graph.from_edges(src, dst, n=n)
    made = tiles.make_tiles(g)
    assert made.strips[-1] == n
    assert made.columns[-1] == n
    assert made.bounds[-1, -1] == g.m
    values, out = rng.random(n), np.empty(n)
    tiles.sum_sources(made, values, out)
    right = np.zeros(n)
    np.add.at(right, g.targets.astype(int), values[g.arc_sources().astype(int)])
    assert np.allclose(out, right)


@pytest.mark.parametrize("m", [0, 1, 5])
def test_few_arcs_make_few_tiles(m):
    """Not a column for each vertex, which took all memory."""
    g = Graph.from_edges(np.arange(m), np.arange(m) + 1, n=200_000)
    made = tiles.make_tiles(g)
    assert made.bounds.size < 64
    out = np.empty(g.n)
    tiles.sum_sources(made, np.ones(g.n), out)
    assert out.sum() == m
