"""Mini-Gunrock: Table I (graphs), Table II (BFS, one PageRank round), means, Figures 6 and 7 (speed by round).

The paper compares two GPU libraries; here the columns are our policies on the CPU, the paper's two columns beside them.
What it says without numbers is shown too: frontiers of idempotent rounds (Section VI), load balance over the input or
the output of a round (Section VIII), colouring by neighbourhood reduction (Listing 4).
Stand-ins: R-MAT graphs of the density of soc-orkut, hollywood and kron, a lattice for roadnet, a random geometric graph
for rgg. They are smaller than the paper's graphs unless `--scale` says otherwise, so that only the relation between
columns can be compared, not milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nearly
from nearly.base.progress import Progress
from nearly.engine.operators.advance import POLICIES
from nearly.engine.trace import Trace
from nearly.experiments.contestants import interleaved
from nearly.experiments.means import geometric
from nearly.experiments.papers.mini_gunrock_rounds import (
    INPUT,
    OUTPUT,
    TOGETHER,
    balance_rows,
    draw_rounds,
    round_rows,
)
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph


class Dataset(NamedTuple):
    """A row of the paper's Table I, and its milliseconds (Mini-Gunrock, Gunrock) in Table II."""

    vertices: str
    edges: str
    degree: int
    diameter: int
    scale_free: bool
    bfs: tuple[float, float]
    pagerank: tuple[float, float]


