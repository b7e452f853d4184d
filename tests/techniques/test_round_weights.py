"""Rounding weights: what is too long for whole levels still comes out right."""

from __future__ import annotations

import numpy as np

import nearly


def test_paths_of_more_levels_than_32_bits_hold():
    n = 70_000  # times 65,535 levels each
    g = nearly.Graph.from_edges(np.arange(n - 1), np.arange(1, n), weights=np.full(n - 1, 7))
    r = nearly.sssp(g, 0, approx=nearly.RoundWeights(levels=65_535))
    assert np.allclose(r.values, 7.0 * np.arange(n), rtol=1e-9)
    assert r.certificate().ok
