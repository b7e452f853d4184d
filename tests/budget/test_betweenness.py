"""Betweenness within a budget: shares are right, bounds hold as often as they must, and the plan is a good one."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from scipy.stats import binom
from tests.budget.pair_graphs import ring, star, truth
from tests.zoo import zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.algorithms.betweenness.pairs import kernels
from nearly.algorithms.betweenness.pairs.bounds import DOUBT, EVENLY, Watch, gain, psi
from nearly.algorithms.betweenness.pairs.pursuit import Pursuit
from nearly.algorithms.betweenness.pairs.sampler import PairSampler
from nearly.algorithms.betweenness.pairs.shares import UNIT
from nearly.engine.run import Run

PLAIN = numba.config.DISABLE_JIT
small = pytest.mark.small


def shares_of(g, **options):
    """Betweenness over all ordered pairs."""
    return nearly.betweenness(g, **options).values * ((g.n - 2) / g.n)


def sampled(g, samples, *, weighted=False, seed=1):
    sampler = PairSampler(Run(g, seed=seed), weighted=weighted)
    sampler.take_until(samples // 3)
    sampler.take_until(samples)
    return sampler


def every_pair(g, monkeypatch, weighted=False):
    """The mean shares over all ordered pairs, each sampled once."""
    listed = np.array([(s, t) for s in range(g.n) for t in range(g.n) if s != t], np.uint64)
    sampler = PairSampler(Run(g), weighted=weighted)
    web, balls = kernels.web_of(sampler._places[1], np.uint64(0)), sampler._places[1]
    ways = sampler._places[0]
    rows, turned = kernels.Rows(ways.offsets, ways.targets), kernels.Rows(ways.in_offsets, ways.in_targets)
    first, second = (kernels.ball_of(balls, np.uint64(0), np.uint64(side)) for side in (0, 1))
    stamp = kernels.FIRST
    for source, target in listed:
        _, stamp = kernels.sample(rows, turned, first, second, web, source, target, np.uint64(stamp))
    return web.sums / UNIT / len(listed), web.squares / UNIT / len(listed)


@small
@pytest.mark.parametrize("directed", [True, False])
def test_all_pairs_together_give_betweenness(directed, monkeypatch):
    for name, g in zoo(directed, duplicates="keep").items():
        if 2 < g.n <= (12 if PLAIN else 80):
            means, squares = every_pair(g, monkeypatch)
            assert np.allclose(means, shares_of(g), rtol=0, atol=1e-9), name
            assert (squares <= means + 1e-9).all()
            assert (squares >= means * means - 1e-9).all()


@small
@pytest.mark.parametrize(("directed", "weights"), [(True, None), (False, None), (True, "int"), (False, "float")])
def test_sampled_shares_have_the_right_means(directed, weights):
    samples = 1500 if PLAIN else 20_000
    for name, g in zoo(directed, weights, duplicates="first").items():
        if 2 < g.n <= (20 if PLAIN else 300):
            drawn = sampled(g, samples, weighted=weights is not None)
            means, squares = drawn.averages()
            deviation = np.sqrt(np.maximum(squares - means * means, 1.0 / samples) / samples)
            off = np.abs(means + drawn.known - shares_of(g, weights=weights is not None)) / deviation
            assert off.max(initial=0.0) < 6, name


def diamonds(count):
    """So many diamonds in a row: 2**count shortest paths from end to end."""
    top = 3 * np.arange(count)
    src, dst = np.concatenate([top, top, top + 1, top + 2]), np.concatenate([top + 1, top + 2, top + 3, top + 3])
    return Graph.from_edges(src, dst, directed=False)


def test_more_paths_than_a_float_holds():
    g, samples = diamonds(1500), 400
    means, _ = sampled(g, samples).averages()
    assert np.allclose(means[1::3], means[2::3], atol=0.01)  # but for pairs that end or begin there
    wanted = np.arange(500) * 2 * 3 * (1500 * 3 - 3 * np.arange(500)) / g.n**2  # joints of two diamonds
    assert np.abs(means[:1500:3] - wanted).max() < 5 * np.sqrt(0.25 / samples)
    heavy = Graph.from_edges(g.arc_sources(), g.arrays.targets, np.ones(g.m), n=g.n)
    assert not sampled(heavy, 200, weighted=True).fits


@small
def test_stamps_begin_again_before_they_run_out():
    g = zoo(False)["path"] if "path" in zoo(False) else diamonds(3)
    usual, other = sampled(g, 300), PairSampler(Run(g))
    other._places[1].stamp[:] = int(kernels.FOUND) - 2 * g.n - 40
    other.take_until(300)
    assert np.array_equal(usual.averages()[0], other.averages()[0])


@small
def test_the_inequality_behind_the_bounds():
    y, rate = np.linspace(-1, 3, 401)[:, None], np.linspace(0, 0.999, 100)
    assert (np.exp(rate * y - psi(rate) * y * y) <= 1 + rate * y + 1e-12).all()
    variance, target = np.array([0.001, 0.05, 0.2]), 0.01
    rate = target / (variance + target)
    assert np.allclose(gain(variance, target), rate * target - psi(rate) * variance)


@small
def test_margins_ever_fail_as_seldom_as_they_must():
    """Coins of many biases, looked at all the time: Ville's inequality, for all looks at once."""
    rng, runs, steps, risk = np.random.default_rng(5), 60 if PLAIN else 400, 200, 0.2
    for p in (0.02, 0.3, 0.9):
        watch = Watch(np.array([p]), np.array([p]), 100, 0.08, risk)
        failed = 0
        for _ in range(runs):
            sums = np.cumsum(rng.random(steps) < p)
            units = [np.array([[np.uint64(s) << np.uint64(31)]], np.uint64) for s in sums]
            looks = [watch.look(one, one, t + 1, 0) for t, one in enumerate(units)]
            failed += any(abs(look.means[0] - p) > look.margins[0] for look in looks)
        assert binom.sf(failed - 1, runs, risk) > 1e-6


