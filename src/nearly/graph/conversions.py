"""To and from SciPy's sparse matrices and NetworkX's graphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.errors import InvalidArgumentError, InvalidGraphError, MissingDependencyError
from nearly.graph.build import ArcSource, from_edges, from_source
from nearly.graph.csr import Graph
from nearly.graph.dictionaries import rows_of

if TYPE_CHECKING:
    import networkx
    import scipy.sparse


def from_scipy(matrix: scipy.sparse.sparray, directed: bool | None = None, weighted: bool | None = None) -> Graph:
    """A graph from a square sparse matrix; entry (u, v) is the arc from u to v.

    Parameters
    ----------
    matrix : any SciPy sparse matrix or array. Entries stored twice are summed, as SciPy does; stored zeros are arcs.
    directed : True unless told; False stores every entry both ways and merges (weights: minimum).
    weighted : whether values are weights; by default where not all of them are 1.

    Examples
    --------
    >>> import scipy.sparse
    >>> from_scipy(scipy.sparse.csr_array([[0, 2], [1, 0]])).weights.tolist()
    [2, 1]
    """
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
    return _built(entries.row, entries.col, entries.data if weighted else None, matrix.shape[0], directed is not False)


def to_scipy(graph: Graph) -> scipy.sparse.csr_array:
    """The adjacency matrix as a SciPy CSR array of its own: weights, or float32 ones where there are none.

    Examples
    --------
    >>> to_scipy(Graph.from_edges([0, 1], [1, 1])).toarray().tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    from scipy import sparse

    offsets, targets, weights = graph.arrays
    index = np.int32 if max(graph.n, graph.m) < 2**31 else np.int64
    data = weights.copy() if graph.weighted else np.ones(graph.m, np.float32)
    return sparse.csr_array((data, targets.astype(index), offsets.astype(index)), shape=(graph.n, graph.n))


def from_networkx(graph: networkx.Graph, weight: str | None = "weight") -> Graph:
    """A graph from a NetworkX one of any class; parallel edges are merged (weights: minimum).

    Parameters
    ----------
    graph : the NetworkX graph.
    weight : the edge attribute that holds weights, 1 where an edge lacks it; the graph is unweighted if all do, or if
        this is None.

    Returns
    -------
    The graph; its `ids` hold the node labels where these are not 0..n-1 in order: whole numbers as int64, strings as
    a unicode array, anything else as an object array.

    Examples
    --------
    >>> import networkx
    >>> g = from_networkx(networkx.Graph([("a", "b"), ("b", "c")]))
    >>> g.m, g.directed, g.ids.tolist()
    (4, False, ['a', 'b', 'c'])
    """
    if not all(hasattr(graph, name) for name in ("is_directed", "nodes", "edges")):
        raise InvalidArgumentError(f"expected a NetworkX graph, not {type(graph).__name__}")
    read = _parallel_edges if graph.is_multigraph() else _simple_edges
    labels, src, dst, values = read(graph, weight)
    weights = None
    if any(value is not None for value in values):
        weights = _numbers([1 if value is None else value for value in values], str(weight))
    built = _built(src, dst, weights, len(labels), graph.is_directed())
    return Graph._trusted(built.arrays, built.directed, _ids(list(labels)))


Edges = tuple[Sequence[Any], np.ndarray, np.ndarray, list[Any]]


def _simple_edges(graph: networkx.Graph, weight: str | None) -> Edges:
    """Nodes, both ends of each edge, and what the attribute `weight` holds there."""
    adjacency = {node: row if type(row) is dict else dict(row.items()) for node, row in graph.adjacency()}
    labels, offsets, dst = rows_of(adjacency)
    src = np.repeat(np.arange(len(labels), dtype=dst.dtype), np.diff(offsets).astype(np.int64))
    chosen = np.ones(dst.size, np.bool_) if graph.is_directed() else src <= dst
    values: list[Any] = []
    if weight is not None:
        data = compress(chain.from_iterable(row.values() for row in adjacency.values()), chosen.tobytes())
        values = [edge.get(weight) for edge in data]
    return labels, src[chosen], dst[chosen], values


def _parallel_edges(graph: networkx.MultiGraph, weight: str | None) -> Edges:
    """The same, where several edges may join two nodes."""
    labels = list(graph.nodes)
    place = {label: v for v, label in enumerate(labels)}
    pairs = list(graph.edges())
    src, dst = (np.fromiter((place[pair[end]] for pair in pairs), np.int64, len(pairs)) for end in (0, 1))
    return labels, src, dst, [] if weight is None else [value for *_, value in graph.edges(data=weight)]


def to_networkx(graph: Graph) -> networkx.Graph:
    """A NetworkX Graph or DiGraph labelled 0..n-1; parallel arcs are merged (weights: minimum).

    Examples
    --------
    >>> sorted(to_networkx(Graph.from_edges([0, 1], [1, 2], weights=[3, 4])).edges(data="weight"))
    [(0, 1, 3), (1, 2, 4)]
    """
    try:
        import networkx
    except ImportError:
        raise MissingDependencyError("this needs networkx: pip install 'nearly[networkx]'") from None

    simple = from_source(ArcSource(graph), graph.n)
    result = networkx.DiGraph() if graph.directed else networkx.Graph()
    result.add_nodes_from(range(graph.n))
    for src, dst, weights in ArcSource(simple).chunks():
        if not graph.directed:
            once = src <= dst
            src, dst, weights = src[once], dst[once], None if weights is None else weights[once]
        if weights is None:
            result.add_edges_from(zip(src.tolist(), dst.tolist()))
        else:
            result.add_weighted_edges_from(zip(src.tolist(), dst.tolist(), weights.tolist()))
    return result


def _built(src: np.ndarray, dst: np.ndarray, weights: np.ndarray | None, n: int, directed: bool) -> Graph:
    try:
        return from_edges(src, dst, weights, n, directed)
    except InvalidGraphError as error:  # the policies it speaks of are keywords of `from_edges` only
        raise InvalidGraphError(str(error).replace("; pass ", "; use Graph.from_edges with ")) from None


def _numbers(values: list[Any], name: str) -> np.ndarray:
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        array = np.empty(0, object)
    if array.dtype.kind not in "buif" or array.ndim != 1:
        raise InvalidGraphError(f"the edge attribute {name!r} must hold numbers; pass weight=None to ignore it")
    return array


def _ids(labels: list[Any]) -> np.ndarray | None:
    if all(type(label) is int for label in labels):
        if labels == list(range(len(labels))):
            return None
        if all(-(2**63) <= label < 2**63 for label in labels):
            return np.array(labels, np.int64)
    if all(type(label) is str and not label.endswith("\0") for label in labels):  # numpy strips trailing zeros
        return np.array(labels, str)
    ids = np.empty(len(labels), object)
    for v, label in enumerate(labels):  # not a slice, which would take a tuple for a row
        ids[v] = label
    return ids
