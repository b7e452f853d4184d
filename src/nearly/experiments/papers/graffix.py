"""Graffix (Singh and Nasre, ICPP 2020): Tables 5-14 and Figures 7-9, on stand-ins or on given graphs.

The paper measures three transforms of the graph against three GPU codes; here each is measured against our exact run
under the policy of the same style: `topology` (Baseline-I), `split` (Tigr's, II) and `frontier` (Gunrock's, III).
A CPU has no warps, so speed can only come from the cache and from fewer rounds; `--on model` has the modelled GPU.
Stand-ins: R-MAT graphs for rmat26 and LiveJournal, a random graph, a lattice for the road network, all much smaller.
Where the paper reports an error that the transform as described cannot cause (its 2-hop edges change no distance,
no strong component and no spanning tree's weight), ours is 0 and says so by its guarantee.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nearly
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import Comparison, Row
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers.graffix_figures import FIGURES, PREPROCESSING, SWEEPS, TABLES, TECHNIQUES, VALUES
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.experiments.sweep import sweep
from nearly.graph.csr import Graph

STYLES = {"topology": "Baseline-I", "split": "Baseline-II", "frontier": "Baseline-III"}
SWEPT = ("sssp", "pagerank", "betweenness")
SOURCES, LIMIT = 16, 10.0  # of betweenness; seconds a run may take, which rounds over all vertices of a road exceed


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the paper's classes, of about 2^scale vertices."""
    n, side = 1 << scale, math.isqrt(1 << scale)
    return {
        "rmat": nearly.generate.rmat(scale, 16, seed=1, weights="int"),
        "random": nearly.generate.random(n, 16 * n, seed=1, weights="int"),
        "livejournal": nearly.generate.rmat(scale, 14, seed=2, params="gtgraph", weights="int"),
        "road": nearly.generate.grid(side, side, seed=1),
    }


@reproduction("graffix", on=("cpu", "model"))
def graffix(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress, on: str = "cpu") -> Reproduced:
    """Preprocessing (Table 5), speedup and inaccuracy of the three transforms (6-14), thresholds (Figures 7-9)."""
    chosen = {
        name: graph if graph.weighted else nearly.generate.with_weights(graph)
        for name, graph in (graphs or stand_ins(scale)).items()
    }
    if on == "model":
        from nearly.experiments.papers.graffix_model import modelled_tables

        return modelled_tables(chosen, progress)
    found = {name: _measured(name, graph, repeat, progress) for name, graph in chosen.items()}
    tables = [_preprocessing(found)]
    for number, (policy, technique) in enumerate((p, t) for p in STYLES for t in TECHNIQUES):
        tables.append(_effect(6 + number, policy, technique, found))
    first, graph = next(iter(chosen.items()))
    swept = {t: _swept(t, graph, repeat, progress) for t in TECHNIQUES}
    tables += [_figure(number, technique, first, swept[technique]) for number, technique in enumerate(TECHNIQUES, 7)]
    return Reproduced([*tables, _summary(found)], pictures=_pictures(first, swept))


def _measured(name: str, graph: Graph, repeat: int, progress: Progress) -> Comparison:
    """All techniques under all styles, for the algorithms that the paper has there."""
    pairs = {
        algorithm: [
            Pair(composition(t), policy) for policy in STYLES for t in TECHNIQUES if algorithm in TABLES[policy][t]
        ]
        for algorithm in TABLES["topology"]["coalesce"]
    }
    plan = [(ALGORITHMS.get(algorithm), listed) for algorithm, listed in pairs.items()]
    settings = checked_settings(graph, None, SOURCES, repeat, 1, None, LIMIT)
    return measured(graph, plan, settings, _named(name, progress))


def _named(name: str, progress: Progress) -> Progress:
    return lambda stage, done, total: progress(f"{name}{stage.removeprefix('measuring')}", done, total)


def row_of(found: Comparison, algorithm: str, technique: str, policy: str) -> Row | None:
    """The row of a cell, if it was measured."""
    wanted = algorithm, technique, policy
    return next((row for row in found if (row.algorithm, row.technique, row.policy) == wanted), None)


