"""Checks of what metrics get: two results, or two arrays, that belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine.result import Result


def array_of(answer: Any, what: str = "a result's values") -> np.ndarray:
    """The values of a result, or the array itself: one dimension of numbers."""
    values = np.asarray(answer.values if isinstance(answer, Result) else answer)
    if values.ndim == 1 and not values.size:
        return values if values.dtype.kind in "biuf" else np.empty(0)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise InvalidArgumentError(
            f"{what} must be real numbers in one dimension, not {values.dtype} of shape {values.shape}"
        )
    return values


def two_arrays(exact: Any, approx: Any) -> tuple[np.ndarray, np.ndarray]:
    """The values of both, of one algorithm and of one length."""
    check_algorithms(exact, approx)
    one, other = array_of(exact), array_of(approx)
    if one.size != other.size:
        raise InvalidArgumentError(
            f"the two results must have as many values as each other, not {one.size:,} and {other.size:,}"
        )
    return one, other


def check_algorithms(exact: Any, approx: Any) -> None:
    """Refuse results of two algorithms; arrays may be of any."""
    if isinstance(exact, Result) and isinstance(approx, Result) and exact.algorithm != approx.algorithm:
        raise InvalidArgumentError(
            f"the two results must come from one algorithm, not {exact.algorithm!r} and {approx.algorithm!r}"
        )


def check_size(values: np.ndarray, wanted: int, what: str = "values") -> None:
    """Refuse what is not one value per vertex; looking things up in the graph relies on it."""
    if values.size != wanted:
        raise InvalidArgumentError(f"there must be one of the {what} per vertex, {wanted:,}, not {values.size:,}")
