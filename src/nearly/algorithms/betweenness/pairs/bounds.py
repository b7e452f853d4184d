"""How far means of sampled shares may be from betweenness: bounds for all vertices that hold at any time.

For y >= -1 and 0 <= r < 1, exp(r y - psi(r) y**2) <= 1 + r y with psi(r) = -log(1 - r) - r (Fan, Grama and Liu, 2015).
A share X lies between 0 and 1, so y = X - c or c - X will do for any c of that range that was fixed before. So, with p
the mean of X, exp(r * sum(X - p) - psi(r) * sum((X - c)**2)), and likewise with p - X, is a product whose factors have
mean at most 1 (exp(r (c - p)) (1 + r (p - c)) <= 1), and by Ville's inequality it ever exceeds exp(a) with probability
at most exp(-a). Hence at all times at once, where t pairs were sampled,

    |mean - p| <= (a + psi(r) * sum((X - c)**2)) / (r t)    but for a probability of 2 exp(-a).

So the search may look at its sums as often as it likes and stop when it likes. Shares are rounded to 2**-31: the mean
is off by no more, and squares are rounded up.

A pilot sample, used for nothing else, chooses c, r and a of every vertex. It tells the variance, about; r is then the
rate at which a target of the vertex is reached soonest, and risks are divided over vertices such that all reach their
targets after the same number of pairs, the least possible; a tenth is divided evenly. (Adaptive sampling with a risk
for each vertex is KADABRA's idea: Borassi and Natale, ESA 2016.) As the pilot may be wrong, and a search may go on,
each vertex has a second bound with half the rate and a share of its risk; the smaller counts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.algorithms.betweenness.pairs.shares import UNIT
from nearly.base.jit import kernel
from nearly.base.unsigned import U0

EVENLY = 0.1  # of the risk, divided evenly over vertices
SECOND = 0.15  # of a vertex's risk, for the bound with half the rate
UNSEEN = 0.3  # what is added to a pilot's sum of squares: vertices it has not seen may vary too
DOUBT = (
    1.0  # standard deviations of a pilot's variance that are added to it: the vertices that it saw too seldom decide
)
_CLASS = 0.02  # vertices whose gains differ by less get the same risk
_HALVINGS = 40
_ROUNDING = 2.0**-31


class Look(NamedTuple):
    """What is known after some samples.

    samples, visited : the pairs sampled, and the arcs visited for them.
    means, margins : of the shares of each vertex, and how far it may be off.
    needed : how many pairs it takes until all margins are within their targets, if variances stay as they are.
    """

    samples: int
    visited: int
    means: np.ndarray
    margins: np.ndarray
    needed: float

    @property
    def low(self) -> np.ndarray:
        """The least that each mean may truly be."""
        return np.maximum(self.means - self.margins, 0.0)

    @property
    def high(self) -> np.ndarray:
        """The largest that each mean may truly be."""
        return np.minimum(self.means + self.margins, 1.0)


def gain(variance: Any, target: Any) -> Any:
    """What a pair adds to a, at the best rate, where a vertex's mean is to be known to `target`."""
    return target - variance * np.log1p(target / variance)


def psi(rate: np.ndarray) -> np.ndarray:
    """-log(1 - r) - r."""
    return -np.log1p(-rate) - rate


