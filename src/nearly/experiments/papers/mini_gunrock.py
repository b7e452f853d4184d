"""Mini-Gunrock's Table II (BFS, and one PageRank round) and the form of its Figures 6 and 7 (speed per round).

The paper compares two GPU libraries; here the columns are our policies on the CPU, the paper's two columns beside them.
Stand-ins: an R-MAT graph for kron, R-MATs of other density for soc-orkut and hollywood, a lattice for roadnet, a
random geometric graph for rgg. They are smaller than the paper's graphs unless `--scale` says otherwise, so that only
the relation between columns can be compared, not milliseconds.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import nearly
from nearly.base.progress import Progress
from nearly.engine.operators.advance import POLICIES
from nearly.engine.trace import Trace
from nearly.experiments.contestants import interleaved
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

# milliseconds in the paper's Table II: (Mini-Gunrock, Gunrock)
PAPER = {
    "bfs": {
        "soc-orkut": (111.4, 212.6),
        "hollywood": (37.32, 36.5),
        "kron": (107.3, 196.9),
        "roadnet": (7548.0, 622.6),
        "rgg": (3473.0, 485.7),
    },
    "pagerank": {
        "soc-orkut": (88.28, 176.0),
        "hollywood": (27.0, 27.31),
        "kron": (93.91, 176.2),
        "roadnet": (365.9, 91.81),
        "rgg": (199.5, 181.6),
    },
}
NOTE = "Milliseconds; `auto` is the fastest exact method. The last two columns are the paper's: its graphs, a GPU."


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the classes the paper measured."""
    make, n = nearly.generate, 1 << scale
    side = int(n**0.5)
    return {
        "soc-orkut": make.rmat(scale, 35, seed=2, params="gtgraph", directed=False),
        "hollywood": make.rmat(max(scale - 1, 1), 50, seed=3, params="gtgraph", directed=False),
        "kron": make.rmat(scale, 16, seed=1, directed=False),
        "roadnet": make.grid(side, side, seed=1, weights=None),
        "rgg": make.geometric(n, radius=float((16 / (np.pi * n)) ** 0.5), seed=1),
    }


@reproduction("mini-gunrock", rows=tuple(PAPER["bfs"]))
def mini_gunrock(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """BFS and one PageRank round under every policy (Table II), edges per second round by round (Figures 6, 7)."""
    chosen = graphs or stand_ins(scale)
    tables = {"bfs": Table("BFS (Table II)", note=NOTE), "pagerank": Table("One PageRank round (Table II)", note=NOTE)}
    figures: dict[str, dict[str, Trace]] = {}
    for done, (name, graph) in enumerate(chosen.items()):
        progress(f"measuring {name}", done, len(chosen))
        source = int(np.argmax(graph.out_degrees)) if graph.n else 0
        calls: dict[str, Any] = {
            "bfs": partial(nearly.bfs, graph, source),
            "pagerank": partial(nearly.pagerank, graph, max_rounds=1),
        }
        for algorithm, call in calls.items():
            policies = ("auto", *POLICIES)
            seconds = interleaved({p: partial(call, policy=p) for p in policies}, repeat)
            row = {"graph": name, "vertices": graph.n, "arcs": graph.m}
            row.update({p: seconds[p] * 1000 for p in policies})
            paper = PAPER[algorithm].get(name, (None, None))
            row.update({"paper: Mini-Gunrock": paper[0], "paper: Gunrock": paper[1]})
            tables[algorithm].rows.append(row)
        figures[name] = {p: calls["bfs"](policy=p).trace for p in ("frontier", "split", "heavy-light")}
    return Reproduced(list(tables.values()), figures)
