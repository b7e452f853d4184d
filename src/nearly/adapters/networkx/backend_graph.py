"""`BackendGraph`: a NetworkX graph as arrays, with everything that NetworkX's answers depend on.

Rows keep the order in which edges were added, because searches in NetworkX follow it. `graph` and `weighted` give the
same graph with ascending rows, as the algorithms of this package take it; `into` are the rows of arcs that enter nodes,
in NetworkX's order of predecessors, which is read when it is asked for. `labels` are the nodes in order; if they are
0..n-1 it is a `range`, and results need no renaming. The edge attributes that a function needs are columns, one value
for each edge in the order of `G.edges`. Whole dictionaries are kept only for functions that return graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from nearly.adapters.networkx.edge_columns import as_numbers, kernel_type, least_of, values_of
from nearly.graph.adjacency_dicts import rows_of
from nearly.graph.build import from_edges
from nearly.graph.csr import NO_WEIGHTS, Arrays, Graph


class Into(NamedTuple):
    """Rows of arcs that enter nodes."""

    offsets: np.ndarray
    sources: np.ndarray
    arcs: np.ndarray  # which of the graph's arcs each is


class BackendGraph:
    """A graph as the functions of this backend take it, made by `graph_conversion.convert_from_nx`.

    Attributes
    ----------
    labels : sequence
        The nodes in order.
    offsets, targets : numpy.ndarray
        Rows in the order of insertion; an undirected edge is in both rows, a loop once.
    directed, multigraph : bool
        What kind of graph it is.
    columns : dict of str to list
        Values of edge attributes, one for each edge; None if every edge has the default 1.
    edge_data, node_data, graph_data : list of dict, or dict
        The attributes as NetworkX has them; None if they were not asked for.
    origin : callable
        Returns the graph that was converted while it lives, else None.
    """

    __networkx_backend__ = "nearly"

    def __init__(
        self,
        labels: Sequence[Any],
        offsets: np.ndarray,
        targets: np.ndarray,
        directed: bool,
        multigraph: bool = False,
    ) -> None:
        self.labels, self.offsets, self.targets = labels, offsets, targets
        self.directed, self.multigraph = directed, multigraph
        self.columns: dict[str, list[Any] | None] = {}
        self.edge_data: list[dict] | None = None
        self.node_data: list[dict] | None = None
        self.graph_data: dict | None = None
        self.origin: Callable[[], Any] = lambda: None
        self.__networkx_cache__: dict = {}
        self._known: dict[Any, Any] = {}

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def __contains__(self, node: Any) -> bool:
        try:
            return self.place(node) is not None
        except TypeError:
            return False

    def place(self, node: Any) -> int | None:
        """The number of a node; None if there is no such node."""
        hash(node)  # lists and the like are an error here as they are for a dictionary
        if not isinstance(self.labels, range):
            return self._places.get(node)
        try:
            return self.labels.index(node)
        except ValueError:
            return None

    def places(self, nodes: Iterable[Any]) -> np.ndarray:
        """The numbers of the nodes that exist, in the given order and each once, as `G.nbunch_iter` lists them."""
        found = (self.place(node) for node in nodes)
        return np.fromiter(dict.fromkeys(place for place in found if place is not None), np.int64)

    def bunch(self, nodes: Any) -> np.ndarray:
        """The numbers of one node or of several, with NetworkX's error where it is neither."""
        try:
            return self.places([nodes] if nodes in self else nodes)
        except TypeError:
            raise nx.NetworkXError(f"{nodes} is not a node or a sequence of nodes.") from None

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {node: v for v, node in enumerate(self.labels)}

    def nodes_at(self, places: np.ndarray) -> list[Any]:
        """The nodes with these numbers."""
        if isinstance(self.labels, range):
            return places.tolist()
        return list(map(self.labels.__getitem__, places.tolist()))

    def by_node(self, values: np.ndarray) -> dict[Any, Any]:
        """One value a node, as a dictionary in node order."""
        return dict(zip(self.labels, values.tolist()))

    @cached_property
    def rows(self) -> np.ndarray:
        """The source of every arc, beside `targets`."""
        return np.repeat(np.arange(len(self), dtype=self.targets.dtype), np.diff(self.offsets).astype(np.int64))

    @cached_property
    def into(self) -> Into:
        """Rows of the arcs that enter each node, in the order of insertion; an undirected graph's are its own."""
        if not self.directed:
            return Into(self.offsets, self.targets, np.arange(self.targets.size))
        origin = self.origin()
        if origin is None:
            raise NotImplementedError("the order of predecessors went with the graph that was converted")
        labels, offsets, sources = rows_of({node: dict(row.items()) for node, row in origin._pred.items()})
        heads = np.repeat(np.arange(len(labels)), np.diff(offsets).astype(np.int64))
        ours, theirs = np.argsort(self.targets, kind="stable"), np.lexsort((sources, heads))
        same = list(labels) == list(self.labels) and np.array_equal(self.targets[ours], heads[theirs])
        if not same or not np.array_equal(self.rows[ours], sources[theirs]):
            raise NotImplementedError("the graph was changed after it was converted")
        arcs = np.empty(sources.size, np.int64)
        arcs[theirs] = ours
        return Into(offsets, sources, arcs)

    @cached_property
    def loops(self) -> np.ndarray:
        """Whether an arc leads from a node to itself."""
        return self.rows == self.targets

    @cached_property
    def out_degrees(self) -> np.ndarray:
        """The number of arcs that leave each node."""
        return np.diff(self.offsets).astype(np.int64)

    @cached_property
    def in_degrees(self) -> np.ndarray:
        """The number of arcs that enter each node."""
        return np.bincount(self.targets.astype(np.int64), minlength=len(self))

    @cached_property
    def degrees(self) -> np.ndarray:
        """What `G.degree` is: arcs in and out, or edges with loops twice."""
        if self.directed:
            return self.out_degrees + self.in_degrees
        return self.out_degrees + np.bincount(self.targets[self.loops].astype(np.int64), minlength=len(self))

    @cached_property
    def edges(self) -> np.ndarray:
        """The arcs that `G.edges` lists, in its order: for an undirected edge, the arc from the earlier node."""
        if self.directed:
            return np.arange(self.targets.size)
        return np.flatnonzero(self.rows <= self.targets)

    def pairs(self, edges: np.ndarray) -> list[tuple[Any, Any]]:
        """Edges, numbered as `edges` lists them, as pairs of nodes."""
        arcs = self.edges[edges]
        return list(zip(self.nodes_at(self.rows[arcs]), self.nodes_at(self.targets[arcs])))

    @cached_property
    def graph(self) -> Graph:
        """The graph without weights."""
        offsets, targets, _ = self._ascending
        return Graph._trusted(Arrays(offsets, targets, NO_WEIGHTS), self.directed)

    def with_weights(self, weights: np.ndarray) -> Graph:
        """The graph with these weights, one an edge."""
        return Graph._trusted(self.graph.arrays._replace(weights=weights[self.edge_of]), self.directed)

    def weighted(self, attribute: str | None) -> Graph:
        """The graph with an edge attribute as weights; without weights if the name is None or no edge has it."""
        if attribute is None or self.column(attribute) is None:
            return self.graph
        key = ("weighted", attribute)
        if key not in self._known:
            self._known[key] = self.with_weights(kernel_type(self.weights(attribute)))
        return self._known[key]

    @cached_property
    def _ascending(self) -> Arrays:
        """The rows with ascending targets; the weight of an arc is its number in `targets`."""
        m = self.targets.size
        here = np.arange(m, dtype=_numbering(m))
        falls = self.targets[1:] < self.targets[:-1]
        starts = self.offsets[1:-1].astype(np.int64)
        falls[starts[(starts > 0) & (starts < m)] - 1] = False
        if not falls.any():
            return Arrays(self.offsets, self.targets, here)
        return from_edges(self.rows, self.targets, here, len(self), duplicates="keep").arrays

    @cached_property
    def edge_of(self) -> np.ndarray:
        """For each arc of `graph` the number of its edge."""
        if self.directed:
            return self._ascending.weights.astype(np.int64)
        arcs, count = self.edges, self.edges.size
        numbers = np.arange(count, dtype=_numbering(count))
        made = from_edges(self.rows[arcs], self.targets[arcs], numbers, len(self), directed=False, duplicates="keep")
        return made.arrays.weights.astype(np.int64)

    def column(self, attribute: str) -> list[Any] | None:
        """The values of an edge attribute, 1 for an edge that lacks it; None if all edges lack it.

        Parallel edges have the least of their values, which is what shortest paths need.
        """
        if attribute not in self.columns:
            if self.edge_data is None:
                raise NotImplementedError(f"the graph was converted without the edge attribute {attribute!r}")
            self.columns[attribute] = (least_of if self.multigraph else values_of)(self.edge_data, attribute, 1)
        return self.columns[attribute]

    def weights(self, attribute: str | None) -> np.ndarray:
        """The same as finite numbers, int64 or float64."""
        values = None if attribute is None else self.column(attribute)
        if attribute is None or values is None:
            return np.ones(self.edges.size, np.int64)
        key = ("numbers", attribute)
        if key not in self._known:
            self._known[key] = as_numbers(values, attribute)
        return self._known[key]

    def lengths(self, attribute: str | None) -> np.ndarray:
        """The `weights`, if none is below 0; NetworkX decides what negative weights mean."""
        weights = self.weights(attribute)
        if weights.size and weights.min() < 0:
            raise NotImplementedError(f"the edge attribute {attribute!r} has negative values")
        return weights

    def along_arcs(self, per_edge: np.ndarray) -> np.ndarray:
        """Values of edges as values of arcs, in the order of insertion."""
        along = np.empty(self.targets.size, per_edge.dtype)
        along[self._ascending.weights.astype(np.int64)] = per_edge[self.edge_of]
        return along


def _numbering(count: int) -> Any:
    """A type of weights that can number so many things."""
    return np.uint32 if count < 2**32 else np.float64
