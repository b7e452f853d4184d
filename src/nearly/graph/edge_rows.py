"""Which edge each arc of a graph stands for, so that columns of edges can be kept as they come."""

from __future__ import annotations

import numpy as np

from nearly.graph.build import from_edges


def edge_rows(
    src: np.ndarray, dst: np.ndarray, n: int, directed: bool, duplicates: str | None, self_loops: str
) -> np.ndarray:
    """For each arc of the graph of these edges the edge it stands for, the first of those that were merged."""
    policy = "keep" if duplicates == "keep" else "min"
    kind = "uint32" if src.size < 2**32 else "float64"
    rows = from_edges(src, dst, np.arange(src.size), n, directed, policy, self_loops, dtype=kind).arrays.weights
    return rows.astype(np.int64)
