"""Graffix' tables on a modelled GPU: modelled speedups beside the paper's measured ones, and its sweeps."""

from __future__ import annotations

import nearly
from nearly.base.progress import Progress
from nearly.experiments.compare import composition
from nearly.experiments.estimate_view import columns
from nearly.experiments.means import geometric
from nearly.experiments.papers.graffix_cells import prepared
from nearly.experiments.papers.graffix_published import FIGURES, SWEEPS, TABLES, TECHNIQUES, VALUES
from nearly.experiments.reproduction import Reproduced, Table
from nearly.experiments.sweep import turned
from nearly.graph.csr import Graph

NOTE = "All of ours is modelled (K40c-like); the paper measured on a K40c."
WANTED = {
    "coalesce": ("transactions", -1),
    "cluster-locality": ("shared_hits", 1),
    "normalize-degrees": ("simd_efficiency", 1),
}


def modelled_tables(graphs: dict[str, Graph], progress: Progress) -> Reproduced:
    """Tables 6-14 and Figures 7-9, modelled."""
    tables = [_effect(6 + i, policy, technique, graphs, progress) for i, (policy, technique) in enumerate(_pairs())]
    name, graph = next(iter(graphs.items()))
    tables += [_sweep(7 + i, technique, name, graph) for i, technique in enumerate(TECHNIQUES)]
    return Reproduced(tables)


def _pairs() -> list[tuple[str, str]]:
    return [(policy, technique) for policy in TABLES for technique in TECHNIQUES]


def _effect(number: int, policy: str, technique: str, graphs: dict[str, Graph], progress: Progress) -> Table:
    table = Table(f"Table {number}, modelled: effect of {TECHNIQUES[technique]} under {policy}", note=NOTE)
    metric, sign = WANTED[technique]
    speedups = []
    for algorithm, cells in TABLES[policy][technique].items():
        for done, (name, graph) in enumerate(graphs.items()):
            progress(f"modelling {technique} for {algorithm} on {name}", done, len(graphs))
            exact = nearly.model.estimate(graph, algorithm, policy=policy)
            one = prepared(name, graph)
            made = columns(nearly.model.estimate(graph, algorithm, one.specs[technique], policy=policy), exact)
            before = columns(exact, exact)
            agrees = (made[metric] - before[metric]) * sign > 0
            speedups.append(made["modelled_speedup"])
            table.rows.append({
                "algorithm": algorithm, "graph": name, "modelled speedup": made["modelled_speedup"],
                "transactions": made["transactions"] / max(before["transactions"], 1),
                "SIMD efficiency": f"{before['simd_efficiency']:.3f} to {made['simd_efficiency']:.3f}",
                "shared hits": made["shared_hits"], "direction": "as the paper's" if agrees else "not as the paper's",
                "paper: speedup": (one.of_paper(cells) or (None,))[0],
            })  # fmt: skip
    mean = {"algorithm": "mean", "graph": "", "modelled speedup": geometric(speedups)}
    table.rows.append(
        mean
        | {"paper: speedup": geometric(c[0] for cells in TABLES[policy][technique].values() for c in cells.values())}
    )
    return table


def _sweep(number: int, technique: str, name: str, graph: Graph) -> Table:
    table = Table(f"Figure {number}, modelled: {FIGURES[technique]}, pagerank on {name}", note=NOTE)
    exact = nearly.model.estimate(graph, "pagerank")
    base, knob = composition(prepared(name, graph).specs[technique]), SWEEPS[technique]
    for value in VALUES:
        made = columns(nearly.model.estimate(graph, "pagerank", turned(base, knob, value)[0]), exact)
        shown = ("modelled_speedup", "transactions", "simd_efficiency", "shared_hits")
        table.rows.append({knob: value, **{key.replace("_", " "): made[key] for key in shown}})
    return table
