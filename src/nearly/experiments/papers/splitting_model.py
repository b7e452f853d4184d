"""Node splitting and dynamic parallelism on a modelled GPU, beside the paper's measured improvements."""

from __future__ import annotations

from typing import Any

import nearly
from nearly.base.progress import Progress
from nearly.experiments.papers.splitting_published import DYNAMIC, SHOWN, SPLIT, levels_of
from nearly.experiments.reproduction import Reproduced, Table
from nearly.graph.csr import Graph
from nearly.model import Estimate, estimate

NOTE = "All of ours is modelled (K40c-like). Improvement: the share of the baseline's modelled time that is saved."


def modelled_tables(graphs: dict[str, Graph], progress: Progress) -> Reproduced:
    """Tables I and II, and time by MDA, modelled."""
    split, dynamic = (
        Table("Table I, modelled: node splitting", note=NOTE),
        Table("Table II, modelled: dynamic parallelism", note=NOTE),
    )
    curves = Table("Figures 8-10, modelled: milliseconds by MDA", note=NOTE)
    for done, (name, graph) in enumerate(graphs.items()):
        for algorithm in SHOWN:
            progress(f"modelling {algorithm} on {name}", done, len(graphs))
            base = estimate(graph, algorithm, policy="topology")
            made = {
                mda: estimate(graph, algorithm, nearly.SplitNodes(mda=mda), policy="topology")
                for mda in levels_of(graph)
            }
            heavy = {mda: estimate(graph, algorithm, policy="heavy-light", threshold=mda) for mda in levels_of(graph)}
            automatic = estimate(graph, algorithm, nearly.SplitNodes(mda="histogram"), policy="topology")
            frontier = estimate(graph, algorithm, policy="frontier")
            split.rows.append(
                _best(name, algorithm, made, base, SPLIT) | {"histogram: improvement %": _saved(automatic, base)}
            )
            dynamic.rows.append(_best(name, algorithm, heavy, frontier, DYNAMIC))
            for mda in made:
                curves.rows.append({
                    "graph": name, "algorithm": algorithm, "MDA": mda,
                    "splitting ms": 1000 * made[mda].seconds, "heavy-light ms": 1000 * heavy[mda].seconds,
                    "baseline ms": 1000 * base.seconds, "SIMD efficiency": made[mda].simd_efficiency,
                })  # fmt: skip
    return Reproduced([split, dynamic, curves])


def _best(
    name: str, algorithm: str, made: dict[int, Estimate], base: Estimate, paper: dict[Any, Any]
) -> dict[str, Any]:
    mda = min(made, key=lambda m: made[m].seconds)
    theirs = paper.get((name, algorithm), (None, None))
    return {
        "graph": name, "algorithm": algorithm, "MDA": mda, "modelled improvement %": _saved(made[mda], base),
        "SIMD efficiency": f"{base.simd_efficiency:.3f} to {made[mda].simd_efficiency:.3f}",
        "paper: MDA": theirs[0], "paper: improvement %": theirs[1],
    }  # fmt: skip


def _saved(made: Estimate, base: Estimate) -> float:
    return 100 * (1 - made.seconds / base.seconds)
