"""Communities by Louvain's and Leiden's methods and by label propagation, which differ from seed to seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nearly
from nearly.adapters.networkx.backend_graph import BackendGraph
from nearly.adapters.networkx.dispatch import dispatched, reported, seed_of
from nearly.adapters.networkx.functions.components import groups


def _propagated(G: BackendGraph, weight: str | None, seed: Any, how: dict[str, Any]) -> Iterator[set]:
    G.lengths(weight)
    result = nearly.label_propagation(G.weighted(weight), seed=seed_of(seed), **how)
    return reported(iter(groups(G, result.values)), result)


@dispatched(algorithm="label_propagation", directed=False)
def asyn_lpa_communities(
    G: BackendGraph, weight: str | None = None, seed: Any = None, *, how: dict[str, Any]
) -> Iterator[set]:
    """See `nx.community.asyn_lpa_communities`."""
    return _propagated(G, weight, seed, how)


@dispatched(algorithm="label_propagation", directed=False)
def fast_label_propagation_communities(
    G: BackendGraph, *, weight: str | None = None, seed: Any = None, how: dict[str, Any]
) -> Iterator[set]:
    """See `nx.community.fast_label_propagation_communities`."""
    return _propagated(G, weight, seed, how)


def _louvain(
    G: BackendGraph, weight: str | None, resolution: float, threshold: float, seed: Any, how: dict[str, Any]
) -> Any:
    """The communities, level by level; the numbers of the communities in a level mean nothing."""
    if not G.targets.size:
        raise NotImplementedError("a graph without edges is NetworkX's own case")
    G.lengths(weight)
    return nearly.louvain(
        G.weighted(weight), resolution=resolution, tol=threshold, weights=weight is not None, seed=seed_of(seed), **how
    )


def _check_level(max_level: int | None) -> None:
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")


def _at_level(G: BackendGraph, result: Any, max_level: int | None) -> list[set]:
    """The communities at a level of the hierarchy, the last by default."""
    labels = result.values if max_level is None else result.hierarchy[:max_level][-1]
    return reported(groups(G, labels), result)


@dispatched(algorithm="louvain", directed=False)
def louvain_communities(
    G: BackendGraph,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
    *,
    how: dict[str, Any],
) -> list[set]:
    """See `nx.community.louvain_communities`."""
    _check_level(max_level)
    return _at_level(G, _louvain(G, weight, resolution, threshold, seed, how), max_level)


@dispatched(algorithm="louvain", directed=False)
def louvain_partitions(
    G: BackendGraph,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    seed: Any = None,
    *,
    how: dict[str, Any],
) -> Iterator[list[set]]:
    """See `nx.community.louvain_partitions`."""
    result = _louvain(G, weight, resolution, threshold, seed, how)
    return reported((groups(G, labels) for labels in result.hierarchy), result)


def _leiden(G: BackendGraph, weight: str | None, resolution: float, seed: Any, how: dict[str, Any]) -> Any:
    G.lengths(weight)
    given = G.weighted(weight)
    return nearly.leiden(given, resolution=resolution, weights=weight is not None, seed=seed_of(seed), **how)


@dispatched(algorithm="leiden", directed=False)
def leiden_communities(
    G: BackendGraph,
    weight: str | None = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
    *,
    how: dict[str, Any],
) -> list[set]:
    """See `nx.community.leiden_communities`."""
    _check_level(max_level)
    return _at_level(G, _leiden(G, weight, resolution, seed, how), max_level)


@dispatched(algorithm="leiden", directed=False)
def leiden_partitions(
    G: BackendGraph, weight: str | None = "weight", resolution: float = 1, seed: Any = None, *, how: dict[str, Any]
) -> Iterator[list[set]]:
    """See `nx.community.leiden_partitions`."""
    result = _leiden(G, weight, resolution, seed, how)
    return reported((groups(G, labels) for labels in result.hierarchy), result)