def _effect(number: int, policy: str, technique: str, found: dict[str, Comparison]) -> Table:
    paper = TABLES[policy][technique]
    title = f"Table {number}: effect of {TECHNIQUES[technique]} against exact {STYLES[policy]} ({policy})"
    table = Table(title, note="speedup: over exact under the same policy; a cell without figures took too long.")
    rows = []
    for algorithm, cells in paper.items():
        for name, comparison in found.items():
            row = row_of(comparison, algorithm, technique, policy)
            rows += [row] if row else []
            theirs = cells.get(name, (None, None))
            table.rows.append({
                "algorithm": algorithm, "graph": name, "speedup": row and row.speedup,
                "inaccuracy %": row and 100 * row.inaccuracy, "vs best": row and row.speedup_vs_best,
                "guarantee": row and row.guarantee, "paper: speedup": theirs[0], "paper: inaccuracy %": theirs[1],
            })  # fmt: skip
    paper_cells = [cell for cells in paper.values() for cell in cells.values()]
    table.rows.append({
        "algorithm": "mean", "graph": "", "speedup": geometric(r.speedup for r in rows),
        "inaccuracy %": 100 * arithmetic(r.inaccuracy for r in rows),
        "vs best": geometric(r.speedup_vs_best for r in rows), "guarantee": "",
        "paper: speedup": geometric(c[0] for c in paper_cells),
        "paper: inaccuracy %": arithmetic(c[1] for c in paper_cells),
    })  # fmt: skip
    return table


def _preprocessing(found: dict[str, Comparison]) -> Table:
    """Table 5, with what it costs in exact PageRank runs."""
    table = Table("Table 5: preprocessing", note="In exact PageRank runs of ours: how many the seconds would pay for.")
    for technique in TECHNIQUES:
        for name, comparison in found.items():
            row = row_of(comparison, "pagerank", technique, "topology")
            exact = row_of(comparison, "pagerank", "exact", "auto")
            theirs = PREPROCESSING[technique].get(name, (None, None))
            table.rows.append({
                "technique": technique, "graph": name, "seconds": row and row.preprocess_seconds,
                "in PageRank runs": row and exact and row.preprocess_seconds / exact.seconds,
                "extra space %": row and 100 * row.extra_space,
                "paper: seconds": theirs[0], "paper: extra space %": theirs[1],
            })  # fmt: skip
    return table


def _swept(technique: str, graph: Graph, repeat: int, progress: Progress) -> dict[str, Comparison]:
    turn = partial(sweep, policy="topology", sources=SOURCES, repeat=repeat, limit=LIMIT, progress=progress)
    return {algorithm: turn(graph, algorithm, technique, SWEEPS[technique], VALUES) for algorithm in SWEPT}


def _figure(number: int, technique: str, graph: str, swept: dict[str, Comparison]) -> Table:
    table = Table(f"Figure {number}: {FIGURES[technique]}, on {graph}")
    for algorithm, rows in swept.items():
        for row in rows:
            if row.knob is not None and row.technique.startswith(technique):
                table.rows.append({
                    "algorithm": algorithm, row.knob: row.value, "speedup": row.speedup,
                    "inaccuracy %": 100 * row.inaccuracy, "extra space %": 100 * row.extra_space,
                })  # fmt: skip
    return table


def _pictures(graph: str, swept: dict[str, dict[str, Comparison]]) -> dict[str, Callable[[Path], None]]:
    from nearly.experiments.charts import plot_sweep

    def draw(rows: Comparison, title: str, path: Path) -> None:
        plot_sweep(rows, path, title)

    return {
        f"figure{number}-{algorithm}": partial(draw, rows, f"{FIGURES[technique]}: {algorithm} on {graph}")
        for number, technique in enumerate(swept, 7)
        for algorithm, rows in swept[technique].items()
        if any(row.knob is not None for row in rows)
    }


def _summary(found: dict[str, Comparison]) -> Table:
    table = Table(
        "All graphs", note="Geometric mean of speedups, arithmetic mean of inaccuracies; the paper's of its own graphs."
    )
    for policy in STYLES:
        for technique in TECHNIQUES:
            rows = [r for c in found.values() for r in c if (r.technique, r.policy) == (technique, policy)]
            cells = [cell for cells in TABLES[policy][technique].values() for cell in cells.values()]
            line: dict[str, Any] = {"style": policy, "technique": technique, "cells": len(rows)}
            line["speedup"], line["inaccuracy %"] = (
                geometric(r.speedup for r in rows),
                100 * arithmetic(r.inaccuracy for r in rows),
            )
            line["vs best"] = geometric(r.speedup_vs_best for r in rows)
            line["paper: speedup"] = geometric(c[0] for c in cells)
            line["paper: inaccuracy %"] = arithmetic(c[1] for c in cells)
            table.rows.append(line)
    return table