PAPER = {
    "soc-orkut": Dataset("3M", "212.7M", 27466, 9, True, (111.4, 212.6), (88.28, 176.0)),
    "hollywood": Dataset("1.1M", "112.8M", 11467, 11, True, (37.32, 36.5), (27.0, 27.31)),
    "kron": Dataset("2.1M", "364.2M", 213904, 5, True, (107.3, 196.9), (93.91, 176.2)),
    "roadnet": Dataset("23.9M", "57.7M (577.1M in print)", 9, 6809, False, (7548.0, 622.6), (365.9, 91.81)),
    "rgg": Dataset("16.8M", "265.1M", 40, 2622, False, (3473.0, 485.7), (199.5, 181.6)),
}
STANDS_FOR = {
    "orkut-like": "soc-orkut",
    "hollywood-like": "hollywood",
    "kron-like": "kron",
    "road-like": "roadnet",
    "geometric": "rgg",
}
MEANS = {"bfs": 1.507, "pagerank": 1.558}  # Mini-Gunrock over Gunrock on scale-free graphs, as printed
WAYS = ("auto", *POLICIES)
NOTE = "Milliseconds; `auto` is the fastest exact method. The paper's columns: its graphs, a GPU."


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the classes the paper measured."""
    make, n = nearly.generate, 1 << scale
    side = int(n**0.5)
    return {
        "orkut-like": make.rmat(scale, 35, seed=2, params="gtgraph", directed=False),
        "hollywood-like": make.rmat(max(scale - 1, 1), 50, seed=3, params="gtgraph", directed=False),
        "kron-like": make.rmat(scale, 16, seed=1, directed=False),
        "road-like": make.grid(side, side, seed=1, weights=None),
        "geometric": make.geometric(n, radius=float((16 / (np.pi * n)) ** 0.5), seed=1),
    }


@reproduction("mini-gunrock", rows=tuple(PAPER))
def mini_gunrock(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """BFS and one PageRank round under every policy (Tables I, II), geometric means, speed by round (Figures 6, 7)."""
    chosen = graphs or stand_ins(scale)
    tables = {"bfs": Table("Table II: BFS", note=NOTE), "pagerank": Table("Table II: one PageRank round", note=NOTE)}
    about = Table("Table I: the graphs", note="Rounds: how many a BFS from the vertex of largest degree takes.")
    idempotent, colors = _idempotence_table(), _coloring_table()
    figures: dict[str, dict[str, Trace]] = {}
    for done, (name, graph) in enumerate(chosen.items()):
        progress(f"measuring {name}", done, len(chosen))
        source = int(np.argmax(graph.out_degrees)) if graph.n else 0
        calls: dict[str, Any] = {
            "bfs": partial(nearly.bfs, graph, source),
            "pagerank": partial(nearly.pagerank, graph, max_rounds=1),
        }
        for algorithm, call in calls.items():
            seconds = interleaved({p: partial(call, policy=p) for p in WAYS}, repeat)
            paper = _paper(name)
            row = {"graph": name, "vertices": graph.n, "arcs": graph.m}
            row |= {p: seconds[p] * 1000 for p in WAYS}
            theirs = (None, None) if paper is None else getattr(paper, algorithm)
            tables[algorithm].rows.append(row | {"paper: Mini-Gunrock": theirs[0], "paper: Gunrock": theirs[1]})
        figures[name] = _traces(calls["bfs"])
        about.rows.append(_about(name, graph, len(figures[name][TOGETHER])))
        idempotent.rows.append(_idempotence(name, graph, source, repeat))
        colors.rows += _colorings(name, graph, repeat)
    speeds = round_rows(figures, {name: graph.m for name, graph in chosen.items()})
    rounds = Table("Figures 6, 7: BFS, million edges per second by round", speeds, note=_FIGURES)
    balance = Table("Load balance by the size of a round (Section VIII)", balance_rows(figures), note=_BALANCE)
    shown: dict[str, Callable[[Path], None]] = {
        f"rounds-{name}": partial(draw_rounds, name, traces) for name, traces in figures.items()
    }
    made = [*tables.values(), _means(tables), about, rounds, balance, idempotent, colors]
    return Reproduced(made, figures, shown).on(chosen, STANDS_FOR)


def _traces(bfs: Any) -> dict[str, Trace]:
    """Rounds balanced over their input, over their output, and as the policy frontier makes them."""
    whole = 1 << 62  # no row is heavy
    return {
        INPUT: bfs(policy="heavy-light", threshold=whole).trace,
        OUTPUT: bfs(policy="split").trace,
        TOGETHER: bfs(policy="frontier").trace,
    }


_FIGURES = (
    "The rounds of a long search in twelve spans. `edges %`: the share of the graph's arcs that the rounds visit. "
    "Rounds are balanced over their input (batches of vertices, as Gunrock's for small frontiers) or over their output "
    "(virtual nodes of 64 edges, as Mini-Gunrock's); the third column runs small rounds together in one call and lets "
    "large frontiers be pulled, so that its rounds visit fewer edges. The paper draws this as areas for two scale-free "
    "graphs (Figure 6) and two meshes (Figure 7), without numbers."
)
_BALANCE = (
    "Median million edges per second. The paper finds its own balance over the output slow for small frontiers, where "
    "Gunrock balances over the input."
)


def _paper(name: str) -> Dataset | None:
    return PAPER.get(STANDS_FOR.get(name, name))


def _about(name: str, graph: Graph, rounds: int) -> dict[str, Any]:
    row = {"graph": name, "vertices": graph.n, "arcs": graph.m, "largest degree": int(graph.out_degrees.max(initial=0))}
    paper = _paper(name)
    theirs = (None,) * 4 if paper is None else paper[:4]
    columns = ("vertices", "edges", "largest degree", "diameter")
    return row | {"rounds": rounds} | {f"paper: {column}": value for column, value in zip(columns, theirs)}


def _means(tables: dict[str, Table]) -> Table:
    """Geometric means of speedups: `auto` over each policy, and Mini-Gunrock over Gunrock."""
    note = "Scale-free: printed in the paper. The other means of the paper are computed from its Table II."
    table = Table("Geometric means: how many times `auto` is faster", note=note)
    for algorithm, measured in tables.items():
        for kind, wanted in (("scale-free", (True,)), ("mesh-like", (False,)), ("all", (True, False))):
            both = [(row, _paper(row["graph"])) for row in measured.rows]
            rows = [(row, p) for row, p in both if (p is None and kind == "all") or (p and p.scale_free in wanted)]
            if not rows:
                continue
            line: dict[str, Any] = {"algorithm": algorithm, "graphs": kind}
            line |= {f"over {p}": geometric(row[p] / row["auto"] for row, _ in rows) for p in POLICIES}
            theirs = [getattr(p, algorithm) for _, p in rows if p is not None]
            mean = geometric(gunrock / mini for mini, gunrock in theirs) if theirs else None
            table.rows.append(line | {"paper: Mini-Gunrock over Gunrock": mean})
    return table


def _idempotence_table() -> Table:
    note = (
        "`idempotent` lets duplicates into frontiers and culls them by small hash tables; those of a frontier whose "
        "edges outnumber the graph's are sorted out before it is expanded. The paper reports an explosion of "
        "frontiers, without numbers."
    )
    return Table("Idempotent BFS (Section VI)", note=note)


def _idempotence(name: str, graph: Graph, source: int, repeat: int) -> dict[str, Any]:
    plain = partial(nearly.bfs, graph, source, policy="split")
    again = partial(nearly.bfs, graph, source, idempotent=True)
    seconds = interleaved({"split": plain, "idempotent": again}, repeat)
    one, two = plain().trace, again().trace
    twice = int(sum(r.extra["duplicates"] for r in two))
    row: dict[str, Any] = {"graph": name, "split ms": 1000 * seconds["split"]}
    row |= {"idempotent ms": 1000 * seconds["idempotent"], "duplicates": twice}
    row |= {"duplicates per vertex reached": twice / max(sum(r.frontier for r in one), 1)}
    largest = max(r.extra["changed"] + r.extra["duplicates"] for r in two)
    row |= {"largest frontier": max(r.frontier for r in one), "idempotent: largest frontier": int(largest)}
    return row | {"edges": one.edges, "idempotent: edges": two.edges}


def _coloring_table() -> Table:
    note = "`luby-jones-rounds` is the paper's: fresh hashes and one colour a round. It gives no numbers."
    return Table("Colouring by neighbourhood reduction (Listing 4)", note=note)


def _colorings(name: str, graph: Graph, repeat: int) -> list[dict[str, Any]]:
    ways: dict[str, Callable[..., Any]] = {
        m: partial(nearly.coloring, graph, method=m) for m in ("luby-jones-rounds", "luby-jones", "greedy")
    }
    seconds = interleaved(ways, repeat)
    made = {method: call() for method, call in ways.items()}
    return [
        {"graph": name, "method": m, "ms": 1000 * seconds[m], "colours": r.colors, "rounds": r.rounds}
        for m, r in made.items()
    ]
