"""Graphs made to order, each deterministic for a seed whatever the number of threads.

Nothing here imports numba until a graph is made, so that the functions' signatures (from which the
command line makes its options) are cheap to look at.
"""

from nearly.graph.generate.geometric import geometric, geometric_points
from nearly.graph.generate.grid import grid
from nearly.graph.generate.planted import planted_labels, planted_partition
from nearly.graph.generate.random_weights import with_weights
from nearly.graph.generate.rmat import rmat
from nearly.graph.generate.smallworld import smallworld
from nearly.graph.generate.uniform_random import random

__all__ = [
    "geometric",
    "geometric_points",
    "grid",
    "planted_labels",
    "planted_partition",
    "random",
    "rmat",
    "smallworld",
    "with_weights",
]
