"""Graphs made by the workers, each of which makes some of the edges; the same graphs as `nearly.generate` makes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from distributed import Client, Future

from nearly.base.arguments import flag, whole_number
from nearly.base.threads import kernel_threads
from nearly.distributed.building import Building
from nearly.distributed.cluster import checked_client, part_count, require_memory
from nearly.distributed.edges import Edges
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.making import BYTES_AN_EDGE
from nearly.graph.csr import vertex_dtype
from nearly.graph.edge_source import CHUNK
from nearly.graph.generate.numbered_edges import weight_kind
from nearly.graph.generate.random_streams import seed_of
from nearly.graph.generate.rmat import alias_table, quadrants_of


def rmat(  # noqa: PLR0913
    scale: int,
    edge_factor: int = 16,
    seed: int = 1,
    *,
    client: Client,
    params: str | tuple[float, float, float, float] = "graph500",
    directed: bool = True,
    permute: bool = True,
    simple: bool = True,
    weights: Literal["int", "float"] | None = None,
    parts: int | None = None,
) -> DistributedGraph:
    """R-MAT (Kronecker) graph, the one that `nearly.generate.rmat` makes, by the workers of a cluster.

    Parameters
    ----------
    scale, edge_factor, seed, params, directed, permute, simple, weights
        As in `nearly.generate.rmat`.
    client : dask.distributed.Client
        The cluster.
    parts : int, optional
        How many parts; one for each thread of the workers when left out.

    Returns
    -------
    DistributedGraph
    """
    client = checked_client(client)
    scale, edge_factor = whole_number("scale", scale, 1, 60), whole_number("edge_factor", edge_factor, 0, 2**32)
    what = (seed_of(seed), quadrants_of(params), flag("directed", directed), flag("permute", permute))
    kind, merge = weight_kind(weights), flag("simple", simple)
    edges, count = edge_factor << scale, part_count(client, parts)
    policies = {"duplicates": "first" if merge else "keep", "self_loops": "drop" if merge else "keep"}

    def recipe() -> tuple[list[Future], list[str], np.ndarray]:
        ways = 1 if directed else 2
        require_memory(client, BYTES_AN_EDGE * ways * edges, f"an rmat graph of {edges:,} edges")
        building = Building(client, count, policies)
        lows = range(0, max(edges, 1), CHUNK)
        held = [
            building.submit(
                "rmat", i, building.worker(i), rmat_edges_from, low, min(CHUNK, edges - low), scale, what, kind
            )
            for i, low in enumerate(lows)
        ]
        return building.parts_from(held)

    return DistributedGraph(client, recipe)


def rmat_edges_from(low: int, count: int, scale: int, what: tuple[Any, ...], weights: str | None) -> Edges:
    """Some of the edges of an R-MAT graph, from their numbers."""
    from nearly.graph.generate import random_weight_kernels
    from nearly.graph.generate.rmat_kernels import CELL_BITS, Descent, rmat_edges

    seed, quadrants, directed, permute = what
    n, hashes = 1 << scale, -(-scale // CELL_BITS)
    descent = Descent(alias_table(quadrants), np.uint64(hashes), np.uint64(hashes * CELL_BITS - scale))
    src, dst = np.empty((2, count), vertex_dtype(n))
    with kernel_threads(1, work=0):
        rmat_edges(np.uint64(seed), np.uint64(low), np.uint64(n), permute, descent, src, dst)
        made = None
        if weights == "int":
            made = np.empty(count, np.uint32)
            random_weight_kernels.whole_weights(np.uint64(seed), directed, np.uint64(1), np.uint64(255), src, dst, made)
        elif weights == "float":
            made = np.empty(count, np.float32)
            random_weight_kernels.real_weights(np.uint64(seed), directed, 1.0, 254.0, src, dst, made)
    if not directed:
        others = src != dst  # a loop is stored once
        src, dst = np.concatenate([src, dst[others]]), np.concatenate([dst, src[others]])
        made = None if made is None else np.concatenate([made, made[others]])
    return Edges(src, dst, made, None, n, directed)