class Watch:
    """The bounds of all vertices, chosen by a pilot sample; see the top of the file.

    Vertices that the pilot has not seen are alike, and have one row of the table together.

    Parameters
    ----------
    means, squares, samples : the pilot's means of sampled shares and of their squares, and its size.
    targets : how well each vertex's mean is to be known, or all; a function of means and samples, where that depends on
        how the vertices stand: each look asks it again.
    risk : how probable it may be that any bound ever fails.
    known : what belongs to the means beside the sampled shares, of each vertex or of all.
    """

    def __init__(
        self, means: np.ndarray, squares: np.ndarray, samples: int, targets: Any, risk: float, known: Any = 0.0
    ) -> None:
        self._targets, self._known = targets if callable(targets) else lambda *_: targets, known
        self.targets = self._told(means + known, samples)
        seen = np.flatnonzero(means)
        unseen = means.size - seen.size
        self._row = np.zeros(means.size, np.uint32)
        self._row[seen] = np.arange(1, seen.size + 1)
        target = np.r_[self.targets[np.argmin(means + known)] if self.targets.size > 1 else self.targets,
                       self.targets[seen] if self.targets.size > 1 else np.repeat(self.targets, seen.size)]  # fmt: skip
        mean, square = np.r_[0.0, means[seen]], np.r_[0.0, squares[seen]]
        variance = square - mean * mean
        variance += (UNSEEN + DOUBT * np.sqrt(variance * samples)) / samples
        kinds = np.floor(np.log(gain(variance, target)) / _CLASS).astype(np.int64)
        least = kinds.min()
        how_many = np.bincount(kinds - least, np.r_[unseen, np.ones(seen.size)])
        each = np.exp((least + np.arange(how_many.size)) * _CLASS)
        self.planned, risks = _shared_out(each, how_many, risk)
        certainty = np.log(2 / risks)[kinds - least]
        self._bounds = np.empty((mean.size, 5))
        self._bounds[:, 0] = mean
        rate = target / (variance + target)
        for i, (part, share) in enumerate(((rate, 1 - SECOND), (rate / 2, SECOND))):
            self._bounds[:, 1 + 2 * i] = (certainty - np.log(share)) / part
            self._bounds[:, 2 + 2 * i] = psi(part) / part

    def _told(self, means: np.ndarray, samples: int) -> np.ndarray:
        return np.atleast_1d(np.asarray(self._targets(means, samples), np.float64))

    def look(self, sums: np.ndarray, squares: np.ndarray, samples: int, visited: int) -> Look:
        """What the sums of all workers tell."""
        kept = np.empty((3, sums.shape[1]))
        fill_margins(sums, squares, self._bounds, self._row, float(samples), kept)
        means, margins, variances = kept
        means += self._known
        self.targets = self._told(means, samples)
        needed = pairs_needed(self._bounds, self._row, self.targets, margins, variances)
        return Look(samples, visited, means, margins, needed)


def _shared_out(each: np.ndarray, how_many: np.ndarray, risk: float) -> tuple[int, np.ndarray]:
    """After how many pairs all targets should be reached, and the risk of a vertex of each kind."""
    share = (1 - EVENLY) * risk

    def enough(pairs: float) -> bool:
        return bool((how_many * 2 * np.exp(-pairs * each)).sum() <= share)

    low, high = 0.0, 1.0
    while not enough(high):
        low, high = high, high * 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return int(np.ceil(high)), 2 * np.exp(-high * each) + EVENLY * risk / max(how_many.sum(), 1)


@kernel
def fill_margins(sums, squares, bounds, row, samples, kept):
    """The mean, the margin and the mean square, as the bounds count it, of every vertex."""
    workers, unseen = np.uint64(sums.shape[0]), min(bounds[0, 1], bounds[0, 3]) / samples + _ROUNDING
    for v in range(np.uint64(row.size)):
        total, square = U0, U0
        for worker in range(workers):
            total += sums[worker, v]
            square += squares[worker, v]
        i = np.uint64(row[v])
        if i == U0 and total == U0:  # most vertices: what follows comes to this
            kept[0, v], kept[1, v], kept[2, v] = 0.0, unseen, 0.0
            continue
        c, mean = bounds[i, 0], np.float64(total) / UNIT / samples
        variance = max(np.float64(square) / UNIT / samples - 2 * c * mean + c * c, 0.0)
        one, two = bounds[i, 1] / samples + bounds[i, 2] * variance, bounds[i, 3] / samples + bounds[i, 4] * variance
        kept[0, v], kept[1, v], kept[2, v] = mean, min(one, two) + _ROUNDING, variance


@kernel
def pairs_needed(bounds, row, targets, margins, variances):
    """How many pairs it takes until all margins are within their targets, as variances are now."""
    most = 0.0
    for v in range(np.uint64(row.size)):
        target = targets[v] if targets.size > 1 else targets[0]
        if margins[v] > target:
            i = np.uint64(row[v])
            target -= _ROUNDING
            one, two = bounds[i, 2] * variances[v], bounds[i, 4] * variances[v]
            early = bounds[i, 1] / (target - one) if one < target else np.inf
            late = bounds[i, 3] / (target - two) if two < target else np.inf
            most = max(most, min(early, late))
    return most
