"""Stopping rules: the published figures, and coverage over thousands of seeds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from nearly.budget import stopping

SEEDS = 2000
SHARES = (0.02, 0.3, 0.5, 0.97)


def allowed(missed: np.ndarray, doubt: float) -> bool:
    """Whether so many misses agree with a probability of at most `doubt`."""
    return binomtest(int(missed.sum()), missed.size, doubt, "greater").pvalue > 1e-4


def shares(p: float, samples: int, seeds: int = SEEDS) -> np.ndarray:
    """Outcomes of trials, a row for each seed."""
    return np.random.default_rng(round(1000 * p)).random((seeds, samples)) < p


def test_misses_beyond_the_doubt_are_noticed():
    assert allowed(np.arange(SEEDS) < 0.01 * SEEDS, 0.01)
    assert not allowed(np.arange(SEEDS) < 0.03 * SEEDS, 0.01)


def test_figures_of_hoeffding():
    needed = [stopping.hoeffding_samples(e, 0.01, means) for e in (0.05, 0.01) for means in (1, 10**6)]
    assert needed == [1060, 3823, 26492, 95570]
    assert stopping.hoeffding_error(1060, 0.01) <= 0.05 < stopping.hoeffding_error(1059, 0.01)
    assert stopping.hoeffding_samples(0.1, 0.01, span=2) == stopping.hoeffding_samples(0.05, 0.01)
    assert stopping.hoeffding_error(100, 0.01, span=3) == 3 * stopping.hoeffding_error(100, 0.01)


def test_figures_of_gamma_bernoulli():
    assert [stopping.gamma_successes(e, 0.01) for e in (0.05, 0.02, 0.01)] == [2662, 16596, 66357]
    for wrong in (0, 1, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            stopping.gamma_successes(wrong, 0.01)


def test_looks_share_the_doubt():
    for last in (1, 2, 7, 1000):
        made = stopping.looks(last, 0.01)
        sizes, parts = zip(*made)
        assert sizes[-1] == last
        assert list(sizes) == sorted(set(sizes))
        assert sizes[0] >= 1
        assert math.isclose(sum(parts), 0.01)
        assert last == 1 or parts[-1] == 0.005


@pytest.mark.parametrize("p", SHARES)
def test_hoeffding_covers(p):
    n = stopping.hoeffding_samples(0.05, 0.01)
    assert allowed(np.abs(shares(p, n).mean(1) - p) > 0.05, 0.01)


@pytest.mark.parametrize("p", SHARES)
def test_hoeffding_covers_many_means_at_once(p):
    n = stopping.hoeffding_samples(0.1, 0.05, means=50)
    means = np.random.default_rng(2).binomial(n, p, (SEEDS, 50)) / n
    assert allowed((np.abs(means - p) > 0.1).any(1), 0.05)


@pytest.mark.parametrize("p", SHARES)
def test_binomial_covers_and_is_within_hoeffding(p):
    n, doubt = 400, 0.05
    found = np.random.default_rng(3).binomial(n, p, SEEDS)
    bounds = {s: stopping.binomial_interval(s, n, doubt) for s in range(n + 1)}
    low, high = np.array([bounds[s] for s in found.tolist()]).T
    assert allowed((p < low) | (p > high), doubt)
    most = stopping.hoeffding_error(n, doubt)
    assert all(s / n - low <= most and high - s / n <= most for s, (low, high) in bounds.items())
    assert bounds[0][0] == 0
    assert bounds[n][1] == 1


@pytest.mark.parametrize("p", SHARES)
def test_bernstein_covers_at_all_looks_together(p):
    last, doubt = 2000, 0.05
    x, missed = shares(p, last), np.zeros(SEEDS, bool)
    for size, part in stopping.looks(last, doubt):
        mean = x[:, :size].mean(1)
        error = [stopping.bernstein_error(size, v, part) for v in (mean * (1 - mean)).tolist()]
        missed |= np.abs(mean - p) > error
    assert allowed(missed, doubt)


def test_bernstein_gains_where_the_variance_is_small():
    assert stopping.bernstein_error(10_000, 0.01 * 0.99, 0.01) < stopping.hoeffding_error(10_000, 0.01) / 2


@pytest.mark.parametrize("samples", [3, 40, 2000])
@pytest.mark.parametrize("law", ["shares", "rare", "three values", "nearly always the same"])
def test_stakes_cover_to_either_side(law, samples):
    values, chances = {
        "shares": ([0.0, 1.0], [0.7, 0.3]),
        "rare": ([0.0, 1.0], [0.999, 0.001]),
        "three values": ([0.0, 0.2, 1.0], [0.2, 0.75, 0.05]),
        "nearly always the same": ([0.45, 0.5, 0.0], [0.5, 0.495, 0.005]),
    }[law]
    rng, doubt, span = np.random.default_rng(3), 0.05, 1.0 if max(values) == 1 else 0.5
    x, true = rng.choice(values, (4000, samples), p=chances), np.dot(values, chances)
    mean, error = x.mean(1), stopping.staked_error(samples, x.var(1), doubt, span)
    assert allowed(true > mean + error + 1e-12, doubt)
    assert allowed(true < mean - error - 1e-12, doubt)


def test_stakes_are_narrower_than_bernstein_and_scale_with_the_span():
    variances = np.array([0.0, 1e-4, 0.01, 0.25])
    for samples, narrower in ((100, 0.8), (1000, 0.95), (100_000, 1.1)):  # stakes share the doubt, which costs a little
        stakes = stopping.staked_error(samples, variances, 0.005)
        assert (stakes < np.multiply(narrower, [stopping.bernstein_error(samples, v, 0.01) for v in variances])).all()
        assert np.allclose(stopping.staked_error(samples, 9 * variances, 0.005, 3.0), 3 * stakes)
    assert stopping.staked_error(10, np.zeros(2), 0.01, np.array([0.0, 1.0]))[0] == 0
    needed = stopping.staked_samples(0.01, 0.003, 1e-8, 0.5)
    assert stopping.staked_error(needed, 0.003, 1e-8, 0.5) <= 0.01 < stopping.staked_error(needed - 2, 0.003, 1e-8, 0.5)


@pytest.mark.parametrize("error", [5e-324, 1e-300, 1e-12])
def test_an_error_that_no_number_of_samples_reaches_is_an_answer_too(error):
    assert stopping.staked_samples(error, 0.25, 1e-6) == stopping.MOST


@pytest.mark.parametrize("p", SHARES)
@pytest.mark.parametrize("error", [0.5, 0.2, 0.05])
def test_gamma_bernoulli_covers(p, error):
    doubt = 0.05
    k = stopping.gamma_successes(error, doubt)
    rng = np.random.default_rng(5)
    trials = k + rng.negative_binomial(k, p, SEEDS)  # until the k-th success
    waited = rng.gamma(trials)  # the sum of so many Exp(1) draws
    found = [stopping.gamma_interval(k, w, error) for w in waited.tolist()]
    assert np.allclose([one.value for one in found], (k - 1) / waited)
    assert np.allclose([one.error for one in found], error)
    assert allowed(np.array([not one.low <= p <= one.high for one in found]), doubt)
    assert allowed(np.array([abs(one.value / p - 1) > error * (1 + 1e-12) for one in found]), doubt)


def test_gamma_bernoulli_takes_no_more_than_it_needs():
    """One success less would miss too often."""
    for error in (0.5, 0.2, 0.05):
        k = stopping.gamma_successes(error, 0.05)
        assert stopping._gamma_doubt(k, error) <= 0.05 < stopping._gamma_doubt(k - 1, error)


@pytest.mark.parametrize("p", SHARES)
def test_a_sequence_for_shares_covers_at_all_times_at_once(p):
    doubt, trials, seeds = 0.05, 300, 1000
    found = shares(p, trials, seeds).cumsum(1)
    assert allowed(ever_missed(stopping.anytime_share, found, p, doubt), doubt)


def test_a_bound_for_one_number_of_trials_does_not_hold_at_all_of_them():
    found = shares(0.5, 300, 300).cumsum(1)
    assert not allowed(ever_missed(stopping.binomial_interval, found, 0.5, 0.05), 0.05)


def ever_missed(rule, found: np.ndarray, p: float, doubt: float) -> np.ndarray:
    """Whether the bounds after each number of trials miss p anywhere in a row."""
    missed = np.zeros(found.shape[0], bool)
    for trials, column in enumerate(found.T, 1):
        successes, where = np.unique(column, return_inverse=True)
        bounds = [rule(int(s), trials, doubt) for s in successes]
        missed |= np.array([not low <= p <= high for low, high in bounds])[where]
    return missed


def test_a_sequence_for_shares_at_its_ends():
    assert stopping.anytime_share(0, 0, 0.01) == (0, 1)
    assert stopping.anytime_share(0, 50, 0.01)[0] == 0
    assert stopping.anytime_share(50, 50, 0.01)[1] == 1
    low, high = stopping.anytime_share(50_000, 100_000, 0.01)
    assert 0.5 - 0.0075 < low < 0.5 - 0.004 < 0.5 + 0.004 < high < 0.5 + 0.0075


@pytest.mark.parametrize("p", SHARES)
@pytest.mark.parametrize("spread", [False, True])
def test_a_sequence_for_means_covers_at_all_times_at_once(p, spread):
    doubt, rng = 0.05, np.random.default_rng(7)
    x = rng.beta(4 * p, 4 * (1 - p), (SEEDS, 500)) if spread else shares(p, 500).astype(float)
    low, high = stopping.anytime_means(x, doubt)
    assert allowed(((p < low) | (p > high)).any(1), doubt)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()


def test_a_sequence_for_means_narrows():
    x = np.random.default_rng(8).random((1, 50_000)) * 0.1
    low, high = stopping.anytime_means(x, 0.01)
    assert 0 < high[0, -1] - low[0, -1] < 2 * stopping.hoeffding_error(50_000, 0.01) / 4


def test_the_best_value_between_two_bounds():
    made = stopping.Relative.between(2.0, 6.0)
    assert made.value == 3.0
    assert made.error == 0.5
