"""Points to triangulate: uniform in a square, uniform in a disc, or a jittered grid."""

from __future__ import annotations

import numpy as np

from nearly.base.memory import require


def uniform(n: int, seed: int = 1) -> np.ndarray:
    """Points uniform in the unit square.

    Parameters
    ----------
    n : int
        How many points.
    seed : int, default 1
        The same seed gives the same points.

    Returns
    -------
    ndarray, shape (n, 2)
        Coordinates.

    Examples
    --------
    >>> uniform(4).shape
    (4, 2)
    """
    require(16 * n, "the points")
    return np.random.default_rng(seed).random((n, 2))


def disc(n: int, seed: int = 1) -> np.ndarray:
    """Points uniform in the unit disc.

    Parameters
    ----------
    n : int
        How many points.
    seed : int, default 1
        The same seed gives the same points.

    Returns
    -------
    ndarray, shape (n, 2)
        Coordinates.

    Examples
    --------
    >>> bool((disc(100) ** 2).sum(axis=1).max() <= 1)
    True
    """
    radius, turn = uniform(n, seed).T
    angle = 2 * np.pi * turn
    return np.sqrt(radius)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def jittered(n: int, seed: int = 1) -> np.ndarray:
    """Points near those of a grid in the unit square.

    Parameters
    ----------
    n : int
        About how many points: the square number nearest in its root is taken.
    seed : int, default 1
        The same seed gives the same points.

    Returns
    -------
    ndarray, shape (m, 2)
        Coordinates.

    Examples
    --------
    >>> len(jittered(10))
    9
    """
    side = max(2, round(n**0.5))
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return (grid + 0.4 * uniform(side * side, seed)) / side
