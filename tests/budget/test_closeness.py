"""Closeness within a budget, and bounds of means that are steered by predictions: how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from tests.budget.asking import ask
from tests.budget.distance_graphs import GRAPHS

import nearly
from nearly.algorithms.shared.reach_bounds import reach_of
from nearly.budget.steered_means import SteeredMean
from nearly.engine.run import Run


def outside(g, exact, error, seeds):
    """How many answers are off by more than they say, and how many there are."""
    wrong = count = 0
    for seed in seeds:
        r = ask("closeness/sources", g, max_error=error, confidence=0.9, seed=seed)
        if r is not None:
            low, high = r.interval
            inside = ((low <= exact + 1e-12) & (exact <= high + 1e-12)).all()
            assert r.guarantee == "statistical"
            assert r.error <= error
            wrong, count = wrong + (not inside or np.abs(r.values - exact).max() > r.error + 1e-12), count + 1
    return wrong, count


@pytest.mark.parametrize("name", GRAPHS)
def test_bounds_of_closeness_hold(name):
    g = GRAPHS[name]
    wrong, count = outside(g, nearly.closeness(g).values, 0.2, range(12))
    assert wrong <= 0.1 * max(count, 1)
    assert count or name in ("directed dust", "barbell", "long path with a clique")


@pytest.mark.full
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("error", [0.2, 0.1])
def test_bounds_of_closeness_hold_as_often_as_they_should(name, error):
    g = GRAPHS[name]
    wrong, count = outside(g, nearly.closeness(g).values, error, range(1000))
    assert wrong <= 0.1 * count


def test_what_is_known_of_reach_is_right():
    for g in (GRAPHS["directed hubs"], GRAPHS["directed dust"], GRAPHS["dust"], nearly.generate.rmat(9, 2, seed=3)):
        reach = reach_of(Run(g), g)
        right = np.array([(nearly.bfs(g.reverse, v).values > 0).sum() for v in range(g.n)])
        assert (reach.least <= right).all()
        assert (right <= reach.most).all()
        assert (right[reach.sure] == reach.least[reach.sure]).all()
        assert reach.sure.any()


@pytest.mark.parametrize(("seeds", "draws"), [(200, 256), pytest.param(1000, 1024, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", ["told", "not told", "at the edges", "rare"])
def test_steered_means_hold_as_often_as_they_should(kind, seeds, draws):
    random = np.random.default_rng(5)
    n = 3000
    low, width, x = random.random(n), random.random(n) + 0.01, random.random(n)
    place = {
        "told": x,
        "not told": random.random(n),
        "at the edges": (x > 0.5).astype(float),
        "rare": (x > 0.995).astype(float),
    }[kind]
    values, share = low + width * place, random.random(n)
    share /= share.sum()
    wrong, mean, wide = 0, float(share @ values), []
    for seed in range(seeds):
        steered = SteeredMean(low, low + width, share, np.array([np.ones(n), low, x * width]), 0.1, 0.02)
        drawn = steered.draw(np.random.default_rng(seed), draws)
        steered.add(drawn, values[drawn])
        below, above = steered.interval()
        wide.append(above - below)
        wrong += not below <= mean <= above
    assert wrong <= 0.1 * seeds
    assert np.mean(wide) < (0.03 if kind == "told" else 0.2) * mean
