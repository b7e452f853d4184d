"""Which graphs are read in tiles, and that their ranks are the same."""

from __future__ import annotations

import numpy as np

import nearly
from nearly import Graph
from nearly.algorithms.shared import tiles


def test_large_graphs_have_them_and_local_ones_have_not():
    far = nearly.generate.random(1 << 16, 1 << 16, seed=1)
    near, short = nearly.generate.smallworld(1 << 16, 8, 0.1, seed=1), nearly.generate.grid(256, 256, seed=1)
    assert tiles.arcs_stay_near(near)
    assert tiles.arcs_stay_near(short)
    assert not tiles.arcs_stay_near(far)
    assert tiles.tiles_of(near) is None
    assert tiles.tiles_of(short) is not None  # rows of few arcs
    assert tiles.tiles_of(far) is tiles.tiles_of(far)
    assert tiles.tiles_of(nearly.generate.random(1 << 10, 1 << 12, seed=1)) is None


def test_without_memory_there_are_none(monkeypatch):
    g = nearly.generate.random(1 << 16, 1 << 16, seed=2)
    monkeypatch.setenv("NEARLY_MEMORY", "1M")
    assert tiles.tiles_of(g) is None


def test_tiles_give_the_same_ranks():
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 1 << 16, (2, 200_000))
    g = Graph.from_edges(src[src % 7 > 0], dst[src % 7 > 0], n=1 << 16)
    by_tiles = nearly.pagerank(g, tol=1e-9)
    assert "_tiles" in g.__dict__
    by_rows = nearly.pagerank(g, tol=1e-9, policy="topology")
    assert np.abs(by_tiles.values - by_rows.values).sum() < 2e-8
    assert by_tiles.certificate().ok
    one, two = (nearly.pagerank(g, threads=k, dangling="leak", tol=1e-4).values for k in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_no_arcs_at_all():
    """Tiles without words once had no room for their sums: the process died."""
    r = nearly.pagerank(Graph.from_edges([], [], n=70_000))
    assert np.allclose(r.values, 1 / 70_000)
    assert r.certificate().ok
