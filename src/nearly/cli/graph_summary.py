"""A summary of a graph: sizes, degrees, weights, self-loops, isolated vertices.

Arcs are looked at in chunks, so that a mapped file larger than memory can be described too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

PERCENTILES = (25, 50, 75, 90, 99)
_CHUNK = 1 << 22


def sizes(graph: Graph) -> dict[str, Any]:
    """The few facts that are known without a look at the arcs."""
    return {
        "vertices": graph.n,
        "arcs": graph.m,
        "directed": graph.directed,
        "weights": graph._arrays.weights.dtype.name if graph.weighted else None,
        "memory_bytes": graph.nbytes,
    }


def file_bytes(path: str | os.PathLike[str]) -> int:
    """The size of a file, or of all files of a directory."""
    path = Path(path)
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return sum(file.stat().st_size for file in files)


def summary(graph: Graph) -> dict[str, Any]:
    """All facts about a graph, as `nearly info` shows them."""
    degrees = {"out_degree": graph.out_degrees} if graph.directed else {"degree": graph.out_degrees}
    if graph.directed:
        degrees["in_degree"] = graph.in_degrees
    alone = graph.out_degrees == 0
    if graph.directed:
        alone &= graph.in_degrees == 0
    return {
        **sizes(graph),
        "weight_range": _weight_range(graph),
        "original_ids": graph.ids is not None,
        **{name: distribution(values) for name, values in degrees.items()},
        "self_loops": count_self_loops(graph),
        "isolated_vertices": int(np.count_nonzero(alone)),
        "fingerprint": graph.fingerprint,
    }


def distribution(degrees: np.ndarray) -> dict[str, float] | None:
    """Least, mean, greatest, and percentiles: the least value such that so many percent of the vertices are not above.

    >>> distribution(np.array([0, 1, 1, 2]))
    {'min': 0, 'mean': 1.0, 'max': 2, 'p25': 0, 'p50': 1, 'p75': 1, 'p90': 2, 'p99': 2}
    """
    if degrees.size == 0:
        return None
    reached = np.cumsum(np.bincount(degrees.astype(np.int64)))
    shares = {f"p{q}": int(np.searchsorted(reached, degrees.size * q / 100)) for q in PERCENTILES}
    return {"min": int(degrees.min()), "mean": float(degrees.mean()), "max": int(degrees.max()), **shares}


def count_self_loops(graph: Graph) -> int:
    """The number of arcs from a vertex to itself."""
    offsets, targets, _ = graph.arrays
    loops = 0
    for low in range(0, graph.m, _CHUNK):
        high = min(low + _CHUNK, graph.m)
        first = int(np.searchsorted(offsets, low, side="right")) - 1
        last = int(np.searchsorted(offsets, high, side="left"))
        lengths = np.diff(np.clip(offsets[first : last + 1], low, high).astype(np.int64))
        loops += int(np.count_nonzero(np.repeat(np.arange(first, last), lengths) == targets[low:high]))
    return loops


def _weight_range(graph: Graph) -> dict[str, float] | None:
    if not graph.weighted or graph.m == 0:
        return None
    weights = graph.arrays.weights
    return {"min": weights.min().item(), "mean": float(weights.mean(dtype=np.float64)), "max": weights.max().item()}
