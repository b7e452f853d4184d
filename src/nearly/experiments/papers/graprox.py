"""Graprox: the slides' table of speedup and inaccuracy, five algorithms by four techniques, and its three sweeps.

Stand-ins are those of Graffix, whose graphs the slides share (`graffix_graphs`); or given graph files, which get
seeded random weights if they have none. The slides compare GPU codes with GPU codes, and have means over graphs only;
here a cell is compared with our exact run under the same policy (`speedup`) and with our fastest exact run (`vs
best`). What a technique leaves of a spanning forest is finished by filter-Kruskal, which is faster than Boruvka's
rounds even without a technique: a gain over the rounds alone may come from that, so those cells say it. Knobs are
those of `CELLS`, on road-like graphs with the changes of `ROAD`, on directed ones with those of `DIRECTED`.
Betweenness is from 64 sources, the same on both sides. Cells of ours that are slower than exact are shown and count in
the means. The sweeps, the thesis' own ways and the progress of SSSP are in `graprox_sweeps`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import Comparison, Row, row_of
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers.graffix_graphs import LIKE, stand_ins
from nearly.experiments.reproduction import Reproduced, Table, named_progress, reproduction, with_weights
from nearly.graph.csr import Graph

TECHNIQUES = {
    "GP1": "GP1 reduced execution",
    "GP2": "GP2 partial edges",
    "GP3": "GP3 merged vertices",
    "GP4": "GP4 rounded weights",
}


class Cell(NamedTuple):
    """The techniques of one cell and the policy they run under; the slides' speedup and inaccuracy in percent."""

    spec: str
    policy: str
    speedup: float
    inaccuracy: float


Cells = dict[str, dict[str, Cell]]
CELLS: Cells = {
    "sssp": {
        "GP1": Cell("reduced-execution:changed=0.05", "frontier", 1.34, 6.07),
        "GP2": Cell("partial-edges:keep=0.3,select=lightest", "auto", 1.38, 16.19),
        "GP3": Cell("merge-similar:jaccard=0.5", "auto", 1.22, 13.87),
        "GP4": Cell("round-weights:levels=16", "frontier", 1.92, 17.64),
    },
    "mst": {
        "GP1": Cell("reduced-execution:rounds=1", "frontier", 1.18, 16.05),
        "GP2": Cell("partial-edges:keep=0.1,select=lightest", "frontier", 1.65, 17.44),
        "GP3": Cell("merge-similar:jaccard=0.5", "frontier", 1.44, 15.17),
        "GP4": Cell("round-weights:base=2", "frontier", 1.48, 19.07),
    },
    "scc": {
        "GP1": Cell("reduced-execution:changed=0.05", "topology", 1.25, 18.26),
        "GP2": Cell("partial-edges:keep=0.5", "topology", 1.32, 19.61),
        "GP3": Cell("merge-similar:jaccard=0.5", "frontier", 1.45, 20.11),
    },
    "pagerank": {
        "GP1": Cell("reduced-execution:residual=0.02", "auto", 2.03, 2.75),
        "GP2": Cell("partial-edges:keep=0.7+reduced-execution:residual=0.02", "auto", 1.43, 15.74),
        "GP3": Cell("merge-similar:jaccard=0.5+reduced-execution:residual=0.02", "auto", 1.37, 13.70),
    },
    "betweenness": {
        "GP1": Cell("reduced-execution:rounds=48,residual=0", "auto", 1.74, 18.07),
        "GP2": Cell("partial-edges:keep=0.3", "auto", 1.42, 16.73),
        "GP3": Cell("merge-similar:jaccard=0.95", "auto", 1.33, 14.35),
    },
}
# where vertices have few edges, leaving as many out as above would cut the graph to pieces
ROAD = {
    ("sssp", "GP2"): "partial-edges:keep=0.7,select=lightest",
    ("sssp", "GP4"): "round-weights:levels=64",
    ("scc", "GP2"): "partial-edges:keep=0.7",
    ("pagerank", "GP2"): "partial-edges:keep=0.7,select=heaviest+reduced-execution:residual=0.02",
    ("betweenness", "GP2"): "partial-edges:keep=0.9",
}
# and where there is no way back, more of the graph becomes unreachable
DIRECTED = {
    ("sssp", "GP2"): "partial-edges:keep=0.8,select=lightest",
    ("scc", "GP2"): "partial-edges:keep=0.9",
    ("pagerank", "GP2"): "partial-edges:keep=0.9+reduced-execution:residual=0.02",
    ("pagerank", "GP3"): "merge-similar:jaccard=0.9+reduced-execution:residual=0.02",
}
ROAD_DEGREE = 6  # arcs a vertex, at most, on average
SOURCES = 64
NOTE = (
    "speedup: over exact under the same policy; vs best: over our fastest exact run. The slides' are means over their "
    "graphs. finished by: what completed the answer, where that was not the algorithm of the exact run beside it. "
    "Means: geometric of speedups, arithmetic of inaccuracies."
)
FINISHED = {("mst", key): "filter-Kruskal" for key in ("GP1", "GP2", "GP3")}  # what is unfinished or merged
DETAIL = (
    "vs best: against our fastest exact policy. A row `exact, stopped at the same error` is what PageRank's "
    "own early stop gives for the error of the row above it."
)


