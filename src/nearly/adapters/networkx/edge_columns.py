"""Edge attributes as NetworkX keeps them, turned into numbers that kernels take without changing a value."""

from __future__ import annotations

from typing import Any

import numpy as np

_EXACT_IN_FLOAT = 2**53


def values_of(data: list[dict], attribute: str, default: Any) -> list[Any] | None:
    """One attribute of each dictionary; None where no dictionary has it and the default is 1."""
    if default == 1 and not any(data):
        return None
    try:
        return [d[attribute] for d in data]
    except KeyError:
        values = [d.get(attribute, default) for d in data]
    return None if default == 1 and not any(attribute in d for d in data) else values


def least_of(parallel: list[dict], attribute: str, default: Any) -> list[Any]:
    """The least value of one attribute over the edges between two nodes, for each pair."""
    try:
        return [min(data.get(attribute, default) for data in edges.values()) for edges in parallel]
    except TypeError:
        raise NotImplementedError(f"the edge attribute {attribute!r} holds other things than numbers") from None


def as_numbers(values: list[Any], attribute: str) -> np.ndarray:
    """Values as int64 or float64, if they are numbers that float64 holds exactly."""
    try:
        array = np.array(values)
    except (ValueError, OverflowError):
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf" or array.ndim != 1:
        raise NotImplementedError(f"the edge attribute {attribute!r} holds other things than numbers")
    if array.size and not (np.abs(array.astype(np.float64)) < _EXACT_IN_FLOAT).all():
        raise NotImplementedError(f"the edge attribute {attribute!r} holds NaN or numbers of 2**53 or more")
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def kernel_type(weights: np.ndarray) -> np.ndarray:
    """Weights as uint32 where they are whole and fit, else as float64."""
    whole = weights.dtype.kind in "iu" and (not weights.size or (weights.min() >= 0 and weights.max() < 2**32))
    return weights.astype(np.uint32 if whole else np.float64)
