"""The seeds and the random streams of the generators: a number for each use, so that no two share random bits."""

from __future__ import annotations

from typing import Any

from nearly.base.arguments import whole_number

EDGES, ORDER, INSIDE, ACROSS, REWIRED, SIDES, POINTS, LABELS, COUNTS, WEIGHTS = range(1, 11)


def seed_of(value: Any) -> int:
    """A seed: any 64-bit word."""
    return whole_number("seed", value, 0, 2**64 - 1)