@reproduction("graprox")
def graprox(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """Speedup and inaccuracy of GP1-GP4 on SSSP, MST, SCC, PR and BC, three sweeps, and the progress of SSSP."""
    chosen = with_weights(graphs or stand_ins(scale))
    summary = Table("All cells of a graph", note="Geometric mean of speedups, arithmetic mean of inaccuracies.")
    tables: list[Table] = []
    for name, graph in chosen.items():
        cells = cells_for(graph)
        found = measured_cells(graph, cells, repeat, named_progress(name, progress))
        size = f"{name}: {graph.n:,} vertices, {graph.m:,} arcs"
        tables += [_main(size, found, cells), _detail(size, found)]
        summary.rows.append({"graph": name, **_means(found, cells)})
    more = further(chosen, repeat, progress)
    return Reproduced([*tables, summary, *more.tables], more.figures, more.pictures).on(chosen, LIKE)


def further(graphs: dict[str, Graph], repeat: int, progress: Progress) -> Reproduced:
    """The sweeps, the thesis' own ways and the progress of SSSP, on the first graph."""
    from nearly.experiments.papers.graprox_sweeps import own_ways, progress_of_sssp, sweeps

    name, graph = next(iter(graphs.items()))
    swept, ways = sweeps(name, graph, repeat, progress), own_ways(name, graph, repeat, progress)
    paths = progress_of_sssp(name, graph, progress)
    return Reproduced([*swept.tables, ways, *paths.tables], paths.figures, {**swept.pictures, **paths.pictures})


def cells_for(graph: Graph) -> Cells:
    """The cells with the knobs for this class of graph."""
    changes = ROAD if graph.m <= ROAD_DEGREE * graph.n else DIRECTED if graph.directed else {}
    return {
        algorithm: {key: cell._replace(spec=changes.get((algorithm, key), cell.spec)) for key, cell in cells.items()}
        for algorithm, cells in CELLS.items()
    }


def measured_cells(graph: Graph, table: Cells, repeat: int, progress: Progress) -> Comparison:
    """All cells on one graph."""
    plan = [
        (ALGORITHMS.get(algorithm), [Pair(composition(c.spec), c.policy) for c in cells.values()])
        for algorithm, cells in table.items()
    ]
    return measured(graph, plan, checked_settings(graph, sources=SOURCES, repeat=repeat), progress)


def measured_row(found: Comparison, algorithm: str, cell: Cell) -> Row | None:
    """The row of a cell; None if it was not measured."""
    return row_of(found, algorithm, Pair(composition(cell.spec)).spec, cell.policy)


def _main(title: str, found: Comparison, table_cells: Cells) -> Table:
    table = Table(f"Graprox on {title}", note=NOTE)
    for algorithm, cells in table_cells.items():
        for key, cell in cells.items():
            row = measured_row(found, algorithm, cell)
            table.rows.append({
                "algorithm": algorithm, "technique": TECHNIQUES[key], "speedup": row and row.speedup,
                "vs best": row and row.speedup_vs_best, "inaccuracy %": row and 100 * row.inaccuracy,
                "guarantee": row and row.guarantee, "finished by": FINISHED.get((algorithm, key), ""),
                "slides: speedup": cell.speedup, "slides: inaccuracy %": cell.inaccuracy,
            })  # fmt: skip
    for key, heading in TECHNIQUES.items():
        table.rows.append({"algorithm": "mean", "technique": heading, **_mean_line(found, table_cells, key)})
    if found.skipped:
        reasons = dict.fromkeys(f"{s.algorithm}, {s.technique}: {s.reason}" for s in found.skipped)
        table.note += " Not measured: " + "; ".join(reasons) + "."
    return table


def _mean_line(found: Comparison, table: Cells, key: str) -> dict[str, Any]:
    """The means of one technique over the algorithms, ours and the slides'."""
    cells = [(algorithm, cells[key]) for algorithm, cells in table.items() if key in cells]
    rows = [row for algorithm, cell in cells if (row := measured_row(found, algorithm, cell)) is not None]
    return {
        "speedup": geometric(r.speedup for r in rows) if rows else None,
        "vs best": geometric(r.speedup_vs_best for r in rows) if rows else None,
        "inaccuracy %": 100 * arithmetic(r.inaccuracy for r in rows) if rows else None,
        "guarantee": "", "finished by": "", "slides: speedup": geometric(c.speedup for _, c in cells),
        "slides: inaccuracy %": arithmetic(c.inaccuracy for _, c in cells),
    }  # fmt: skip


def _means(found: Comparison, table: Cells) -> dict[str, Any]:
    cells = [cell for cells in table.values() for cell in cells.values()]
    rows = [measured_row(found, algorithm, cell) for algorithm, cells in table.items() for cell in cells.values()]
    ours = [row for row in rows if row is not None]
    return {
        "cells": len(ours),
        "speedup": geometric(r.speedup for r in ours),
        "slides: speedup": geometric(c.speedup for c in cells),
        "inaccuracy %": 100 * arithmetic(r.inaccuracy for r in ours),
        "slides: inaccuracy %": arithmetic(c.inaccuracy for c in cells),
        "speedup vs best": geometric(r.speedup_vs_best for r in ours),
        "at least 1.5x within 5%": ", ".join(dict.fromkeys(r.algorithm for r in ours if good(r))) or "none",
    }


def good(row: Row) -> bool:
    """Whether a cell is worth having: half as fast again, and no more than 5% off."""
    return row.speedup >= 1.5 and row.inaccuracy <= 0.05


def _detail(title: str, found: Comparison) -> Table:
    table = Table(f"In detail, {title}", note=DETAIL)
    for row in found:
        table.rows.append(
            {
                "algorithm": row.algorithm,
                "technique": row.technique,
                "policy": row.policy,
                "seconds": row.seconds,
                "speedup": row.speedup,
                "vs best": row.speedup_vs_best,
                "inaccuracy %": 100 * row.inaccuracy,
                "preprocess s": row.preprocess_seconds,
                "break-even runs": row.break_even_runs,
                "guarantee": row.guarantee,
            }
        )
    return table
