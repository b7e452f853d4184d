"""Every CUDA kernel with every functor and the types of arguments that runs give it, for `test_ptx`.

An array of two elements stands for all of its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nearly.algorithms import bfs, coloring, sssp
from nearly.algorithms import connected_components as components
from nearly.algorithms.betweenness import cuda as device_levels
from nearly.algorithms.betweenness import levels
from nearly.algorithms.coloring import cuda as device_coloring
from nearly.algorithms.pagerank import cuda as device_ranks
from nearly.algorithms.pagerank import problem as ranks
from nearly.algorithms.pagerank import residuals as pagerank_residuals
from nearly.algorithms.shared import turns
from nearly.engine.cuda import advance_kernels as kernels
from nearly.engine.cuda import clusters, primitives
from nearly.engine.cuda import reduce as rows
from nearly.engine.cuda import replicas as confluence
from nearly.engine.functor_wrappers import sampled, sharing, widened, with_copies, with_dial
from nearly.engine.operators import add, most
from nearly.engine.transform.replicas import Copies

U4, U8, I4, F4, F8 = (np.zeros(2, t) for t in ("u4", "u8", "i4", "f4", "f8"))
COPIES = Copies(2, U4[:1], U4[1:])
ONE, NOW = np.uint64(1), np.uint32(1)


def lengths(values: np.ndarray) -> sssp.Distances:
    return sssp.Distances(values, values, values, U4)


LEVELS, LABELS = bfs.Levels(U4, U4), components.Labels(U4, U4)
LINE = coloring.Line(I4, I4, U4, U8, U4, U4, U4)
RANKS = ranks.Ranks(F8, F8, F8, F8, F8, F8, F8, F8, F8)
SENT = pagerank_residuals.Sent(F8, F8, F8, F8, F8, F8, F8)
PASSES = widened(levels.Passes(U4, U4, F8, F8, F8, F8, F8, U8, U8, F8), before=U4, found=U8)
SHARED = with_copies(PASSES, COPIES)
VISITS: dict[str, tuple[Any, Any]] = {
    "bfs": (bfs.reach, LEVELS),
    "bfs sampled": (sampled(bfs.reach), with_dial(LEVELS, U8)),
    "bfs copies": (sharing(bfs.reach), with_copies(LEVELS, COPIES)),
    "bfs copies sampled": (sampled(sharing(bfs.reach)), with_dial(with_copies(LEVELS, COPIES), U8)),
    "sssp float32": (sssp.relax, lengths(F4)),
    "sssp float64": (sssp.relax, lengths(F8)),
    "sssp whole": (sssp.relax_whole, lengths(U4)),
    "sssp sampled": (sampled(sssp.relax), with_dial(lengths(F4), U8)),
    "sssp copies": (sharing(sssp.relax), with_copies(lengths(F4), COPIES)),
    "sssp whole copies": (sharing(sssp.relax_whole), with_copies(lengths(U4), COPIES)),
    "connected_components": (components.lower, LABELS),
    "connected_components sampled": (sampled(components.lower), with_dial(LABELS, U8)),
    "coloring": (coloring.pass_on, LINE),
    "coloring in turn": (turns.in_turn(coloring.pass_on), LINE),
    "betweenness": (bfs.reach, PASSES),
    "betweenness copies": (sharing(bfs.reach), SHARED),
    "pagerank": (pagerank_residuals.touch, SENT),
}
REDUCTIONS: dict[str, tuple[Any, Any, Any, Any]] = {
    "pagerank": (ranks.hand_on, ranks.settle, np.float64(0), RANKS),
    "pagerank float32 weights": (ranks.hand_on_weighted, ranks.settle, np.float64(0), RANKS._replace(weights=F4)),
    "pagerank whole weights": (ranks.hand_on_weighted, ranks.settle, np.float64(0), RANKS._replace(weights=U4)),
    "pagerank frontier": (ranks.hand_on, pagerank_residuals.renew, np.float64(0), SENT),
    "betweenness forward": (levels.count_paths, levels.keep_paths, np.float64(0), PASSES),
    "betweenness back": (levels.depend, levels.keep_dependency, np.float64(0), PASSES),
    "betweenness back, partly": (levels.depend_partly, levels.keep_dependency, np.float64(0), SHARED),
    "coloring": (turns.is_earlier, turns.put, np.int32(0), turns.Places(U4, I4)),
}
EACH: dict[str, tuple[Any, Any]] = {
    **{f.__name__: (f, PASSES) for f in (device_levels.forget, device_levels.note_huge)},
    **{f.__name__: (f, SHARED) for f in (device_levels.share_paths, device_levels.join_parts, device_levels.join_sums)},
    "begin": (device_coloring.begin, LINE),
    "send": (pagerank_residuals.send, SENT),
}
TOTALS: dict[str, tuple[Any, Any, Any]] = {
    "change": (device_ranks.change, add, RANKS),
    "largest change": (device_ranks.change, most, RANKS),
    "loose": (device_ranks.loose, add, RANKS),
    "rank": (device_ranks.rank, add, SENT),
    "news": (device_ranks.news, add, SENT),
}
CLUSTERS = {name: VISITS[name] for name in ("bfs", "sssp float32", "sssp float64", "sssp whole")}
PLAIN: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "scan_tiles": (primitives.scan_tiles, (U8, 1, U8, U8)),
    "add_totals": (primitives.add_totals, (U8, 1, U8)),
    "scatter": (primitives.scatter, (U4, 1, U8, U8, U4)),
    "broadcast": (primitives.broadcast, (U4, U4, 1, F8)),
    "copy_at": (primitives.copy_at, (U4, 1, F4, F4)),
    "copy_first": (primitives.copy_first, (1, F4, F4)),
    "row_sizes": (kernels.row_sizes, (U8, U4, 1, U8)),
    "count_nodes": (rows.count_nodes, (U8, U4, 1, ONE, U8)),
    "flag is_first": (primitives.flag(device_coloring.is_first), (LINE, U4, 1, U8)),
    "flag stale": (primitives.flag(pagerank_residuals.stale), (SENT, U4, 1, U8)),
}


def cases() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """A name, a kernel and arguments of the types it is launched with."""
    for name, (kernel, arguments) in PLAIN.items():
        yield name, kernel, arguments
    arcs, share = (U8, U4), kernels.Share(1, ONE, U4)
    for name, (visit, state) in VISITS.items():
        output = kernels.Output(U4, U8, U4, NOW)
        yield f"push {name}", kernels.push(visit), (arcs, U4, 1, share, output, state)
        yield f"merge path {name}", kernels.merge_path(visit), (arcs, U4, 1, U8, ONE, output, state)
    for name, (gather, apply, start, state) in REDUCTIONS.items():
        dtype = np.result_type(start)
        nodes = rows.Nodes(U4, 1, U8, start, np.zeros(2, dtype))
        yield f"rows {name}", rows.reduce_rows(gather, add, apply, dtype), (arcs, U4, 1, share, U8, start, state)
        yield f"nodes {name}", rows.sum_nodes(gather), (arcs, ONE, U8, nodes, state)
        yield f"joined nodes {name}", rows.join_nodes(apply), (nodes, state)
    for name, (do, state) in EACH.items():
        yield f"each {name}", primitives.for_each(do), (state, U4, 1)
    for name, (measure, combine, state) in TOTALS.items():
        yield f"total {name}", primitives.join_all(measure, combine), (state, 1, F8)
    for name, (visit, state) in CLUSTERS.items():
        kernel = clusters.push_inside(visit, type(state), np.dtype(state[0].dtype))
        yield f"clusters {name}", kernel, (U4, (U8, U8), (U8, U8), state, U8)
    for now in (U4, F4, F8):
        values = confluence.Values(now, now, now[0], 1.0)
        yield f"confluence {now.dtype}", confluence.join_groups, ((U4, U8, U4), values, 1, U4, U8, U4, NOW)
