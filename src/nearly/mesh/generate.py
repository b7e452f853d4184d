"""Points to triangulate: uniform in a square, uniform in a disc, or a jittered grid."""

from __future__ import annotations

import numpy as np

from nearly.base.memory import require


def uniform(n: int, seed: int = 1) -> np.ndarray:
    """n points, uniform in the unit square.

    >>> uniform(4).shape
    (4, 2)
    """
    require(16 * n, "the points")
    return np.random.default_rng(seed).random((n, 2))


def disc(n: int, seed: int = 1) -> np.ndarray:
    """n points, uniform in the unit disc."""
    radius, turn = uniform(n, seed).T
    angle = 2 * np.pi * turn
    return np.sqrt(radius)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def jittered(n: int, seed: int = 1) -> np.ndarray:
    """About n points (the next square number below or above) near those of a grid in the unit square."""
    side = max(2, round(n**0.5))
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return (grid + 0.4 * uniform(side * side, seed)) / side
