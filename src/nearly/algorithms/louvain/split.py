"""Communities that are connected: each is split into the pieces that its inner edges hold together.

The pieces are the components of the graph without the edges between communities; they are found as in
`connected_components`, by linking trees of pointers to smaller vertices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from nearly.algorithms.connected_components.kernels import compress, link
from nearly.algorithms.louvain.level import numbered
from nearly.algorithms.shared.labels import as_labels
from nearly.base.atomics import fetch_add
from nearly.base.jit import parallel_kernel
from nearly.base.threads import kernel_threads
from nearly.base.unsigned import U0, U1
from nearly.engine.interruptible import stop_flag
from nearly.engine.primitives import PIECES
from nearly.engine.row_pieces import row_cuts
from nearly.graph.csr import Graph


def split_apart(graph: Graph, label: np.ndarray) -> np.ndarray:
    """Labels of the connected pieces, each the smallest member.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 2], [1, 3], directed=False)
    >>> split_apart(g, np.array([0, 0, 0, 0])).tolist()
    [0, 0, 2, 2]
    """
    view = graph.symmetrized()
    offsets, targets, _ = view.arrays
    return _pieces(offsets[:-1], offsets[1:], targets, np.ascontiguousarray(label), row_cuts(view))


def connect(climb: Any) -> None:
    """Split refined communities of a climb that are not connected, which never lowers modularity.

    Parts are connected, so it is enough to look at the graph whose vertices they are. Where there are none, as nothing
    merged or the run was cut short before, the given graph is looked at.
    """
    if not climb.asked.refine or climb.ground.total <= 0.0:
        return
    level, label = (climb.level, climb.start) if climb.refines else (climb.ground, climb.labels())
    rows, cuts = level.rows, np.linspace(0, level.n, PIECES + 1).astype(np.uint64)
    pieces = _pieces(rows.starts, rows.ends, rows.targets, label, cuts).astype(label.dtype)
    if numbered(pieces)[1] > numbered(label)[1]:
        if level is climb.ground:
            climb.maps, climb.tops = [level.ids], [pieces]
        else:
            climb.tops[-1] = pieces
        climb.modularity = level.modularity(pieces, climb.asked.resolution)


def _pieces(
    starts: np.ndarray, ends: np.ndarray, targets: np.ndarray, label: np.ndarray, cuts: np.ndarray
) -> np.ndarray:
    parent = np.arange(starts.size, dtype=targets.dtype)
    with kernel_threads(work=targets.size + starts.size) as workers:
        link_inside(starts, ends, targets, label, parent, cuts, np.zeros(1, np.uint64), workers)
        compress(parent, np.zeros(1, np.uint64), workers, stop_flag())
    return as_labels(parent)


@parallel_kernel
def link_inside(starts, ends, targets, label, parent, cuts, cursor, workers):
    """Link neighbours of one label; every edge is seen from both ends, the larger one links."""
    for _ in prange(workers):
        piece = fetch_add(cursor, U0, U1)
        while piece < np.uint64(cuts.size - 1):
            for v in range(cuts[piece], cuts[piece + U1]):
                for e in range(starts[v], ends[v]):
                    u = np.uint64(targets[e])
                    if u < v and label[u] == label[v] and parent[u] != parent[v]:
                        link(parent, v, u)
            piece = fetch_add(cursor, U0, U1)
