"""Distances between two arrays of values: norms of the difference, and relative errors of path lengths.

Two equal values do not differ, even if they are infinite; a NaN on either side makes an infinite difference.
A vertex is reached if its distance is finite, or its level not negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.accuracy.inputs import two_arrays


def l1(exact: Any, approx: Any) -> float:
    """The sum of the absolute differences.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The norm, from 0; infinite if a value is not a number.

    Examples
    --------
    >>> l1([0.5, 0.25, 0.25], [0.5, 0.5, 0.0])
    0.5
    """
    return float(_gaps(*two_arrays(exact, approx)).sum())


def l2(exact: Any, approx: Any) -> float:
    """The square root of the sum of the squared differences.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The norm, from 0; infinite if a value is not a number.

    Examples
    --------
    >>> l2([3.0, 0.0], [0.0, 4.0])
    5.0
    """
    gaps = _gaps(*two_arrays(exact, approx))
    scale = gaps.max(initial=0.0)
    if scale == 0.0 or scale == np.inf:
        return float(scale)
    return float(scale * np.sqrt(np.square(gaps / scale).sum()))  # scaled, so that no square overflows or vanishes


def linf(exact: Any, approx: Any) -> float:
    """The largest absolute difference.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The norm, from 0; infinite if a value is not a number.

    Examples
    --------
    >>> linf([1.0, 2.0], [1.0, 2.5])
    0.5
    """
    return float(_gaps(*two_arrays(exact, approx)).max(initial=0.0))


def relative_l1(exact: Any, approx: Any) -> float:
    """The sum of the absolute differences over that of the exact values; against an exact 0, it is 0 if equal, else 1.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The error, from 0.

    Examples
    --------
    >>> relative_l1([3.0, 1.0], [2.0, 1.0])
    0.25
    """
    one, other = two_arrays(exact, approx)
    return relative(float(_gaps(one, other).sum()), float(np.abs(one.astype(np.float64)).sum()))


def relative(gap: float, size: float) -> float:
    """A difference over the size it is compared with; where that is 0, any difference counts 1."""
    if gap == 0.0 or size == 0.0:
        return float(gap != 0.0)
    return gap / abs(size) if np.isfinite(size) else float("inf")


def relative_errors(exact: Any, approx: Any) -> np.ndarray:
    """`|approx - exact| / exact` for each vertex of a search.

    A vertex reached by one and not by the other counts 1, one reached by neither 0; at an exact 0 (the source) the
    error is 0 if the other is 0 too, else 1.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    numpy.ndarray of float64
        The error of each vertex, from 0.

    Examples
    --------
    >>> relative_errors([0, 2, 4, -1], [0, 3, -1, -1]).tolist()
    [0.0, 0.5, 1.0, 0.0]
    """
    one, other = two_arrays(exact, approx)
    here, there = _reached(one), _reached(other)
    errors = (here != there).astype(np.float64)
    if one.dtype.kind == "f" or other.dtype.kind == "f":
        errors[np.isnan(one) | np.isnan(other)] = 1.0
    both = np.flatnonzero(here & there)
    true = np.abs(one[both].astype(np.float64))
    gaps = _gaps(one[both], other[both])
    with np.errstate(over="ignore"):
        errors[both] = np.divide(gaps, true, out=(gaps > 0).astype(np.float64), where=true > 0)
    return errors


def mean_relative_error(exact: Any, approx: Any) -> float:
    """The mean of `relative_errors` over all vertices.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The mean, from 0; 0 without vertices.

    Examples
    --------
    >>> mean_relative_error([0, 2, 4, -1], [0, 3, 4, -1])
    0.125
    """
    errors = relative_errors(exact, approx)
    return float(errors.mean()) if errors.size else 0.0


def p95_relative_error(exact: Any, approx: Any) -> float:
    """The 95th percentile of `relative_errors`: 95 of 100 errors are not larger.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The 95th percentile, from 0; 0 without vertices.

    Examples
    --------
    >>> p95_relative_error([0] + [2] * 99, [0] + [2] * 98 + [4])
    0.0
    """
    errors = relative_errors(exact, approx)
    return float(np.percentile(errors, 95, method="higher")) if errors.size else 0.0


def max_relative_error(exact: Any, approx: Any) -> float:
    """The largest of `relative_errors`.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    float
        The maximum, from 0; 0 without vertices.

    Examples
    --------
    >>> max_relative_error([0, 2, 4], [0, 3, 4])
    0.5
    """
    return float(relative_errors(exact, approx).max(initial=0.0))


def reachability_mismatches(exact: Any, approx: Any) -> int:
    """How many vertices one of the two reaches and the other does not.

    Parameters
    ----------
    exact, approx : Result or array
        The exact answer and the other: results of one algorithm, or arrays of one length.

    Returns
    -------
    int
        The number of vertices.

    Examples
    --------
    >>> reachability_mismatches([0, 1, 2, -1], [0, 1, -1, 5])
    2
    """
    one, other = two_arrays(exact, approx)
    return int(np.count_nonzero(_reached(one) != _reached(other)))


def _gaps(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """|one - other| as float64: 0 where equal, infinite where either is NaN."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.abs(one - other)
    odd = np.isnan(gaps)
    if odd.any():
        gaps[odd] = np.where(one[odd] == other[odd], 0.0, np.inf)
    return gaps


def _reached(values: np.ndarray) -> np.ndarray:
    return np.isfinite(values) if values.dtype.kind == "f" else values >= 0
