"""Rounding weights: what is too long for whole levels still comes out right."""

from __future__ import annotations

import numpy as np
import pytest

import nearly


def test_paths_of_more_levels_than_32_bits_hold():
    n = 70_000  # times 65,535 levels each
    g = nearly.Graph.from_edges(np.arange(n - 1), np.arange(1, n), weights=np.full(n - 1, 7))
    r = nearly.sssp(g, 0, approx=nearly.RoundWeights(levels=65_535))
    assert np.allclose(r.values, 7.0 * np.arange(n), rtol=1e-9)
    assert r.certificate().ok


@pytest.mark.small
@pytest.mark.parametrize(
    "twice", [("levels=3", "levels=3"), ("levels=3", "levels=5"), ("levels=3", "base=2"), ("base=2", "levels=3")]
)
def test_weights_rounded_twice_are_searched_once_and_bound_from_above(twice):
    g = nearly.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], weights=[1, 3, 3, 9])
    r = nearly.sssp(g, 0, approx=[f"round-weights:{knobs}" for knobs in twice])
    assert r.guarantee == "upper bound"
    assert r.certificate().ok
    assert np.isfinite(r.values).all()
    assert (r.values >= nearly.sssp(g, 0).values).all()
