"""Panyala et al.: approximate PageRank and community detection, Tables II to VI and Figures 2 to 8.

Stand-ins: R-MAT graphs of the two classes measured there (web, social) and a road-like grid; or given graph files.
PageRank's figures are with leaking ranks and stop when no rank changes by more than 10^-6, as in the paper; the
baseline is the same push and sum over slots with nothing frozen. The constant is scaled to the graph. The table of
equal errors compares with our own best: every technique stands beside exact PageRank that is stopped as soon as it is
as good.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import nearly
from nearly.accuracy.values import l1, l2, linf
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.result import Result
from nearly.engine.trace import Trace
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import SAME_ERROR, Row
from nearly.experiments.contestants import interleaved
from nearly.experiments.papers.panyala_communities import community_figures, community_tables
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

TOLERANCE = 1e-6
TOP = 2000
NOTHING = "freeze-edges:c=1e-300,scaled=false"  # nothing is frozen but what does not change at all
WAYS = {
    "frozen (sent)": "freeze-edges",
    "frozen (previous)": "freeze-edges:against=previous",
    "frozen vertices": "freeze-edges:by=vertices",
}
EQUAL = [
    "freeze-edges",
    "freeze-edges:by=vertices",
    "freeze-edges:by=vertices,c=1e-12",
    "extrapolate+reduced-execution:residual=0.001",
    "extrapolate+reduced-execution:residual=0.0001",
]
NOTES = {
    "II": "Frozen: share of the arcs in the last round. The paper: 0.16 to 98% frozen, sums at most 1.1e-2 apart, "
    "rounds as many as without.",
    "III": "Norms of the difference to exact ranks; the paper: L1 1.6e-8 to 1.1e-2, L2 2.4e-10 to 7.4e-5.",
    "IV": f"The same over the {TOP} vertices of highest exact rank; the paper: L1 2.7e-10 to 7.5e-4.",
    "2": "Share of arcs frozen, round by round.",
    "3": "Speedup over the same method with nothing frozen; the paper: up to 2.3x.",
    "45": "STIC-D is method='components', stopped at the same tolerance; speedups are over it. Below 1: slower.",
    "equal": "Speedup: over exact PageRank stopped as soon as its error is no larger; below 1, stopping early is "
    "the better choice.",
}


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the paper's classes."""
    make, side = nearly.generate, int((1 << scale) ** 0.5)
    return {
        "web": make.rmat(scale, 16, seed=1),
        "social": make.rmat(scale, 16, seed=2, params="gtgraph", directed=False),
        "road": make.grid(side, side, seed=1, weights=None),
    }


@reproduction("panyala")
def panyala(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """PageRank with frozen edges (Tables II-IV, Figures 2-5) and community detection (Tables V, VI, Figures 6-8)."""
    tables, figures = rank_tables(graphs or stand_ins(scale), repeat, progress)
    tables += community_tables(graphs, scale, repeat, progress)
    return Reproduced(tables, {**figures, **community_figures(graphs, scale)})


def rank_tables(graphs: dict[str, Graph], repeat: int, progress: Progress) -> tuple[list[Table], dict[str, Any]]:
    """The tables of PageRank, and the traces of Figure 2."""
    titles = {
        "II": "Table II: frozen edges",
        "III": "Table III: norms",
        "IV": f"Table IV: norms of the top {TOP}",
        "2": "Figure 2: share of frozen edges by round",
        "3": "Figure 3: speedup",
        "45": "Figures 4 and 5: beside STIC-D",
        "equal": "At equal error",
    }
    tables = {key: Table(title, note=NOTES[key]) for key, title in titles.items()}
    figures: dict[str, dict[str, Trace]] = {}
    for done, (name, graph) in enumerate(graphs.items()):
        progress(f"ranking {name}", done, len(graphs))
        if graph.n:
            figures[f"{name} frozen"] = _one_graph(name, graph, repeat, tables)
            tables["equal"].rows += at_equal_error(name, graph, repeat, progress)
    return list(tables.values()), figures


def _one_graph(name: str, graph: Graph, repeat: int, tables: dict[str, Table]) -> dict[str, Trace]:
    ask = partial(nearly.pagerank, graph, dangling="leak", norm="max", tol=TOLERANCE)
    exact = nearly.pagerank(graph, dangling="leak", tol=1e-12)
    calls: dict[str, Any] = {"exact": partial(ask, approx=NOTHING), "STIC-D": partial(ask, method="components")}
    calls |= {way: partial(ask, approx=spec) for way, spec in WAYS.items()}
    results = {way: call() for way, call in calls.items()}
    seconds = interleaved(calls, repeat)
    top = np.argsort(-exact.values, kind="stable")[:TOP]
    for way in WAYS:
        result = results[way]
        frozen = [row.extra.get("frozen", 0.0) for row in result.trace]
        about = {"graph": name, "technique": way}
        tables["II"].rows.append(
            {
                **about,
                "arcs": graph.m,
                "frozen %": 100 * frozen[-1],
                "sum of ranks differs by": abs(result.values.sum() - results["exact"].values.sum()),
                "rounds (exact)": results["exact"].rounds,
                "rounds": result.rounds,
            }
        )
        tables["III"].rows.append({**about, **norms(exact, result)})
        tables["IV"].rows.append({**about, **norms(exact, result, top)})
        rounds = np.unique(np.linspace(0, len(frozen) - 1, 8).round().astype(int))
        tables["2"].rows.append({**about, "by round": ", ".join(f"{k + 1}: {100 * frozen[k]:.0f}%" for k in rounds)})
        ratio = seconds["exact"] / seconds[way]
        tables["3"].rows.append({**about, "seconds": seconds[way], "exact seconds": seconds["exact"], "speedup": ratio})
        tables["45"].rows.append(
            {
                **about,
                "L2": norms(exact, result)["L2"],
                "STIC-D L2": norms(exact, results["STIC-D"])["L2"],
                "speedup over STIC-D": seconds["STIC-D"] / seconds[way],
            }
        )
    return {way: results[way].trace for way in WAYS}


def norms(exact: Result, result: Result, which: Any = slice(None)) -> dict[str, float]:
    """The norms of the difference, over chosen vertices."""
    pair = exact.values[which], result.values[which]
    return {"L1": l1(*pair), "L2": l2(*pair), "Linf": linf(*pair)}


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
