"""PageRank within a budget on parts: fewer and shorter messages, and a bound that accounts for what they lack."""

from __future__ import annotations

import numpy as np
import pytest
from tests.distributed.lockstep import told

import nearly

ASKED = {"leak": False, "weighted": False, "tol": 1e-12, "max_rounds": 1000}


def tangle(seed: int, weights: bool) -> nearly.Graph:
    """A random graph with hubs, loops and vertices without arcs."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(3, 300)), int(rng.integers(2, 1500))
    src = (n * rng.random(m) ** rng.integers(1, 4)).astype(np.int64)
    drawn = rng.random(m) + 0.01 if weights else None
    return nearly.Graph.from_edges(src, rng.integers(0, n, m), drawn, n=n, directed=bool(seed % 2))


@pytest.mark.small
def test_the_error_is_within_the_bound():
    """Whatever the graph, the parts, the damping, the budget and the round in which it ends."""
    for seed in range(40):
        g, rng = tangle(seed, seed % 3 == 0), np.random.default_rng(seed)
        damping, budget = float(rng.choice([0.5, 0.85, 0.97])), float(10 ** rng.uniform(-8, -0.5))
        exact = nearly.pagerank(g, damping=damping, tol=1e-15, dangling="leak" if seed % 5 == 0 else "redistribute")
        asked = {**ASKED, "damping": damping, "max_error": budget, "arcs": g.m, "leak": seed % 5 == 0}
        asked["weighted"] = g.weighted
        for rounds in (1000, int(rng.integers(1, 9))):
            run = told(g, int(rng.integers(2, 7)), "pagerank", {**asked, "max_rounds": rounds})
            error = np.abs(run.values - exact.values).sum()
            assert error <= run.facts["bound"] + 1e-13, (seed, rounds)
            assert rounds < 1000 or run.facts["bound"] <= budget


def test_bytes_fall():
    """Against sending all values in eight bytes each round."""
    g = nearly.generate.rmat(10, 8, seed=3)
    asked = {**ASKED, "damping": 0.85, "arcs": g.m}
    for budget in (0.1, 1e-2, 1e-3, 1e-4):
        run = told(g, 4, "pagerank", {**asked, "max_error": budget})
        sending = [sent for sent in run.bytes if sent]
        assert sending[0] == 4 * run.boundary  # the first round tells everything, as float32
        assert sum(sending) < 0.45 * 8 * run.boundary * len(sending)
        assert run.facts["bound"] <= budget


def test_small_budgets_go_in_eight_bytes():
    """Where rounding to four would not leave enough of the budget."""
    g = nearly.generate.rmat(8, 8, seed=3)
    run = told(g, 2, "pagerank", {**ASKED, "damping": 0.85, "arcs": g.m, "max_error": 1e-9})
    assert run.bytes[0] == 8 * run.boundary
    assert run.facts["bound"] <= 1e-9
