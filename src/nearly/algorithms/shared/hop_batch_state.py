"""What searches from many sources at once work on; see `hop_batch_kernels`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Desk(NamedTuple):
    """What a worker searches with; of zeros between batches, but for the lists."""

    seen: np.ndarray  # uint64[n * LANES]: which sources have reached a vertex
    front: np.ndarray  # the same for this level
    following: np.ndarray  # and for the next
    here: np.ndarray  # vertices with a word in front
    there: np.ndarray  # and in the next level
    planes: np.ndarray  # uint64[PLANES * LANES]


class AtVertices(NamedTuple):
    """Sums over the sources that reach a vertex, the vertex itself not among them; of length 0 where not wanted."""

    reached: np.ndarray  # uint64[n]: how many there are
    total: np.ndarray  # uint64[n]: the sum of their distances
    second: np.ndarray  # uint64[n]: the sum of their squares
    inverse: np.ndarray  # uint64[n]: the sum of unit / distance
    square: np.ndarray  # uint64[n]: the sum of unit / distance**2
    farthest: np.ndarray  # uint32[n]: the largest distance


class AtSources(NamedTuple):
    """Sums over the vertices that a source reaches, itself not among them; of length 0 where not wanted."""

    reached: np.ndarray
    total: np.ndarray
    farthest: np.ndarray
    hops: np.ndarray  # uint64[levels]: pairs at each distance, as many distances as there is room for
    profile: np.ndarray  # uint64[sources, levels]: the same for each source


class Both(NamedTuple):
    """Rows of a graph and of its reverse."""

    offsets: np.ndarray
    targets: np.ndarray
    back_offsets: np.ndarray
    back_targets: np.ndarray


class Table(NamedTuple):
    """What all workers search at together; whatever a batch left in it."""

    seen: np.ndarray  # uint64[n * LANES], as at a desk
    front: np.ndarray
    following: np.ndarray
    here: np.ndarray
    there: np.ndarray
    marked: np.ndarray  # uint64[2, words]: bitmaps of the vertices in front, and of those found
    planes: np.ndarray  # uint64[workers, PLANES * LANES]
    cuts: np.ndarray  # uint64[pieces + 1]: pieces of the bitmap's words, of about as many arcs each
