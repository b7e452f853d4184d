"""Which vertices lead: overlap of the leading vertices, and rank correlation.

Scores often tie (vertices of zero betweenness, pages without links to them), so that "the first k" is rarely one set.
For the approximation it is the list that a reader would get: the k greatest, the smaller number first among equals. For
the exact scores it is every set that is as good.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.inputs import two_arrays
from nearly.base.arguments import whole_number

RANKED = 10_000  # so many leading vertices are ranked; the order among millions of equals below says nothing


def top_k_overlap(exact: Any, approx: Any, k: int) -> float:
    """The share of the approximation's first k vertices that belong there; 1 where there is nothing to rank.

    Vertices that tie for the last places of the exact first k are equally right. A k above n means n.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.
    k : int
        How many vertices to look at, at least 1.

    Returns
    -------
    float
        The share, from 0 to 1.

    Examples
    --------
    >>> top_k_overlap([5, 4, 3, 2], [5, 1, 4, 2], k=2)
    0.5
    """
    one, other = two_arrays(exact, approx)
    k = min(whole_number("k", k), one.size)
    if k == 0:
        return 1.0
    last = np.partition(one, one.size - k)[one.size - k]
    above, chosen = int(np.count_nonzero(one > last)), one[leading(other, k)]
    right = int(np.count_nonzero(chosen > last)) + min(int(np.count_nonzero(chosen == last)), k - above)
    return right / k


def kendall_tau(exact: Any, approx: Any, top: int = RANKED) -> float:
    """Kendall's rank correlation (tau-b) of the `top` vertices with the greatest exact values, or of all if fewer.

    1: the same order, 0: unrelated, -1: reversed. Where one side ranks nothing (all values equal, or fewer than two
    vertices) it is 1 if the other does not either, else 0.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.
    top : int, default 10000
        How many vertices to rank, at least 2.

    Returns
    -------
    float
        The correlation, from -1 to 1.

    Examples
    --------
    >>> kendall_tau([1, 2, 3, 4], [10, 20, 30, 40]), kendall_tau([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    one, other = two_arrays(exact, approx)
    whole_number("top", top, 2)
    if one.size > top:
        chosen = leading(one, int(top))
        one, other = one[chosen], other[chosen]
    flat = [values.size < 2 or bool((values == values[0]).all()) for values in (one, other)]
    if any(flat):
        return float(all(flat))
    if any(values.dtype.kind == "f" and np.isnan(values).any() for values in (one, other)):
        return 0.0  # NaN has no rank
    from scipy.stats import kendalltau

    return float(np.clip(kendalltau(one, other).statistic, -1.0, 1.0))


def leading(values: np.ndarray, k: int) -> np.ndarray:
    """The k vertices of greatest value, the smaller number first among equals, ascending; NaN comes last."""
    if values.dtype.kind == "f" and np.isnan(values).any():
        values = np.where(np.isnan(values), -np.inf, values)
    last = np.partition(values, values.size - k)[values.size - k]
    above, equal = np.flatnonzero(values > last), np.flatnonzero(values == last)
    return np.sort(np.concatenate([above, equal[: k - above.size]]))
