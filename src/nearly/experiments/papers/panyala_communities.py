"""Panyala et al., the half on communities: Grappolo with early termination, colouring, threshold scaling and vectors.

Tables V (modularity, iterations, phases) and VI (share of vertices that c colours reach), Figures 6 (modularity by
iteration), 7 (run time of the variants) and 8 (run time by number of colours). The paper's baseline is Grappolo: every
vertex looks around in every iteration, all at once, a relative threshold ends phases, and communities around a vertex
are found through a hash map. So are all variants here but those that say otherwise; "vector" has a dense array instead
of the hash map, with the same answer. "Ours" is `nearly.louvain` as it is by default, which looks only at vertices
that have reason to move. The paper prints run times only as bars; its text has two speedups by colouring.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import nearly
from nearly.algorithms.louvain import LouvainResult
from nearly.base.progress import Progress
from nearly.experiments.compare import composition
from nearly.experiments.contestants import interleaved
from nearly.experiments.papers.panyala_pictures import Bars, Lines
from nearly.experiments.papers.panyala_published import COLORED, COMMUNITIES, FASTER, printed_as
from nearly.experiments.reproduction import Table
from nearly.graph.csr import Graph
from nearly.techniques.incomplete_coloring import incomplete_coloring

COLORS = (4, 8, 16, 32)
VECTOR = {"turns": "all", "threshold_kind": "relative"}
GRAPPOLO = {**VECTOR, "community_map": "hash"}
# techniques and options of each
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "basic": ("", GRAPPOLO),
    "early termination": ("early-termination", GRAPPOLO),
    "vector": ("", VECTOR),
    "early termination + threshold scaling": ("early-termination+threshold-scaling", GRAPPOLO),
    "threshold scaling": ("threshold-scaling", GRAPPOLO),
    "early termination, p=0.5": ("early-termination:probability=0.5", GRAPPOLO),
    **{f"coloring ({c})": (f"incomplete-coloring:colors={c}", GRAPPOLO) for c in COLORS},
    "coloring (8), multi-hash": ("incomplete-coloring:colors=8,hashes=4", GRAPPOLO),
    "coloring (8) + threshold scaling": ("incomplete-coloring:colors=8+threshold-scaling", GRAPPOLO),
    "complete coloring": ("", {**GRAPPOLO, "order": "color"}),
    "ours": ("", {}),
    "ours, early termination + threshold scaling": ("early-termination+threshold-scaling", {}),
    "ours, coloring (8) + threshold scaling": ("incomplete-coloring:colors=8+threshold-scaling", {}),
}
CONVERGING = ("basic", "early termination", "vector", "threshold scaling", "coloring (8) + threshold scaling")
SEVEN = ("basic", "early termination", "vector", "early termination + threshold scaling", "ours")
EIGHT = ("basic", *(f"coloring ({c})" for c in COLORS), "complete coloring")
PRINTED = {"basic": "baseline", "early termination": "early termination", "coloring (4)": "coloring (4)"}
TITLES = {
    "V": "Table V: modularity, iterations (phases)",
    "VI": "Table VI: share of vertices coloured, in percent",
    "6": "Figure 6: modularity by iteration",
    "7": "Figures 7 and 8: run time of the variants",
}
NOTES = {
    "V": "Iterations: rounds of all phases. Basic: Grappolo's baseline; ours: what `nearly.louvain` does by default.",
    "VI": "Jones and Plassmann, one colour a round.",
    "6": "After some of the iterations, through all phases. It may fall and recover; a phase ends with its best.",
    "7": "Speedup over basic, the loss in modularity against it, and NMI of the communities with basic's; over ours: "
    "with the time of `nearly.louvain` as it is by default. What is slower is shown as slower; a colouring is part of "
    "every run with colours. Paper: the largest speedup by colouring that its text has of this graph.",
}


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs with communities and without, of about 2^scale vertices."""
    n = 1 << scale
    return {
        "planted web-like": nearly.generate.planted_partition(max(n // 512, 2), 512, 0.04, 2.0 / n, seed=1),
        "social-like": nearly.generate.rmat(scale, 16, seed=1, params="gtgraph", directed=False),
        "kron": nearly.generate.rmat(scale, 16, seed=1, directed=False),
        "small world": nearly.generate.smallworld(n, 8, 0.1, seed=1),
    }


def community_tables(
    graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress
) -> tuple[list[Table], dict[str, Callable[[Path], None]]]:
    """Tables V and VI, what Figures 6, 7 and 8 show as tables, and their pictures; without graphs, on stand-ins."""
    chosen = graphs or stand_ins(scale)
    tables = {key: Table(title, note=NOTES[key]) for key, title in TITLES.items()}
    pictures: dict[str, Callable[[Path], None]] = {}
    times: dict[str, dict[str, float]] = {}
    for done, (name, given) in enumerate(chosen.items()):
        progress(f"communities: {name}", done, len(chosen))
        graph = given.symmetrized()
        calls = {variant: _call(graph, variant) for variant in VARIANTS}
        found = {variant: call() for variant, call in calls.items()}
        tables["V"].rows.append(_convergence(name, graph, found))
        tables["VI"].rows.append(_colored(name, graph))
        tables["6"].rows += [_iterations(name, variant, found[variant]) for variant in CONVERGING]
        progress(f"communities: {name}, run times", done, len(chosen))
        times[name] = interleaved(calls, repeat)
        tables["7"].rows += _times(name, found, times[name])
        lines = {v: (range(1, found[v].rounds + 1), reached(found[v])) for v in CONVERGING}
        title = {"title": f"Convergence, {name}", "xlabel": "iteration", "ylabel": "modularity"}
        pictures[f"figure-6-{name.replace(' ', '-')}"] = Lines(lines, title).draw
    for number, variants in ((7, SEVEN), (8, EIGHT)):
        bars = {name: {variant: seconds[variant] for variant in variants} for name, seconds in times.items()}
        pictures[f"figure-{number}"] = Bars(bars, {"ylabel": "seconds"}).draw
    return list(tables.values()), pictures


def _call(graph: Graph, variant: str) -> Callable[..., LouvainResult]:
    spec, options = VARIANTS[variant]
    return partial(nearly.louvain, graph, approx=composition(spec) if spec else None, **options)


def reached(result: LouvainResult) -> list[float]:
    """The modularity after each iteration."""
    return [row.extra["reached"] for row in result.trace]


def _convergence(name: str, graph: Graph, found: dict[str, LouvainResult]) -> dict[str, Any]:
    row: dict[str, Any] = {"graph": name, "vertices": graph.n, "arcs": graph.m}
    paper = COMMUNITIES.get(printed_as(name), (None,) * 3)
    for (variant, word), theirs in zip(PRINTED.items(), paper):
        row[variant] = _brief(found[variant])
        row[f"paper: {word}"] = theirs and f"{theirs[0]:.3f} {theirs[1]} ({theirs[2]})"
    row["ours"] = _brief(found["ours"])
    return row


def _brief(result: LouvainResult) -> str:
    return f"{result.modularity:.4f} {result.rounds} ({result.phases})"


def _colored(name: str, graph: Graph) -> dict[str, Any]:
    row: dict[str, Any] = {"graph": name}
    paper = COLORED.get(printed_as(name), (None,) * len(COLORS))
    for colors, theirs in zip(COLORS, paper):
        turn, _ = incomplete_coloring(graph, colors, 0, seed=1)
        row[f"{colors} colors"] = 100 * float(np.mean(turn < colors)) if graph.n else 100.0
        row[f"paper: {colors} colors"] = theirs
    several, _ = incomplete_coloring(graph, 8, 4, seed=1)
    row["8 colors, multi-hash"] = 100 * float(np.mean(several < 8)) if graph.n else 100.0
    return row


def _iterations(name: str, variant: str, result: LouvainResult) -> dict[str, Any]:
    after = reached(result)
    shown = np.unique(np.linspace(0, len(after) - 1, 10).round().astype(int)).tolist() if after else []
    listed = ", ".join(f"{k + 1}: {after[k]:.4f}" for k in shown)
    return {"graph": name, "variant": variant, "iterations": result.rounds, "modularity": listed}


def _times(name: str, found: dict[str, LouvainResult], seconds: dict[str, float]) -> list[dict[str, Any]]:
    base, faster = found["basic"], FASTER.get(printed_as(name))
    return [
        {
            "graph": name,
            "variant": variant,
            "seconds": seconds[variant],
            "speedup": seconds["basic"] / seconds[variant],
            "over ours": seconds["ours"] / seconds[variant],
            "modularity": f"{result.modularity:.4f}",
            "loss": f"{base.modularity - result.modularity:+.4f}",
            "NMI": nearly.accuracy.normalized_mutual_information(base, result),
            "rounds": result.rounds,
            "phases": result.phases,
            "paper: up to": faster if "coloring" in variant and "ours" not in variant else None,
        }
        for variant, result in found.items()
    ]
