"""The mean over a population whose members lie between known bounds, from a few draws and with the help of predictions.

A member s has a share p(s) of the mean A, and a value x(s) from low(s) to high(s) that is known once s is drawn.
Members are drawn with chances in proportion to p(s) w(s), w = high - low. With any prediction f(s) between the bounds

    z = (x(s) - f(s)) / w(s)   of a draw has the mean   (A - F) / W,   F and W the means of f and w over the population,

and lies between -a and 1 - a, where a = (f - low) / w is kept from EDGE to 1 - EDGE. So a capital that is multiplied by
1 + l (z - (A - F) / W) at each draw, with a bet l at most just below 1 / (1 - EDGE + (A - F) / W), never falls below 0
and stays the same on average; by Ville's inequality it ever comes to 2 / doubt with a probability of at most doubt / 2.
Means A for which it would have are left out from below, and those of the opposite bets from above: what is between
holds A at every moment with probability 1 - doubt (Waudby-Smith and Ramdas 2024). Prediction and bets of a draw rest
on the draws before it alone, so that they may be fitted to them: here by least squares on features of the members,
which leaves little to be drawn for where the features tell the values. The first FIRST draws are for fitting only.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.budget.mean_distance_kernels import predicted_mean

EDGE = 0.2
FIRST = 24
_FITS = 2.0  # predictions are made again after so many times the draws
_RIDGE = 1e-3
_CAREFUL = 0.98  # of the largest bet


class SteeredMean:
    """See the top of the file.

    Parameters
    ----------
    low, high : ndarray
        Bounds of the members' values.
    share : ndarray
        What part of the mean a member is; they add up to 1.
    features : ndarray
        A row for each feature of the members.
    doubt : float
        The probability with which the bounds may fail.
    aim : float
        The relative error to be reached, which says how much to bet; None where it is as small as can be.
    """

    def __init__(
        self,
        low: np.ndarray,
        high: np.ndarray,
        share: np.ndarray,
        features: np.ndarray,
        doubt: float,
        aim: float | None,
    ) -> None:
        self.low, self.width, self.share, self.features = low, high - low, share, features
        self.base, self.mean_width = float(share @ low), float(share @ self.width)
        self._upto = np.cumsum(share * self.width)
        self._last = int(np.flatnonzero(self.width * share)[-1]) if self.mean_width > 0 else 0
        self._log, self._aim = math.log(2 / doubt), aim
        self.places, self.values = np.empty(0, np.int64), np.empty(0)
        self._far, self._bets = np.empty(0), np.empty(0)  # z + F / W of each draw, and what is bet on it
        self._shift = np.empty(0)  # F / W
        self._fitted, self._bet, self._mean = 0, 0.0, 0.0
        self._weights = np.zeros(features.shape[0])  # of the features, in a prediction

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """The next members."""
        at = np.searchsorted(self._upto, random.random(count) * self._upto[-1], side="right")
        return np.minimum(at, self._last)

    def add(self, places: np.ndarray, values: np.ndarray) -> None:
        """Take in the values of members, in the order in which they were drawn."""
        while places.size:
            until = FIRST if self.places.size < FIRST else math.ceil(_FITS * self._fitted)
            part = min(max(until - self.places.size, 1), places.size)
            self._take(places[:part], values[:part])
            places, values = places[part:], values[part:]
            if self.places.size >= (_FITS * self._fitted if self._fitted else FIRST):
                self._fit()

    def _take(self, places: np.ndarray, values: np.ndarray) -> None:
        shift = (self._mean - self.base) / self.mean_width if self._fitted else 0.0
        self._far = np.r_[self._far, self._off(places, values) + shift]
        self._shift = np.r_[self._shift, np.full(places.size, shift)]
        self._bets = np.r_[self._bets, np.full(places.size, self._bet)]
        self.places, self.values = np.r_[self.places, places], np.r_[self.values, values]

    def _off(self, places: np.ndarray, values: np.ndarray) -> np.ndarray:
        """z: how far the values are from their predictions, in widths between their bounds."""
        low, width = self.low[places], self.width[places]
        inside = np.clip((self._weights @ self.features[:, places] - low) / width, EDGE, 1 - EDGE)
        return np.clip((values - low) / width, 0.0, 1.0) - inside

    def _fit(self) -> None:
        """Predictions and the bet by the draws so far."""
        x = self.features[:, self.places]
        ridge = _RIDGE * np.eye(x.shape[0])
        self._weights = np.linalg.solve(x @ x.T + ridge, x @ self.values)
        bounds = self.low, self.width, self.share
        self._mean, self._fitted = predicted_mean(self.features, self._weights, bounds, EDGE), self.places.size
        seen = self._off(self.places, self.values)
        spread = float(seen @ seen) / seen.size + 1 / seen.size**2
        off = math.sqrt(2 * spread * self._log / max(2 * seen.size, 256))
        if self._aim is not None:
            off = self._aim * (self._mean + self.mean_width * float(seen.mean())) / self.mean_width
        self._bet = off / (spread + off * off)

    def interval(self) -> tuple[float, float]:
        """Between which the mean lies."""
        return self._edge(1.0), self._edge(-1.0)

    def _edge(self, side: float) -> float:
        """The largest mean that is left out from below (side 1), or the smallest from above (side -1), by bisection."""
        out, within = (0.0, 1.0) if side > 0 else (1.0, 0.0)
        for _ in range(60):
            middle = (out + within) / 2
            out, within = (middle, within) if self._capital(middle, side) >= self._log else (out, middle)
        return self.base + self.mean_width * out

    def _capital(self, place: float, side: float) -> float:
        """The logarithm of the capital, were the mean at this place between the mean bounds, from 0 to 1.

        It falls as the place moves towards the draws' own mean, whatever bound the bets have, so that bisection finds
        where it crosses.
        """
        rest = place - self._shift
        least = (1 - EDGE + rest) if side > 0 else (1 - EDGE - rest)  # how far a draw may be on the losing side
        bets = np.minimum(self._bets, _CAREFUL / np.maximum(least, 1e-12))
        return float(np.log1p(side * bets * (self._far - place)).sum())
