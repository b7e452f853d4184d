"""Panyala et al., the half on communities: Louvain with early termination, colouring and threshold scaling.

Tables V (modularity, iterations, phases) and VI (share of vertices that c colours reach), Figures 6 (convergence), 7
(run time of the variants) and 8 (run time by number of colours). The paper measures Grappolo on web graphs of up to a
billion edges and prints run times only as bars, so its columns here are those of its tables, beside graphs of the
same name. Our baseline is not its baseline: it looks only at vertices that have reason to move (see `louvain`).
`vector` in Figure 7, communities in a dense array instead of a hash map, is how every variant here works.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import nearly
from nearly.algorithms.louvain import LouvainResult
from nearly.base.progress import Progress
from nearly.engine.trace import Trace
from nearly.experiments.compare import composition
from nearly.experiments.contestants import interleaved
from nearly.experiments.reproduction import Table
from nearly.graph.csr import Graph
from nearly.techniques.incomplete_coloring import incomplete_coloring

VARIANTS = {
    "baseline": "",
    "early termination": "early-termination",
    "early termination, p=0.5": "early-termination:probability=0.5",
    "threshold scaling": "threshold-scaling",
    "early termination + threshold scaling": "early-termination+threshold-scaling",
    "coloring (4)": "incomplete-coloring:colors=4",
    "coloring (8)": "incomplete-coloring:colors=8",
    "coloring (16)": "incomplete-coloring:colors=16",
    "coloring (32)": "incomplete-coloring:colors=32",
    "coloring (8), multi-hash": "incomplete-coloring:colors=8,hashes=4",
    "coloring (8) + threshold scaling": "incomplete-coloring:colors=8+threshold-scaling",
}
CONVERGING = ("baseline", "early termination", "threshold scaling", "coloring (8) + threshold scaling")
COLORS = (4, 8, 16, 32)
# the paper's Table V: modularity, iterations, phases of baseline, early termination and four colours
PAPER_V = {
    "arabic": ((0.989, 35, 5), (0.990, 68, 20), (0.990, 16, 6)),
    "wiki": ((0.671, 58, 5), (0.643, 49, 6), (0.633, 19, 5)),
    "eu": ((0.828, 46, 5), (0.826, 33, 5), (0.828, 16, 5)),
    "hollywood": ((0.752, 77, 5), (0.735, 37, 7), (0.745, 18, 5)),
    "indochina": ((0.929, 37, 6), (0.930, 128, 28), (0.930, 17, 6)),
    "it-2004": ((0.973, 48, 7), (0.973, 44, 7), (0.975, 21, 6)),
    "sk-2005": ((0.971, 24, 4), (0.967, 46, 12), (0.967, 12, 4)),
    "twitter-2010": ((0.478, 31, 6), (0.470, 22, 7), (0.444, 32, 5)),
    "uk-2002": ((0.991, 126, 35), (0.990, 66, 15), (0.991, 17, 6)),
    "uk-2007": ((0.996, 43, 6), (0.996, 81, 24), (0.994, 21, 6)),
    "webbase": ((0.983, 161, 41), (0.983, 114, 34), (0.984, 18, 7)),
}
# its Table VI: percent of the vertices that 4, 8, 16 and 32 colours reach
PAPER_VI = {
    "arabic": (30.65, 36.05, 44.61, 56.17),
    "wiki": (25.75, 29.57, 32.72, 35.03),
    "eu": (51.71, 56.87, 61.09, 64.23),
    "hollywood": (26.72, 33.09, 38.35, 41.62),
    "indochina": (37.76, 44.77, 54.38, 66.05),
    "it-2004": (33.85, 40.02, 48.74, 59.53),
    "sk-2005": (24.79, 28.45, 33.36, 40.13),
    "twitter-2010": (34.89, 37.58, 39.42, 39.88),
    "uk-2002": (38.42, 46.68, 59.08, 73.23),
    "uk-2007": (34.75, 38.63, 45.03, 54.34),
    "webbase": (53.63, 65.42, 78.18, 88.12),
}


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs with communities and without, of about 2^scale vertices."""
    n = 1 << scale
    return {
        "planted": nearly.generate.planted_partition(max(n // 512, 2), 512, 0.04, 2.0 / n, seed=1),
        "social": nearly.generate.rmat(scale, 16, seed=1, params="gtgraph", directed=False),
        "kron": nearly.generate.rmat(scale, 16, seed=1, directed=False),
        "smallworld": nearly.generate.smallworld(n, 8, 0.1, seed=1),
    }


def community_tables(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> list[Table]:
    """Tables V and VI and what Figures 6, 7 and 8 show, as tables; without graphs, on stand-ins."""
    chosen = graphs or stand_ins(scale)
    tables = {
        "V": Table("Communities: modularity, iterations (phases) (Table V)", note="Iterations: rounds of all phases."),
        "VI": Table(
            "Share of vertices coloured, in percent (Table VI)", note="Jones and Plassmann, one colour a round."
        ),
        "6": Table("Modularity after each phase (Figure 6)", note="Rounds and edges are counted from the start."),
        "7": Table("Run time of the variants (Figures 7, 8)", note=NOTE_7),
    }
    for done, (name, given) in enumerate(chosen.items()):
        progress(f"communities: {name}", done, len(chosen))
        graph = given.symmetrized()
        found = {variant: nearly.louvain(graph, approx=_approx(spec)) for variant, spec in VARIANTS.items()}
        tables["V"].rows.append(_convergence(name, graph, found))
        tables["VI"].rows.append(_colored(name, graph))
        tables["6"].rows += [row for variant in CONVERGING for row in _phases(name, variant, found[variant])]
        tables["7"].rows += _times(name, graph, found, repeat)
    return list(tables.values())


def community_figures(graphs: dict[str, Graph], scale: int) -> dict[str, dict[str, Trace]]:
    """Round by round, on one graph: how many vertices each variant looks at, and how fast (Figure 6)."""
    name, graph = next(iter((graphs or stand_ins(scale)).items()))
    runs = {v: nearly.louvain(graph, approx=_approx(VARIANTS[v])).trace for v in CONVERGING}
    return {f"communities-{name}": runs}


NOTE_7 = (
    "Speedup over our baseline, the loss in modularity against it, and NMI of the communities with the baseline's. "
    "What is slower is shown as slower; one colouring is part of every run with colours."
)


def _approx(spec: str) -> Any:
    return composition(spec) if spec else None


def _convergence(name: str, graph: Graph, found: dict[str, LouvainResult]) -> dict[str, Any]:
    row: dict[str, Any] = {"graph": name, "vertices": graph.n, "arcs": graph.m}
    paper = PAPER_V.get(_plain(name), (None,) * 3)
    for variant, theirs in zip(("baseline", "early termination", "coloring (4)"), paper):
        r = found[variant]
        row[variant] = f"{r.modularity:.4f} {r.rounds} ({r.phases})"
        row[f"paper: {variant}"] = theirs and f"{theirs[0]:.3f} {theirs[1]} ({theirs[2]})"
    return row


def _plain(name: str) -> str:
    """A graph's name as the paper's tables spell it."""
    return next((known for known in PAPER_V if name.lower().startswith(known)), name)


def _colored(name: str, graph: Graph) -> dict[str, Any]:
    row: dict[str, Any] = {"graph": name}
    paper = PAPER_VI.get(_plain(name), (None,) * len(COLORS))
    for colors, theirs in zip(COLORS, paper):
        turn, _ = incomplete_coloring(graph, colors, 0, seed=1)
        row[f"{colors} colors"] = 100 * float(np.mean(turn < colors)) if graph.n else 100.0
        row[f"paper: {colors} colors"] = theirs
    several, _ = incomplete_coloring(graph, 8, 4, seed=1)
    row["8 colors, multi-hash"] = 100 * float(np.mean(several < 8)) if graph.n else 100.0
    return row


def _phases(name: str, variant: str, result: LouvainResult) -> list[dict[str, Any]]:
    rows, edges = [], 0
    for row in result.trace:
        edges += row.edges
        if "modularity" in row.extra:
            rows.append(
                {
                    "graph": name,
                    "variant": variant,
                    "phase": int(row.extra["phase"]),
                    "rounds": row.round,
                    "edges": edges,
                    "modularity": f"{row.extra['modularity']:.4f}",
                }
            )
    return rows


def _times(name: str, graph: Graph, found: dict[str, LouvainResult], repeat: int) -> list[dict[str, Any]]:
    calls: dict[str, Callable[..., LouvainResult]] = {
        variant: partial(nearly.louvain, graph, approx=_approx(spec)) for variant, spec in VARIANTS.items()
    }
    calls["complete coloring"] = partial(nearly.louvain, graph, order="color")
    seconds = interleaved(calls, repeat)
    found = {**found, "complete coloring": calls["complete coloring"]()}
    base = found["baseline"]
    return [
        {
            "graph": name,
            "variant": variant,
            "seconds": seconds[variant],
            "speedup": seconds["baseline"] / seconds[variant],
            "modularity": f"{found[variant].modularity:.4f}",
            "loss": f"{base.modularity - found[variant].modularity:+.4f}",
            "NMI": nearly.accuracy.normalized_mutual_information(base, found[variant]),
            "rounds": found[variant].rounds,
            "phases": found[variant].phases,
        }
        for variant in calls
    ]
