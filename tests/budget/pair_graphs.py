"""Small graphs on which bounds of sampled pairs are tried: those that are hard for them, each with its exact scores."""

from __future__ import annotations

from functools import cache

import numpy as np

import nearly
from nearly import Graph


def star(n=40):
    return Graph.from_edges(np.zeros(n - 1, int), np.arange(1, n), directed=False)


def barbell(n=12):
    one = np.array([(i, j) for i in range(n) for j in range(i)])
    both = np.r_[one, one + n, [(0, n)]]
    return Graph.from_edges(both[:, 0], both[:, 1], directed=False)


def tail(n=30, clique=8):
    one = np.array([(i, j) for i in range(clique) for j in range(i)])
    line = np.array([(i, i + 1) for i in range(clique - 1, n - 1)])
    both = np.r_[one, line]
    return Graph.from_edges(both[:, 0], both[:, 1], directed=False)


def dust(n=60):
    return Graph.from_edges(np.arange(0, n, 3), np.arange(1, n, 3), n=n)


def ring(n=40):
    return Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, directed=False)


def heavy(n=40):
    rng = np.random.default_rng(3)
    return Graph.from_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), rng.integers(1, 4, 3 * n), n=n)


def leaves(n=60):
    """A core of random edges with trees that hang from it, most of them from two of its vertices."""
    rng = np.random.default_rng(4)
    core, rest = n // 4, np.arange(n // 4, n)
    hung = np.where(rng.random(rest.size) < 0.7, rng.integers(0, 2, rest.size), rng.integers(0, rest))
    src, dst = np.r_[rng.integers(0, core, 2 * core), rest], np.r_[rng.integers(0, core, 2 * core), hung]
    return Graph.from_edges(src, dst, n=n, directed=False)


CLASSES = {
    "star": star, "barbell": barbell, "tail": tail, "dust": dust, "ring": ring, "heavy": heavy, "leaves": leaves,
}  # fmt: skip


@cache
def truth(name):
    g = CLASSES[name]()
    return g, nearly.betweenness(g, weights=g.weighted).values
