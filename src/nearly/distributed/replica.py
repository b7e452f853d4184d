"""The whole graph from the rows of all parts, on one machine: for the caller, or on every worker (a replica).

A replica is for algorithms that draw samples: each worker searches the whole graph for its share of the samples. It is
made by the first part of each worker, which gets the rows of all others, worker to worker; parts that are not the first
of their worker have none.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from nearly.base.threads import kernel_threads
from nearly.distributed.messages import Arrays, Got, Send
from nearly.distributed.part import Part
from nearly.graph.csr import Graph, vertex_dtype

BYTES_AN_ARC, BYTES_A_VERTEX = 40, 128  # while a replica is made, and of the searches on it


def replica_bytes(n: int, m: int) -> int:
    """The memory that each worker needs for a replica and for searches on it, about."""
    return BYTES_AN_ARC * m + BYTES_A_VERTEX * n


def rows_of_part(part: Part) -> Arrays:
    """The rows of a part's vertices: their sizes, the vertices they read from, and weights if there are any."""
    offsets, targets, weights = part.graph.arrays
    sizes = np.diff(offsets[part.own.start : part.own.stop + 1])
    names = part.globals().astype(vertex_dtype(part.n))
    return (sizes, names[targets], *((weights,) if part.graph.weighted else ()))


def assembled(pieces: list[Arrays], directed: bool) -> Graph:
    """The graph of which these are the rows of all parts, in order."""
    sizes = np.concatenate([piece[0] for piece in pieces])
    offsets = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
    weights = np.concatenate([piece[2] for piece in pieces]) if len(pieces[0]) > 2 else None
    graph = Graph(offsets, np.concatenate([piece[1] for piece in pieces]), weights)
    return graph.reverse if directed else Graph._trusted(graph.arrays, False, None)


def make_replica(part: Part) -> Generator[Send, Got, None]:
    """Give the first part of each worker the whole graph; kept with it."""
    firsts, own = part.__dict__["firsts"], rows_of_part(part)
    got = yield Send({q: own for q in firsts if q != part.index})
    if part.index in firsts:
        pieces = [own if q == part.index else got.values[q] for q in range(part.parts)]
        with kernel_threads(1, work=0):
            part.__dict__["replica"] = assembled(pieces, part.directed)
