"""Weights of edges in one of the few types kernels are compiled for: uint32, float32, float64.

Whole numbers that fit become uint32, other numbers float32; float64 only where it is asked for, or where whole
numbers are too large for a float32 to tell them apart. What callers may want otherwise is refused by default and
said in the error: negative weights (`negative="keep"`), NaN and infinite ones (`nan="drop"`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.arguments import choice, shown
from nearly.base.errors import InvalidArgumentError, InvalidGraphError

_WEIGHT_TYPES = ("uint32", "float32", "float64")


def checked_weights(
    weights: np.ndarray, negative: str = "reject", nan: str = "reject", dtype: Any = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Weights of a kernel type, and the mask of edges that stay where some are dropped."""
    choice("negative", negative, ("reject", "keep"))
    choice("nan", nan, ("reject", "drop"))
    if dtype is not None and _type_name(dtype) not in _WEIGHT_TYPES:
        raise InvalidArgumentError(f"weight_dtype must be one of {', '.join(_WEIGHT_TYPES)}; not {shown(dtype)}")
    if weights.dtype.kind not in "buif":
        raise InvalidGraphError(f"weights must be numbers, not {weights.dtype}")
    keep = None
    if weights.dtype.kind == "f" and not np.isfinite(weights).all():
        finite = np.isfinite(weights)
        if nan == "reject":
            at = int(np.argmin(finite))
            raise InvalidGraphError(
                f"the weight of edge {at} is {weights[at]}; pass nan='drop' to leave such edges out"
            )
        keep, weights = finite, weights[finite]
    low = weights.min() if weights.size else 0
    if low < 0 and negative == "reject":
        at = int(np.argmin(weights))
        raise InvalidGraphError(f"edge {at} has the negative weight {weights[at]}; pass negative='keep' to allow it")
    return _as_kernel_type(weights, low, dtype), keep


def _type_name(dtype: Any) -> str:
    try:
        return np.dtype(dtype).name
    except Exception:  # no type at all
        return ""


def _as_kernel_type(weights: np.ndarray, low: Any, dtype: Any) -> np.ndarray:
    high = weights.max() if weights.size else 0
    whole = weights.dtype.kind in "bui"
    if dtype is None:
        fits = low >= 0 and high < 2**32
        dtype = (
            np.uint32
            if whole and fits
            else np.float64
            if whole and max(abs(int(low)), int(high)) > 2**24
            else np.float32
        )
    if np.dtype(dtype) == np.uint32 and (low < 0 or high >= 2**32 or (not whole and (weights % 1).any())):
        raise InvalidGraphError("weight_dtype='uint32' needs whole numbers from 0 to 4294967295")
    with np.errstate(over="ignore"):  # a decimal a little above the largest float32 still rounds to it
        largest = np.float32(max(abs(float(low)), abs(float(high))))
    if np.dtype(dtype) == np.float32 and not np.isfinite(largest):
        raise InvalidGraphError("a weight is too large for float32; pass weight_dtype='float64'")
    return np.ascontiguousarray(weights, dtype)


def room_for_sums(weights: np.ndarray, duplicates: str | None) -> np.ndarray:
    """Weights that are to be summed, in a type that holds their sums; for float64 see `check_sums`."""
    if duplicates != "sum" or weights.dtype == np.float64:
        return weights
    most = 2**32 if weights.dtype == np.uint32 else float(np.finfo(np.float32).max)
    total = np.abs(weights).sum(dtype=np.uint64 if weights.dtype == np.uint32 else np.float64)
    return weights.astype(np.float64) if total >= most else weights


def check_sums(weights: np.ndarray, duplicates: str | None) -> None:
    """An error if a sum of parallel edges' weights is larger than its type."""
    if duplicates == "sum" and weights.dtype.kind == "f" and not np.isfinite(weights).all():
        wider = "; pass weight_dtype='float64'" if weights.dtype == np.float32 else "; divide the weights first"
        raise InvalidGraphError(f"weights of parallel edges add up to more than {weights.dtype} holds{wider}")
