"""Graffix (Singh and Nasre, ICPP 2020): Tables 2-14 and Figures 7-9, on stand-ins or on given graphs.

The paper measures three transforms of the graph against three GPU codes; here each is measured against our exact run
under the policy of the same style: `topology` (Baseline-I), `split` (Tigr's, II) and `frontier` (Gunrock's, III). A
CPU has no warps, so a gain can only come from the cache and from fewer rounds; `--on model` models a GPU. Stand-ins
and knobs are in `graffix_graphs`; every cell says how many replicas, clusters or filled vertices, and how many added
arcs, its transform made. Where the paper reports an error that the transform as described cannot cause (its 2-hop
edges change no distance, no strong component and no spanning tree's weight), our error is 0, and the guarantee is
"exact". The paper's own way to merge replicas, by the mean, can cause one: that has a table of its own, as have
combinations of the three, and the claim that the inaccuracy is half of Graprox' (`graffix_more`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import Comparison, Row
from nearly.experiments.means import arithmetic, geometric
from nearly.experiments.papers import graffix_more
from nearly.experiments.papers.graffix_cells import COUNTED, Measured, averaged, combinations, prepared
from nearly.experiments.papers.graffix_graphs import LIKE, stand_ins
from nearly.experiments.papers.graffix_published import (
    EXACT_TIMES,
    FIGURES,
    GRAPHS,
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
LIMIT = 4.0  # seconds that a run may take; rounds over all vertices of a road network take longer


@reproduction("graffix", scale=13, on=("cpu", "model"), rows=GRAPHS)
def graffix(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress, on: str = "cpu") -> Reproduced:
    """Exact times (Tables 2-4), preprocessing (5), three transforms (6-14), combined; thresholds (Figures 7-9)."""
    chosen = with_weights(graphs or stand_ins(scale))
    if on == "model":
        from nearly.experiments.papers.graffix_model import modelled_tables

        return modelled_tables(chosen, progress).on(chosen, LIKE)
    found = [_measured(name, graph, repeat, progress) for name, graph in chosen.items()]
    tables = [_exact_times(2 + number, policy, found) for number, policy in enumerate(STYLES)]
    tables.append(_preprocessing(found))
    for number, (policy, technique) in enumerate((p, t) for p in STYLES for t in TECHNIQUES):
        tables.append(_effect(6 + number, policy, technique, found))
    swept = {t: _swept(t, found[0], repeat, progress) for t in TECHNIQUES}
    tables += [_figure(number, t, found[0].name, swept[t]) for number, t in enumerate(TECHNIQUES, 7)]
    tables += [graffix_more.by_the_mean(found), graffix_more.combined(found, SWEPT)]
    tables += [graffix_more.half_of_graprox(found, progress), _summary(found)]
    return Reproduced(tables, pictures=_pictures(found[0].name, swept)).on(chosen, LIKE)


def _measured(name: str, graph: Graph, repeat: int, progress: Progress) -> Measured:
    """All techniques under all styles, for the algorithms that the paper has there; the mean and combinations too."""
    made = prepared(name, graph)
    pairs: dict[str, list[Pair]] = {}
    for policy in STYLES:
        for technique, spec in made.specs.items():
            for algorithm in TABLES[policy][technique]:
                pairs.setdefault(algorithm, []).append(Pair(composition(spec), policy))
    for algorithm, listed in pairs.items():
        more = [averaged(made), *(combinations(made).values() if algorithm in SWEPT else ())]
        listed += [Pair(composition(spec), "topology") for spec in more]
        listed.append(Pair(composition(averaged(made)), "frontier"))
        progress(f"{name}: transforming for {algorithm}", 0, None)
        made.count(algorithm, listed)
    plan = [(ALGORITHMS.get(algorithm), listed) for algorithm, listed in pairs.items()]
    settings = checked_settings(graph, sources=SOURCES, repeat=repeat, limit=LIMIT)
    made.rows = measured(graph, plan, settings, named_progress(name, progress))
    return made


def _exact_times(number: int, policy: str, found: list[Measured]) -> Table:
    title = f"Table {number}: exact times, {STYLES[policy]} ({policy})"
    note = f"Our betweenness is from {SOURCES} sources. Fastest: our fastest exact policy of those measured."
    table = Table(title, note=note)
    for algorithm, cells in EXACT_TIMES[policy].items():
        for one in found:
            row = one.row(algorithm, "exact", policy)
            table.rows.append({
                "algorithm": algorithm, "graph": one.name, "vertices": one.graph.n, "arcs": one.graph.m,
                "seconds": row and row.seconds, "fastest": row and row.best_exact_seconds,
                "paper: graph": one.published, "paper: seconds": one.of_paper(cells),
            })  # fmt: skip
    return table


def _effect(number: int, policy: str, technique: str, found: list[Measured]) -> Table:
    paper = TABLES[policy][technique]
    title = f"Table {number}: effect of {TECHNIQUES[technique]} against exact {STYLES[policy]} ({policy})"
    table = Table(title, note="speedup: over exact under the same policy; a cell without numbers took too long.")
    rows = []
    for algorithm, cells in paper.items():
        for one in found:
            row = one.row(algorithm, one.specs[technique], policy)
            rows += [row] if row else []
            theirs = one.of_paper(cells) or (None, None)
            table.rows.append({
                "algorithm": algorithm, "graph": one.name, "speedup": row and row.speedup,
                "inaccuracy %": row and 100 * row.inaccuracy, "vs best": row and row.speedup_vs_best,
                "guarantee": row and row.guarantee, **one.counts(algorithm, technique),
                "paper: speedup": theirs[0], "paper: inaccuracy %": theirs[1],
            })  # fmt: skip
    blank = dict.fromkeys((*COUNTED[technique], "space %"), "")
    table.rows.append({"algorithm": "mean", "graph": "", "guarantee": "", **blank, **_means(rows, paper)})
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


def _preprocessing(found: list[Measured]) -> Table:
    """Table 5, and how many exact PageRank runs take as long."""
    note = "For PageRank. In PageRank runs: how many of our exact runs take as long as the preprocessing."
    table = Table("Table 5: preprocessing", note=note)
    for technique in TECHNIQUES:
        for one in found:
            row = one.row("pagerank", one.specs[technique], "topology")
            exact = one.row("pagerank", "exact", "auto")
            theirs = one.of_paper(PREPROCESSING[technique]) or (None, None)
            made = one.counts("pagerank", technique)
            first, arcs = COUNTED[technique]
            table.rows.append({
                "technique": technique, "graph": one.name, "knobs": one.specs[technique].partition(":")[2],
                "seconds": row and row.preprocess_seconds,
                "in PageRank runs": row and exact and row.preprocess_seconds / exact.seconds,
                "made": f"{made[first]:,} {first}", arcs: made[arcs],
                "extra space %": row and 100 * row.extra_space,
                "paper: seconds": theirs[0], "paper: extra space %": theirs[1],
            })  # fmt: skip
    return table


def _swept(technique: str, one: Measured, repeat: int, progress: Progress) -> dict[str, Comparison]:
    turn = partial(sweep, policy="topology", sources=SOURCES, repeat=repeat, limit=LIMIT, progress=progress)
    spec = one.specs[technique]
    return {algorithm: turn(one.graph, algorithm, spec, SWEEPS[technique], VALUES) for algorithm in SWEPT}


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


def _summary(found: list[Measured]) -> Table:
    table = Table(
        "All graphs",
        note="Geometric mean of speedups, arithmetic mean of inaccuracies; the paper's are over its own graphs.",
    )
    for policy in STYLES:
        for technique in TECHNIQUES:
            cells = [one.row(a, one.specs[technique], policy) for one in found for a in TABLES[policy][technique]]
            rows = [row for row in cells if row is not None]
            line: dict[str, Any] = {"style": policy, "technique": technique, "cells": len(rows)}
            table.rows.append({**line, **_means(rows, TABLES[policy][technique])})
    return table