@small
def test_the_risk_is_divided_not_multiplied():
    means = np.r_[np.zeros(900), np.arange(100) / 500]
    watch = Watch(means, means, 500, 0.01, 0.1)
    bounds = watch._bounds[watch._row].T
    variance = means - means * means
    variance += 0.3 / 500 + DOUBT * np.sqrt(variance / 500)
    rate = 0.01 / (variance + 0.01)
    certainty = bounds[1] * rate, bounds[3] * rate / 2
    spent = 2 * sum(np.exp(-one).sum() for one in certainty)
    assert (1 - EVENLY) * 0.1 * 0.8 < spent <= 0.1 * (1 + 1e-9)
    assert watch.planned < 0.5 * np.log(2 * means.size / 0.1) / 0.01**2
    assert certainty[0][0] > certainty[0][-1]  # what is seen often gets more of the risk


def test_a_pilot_that_was_far_off_is_made_again():
    g = nearly.generate.rmat(8, 4, seed=2, directed=False)
    pursuit = Pursuit(PairSampler(Run(g)), lambda *_: 0.05, 0.1)
    pursuit.pilot()
    nothing = np.zeros(g.n)
    pursuit.watch = Watch(nothing, nothing, 10**6, 0.05, 0.05)  # as if no vertex had ever been seen
    look, looks = None, 0
    while look is None or look.margins.max() > 0.05:
        look, looks = pursuit.go_on(look), looks + 1
        assert looks < 50
    assert pursuit.attempt == 2
    assert np.abs(look.means - shares_of(g)).max() <= 0.05


@pytest.mark.parametrize("weights", [False, True])
def test_any_number_of_threads_gives_the_same_bits(weights, always):
    g = nearly.generate.rmat(12, 8, seed=3)
    if weights:
        g = nearly.generate.grid(30, 30, seed=3)
    for call, options in ((nearly.betweenness, {}), (nearly.topk_betweenness, {"k": 2})):
        one, two = (call(g, max_error=0.2, threads=t, weights=weights, **options) for t in (1, 2))
        assert one.guarantee == "statistical"
        assert np.array_equal(one.values, two.values)
        assert one.error == two.error
        assert not np.array_equal(one.values, call(g, max_error=0.2, seed=2, weights=weights, **options).values)


def test_with_a_time_limit_the_error_is_what_was_reached():
    g = nearly.generate.rmat(15, 8, seed=3, directed=False)
    r = nearly.betweenness(g, max_seconds=0.5)
    assert (r.guarantee, r.plan.choice) == ("statistical", "paths")
    assert 0 < r.error < 1
    both = nearly.betweenness(g, max_error=0.3, max_seconds=60)
    assert both.error <= 0.3
    top = nearly.topk_betweenness(g, k=2, max_seconds=0.5)
    assert (top.guarantee, top.error_kind) == ("statistical", "relative")


def test_the_plan_is_exact_on_tiny_graphs_and_samples_large_ones():
    large = nearly.generate.rmat(15, 8, seed=3, directed=False)
    assert nearly.plan(large, "betweenness", max_error=0.02).choice == "paths"
    assert nearly.plan(large, "topk_betweenness", max_error=0.2, k=3).choice == "paths"
    for n in range(4):
        g = Graph.from_edges([], [], n=n)
        assert nearly.betweenness(g, max_error=0.1).values.tolist() == [0.0] * n
        assert nearly.topk_betweenness(g, k=1, max_error=0.1).guarantee == "exact"
    r = nearly.betweenness(star(), max_error=0.01)
    assert (r.plan.choice, r.guarantee, r.error) == ("exact", "exact", 0.0)
    assert r.values[0] == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [({"sources": 5}, "sources"), ({"edges": True}, "edges"), ({"endpoints": True}, "ends"),
     ({"normalized": False}, "normalised")],
)  # fmt: skip
def test_other_scores_are_computed_by_exact_runs(options, word):
    made = nearly.plan(ring(), "betweenness", max_error=0.1, **options)
    assert made.choice == "exact"
    assert word in made.why
    r = nearly.betweenness(ring(), max_error=0.1, **options)
    assert r.plan.choice == "exact"
    assert np.array_equal(r.values, nearly.betweenness(ring(), **options).values)


def test_bad_budgets():
    for call in (nearly.betweenness, nearly.topk_betweenness):
        with pytest.raises(InvalidArgumentError, match="max_error must be below 1"):
            call(ring(), max_error=1.5)
    with pytest.raises(InvalidArgumentError, match="leave out method"):
        nearly.topk_betweenness(ring(), max_error=0.1, method="sampling")
    with pytest.raises(InvalidArgumentError, match="k must be"):
        nearly.topk_betweenness(ring(), k=0, max_error=0.1)


def test_the_certificate_checks_the_error(always):
    g, _ = truth("barbell")
    r = nearly.betweenness(g, max_error=0.1)
    assert r.certificate().ok
    r.values = r.values + 0.3
    assert not r.certificate().ok
