"""Graphs on a Dask cluster: `import nearly.distributed as nd`.

A graph lies in parts on the workers, and algorithms run in rounds in which parts exchange boundary values, worker to
worker. The answers are those of one machine: bit for bit where they are whole numbers, minima or labels, else within
the tolerance. Needs `pip install 'nearly[distributed]'`.

making, building, edges, generate    from files, graphs and generators to parts
part, views, part_files              one part: its numbering, its undirected view, its file
part_actor, messages, programs/      the actor of a part, what it sends, and what it does in rounds
graph, running, checkpoints          the graph as the client sees it, and runs that outlive workers
replica, sampled                     the whole graph on each worker, for samples
values, result                       answers that stay on the workers until they are asked for
cluster                              workers, their memory, calls to actors
"""

from __future__ import annotations

try:
    import distributed as _distributed
except ImportError:
    from nearly.base.errors import MissingDependencyError

    raise MissingDependencyError(
        "nearly.distributed needs dask.distributed: pip install 'nearly[distributed]'"
    ) from None

from nearly.distributed import generate
from nearly.distributed.algorithms import (
    bfs,
    connected_components,
    kcore,
    label_propagation,
    pagerank,
    sssp,
    triangle_count,
)
from nearly.distributed.errors import ClusterError
from nearly.distributed.graph import DistributedGraph
from nearly.distributed.making import from_graph, open, read
from nearly.distributed.result import DistributedResult
from nearly.distributed.sampled import betweenness, closeness, harmonic
from nearly.distributed.values import DistributedArray

del _distributed

__all__ = [
    "ClusterError",
    "DistributedArray",
    "DistributedGraph",
    "DistributedResult",
    "betweenness",
    "bfs",
    "closeness",
    "connected_components",
    "from_graph",
    "generate",
    "harmonic",
    "kcore",
    "label_propagation",
    "open",
    "pagerank",
    "read",
    "sssp",
    "triangle_count",
]
