"""The undirected view of a directed graph, part by part: every arc both ways, parallel ones merged.

An arc u -> v lies with the part that owns v. Its mirror image belongs to the part that owns u, which is told the two
ends. Parallel arcs are merged as `Graph.symmetrized` does: of weights the smallest stays.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from nearly.distributed.messages import Got, Send
from nearly.distributed.part import Part, build_part


def undirected_part(part: Part) -> Generator[Send, Got, Part]:
    """The part of the undirected view that has the same vertices."""
    targets, weights = part.graph.arrays.targets.astype(np.int64), part.graph.arrays.weights
    names = part.globals()
    rows, weighted = part.graph.arc_rows().astype(np.int64), part.graph.weighted
    others: dict[int, tuple[np.ndarray, ...]] = {}
    for q, there in part.ghost_slices.items():
        here = np.flatnonzero((targets >= there.start) & (targets < there.stop))
        ends = (names[targets[here]] - part.bounds[q]), names[rows[here]] - part.first
        others[q] = (*(end.astype(np.uint32) for end in ends), *((weights[here],) if weighted else ()))
    own = (targets >= part.own.start) & (targets < part.own.stop)
    got = yield Send(others)
    pieces = [
        (names[rows], names[targets], weights if weighted else None),
        (names[targets[own]], names[rows[own]], weights[own] if weighted else None),
    ]
    for q in sorted(got.values):
        mine, theirs, *more = got.values[q]
        first = int(part.bounds[q])
        pieces.append(
            (mine.astype(np.int64) + part.first, theirs.astype(np.int64) + first, more[0] if weighted else None)
        )
    del names, rows, targets, own
    return build_part(part.index, part.bounds, pieces, False, part.ids, {})
