"""Rounding weights: what is too long for whole levels still comes out right."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.algorithms.shared.shortest_paths import distance_factors
from nearly.techniques.round_weights import nearest_powers


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


NEAREST = {"base=2": (2 / 3, 4 / 3), "base=3": (1 / 2, 3 / 2), "base=1.5": (0.6, 1.4)}


@pytest.mark.small
@pytest.mark.parametrize("knobs", NEAREST)
def test_no_weight_is_further_from_the_closest_power_than_half_a_gap(knobs):
    low, high = NEAREST[knobs]
    base = float(knobs.removeprefix("base="))
    for weights in (np.arange(1, 3000, dtype=np.uint32), np.geomspace(1e-6, 1e6, 999), np.arange(1, 99, dtype="f4")):
        rounded = nearest_powers(weights, base).astype(np.float64)
        if weights.dtype.kind == "f":
            powers = np.log(rounded) / np.log(base)
            assert np.allclose(powers, np.round(powers), atol=1e-4)
        spare = 0.5 / weights if weights.dtype.kind == "u" and base == 1.5 else 1e-6  # whole numbers in between
        assert (rounded / weights >= low - spare).all()
        assert (rounded / weights <= high + spare).all()


@pytest.mark.small
def test_the_closest_power_of_tiny_negative_and_exact_weights():
    assert nearest_powers(np.array([-3.1, -1.4, 0, 0.3, 1 << 40]), 2.0).tolist() == [-4, -1, 0, 0.25, 2.0**40]
    assert nearest_powers(np.array([2**32 - 1], np.uint32), 2.0).tolist() == [2**32 - 1]


@pytest.mark.small
@pytest.mark.parametrize("policy", ["auto", "topology"])
@pytest.mark.parametrize("knobs", [*NEAREST, "levels=4", "levels=60"])
def test_distances_over_the_closest_weights_are_certified_both_ways(knobs, policy):
    for seed in range(8):
        g = nearly.generate.rmat(5, 4, seed=seed, directed=bool(seed % 2), weights="int" if seed < 4 else "float")
        exact, got = nearly.sssp(g, 0), nearly.sssp(g, 0, approx=f"round-weights:{knobs},round=nearest", policy=policy)
        assert got.guarantee == "certified"
        assert got.certificate().ok
        low, high = got.factors
        reached = np.isfinite(exact.values) & (exact.values > 0)
        ratio = got.values[reached] / exact.values[reached]
        assert (ratio >= low * (1 - 1e-5)).all()
        assert (ratio <= high * (1 + 1e-5)).all()
        assert got.certificate().bound == pytest.approx(max(1 - low, high - 1, 0))
        if knobs in NEAREST and knobs != "base=1.5":
            assert low >= NEAREST[knobs][0] * (1 - 1e-4)
            assert high <= NEAREST[knobs][1] * (1 + 1e-4)


@pytest.mark.small
def test_a_wrong_distance_has_wrong_factors():
    g = nearly.generate.grid(6, 6, seed=1)
    got = nearly.sssp(g, 0, approx="round-weights:round=nearest")
    assert got.certificate().ok
    factors = got.factors
    got.values[7] *= 3
    assert not got.certificate().ok
    got.factors = nearly.sssp(g, 0).factors
    assert factors[1] > 1
    assert not got.certificate().ok


@pytest.mark.small
def test_factors_of_distances_that_are_off_by_anything():
    g = nearly.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 3], weights=[2, 2, 9, 0], n=5)
    for values, factors in (
        ([0, 2, 4, np.inf, np.inf], (1, 1)),
        ([0, 2, 5, np.inf, np.inf], (1, 1.5)),
        ([0, 1, 2, np.inf, np.inf], (0.5, 0.5)),
        ([0, 2, np.inf, np.inf, np.inf], (1, np.inf)),
        ([0, 2, 4, 5, np.inf], (0, 1)),  # where there is no way
    ):
        found = distance_factors(g, 0, np.array(values, np.float64), g.arrays.weights)
        assert found == pytest.approx(factors, rel=1e-9)


@pytest.mark.small
def test_the_lightest_forest_by_the_closest_weights_spans_and_its_excess_is_bounded():
    for seed in range(12):
        g = nearly.generate.rmat(5, 5, seed=seed, directed=bool(seed % 2), weights="int")
        exact, got = nearly.mst(g), nearly.mst(g, approx="round-weights:round=nearest")
        assert got.guarantee == "upper bound"
        certificate = got.certificate()
        assert certificate.ok
        assert exact.weight <= got.weight <= 2 * exact.weight  # 4/3 over 2/3
        assert got.weight - exact.weight <= certificate.bound + 1e-9
        assert certificate.bound <= got.weight / 2 + 1e-9
