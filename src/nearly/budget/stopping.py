"""Stopping rules: how many samples an error takes, and which bound holds when sampling ends.

`error` is half the width of a bound, `doubt` the probability with which it may fail (1 - confidence). Samples lie in
[0, 1] unless `span` says otherwise.

- A number of samples fixed beforehand: Hoeffding, for one mean or for many at once; for shares (samples that are 0 or
  1) the exact binomial bound, never wider.
- A few looks, agreed on beforehand: each look gets a part of the doubt (`looks`), and a bound that holds there: exact
  binomial, or empirical Bernstein, which gains where the variance is small, or stakes, which gain still more.
- The relative error of a probability: Huber's Gamma-Bernoulli scheme, whose error has a known law.
- Any moment, such as when the time is over: confidence sequences, bounds that hold at all sample sizes at once.
  A bound for a fixed number of samples does not hold then.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

STAKES = 6  # of `staked_error`
MOST = 2.0**52  # samples, up to which every number of them is one that a float can hold
FIRST = 1 / 8  # of the samples after which sampling ends: when to look first; then always after twice as many


def hoeffding_samples(error: float, doubt: float, means: int = 1, span: float = 1.0) -> int:
    """How many samples bring that many means within `error` at once.

    A mean of t samples within a span R is off by e or more, to one side, with probability at most exp(-2 t e^2 / R^2);
    two sides of each mean share the doubt.
    """
    return math.ceil(span * span * math.log(2 * means / doubt) / (2 * error * error))


def hoeffding_error(samples: int, doubt: float, means: int = 1, span: float = 1.0) -> float:
    """Within which error so many samples bring that many means at once; the inverse of `hoeffding_samples`."""
    return span * math.sqrt(math.log(2 * means / doubt) / (2 * samples))


def bernstein_error(samples: int, variance: float, doubt: float, span: float = 1.0) -> float:
    """The error of a mean of so many samples with this variance among them (divided by their number).

    Bernstein's bound with the true variance replaced by that of the samples, which is itself too small with a small
    probability: three events share the doubt (Audibert, Munos, Szepesvari 2007). Holds at one look; see `looks`.
    """
    log = math.log(3 / doubt)
    return math.sqrt(2 * variance * log / samples) + 3 * span * log / samples


def staked_error(samples: float, variance: Any, doubt: float, span: Any = 1.0) -> np.ndarray:
    """How far a mean of so many samples with this variance among them may be off, to one side; for many means at once.

    A player that stakes a part of the capital on each sample, 1 - l (x - m) for one, has 1 at the end on average if m
    is the true mean: 1 / doubt or more with a probability of at most `doubt` (Markov). As log(1 - y) >= -y - f(c) y^2
    for y <= c, with f(c) = (-log(1 - c) - c) / c^2, a mean that is d above that of t samples of variance v would give
    t (l d - l^2 f (v + d^2)) or more to the logarithm, l = c / span, and more the larger d is: so d is below the
    smaller root where that is log(1 / doubt). A few stakes, which depend on the number of samples alone, share the
    doubt; the best of them counts. No variance has to be bounded beside the mean, which is what makes it narrower than
    empirical Bernstein bounds: by 2.1 times for v = 0, while for very many samples of large variance it is up to a
    tenth wider.
    """
    log, wide = math.log(STAKES / doubt), np.asarray(span, np.float64)
    relative = np.divide(variance, wide * wide, out=np.zeros(np.broadcast(variance, wide).shape), where=wide > 0)
    least = min(2 * math.sqrt(2 * log / samples), 0.5)  # the best stake for the largest variance, span^2 / 4
    found = np.ones_like(relative)
    for c in np.geomspace(least, 0.9, STAKES):
        f = (-math.log1p(-c) - c) / (c * c)
        under = 1 - 4 * f * (c * c * f * relative + log / samples)
        root = (1 - np.sqrt(np.maximum(under, 0.0))) / (2 * c * f)
        found = np.where(under >= 0, np.minimum(found, root), found)
    return found * wide


def staked_samples(error: float, variance: float, doubt: float, span: float = 1.0) -> float:
    """About how many samples bring `staked_error` below an error; MOST, where that is more."""
    low, high = 1.0, 2.0
    while staked_error(high, variance, doubt, span) > error:
        low, high = high, 2 * high
        if high >= MOST:
            return MOST
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if staked_error(middle, variance, doubt, span) <= error else (middle, high)
    return high


def looks(last: int, doubt: float) -> list[tuple[int, float]]:
    """When to look, in samples, and the doubt of each look: a geometric row that ends at `last`.

    The parts add up to the doubt, so that the bounds of all looks hold at once, whichever ends the sampling. The last
    look gets half: it is the one that has to be small enough.
    """
    count = 1 + max(0, round(math.log2(1 / FIRST)))
    sizes = sorted({max(1, math.ceil(last / 2**back)) for back in range(count)})
    parts = [doubt / 2 / max(1, len(sizes) - 1)] * (len(sizes) - 1) + [doubt / 2 if len(sizes) > 1 else doubt]
    return list(zip(sizes, parts))


def binomial_interval(successes: int, trials: int, doubt: float) -> tuple[float, float]:
    """The share of which so many successes are a sample: the bound of Clopper and Pearson.

    Low is the share for which as many successes or more would have half the doubt's probability, high that for which
    as few or fewer would. As Hoeffding bounds these probabilities from above, it is never wider than Hoeffding's bound.
    """
    from scipy.special import betaincinv

    low = float(betaincinv(successes, trials - successes + 1, doubt / 2)) if successes else 0.0
    high = float(betaincinv(successes + 1, trials - successes, 1 - doubt / 2)) if successes < trials else 1.0
    return low, high


class Relative(NamedTuple):
    """A positive number between two bounds, and the value for which the largest relative error is smallest."""

    value: float
    error: float
    low: float
    high: float

    @classmethod
    def between(cls, low: float, high: float) -> Relative:
        """(value - low) / low and (high - value) / high are the same at 2 low high / (low + high)."""
        return cls(2 * low * high / (low + high), (high - low) / (high + low), low, high)


@cache
def gamma_successes(error: float, doubt: float) -> int:
    """How many successes k the Gamma-Bernoulli scheme needs for a relative error.

    Each trial adds an Exp(1) draw to a sum; at the k-th success the sum G is Gamma(k) / p: the draws are gaps between
    the points of a Poisson process, of which each is kept with probability p. So p / ((k - 1) / G) is
    Gamma(k) / (k - 1), whatever p is: k is the smallest for which it lies from 1 / (1 + e) to 1 / (1 - e) with a
    probability of at least 1 - doubt. (Huber 2017, "A Bernoulli mean estimate with known relative error distribution".)
    """
    if not 0 < error < 1:
        raise ValueError(f"a relative error lies between 0 and 1, not {error!r}")
    low, high = 1, 2
    while _gamma_doubt(high, error) > doubt:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _gamma_doubt(middle, error) <= doubt else (middle, high)
    return high


def _gamma_doubt(k: int, error: float) -> float:
    """With which probability k successes leave more than this relative error."""
    from scipy.special import gammainc, gammaincc

    return float(gammainc(k, (k - 1) / (1 + error)) + gammaincc(k, (k - 1) / (1 - error)))


def gamma_interval(k: int, waited: float, error: float) -> Relative:
    """The probability of a success, k of which came after Exp(1) draws that add up to `waited`; k for this error."""
    return Relative.between((k - 1) / waited / (1 + error), (k - 1) / waited / (1 - error))


def anytime_share(successes: int, trials: int, doubt: float) -> tuple[float, float]:
    """A bound on a share that holds after every number of trials at once (a confidence sequence).

    If the share is p, the likelihood of the outcomes averaged over all shares, divided by that at p, is a martingale
    that starts at 1; by Ville's inequality it ever reaches 1 / doubt with probability at most doubt. So shares stay for
    which it is below that. (Robbins 1970; the uniform mixture is the Beta function.)
    """
    from scipy.special import betaln

    failures = trials - successes
    most = float(betaln(successes + 1, failures + 1)) + math.log(doubt)

    def outside(p: float) -> bool:
        log = (successes * math.log(p) if successes else 0.0) + (failures * math.log1p(-p) if failures else 0.0)
        return log <= most

    middle = successes / trials if trials else 0.5
    low = _edge(outside, middle, 0.0) if successes else 0.0
    return low, _edge(outside, middle, 1.0) if failures else 1.0


def _edge(outside: object, inside: float, out: float) -> float:
    """Where, between a share inside a bound and 0 or 1, the bound ends; rounded outwards."""
    near, far = inside, out
    for _ in range(200):
        middle = (near + far) / 2
        if middle in (near, far):
            break
        near, far = (near, middle) if outside(middle) else (middle, far)  # type: ignore[operator]
    return far


def anytime_means(samples: np.ndarray, doubt: float) -> tuple[np.ndarray, np.ndarray]:
    """Bounds on the mean of samples in [0, 1], after each of them; all hold at once (a confidence sequence).

    Bets l_i, chosen from the samples before, give for the true mean m a product of
    exp(l_i (x_i - m) - (x_i - m_i)^2 psi(l_i)) with psi(l) = -log(1 - l) - l that is no more than 1 on average, for
    any guess m_i made before x_i (Fan, Grama, Liu 2015); Ville's inequality bounds it at all times, to either side.
    The bets are those for the variance seen so far: theorem 2 of Waudby-Smith and Ramdas (2024).

    Parameters
    ----------
    samples : ndarray
        One row of samples, or several in rows, each with a bound of its own.
    doubt : float
        The probability with which a row's bounds may fail, anywhere.
    """
    x = np.asarray(samples, np.float64)
    t = np.arange(1, x.shape[-1] + 1)
    guess = (0.5 + np.cumsum(x, -1)) / (t + 1)
    spread = (0.25 + np.cumsum((x - guess) ** 2, -1)) / (t + 1)
    before = np.concatenate([np.full((*x.shape[:-1], 1), 0.5), guess[..., :-1]], -1)
    variance = np.concatenate([np.full((*x.shape[:-1], 1), 0.25), spread[..., :-1]], -1)
    bet = np.minimum(np.sqrt(2 * math.log(2 / doubt) / (variance * t * np.log1p(t))), 0.5)
    loss = (x - before) ** 2 * (-np.log1p(-bet) - bet)
    stakes = np.cumsum(bet, -1)
    middle, half = np.cumsum(bet * x, -1) / stakes, (math.log(2 / doubt) + np.cumsum(loss, -1)) / stakes
    low, high = np.maximum.accumulate(middle - half, -1), np.minimum.accumulate(middle + half, -1)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
