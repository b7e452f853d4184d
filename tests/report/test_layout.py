"""Layouts: the same for a seed and any number of threads, communities apart, the quadtree against all pairs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.report.graphs import planted

import nearly
from nearly.layouts import coarsen
from nearly.layouts.forces import Settings, pushed
from nearly.layouts.placing import Placing


def near(at, count):
    """The nearest other vertices of each."""
    apart = ((at[:, None, :] - at[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1)[:, :count]


def test_communities_come_apart_and_neighbours_are_near():
    g = planted()
    at = nearly.layout(g, seed=3)
    label = np.arange(g.n) // 40
    alike = (label[near(at, 10)] == label[:, None]).mean()
    assert alike > 0.95
    share = np.mean([np.isin(near(at, g.degree(v))[v], g.neighbors(v)).mean() for v in range(0, g.n, 8)])
    assert share > 0.25  # a neighbour of random positions is one with a share of 0.05


def test_the_seed_decides_not_the_threads():
    g = planted()
    first = nearly.layout(g, seed=3, threads=1)
    assert np.array_equal(first, nearly.layout(g, seed=3, threads=2))
    assert not np.allclose(first, nearly.layout(g, seed=4))
    assert first.dtype == np.float64
    assert first.shape == (g.n, 2)
    assert np.abs(first).max() == 1


@pytest.mark.small
def test_pushes_by_cells_are_those_of_all_pairs():
    """The quadtree, its masses and its search, against a double loop: near cells are opened, far ones are one point."""
    rng = np.random.default_rng(1)
    g = planted()
    level = coarsen.first_level(g, False)[1]
    placing = Placing(level, np.uint64(1), 1, (0.5, 1.0))
    placing.begin()
    placing.at[:] = rng.normal(size=placing.at.shape) * [[1.0], [0.2]]
    placing.at[:, :20] = placing.at[:, :1]  # twenty at one place
    before = placing.at.copy()
    placing.round()
    points, found = placing.points, []
    count = int(placing.cells.after[0])
    assert np.all(placing.cells.mass[:count] > 0)
    assert np.array_equal(np.sort(points.order), np.arange(g.n))
    settings = Settings(np.uint64(count), 1.0, 0.5, 1.0, 1e-12, 1.0)
    for i in range(0, g.n, 7):
        v, here = points.order[i], before[:, points.order[i]]
        away = here[:, None] - before
        right = (away * level.mass / ((away**2).sum(axis=0) + 1e-12)).sum(axis=1)
        made = np.array(pushed(points, placing.cells, settings, np.uint64(i)))
        found.append(np.linalg.norm(made - right) / np.linalg.norm(right))
        assert 0 <= v < g.n
    assert np.median(found) < 0.02
    assert max(found) < 0.2


@pytest.mark.small
def test_groups_are_small_and_cover_all():
    star = nearly.Graph.from_edges(np.zeros(999, int), np.arange(1, 1000), directed=False)
    for g in (planted(), star):
        levels = coarsen.coarsened(coarsen.first_level(g, False)[1], 1)
        assert levels[-1].n <= coarsen.FEW
        for fine, coarse in pairwise(levels):
            assert np.bincount(coarse.group.astype(int)).max() <= 4
            assert np.unique(coarse.group).size == coarse.n
            assert np.isclose(coarse.mass.sum(), fine.mass.sum())


@pytest.mark.small
@pytest.mark.parametrize("n", [0, 1, 2, 3, 9])
def test_odd_graphs(n):
    empty = nearly.Graph.from_edges([], [], n=n)
    ring = nearly.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % max(n, 1), n=n + 2)
    for g in (empty, ring):
        at = nearly.layout(g)
        assert at.shape == (g.n, 2)
        assert np.isfinite(at).all()
        assert np.unique(at.round(9), axis=0).shape[0] == g.n


@pytest.mark.small
def test_weights_pull_and_bad_arguments_are_named():
    g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[50.0, 1.0, 50.0], directed=False)
    x = np.sort(nearly.layout(g, weights=True)[:, 0])
    assert x[2] - x[1] > 3 * (x[1] - x[0])
    for bad in ({"seed": -1}, {"threads": 0}, {"weights": "x"}):
        with pytest.raises(nearly.NearlyError, match=next(iter(bad))):
            nearly.layout(g, **bad)
    with pytest.raises(nearly.NearlyError, match="Graph"):
        nearly.layout([[0, 1]])
    negative = nearly.Graph.from_edges([0, 1], [1, 2], weights=[-1.0, 2.0], negative="keep")
    with pytest.raises(nearly.NearlyError, match="weights=False"):
        nearly.layout(negative, weights=True)
