"""Every check of an argument that a user passes: the value in its own type, or an error that says what is allowed.

A message names the argument, the allowed values and the value that was given. The kinds that a signature names (`bool`,
`int | None`, `Literal[...]`) are checked from there, by `base.signatures`; what else there is to say of a value is
checked by a function of this file.
"""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError

WHOLE = 2**63 - 1  # the largest whole number that kernels count with
_SHOWN = 80  # characters of a value in a message


def shown(value: Any) -> str:
    """A value as messages show it: what Python would print, but short, and never an error."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def is_number(value: Any) -> bool:
    """Whether it is a real number, of Python's or NumPy's; True and False are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def is_whole(value: Any) -> bool:
    """Whether it is a whole number in a type for whole numbers; True and False are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidArgumentError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def choice(name: str, value: Any, choices: Sequence[str | None]) -> Any:
    """One of a few words; None where it is among the choices."""
    if not (value is None or isinstance(value, str)) or value not in choices:
        raise InvalidArgumentError(f"{name} must be one of {', '.join(map(str, choices))}; not {shown(value)}")
    return value


def whole_number(name: str, value: Any, low: int = 1, high: int = WHOLE, *, or_none: bool = False) -> Any:
    """A whole number from `low` to `high`, by default the largest that kernels count with; None where allowed."""
    if or_none and value is None:
        return None
    if not is_whole(value) or value < low or value > high:
        span = (
            f"of at least {low}"
            if high == WHOLE and not (is_whole(value) and value > high)
            else f"from {low} to {_in_powers(high)}"
        )
        allowed = f"{span}, or None;" if or_none else f"{span},"
        raise InvalidArgumentError(f"{name} must be a whole number {allowed} not {shown(value)}")
    return int(value)


def _in_powers(high: int) -> str:
    """A large limit as a power of two where it is one, or one less."""
    power = round(math.log2(high)) if high > 2**20 else 0
    return f"2**{power}" if power and high == 2**power else f"2**{power} - 1" if high == 2**power - 1 else str(high)


def number(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
    words: tuple[str, ...] = (),
) -> Any:
    """A finite number from `low` (not itself if `above`) to `high` (not itself if `below`), or one of some words."""
    if isinstance(value, str) and value in words:
        return value
    real = value if type(value) is float else as_float(value) if is_number(value) else math.nan
    if math.isfinite(real) and (real > low if above else real >= low) and (real < high if below else real <= high):
        return real
    raise InvalidArgumentError(f"{name} must be {_range_in_words(low, high, above, below, words)}, not {shown(value)}")


def as_float(value: Any) -> float:
    """A number as a float; infinite where no float is so large."""
    try:
        return float(value)
    except OverflowError:  # a whole number beyond all floats
        return math.inf


def _range_in_words(low: float, high: float, above: bool, below: bool, words: tuple[str, ...]) -> str:
    parts = [f"{word!r} or " for word in words]
    if high == math.inf:
        least = "" if low == -math.inf else f" above {low:g}" if above else f" of at least {low:g}"
        return "".join(parts) + f"a number{least}"
    start = f"above {low:g}" if above else f"from {low:g}"
    return "".join(parts) + f"a number {start} {'up to but not including' if below else 'to'} {high:.10g}"


def vertex(name: str, value: Any, n: int) -> int:
    """A vertex of a graph of n, as its index."""
    if type(value) is int and 0 <= value < n:
        return value
    if not is_whole(value):
        raise InvalidArgumentError(f"{name} must be a vertex number, not {shown(value)}")
    if not 0 <= value < n:
        what = f"0 to {n - 1}" if n else "none: the graph has no vertices"
        raise InvalidArgumentError(f"{name} {value} is not a vertex of this graph ({what})")
    return int(value)


def as_array(name: str, value: Any, what: str = "one row of numbers") -> np.ndarray:
    """What NumPy makes of a value; an error for ragged lists, masks and whatever else is no array."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InvalidArgumentError(f"{name} has masked entries, which no graph has; fill or leave them out first")
    try:
        return np.asarray(value)
    except Exception:  # whatever the value's own __array__ raises
        raise InvalidArgumentError(f"{name} must be {what}, not {shown(value)}") from None


def path_name(name: str, value: Any) -> str:
    """A path of a file, as text."""
    try:
        path = os.fspath(value)
        os.fsencode(path)
    except Exception:  # no path, or half a character, which no name of a file can hold
        path = None
    if not isinstance(path, str) or not path or "\0" in path:
        raise InvalidArgumentError(f"{name} must be the path of a file, not {shown(value)}")
    return path


def vertices(name: str, value: Any, n: int, *, instead: str = "") -> np.ndarray:
    """At least one vertex of a graph of n, each once, as an array of indices; `instead` names what else is allowed."""
    array = as_array(name, value, "an array of vertices")
    if array.ndim != 1 or not (array.size == 0 or np.issubdtype(array.dtype, np.integer)):
        raise InvalidArgumentError(f"{name} must be {instead}an array of vertices; not {shown(value)}")
    twice = array.size > 1 and np.unique(array).size < array.size
    if array.size == 0 or twice or array.min() < 0 or array.max() >= n:
        raise InvalidArgumentError(f"{name} must name at least one vertex, each once, from 0 to {n - 1}")
    return array.astype(np.uint64)


def distribution(name: str, value: Any, n: int, *, normalise: bool) -> np.ndarray:
    """One number for each of n vertices, none negative, divided by their sum where asked; or {vertex: number}."""
    if isinstance(value, Mapping):
        value = _spread_out(name, value, n)
    try:
        made = np.array(as_array(name, value), np.float64)
    except (TypeError, ValueError, OverflowError):
        made = np.full(n, np.nan)
    if made.shape != (n,) or not np.isfinite(made).all() or made.min(initial=0) < 0:
        raise InvalidArgumentError(f"{name} must hold {n} finite numbers that are not negative, one for each vertex")
    total = made.sum()
    if n and not 0 < total < np.inf:
        raise InvalidArgumentError(f"{name} must have a finite sum above 0")
    return made / total if normalise and n else made


def _spread_out(name: str, given: Mapping[Any, Any], n: int) -> np.ndarray:
    made = np.zeros(n)
    for v, amount in given.items():
        if not is_whole(v) or not 0 <= v < n:
            raise InvalidArgumentError(f"{name} names {shown(v)}, which is no vertex of this graph of {n}")
        made[v] = as_float(amount) if is_number(amount) else np.nan
    return made
