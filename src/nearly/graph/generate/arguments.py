"""Arguments are checked before anything is made; a message names the argument and what it may be."""

from __future__ import annotations

import math
import numbers
from typing import Any

from nearly.base.errors import InvalidArgumentError

MOST = 2**60  # no machine holds so much; keeps edge numbers and products within 64 bits


def whole(name: str, value: Any, low: int, high: int = MOST) -> int:
    """A whole number from `low` to `high`; numpy's integers are welcome, booleans are not."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not low <= int(value) <= high:
        raise InvalidArgumentError(f"{name} must be a whole number from {low} to {_shown(high)}, not {value!r}")
    return int(value)


def real(name: str, value: Any, low: float, high: float) -> float:
    """A number from `low` to `high`; never NaN."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not low <= value <= high:
        raise InvalidArgumentError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
    return float(value)


def chance(name: str, value: Any) -> float:
    """A probability."""
    return real(name, value, 0, 1)


def switch(name: str, value: Any) -> bool:
    """True or False, and nothing that merely looks like it."""
    if not isinstance(value, bool):
        raise InvalidArgumentError(f"{name} must be True or False, not {value!r}")
    return value


def one_of(name: str, value: Any, allowed: tuple[str | None, ...]) -> Any:
    """One of a few words; None where `allowed` holds it."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise InvalidArgumentError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def seed_of(value: Any) -> int:
    """A seed: any 64-bit word."""
    return whole("seed", value, 0, 2**64 - 1)


def _shown(limit: int) -> str:
    power = round(math.log2(limit)) if limit > 2**20 else 0
    return f"2**{power}" if power and limit == 2**power else f"2**{power} - 1" if limit == 2**power - 1 else str(limit)
