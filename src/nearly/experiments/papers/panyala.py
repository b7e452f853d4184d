"""Panyala et al.: approximate PageRank and community detection, Tables II to VI and Figures 2 to 8.

Stand-ins: graphs of the classes measured there (web, social, collaboration), named by what they share with the paper's,
and a road-like grid, which the paper has none of; or given graph files. What is measured is in `panyala_ranks` and
`panyala_communities`, what was printed in `panyala_published`. The table of equal errors compares with our own best:
every technique stands beside exact PageRank that is stopped as soon as it is as good.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import nearly
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import SAME_ERROR, Row
from nearly.experiments.papers.panyala_communities import community_tables
from nearly.experiments.papers.panyala_published import RANKS, STANDS_FOR
from nearly.experiments.papers.panyala_ranks import rank_tables
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

EQUAL = [
    "freeze-edges",
    "freeze-edges:by=vertices",
    "freeze-edges:by=vertices,c=1e-12",
    "extrapolate+reduced-execution:residual=0.001",
    "extrapolate+reduced-execution:residual=0.0001",
]
NOTE = (
    "Speedup: over exact PageRank stopped as soon as its error is no larger; below 1, stopping early is the better "
    "choice. Not in the paper."
)


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the paper's classes, with about as many arcs a vertex as those they stand for, and a road."""
    make, side = nearly.generate, int((1 << scale) ** 0.5)
    return {
        "web-like": make.rmat(scale, 16, seed=1),
        "social-like": make.rmat(scale, 35, seed=2, params="gtgraph"),
        "collaboration-like": make.rmat(scale - 1, 52, seed=3, params="gtgraph", directed=False),
        "road-like": make.grid(side, side, seed=1, weights=None),
    }


@reproduction("panyala", scale=14, rows=tuple(RANKS))
def panyala(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """PageRank with frozen edges (Tables II-IV, Figures 2-5) and community detection (Tables V, VI, Figures 6-8)."""
    chosen = graphs or stand_ins(scale)
    tables, pictures = rank_tables(chosen, repeat, progress)
    equal = Table("At equal error", note=NOTE)
    for name, graph in chosen.items():
        if graph.n:
            equal.rows += at_equal_error(name, graph, repeat, progress)
    found, drawn = community_tables(graphs, scale, repeat, progress)
    return Reproduced([*tables, equal, *found], pictures={**pictures, **drawn}).on(chosen, STANDS_FOR)


def at_equal_error(name: str, graph: Graph, repeat: int, progress: Progress) -> list[dict[str, Any]]:
    """Every technique, and below it exact PageRank stopped at its error."""
    pairs = [Pair(composition(spec)) for spec in EQUAL]
    settings = checked_settings(graph, sources=1, repeat=repeat)
    found = measured(graph, [(ALGORITHMS.get("pagerank"), pairs)], settings, progress)
    return [_beside(name, graph, *rows) for rows in pairwise(found) if rows[1].technique == SAME_ERROR]


def _beside(name: str, graph: Graph, row: Row, stopped: Row) -> dict[str, Any]:
    return {
        "graph": name,
        "technique": row.technique,
        "L1 error": row.inaccuracy,
        "top-100 overlap %": 100 * row.metrics["top-100 overlap"],
        "ms": 1000 * row.seconds,
        "rounds": row.rounds,
        "arcs read / m": row.edges_touched / max(graph.m, 1),
        "exact at this error, ms": 1000 * stopped.seconds,
        "its rounds": stopped.rounds,
        "speedup": stopped.seconds / row.seconds,
        "over exact to the end": row.speedup_vs_best,
    }
