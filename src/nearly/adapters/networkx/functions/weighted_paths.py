"""Shortest paths by edge weights that are not negative, for which Dijkstra's and Bellman and Ford's answers agree.

Lengths from one source come from `nearly.sssp`. Where the answer shows paths, ties are broken as NetworkX breaks them
(`Nearest`). The lightest of parallel edges counts. Negative weights are left to NetworkX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.both_ends import lengths_both_ends
from nearly.adapters.networkx.dispatch import dispatched, reported
from nearly.adapters.networkx.functions.hops import within
from nearly.adapters.networkx.ordered_search import Found, Nearest, lengths, paths, whole_or_not


def _place(G: BackendGraph, node: Any, says: str = "Node {} not found in graph") -> int:
    place = G.place(node)
    if place is None:
        raise nx.NodeNotFound(says.format(node))
    return place


def multi_source_places(G: BackendGraph, sources: Iterable[Any]) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return [_place(G, node) for node in sources]


def _distances(G: BackendGraph, source: Any, cutoff: float | None, weight: str | None, how: dict[str, Any]) -> dict:
    begin = _place(G, source)
    whole = G.lengths(weight).dtype.kind == "i"
    result = nearly.sssp(G.weighted(weight), begin, **how)
    near = whole_or_not(result.values, whole and not result.techniques)
    found = within(G, near, np.inf if cutoff is None else cutoff)
    return reported({source: found.pop(source, 0), **found}, result)


@dispatched(algorithm="sssp", multigraph=True)
def single_source_dijkstra_path_length(
    G: BackendGraph,
    source: Any,
    cutoff: float | None = None,
    weight: str | None = "weight",
    *,
    how: dict[str, Any],
) -> dict:
    """See `nx.single_source_dijkstra_path_length`."""
    return _distances(G, source, cutoff, weight, how)


@dispatched(algorithm="sssp", multigraph=True)
def single_source_bellman_ford_path_length(
    G: BackendGraph, source: Any, weight: str | None = "weight", *, how: dict[str, Any]
) -> dict:
    """See `nx.single_source_bellman_ford_path_length`."""
    return _distances(G, source, None, weight, how)


def _between(G: BackendGraph, source: Any, target: Any, weight: str | None) -> tuple[Found, int]:
    """A search that ends at the target, and the target's number."""
    begin, end = _place(G, source), G.place(target)
    found = Nearest(G, weight)([begin], target=end)
    if end is None or not found.order.size or found.order[-1] != end:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found, end


@dispatched(multigraph=True)
def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: str | None = "weight") -> float:
    """See `nx.dijkstra_path_length`."""
    found, end = _between(G, source, target, weight)
    return found.far[end].item()


@dispatched(multigraph=True)
def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: str | None = "weight") -> float:
    """See `nx.bellman_ford_path_length`."""
    return dijkstra_path_length(G, source, target, weight)


@dispatched(multigraph=True)
def dijkstra_path(G: BackendGraph, source: Any, target: Any, weight: str | None = "weight") -> list:
    """See `nx.dijkstra_path`."""
    return _path(G, *_between(G, source, target, weight), {_place(G, source)})


def _path(G: BackendGraph, found: Found, end: int, sources: set[int]) -> list:
    way = [end]
    while way[-1] not in sources:
        way.append(int(found.parent[way[-1]]))
    return G.nodes_at(np.array(way[::-1]))


@dispatched(multigraph=True)
def bidirectional_dijkstra(G: BackendGraph, source: Any, target: Any, weight: str | None = "weight") -> tuple:
    """See `nx.bidirectional_dijkstra`."""
    begin, end = _place(G, source, "Source {} is not in G"), _place(G, target, "Target {} is not in G")
    if begin == end:
        return 0, [source]
    found = lengths_both_ends(G, begin, end, weight)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    length, way = found
    return int(length) if G.lengths(weight).dtype.kind == "i" else length, G.nodes_at(np.array(way))


def towards(G: BackendGraph, target: Any, weight: str | None) -> Found:
    """A search against the arcs."""
    return Nearest(G, weight, backwards=True)([_place(G, target)])


@dispatched(multigraph=True)
def single_source_dijkstra(
    G: BackendGraph, source: Any, target: Any = None, cutoff: float | None = None, weight: str | None = "weight"
) -> tuple:
    """See `nx.single_source_dijkstra`."""
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@dispatched(multigraph=True)
def single_source_dijkstra_path(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: str | None = "weight"
) -> dict:
    """See `nx.single_source_dijkstra_path`."""
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@dispatched(multigraph=True)
def multi_source_dijkstra(
    G: BackendGraph,
    sources: Iterable[Any],
    target: Any = None,
    cutoff: float | None = None,
    weight: str | None = "weight",
) -> tuple:
    """See `nx.multi_source_dijkstra`."""
    places = multi_source_places(G, sources)
    if target in sources:  # type: ignore[operator]
        return 0, [target]
    end = None if target is None else G.place(target)
    if target is not None and end is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    found = Nearest(G, weight)(places, cutoff, end)
    if end is None:
        return lengths(G, found), paths(G, found, len(places))
    if found.order[-1] != end:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return found.far[end].item(), _path(G, found, end, set(places))


@dispatched(multigraph=True)
def multi_source_dijkstra_path(
    G: BackendGraph, sources: Iterable[Any], cutoff: float | None = None, weight: str | None = "weight"
) -> dict:
    """See `nx.multi_source_dijkstra_path`."""
    places = multi_source_places(G, sources)
    return paths(G, Nearest(G, weight)(places, cutoff), len(places))


@dispatched(multigraph=True)
def multi_source_dijkstra_path_length(
    G: BackendGraph, sources: Iterable[Any], cutoff: float | None = None, weight: str | None = "weight"
) -> dict:
    """See `nx.multi_source_dijkstra_path_length`."""
    return lengths(G, Nearest(G, weight)(multi_source_places(G, sources), cutoff))


def _all_pairs(
    G: BackendGraph, cutoff: float | None, weight: str | None, show: Callable[[Found], Any]
) -> Iterator[tuple[Any, Any]]:
    nearest = Nearest(G, weight)
    return ((node, show(nearest([v], cutoff))) for v, node in enumerate(G))


@dispatched(multigraph=True)
def all_pairs_dijkstra(G: BackendGraph, cutoff: float | None = None, weight: str | None = "weight") -> Iterator[tuple]:
    """See `nx.all_pairs_dijkstra`."""
    return _all_pairs(G, cutoff, weight, lambda found: (lengths(G, found), paths(G, found, 1)))


@dispatched(multigraph=True)
def all_pairs_dijkstra_path(
    G: BackendGraph, cutoff: float | None = None, weight: str | None = "weight"
) -> Iterator[tuple]:
    """See `nx.all_pairs_dijkstra_path`."""
    return _all_pairs(G, cutoff, weight, lambda found: paths(G, found, 1))


@dispatched(multigraph=True)
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: float | None = None, weight: str | None = "weight"
) -> Iterator[tuple]:
    """See `nx.all_pairs_dijkstra_path_length`."""
    return _all_pairs(G, cutoff, weight, lambda found: lengths(G, found))


@dispatched(multigraph=True)
def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: str | None = "weight") -> Iterator[tuple]:
    """See `nx.all_pairs_bellman_ford_path_length`."""
    return _all_pairs(G, None, weight, lambda found: lengths(G, found))
