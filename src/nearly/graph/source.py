"""Where edges come from: anything that can hand out its edges in chunks, twice, in the same order.

Arrays, files and counter-based generators all qualify, so that one builder (count, then place)
serves them all without ever holding a second copy of the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

CHUNK = 1 << 22  # edges a chunk: small enough for buffers, large enough to keep all threads busy


class Chunk(NamedTuple):
    """Some edges: endpoints of one unsigned type (uint32 or uint64), and weights of a kernel type or None."""

    src: np.ndarray
    dst: np.ndarray
    weights: np.ndarray | None


class EdgeSource(Protocol):
    """Edges that can be read more than once."""

    @property
    def edges(self) -> int:
        """How many edges all chunks hold together (for progress; may be an estimate)."""

    @property
    def weight_dtype(self) -> np.dtype | None:
        """uint32, float32 or float64; None where there are no weights."""

    def chunks(self) -> Iterator[Chunk]:
        """The edges in order, the same at every call. A chunk may be overwritten once the next is asked for."""


class ArraySource:
    """Edges that lie in memory."""

    def __init__(self, src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None = None) -> None:
        self.src, self.dst, self.weights = src, dst, weights

    @property
    def edges(self) -> int:
        return self.src.size

    @property
    def weight_dtype(self) -> np.dtype | None:
        return None if self.weights is None else self.weights.dtype

    def chunks(self) -> Iterator[Chunk]:
        for low in range(0, self.src.size, CHUNK):
            cut = slice(low, low + CHUNK)
            yield Chunk(self.src[cut], self.dst[cut], None if self.weights is None else self.weights[cut])
