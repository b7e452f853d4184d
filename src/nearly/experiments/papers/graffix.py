"""Graffix (Singh and Nasre, ICPP 2020): Tables 5-14 and Figures 7-9, on stand-ins or on given graphs.

The paper measures three transforms of the graph against three GPU codes; here each is measured against our exact run
under the policy of the same style: `topology` (Baseline-I), `split` (Tigr's, II) and `frontier` (Gunrock's, III).
A CPU has no warps, so a gain can only come from the cache and from fewer rounds; `--on model` models a GPU.
Stand-ins: R-MAT graphs for rmat26 and LiveJournal, a random graph, a lattice for the road network, all much smaller.
Where the paper reports an error that the transform as described cannot cause (its 2-hop edges change no distance,
no strong component and no spanning tree's weight), our error is 0, and the guarantee is "exact".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import nearly
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import Comparison, Row, row_of
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers.graffix_published import (
    FIGURES,
    PREPROCESSING,
    SWEEPS,
    TABLES,
    TECHNIQUES,
    VALUES,
    Cells,
)
from nearly.experiments.reproduction import Reproduced, Table, named_progress, reproduction, with_weights
from nearly.experiments.sweep import sweep
from nearly.graph.csr import Graph

STYLES = {"topology": "Baseline-I", "split": "Baseline-II", "frontier": "Baseline-III"}
SWEPT = ("sssp", "pagerank", "betweenness")
SOURCES = 16  # of betweenness
LIMIT = 10.0  # seconds that a run may take; rounds over all vertices of a road network take longer


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
    chosen = with_weights(graphs or stand_ins(scale))
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
    settings = checked_settings(graph, sources=SOURCES, repeat=repeat, limit=LIMIT)
    return measured(graph, plan, settings, named_progress(name, progress))


def _effect(number: int, policy: str, technique: str, found: dict[str, Comparison]) -> Table:
    paper = TABLES[policy][technique]
    title = f"Table {number}: effect of {TECHNIQUES[technique]} against exact {STYLES[policy]} ({policy})"
    table = Table(title, note="speedup: over exact under the same policy; a cell without numbers took too long.")
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
    table.rows.append({"algorithm": "mean", "graph": "", "guarantee": "", **_means(rows, paper)})
    return table


def _means(rows: list[Row], paper: dict[str, Cells]) -> dict[str, float]:
    """Geometric means of speedups and arithmetic means of inaccuracies, ours and the paper's."""
    cells = [cell for by_graph in paper.values() for cell in by_graph.values()]
    return {
        "speedup": geometric(r.speedup for r in rows),
        "inaccuracy %": 100 * arithmetic(r.inaccuracy for r in rows),
        "vs best": geometric(r.speedup_vs_best for r in rows),
        "paper: speedup": geometric(speedup for speedup, _ in cells),
        "paper: inaccuracy %": arithmetic(inaccuracy for _, inaccuracy in cells),
    }


def _preprocessing(found: dict[str, Comparison]) -> Table:
    """Table 5, and how many exact PageRank runs take as long."""
    table = Table(
        "Table 5: preprocessing", note="In PageRank runs: how many of our exact runs take as long as the preprocessing."
    )
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
    from nearly.experiments.comparison_charts import plot_sweep

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
        "All graphs",
        note="Geometric mean of speedups, arithmetic mean of inaccuracies; the paper's are over its own graphs.",
    )
    for policy in STYLES:
        for technique in TECHNIQUES:
            rows = [r for c in found.values() for r in c if (r.technique, r.policy) == (technique, policy)]
            line = {"style": policy, "technique": technique, "cells": len(rows)}
            table.rows.append({**line, **_means(rows, TABLES[policy][technique])})
    return table
