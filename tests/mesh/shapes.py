"""Points and polygons that are hard on a triangulation."""

from __future__ import annotations

import numpy as np


def grid(side: int = 12) -> np.ndarray:
    return np.stack(np.meshgrid(np.arange(side, dtype=float), np.arange(side, dtype=float)), axis=-1).reshape(-1, 2)


def circle(n: int = 120) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def nasty() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3).random
    return {
        "random": random((300, 2)),
        "grid": grid(),
        "twin grid": np.concatenate([grid(6), grid(6) + np.array([0.01, 0.0])]),
        "circle": circle(),
        "circle with a point": np.concatenate([circle(), [[0.1, 0.01]]]),
        "duplicates": np.repeat(random((40, 2)), 3, axis=0),
        "sliver": np.array([(0, 0), (1, 0), (2, 1e-9), (1, 0.5)]),
        "one triangle": np.array([(0, 0), (1, 0), (0.3, 0.9)]),
        "sharp triangle": np.array([(0, 0), (10, 0), (10, 0.1)]),
        "needle": np.array([(0, 0), (1, 0), (1, 1e-6)]),
        "a line and a point": np.array([*((x, 0) for x in range(30)), (15, 1)], float),
        "scale 1e9": random((150, 2)) * 1e9 + 1e9,
        "scale 1e-9": random((150, 2)) * 1e-9,
        "far away": random((150, 2)) + 1e7,
        "cluster": np.concatenate([random((100, 2)), random((100, 2)) * 1e-6 + 0.5]),
    }


def ring(outer: int = 24, inner: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A disc with a round hole: points, segments, holes."""
    points = np.concatenate([circle(outer), 0.4 * circle(inner) + [0.2, 0.0]])
    first = np.stack([np.arange(outer), (np.arange(outer) + 1) % outer], axis=1)
    second = outer + np.stack([np.arange(inner), (np.arange(inner) + 1) % inner], axis=1)
    return points, np.concatenate([first, second]), np.array([[0.2, 0.0]])
