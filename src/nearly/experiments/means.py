"""How cells are averaged: speedups geometrically, errors arithmetically."""

from __future__ import annotations

import math
from collections.abc import Iterable


def geometric(numbers: Iterable[float]) -> float:
    """The geometric mean; 0 of none.

    >>> geometric([1, 4])
    2.0
    """
    values = list(numbers)
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else 0.0


def arithmetic(numbers: Iterable[float]) -> float:
    """The mean; 0 of none."""
    values = list(numbers)
    return sum(values) / len(values) if values else 0.0
