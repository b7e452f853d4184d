"""Eccentricities, diameter, radius and harmonic closeness within budgets: intervals and errors that hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.budget.asking import ask
from tests.zoo import graphs, zoo

import nearly
from nearly.algorithms.shared.hop_batches import hop_batches

small = pytest.mark.small


@small
@settings(max_examples=40)
@given(graphs(), st.sampled_from([0.05, 0.3, 1.0]), st.sampled_from(["reachable", "infinite"]))
def test_intervals_hold_the_answer(g, max_error, unconnected):
    for name in ("eccentricity", "diameter", "radius"):
        exact = getattr(nearly, name)(g, unconnected=unconnected).values
        r = ask(f"{name}/bounds", g, max_error=max_error, unconnected=unconnected)
        low, high = r.interval
        assert np.all(low <= exact)
        assert np.all(exact <= high)
        assert r.error <= max_error
        assert r.guarantee in ("exact", "certified")
        assert (r.error_kind, r.certificate().ok) == ("relative", True)


def test_few_searches_give_a_wide_interval_and_more_a_narrow_one():
    g = nearly.generate.grid(80, 80)
    exact = nearly.diameter(g)
    wide, narrow = (nearly.diameter(g, max_error=e) for e in (0.9, 0.05))
    for r in (wide, narrow):
        assert r.interval[0] <= exact.values <= r.interval[1]
        assert r.interval[1] - r.interval[0] <= (0.9 if r is wide else 0.05) * r.interval[0]
    assert wide.searches <= narrow.searches <= exact.searches
    ended = ask("diameter/bounds", g, max_seconds=1e-6)
    assert ended.interval[0] <= exact.values <= ended.interval[1]
    assert ended.guarantee == "certified"


@pytest.mark.parametrize("name", ["eccentricity", "diameter", "radius"])
def test_a_run_that_was_thought_short_has_bounds_when_its_time_is_over(name, monkeypatch):
    monkeypatch.setattr("nearly.budget.deadline.Deadline.stop", lambda self, run: True)
    g = nearly.generate.smallworld(2000, 6, 0.1, seed=1)
    exact, r = getattr(nearly, name)(g).values, getattr(nearly, name)(g, max_seconds=100.0)
    low, high = r.interval
    assert r.guarantee == "certified"
    assert np.all(low <= exact)
    assert np.all(exact <= high)
    assert r.error > 0


def test_harmonic_closeness_is_within_its_bound():
    for g in (nearly.generate.rmat(12, 8, seed=1), nearly.generate.smallworld(4000, 8, 0.2, seed=1)):
        exact = nearly.harmonic(g, normalized=True).values
        r = ask("harmonic/sources", g, max_error=0.08, normalized=True)
        assert r.guarantee == "statistical"
        assert np.abs(r.values - exact).max() <= r.error <= 0.08
        assert (r.interval[0] <= exact + 1e-12).all()
        assert (exact <= r.interval[1] + 1e-12).all()
        plain = ask("harmonic/sources", g, max_error=0.08)
        assert np.allclose(plain.values, r.values * (g.n - 1))
        assert plain.error == r.error


def test_bounds_of_harmonic_closeness_hold_as_often_as_they_should():
    g = nearly.generate.rmat(11, 4, seed=1, directed=False)
    exact, outside, runs = nearly.harmonic(g, normalized=True).values, 0, 200
    for seed in range(runs):
        r = ask("harmonic/sources", g, max_error=0.1, confidence=0.9, seed=seed, normalized=True)
        outside += bool(np.abs(r.values - exact).max() > r.error)
    assert outside <= 0.1 * runs


def test_sums_of_units_never_run_over():
    g = nearly.generate.rmat(5, 4, seed=1, directed=False)
    sums, _ = hop_batches(g, np.tile(np.arange(g.n), 60))
    once, _ = hop_batches(g, np.arange(g.n))
    assert np.allclose(sums.inverse, 60 * once.inverse)
    assert np.allclose(sums.square, 60 * once.square)
    with pytest.raises(ValueError, match="room for"):
        hop_batches(g, np.zeros(5000, int))


def test_sampled_answers_do_not_depend_on_threads():
    g = nearly.generate.rmat(12, 8, seed=1)
    one, two = (ask("harmonic/sources", g, max_error=0.1, threads=k) for k in (1, 2))
    assert one.values.tobytes() == two.values.tobytes()
    assert (one.values != ask("harmonic/sources", g, max_error=0.1, seed=2).values).any()


@small
def test_neighbours_count_once():
    g = zoo(duplicates="keep")["parallel edges"]
    from nearly.budget.sampled_sources import distinct_in_degrees, neighbours_of

    assert distinct_in_degrees(g).tolist() == [0, 1, 1]
    assert neighbours_of(g, np.array([0, 0, 1])).tolist() == [0, 2, 1]


@pytest.mark.parametrize("max_error", [0.2, 0.05])
def test_the_average_distance_is_within_its_bound(max_error):
    src, dst = np.random.default_rng(1).integers(0, 4000, (2, 9000))
    made = [
        nearly.generate.rmat(13, 8, seed=1, directed=False),
        nearly.generate.smallworld(4000, 6, 0.1, seed=1),
        nearly.Graph.from_edges(src, dst, n=4000, directed=False),  # parts of all sizes
    ]
    for g in made:
        exact = nearly.distance_statistics(g)
        r = ask("distance_statistics/sources", g, max_error=max_error)
        assert r is not None
        assert r.interval[0] <= exact.values <= r.interval[1]
        assert abs(r.values / exact.values - 1) <= r.error <= max_error
        assert r.effective_diameter == pytest.approx(exact.effective_diameter, rel=0.1)
        assert r.pairs == pytest.approx(exact.pairs, rel=1e-6)
        assert r.certificate().ok


def test_bounds_of_the_average_distance_hold_as_often_as_they_should():
    g = nearly.generate.rmat(11, 4, seed=1, directed=False)
    exact, outside, runs = nearly.distance_statistics(g).values, 0, 300
    for seed in range(runs):
        r = ask("distance_statistics/sources", g, max_error=0.3, confidence=0.9, seed=seed)
        outside += not r.interval[0] <= exact <= r.interval[1]
    assert outside <= 0.1 * runs
