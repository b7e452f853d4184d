"""Trials of wedges up to the look that will be content, in one compiled call.

Looks at a share are agreed on beforehand, each with a bound of its own that holds together with all others
(`stopping.looks`), so that it is free to leave out some of them, whatever the outcomes so far. Here only those are
taken for which the normal approximation, with its term for skewness, says that the exact binomial bound will be narrow
enough; the caller computes that bound then, and goes on where it is not.
"""

from __future__ import annotations

import math

import numpy as np

from nearly.base.jit import kernel
from nearly.budget.wedge_kernels import FAILED, NO_COUNT, key_of, one_trial

Looks = list[tuple[int, float]]


def look_table(looks: Looks, error: float) -> np.ndarray:
    """A row for each look: after how many trials, the normal deviation of its doubt, and the error to be reached."""
    from scipy.special import ndtri

    return np.array([(size, -ndtri(part / 2), error) for size, part in looks], np.float64)


def likely_trials(share: float, looks: Looks, error: float) -> int:
    """After how many trials the sampling of about this share will end."""
    table = look_table(looks, error)
    for row in table:
        if likely_error(share, row[0], row[1]) <= error:
            return int(row[0])
    return int(table[-1, 0])


@kernel
def likely_error(share, trials, deviation):
    """About how wide the exact binomial bound will be, to its wider side; within a tenth of it.

    Where nothing at all has been found, the normal approximation is far off: the bound is then log(2 / doubt) / trials,
    about, and half the square of the deviation and 2 are as much.
    """
    square = deviation * deviation
    skew = (2 * square + 1) / 6 * abs(1 - 2 * share) + 0.5
    return max(deviation * math.sqrt(share * (1 - share) / trials) + skew / trials, (square / 2 + 2) / trials)


@kernel
def count_until(wedges, drawn, closed, table):
    """Trials from `drawn.first` on until a look of `table`, or the last; returns how many were closed and done.

    `closed` is how many were before. NO_COUNT instead where a trial finds no wedge at all.
    """
    way, vertex, key, at = drawn
    for j in range(np.uint64(table.shape[0])):
        size = np.uint64(table[j, 0])
        for i in range(at, size):
            outcome = one_trial(wedges, way, vertex, key_of(key, i))
            if outcome == FAILED:
                return NO_COUNT, at
            closed += np.uint64(outcome)
        at = max(at, size)
        if likely_error(np.float64(closed) / table[j, 0], table[j, 0], table[j, 1]) <= table[j, 2]:
            break
    return closed, at
