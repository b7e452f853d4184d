"""Bounds of sampled pairs hold as often as they must: betweenness of all vertices, and the top k.

The graphs are small and of the kinds on which such bounds fail first: a star, two cliques with one edge between them, a
clique with a tail, dust, a ring of equals, weights with many ties, trees that hang from a core. Each run has
a seed of its own; as many may miss as the confidence allows.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from tests.budget.pair_graphs import CLASSES, truth

import nearly


def misses(name, error, confidence, seeds):
    g, exact = truth(name)
    missed = 0
    for seed in range(seeds):
        r = nearly.betweenness(g, max_error=error, confidence=confidence, seed=seed, weights=g.weighted)
        assert (r.guarantee, r.plan.choice, r.error <= error) == ("statistical", "paths", True)
        low, high = r.interval
        outside = (exact < low - 1e-12).any() or (exact > high + 1e-12).any()
        missed += bool(outside or np.abs(r.values - exact).max() > r.error + 1e-12)
    return missed


@pytest.mark.parametrize("name", ["barbell", "tail", "heavy", "leaves"])
def test_the_error_is_beyond_its_bound_no_more_often_than_allowed(name, always):
    assert binom.sf(misses(name, 0.1, 0.8, 100) - 1, 100, 0.2) > 1e-6


@pytest.mark.full
@pytest.mark.parametrize(("error", "confidence"), [(0.2, 0.5), (0.1, 0.9), (0.05, 0.99)])
@pytest.mark.parametrize("name", list(CLASSES))
def test_the_error_is_beyond_its_bound_no_more_often_than_allowed_in_many_runs(name, error, confidence, always):
    assert binom.sf(misses(name, error, confidence, 1000) - 1, 1000, 1 - confidence) > 1e-6


def top_misses(g, exact, k, error, confidence, seeds):
    """In how many runs something that was said of the top k is not so."""
    wrong = 0
    ranks = np.sort(exact)[::-1][:k]
    for seed in range(seeds):
        r = nearly.topk_betweenness(g, k=k, max_error=error, confidence=confidence, seed=seed, weights=g.weighted)
        assert (r.guarantee, r.error_kind, r.plan.choice) == ("statistical", "relative", "paths")
        assert r.error <= error
        rest, top, (low, high) = np.delete(exact, r.vertices), exact[r.vertices], r.interval
        off = (np.abs(r.scores - top) > r.error * top + 1e-12).any()
        apart = r.separated and top.min() < rest.max() - 1e-12
        outside = (exact < low - 1e-12).any() or (exact > high + 1e-12).any()
        beyond = rest.max() * (1 - error) > r.scores.min() + 1e-12
        wrong += bool(off or apart or outside or beyond or (np.abs(r.scores - ranks) > error * ranks + 1e-12).any())
    return wrong


def test_the_top_keeps_its_word(always):
    g = nearly.generate.rmat(8, 4, seed=2, directed=False)
    wrong = top_misses(g, nearly.betweenness(g).values, 3, 0.3, 0.9, 20)
    assert binom.sf(wrong - 1, 20, 0.1) > 1e-6
    r = nearly.topk_betweenness(g, k=3, max_error=0.3, seed=1)
    assert r.certificate().ok
    assert r.separated == r.certain.all()


@pytest.mark.full
@pytest.mark.parametrize(("error", "confidence"), [(0.5, 0.5), (0.3, 0.9), (0.2, 0.99)])
@pytest.mark.parametrize("name", [name for name in CLASSES if name != "dust"])  # where no vertex has a score above 0
def test_the_top_keeps_its_word_in_many_runs(name, error, confidence, always):
    g, exact = truth(name)
    k = min(3, np.count_nonzero(exact))  # of a score of 0 no relative error is ever known
    wrong = top_misses(g, exact, k, error, confidence, 1000)
    assert binom.sf(wrong - 1, 1000, 1 - confidence) > 1e-6
