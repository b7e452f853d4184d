"""To and from SciPy's sparse matrices; see `Graph.from_scipy` and `Graph.to_scipy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError
from nearly.graph.build import from_converted
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    import scipy.sparse


def from_scipy(matrix: scipy.sparse.sparray, directed: bool | None = None, weighted: bool | None = None) -> Graph:
    """See `Graph.from_scipy`."""
    from scipy import sparse

    if not sparse.issparse(matrix):
        raise InvalidArgumentError(f"expected a SciPy sparse matrix, not {type(matrix).__name__}")
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidGraphError(f"a graph needs a square matrix, not one of shape {matrix.shape}")
    rows = matrix.tocsr(copy=True)
    rows.sum_duplicates()
    entries = rows.tocoo()
    if weighted is None:
        weighted = entries.dtype != bool and not bool((entries.data == 1).all())
    return from_converted(
        entries.row, entries.col, entries.data if weighted else None, matrix.shape[0], directed is not False
    )


def to_scipy(graph: Graph) -> scipy.sparse.csr_array:
    """See `Graph.to_scipy`."""
    from scipy import sparse

    offsets, targets, weights = graph.arrays
    index = np.int32 if max(graph.n, graph.m) < 2**31 else np.int64
    data = weights.copy() if graph.weighted else np.ones(graph.m, np.float32)
    return sparse.csr_array((data, targets.astype(index), offsets.astype(index)), shape=(graph.n, graph.n))
