"""Graprox' three sweeps, the thesis' own ways of doing GP2-GP4, and how far SSSP is after each round.

The slides show curves without numbers: speed and inaccuracy against how much execution is reduced (GP1), which share of
the edges is processed (GP2) and the threshold on Jaccard's index (GP3), for five algorithms; and the progress of SSSP
over its iterations on rmat26, most of which is made early. Where our default differs from the thesis (`OWN`), both are
measured: a share of edges drawn anew each round, the index over plain neighbourhoods, weights rounded to the closest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nearly
from nearly.accuracy import inaccuracy
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.bench import Pair
from nearly.experiments.compare import checked_settings, composition, measured
from nearly.experiments.comparison import SAME_ERROR, Comparison, row_of
from nearly.experiments.papers import graprox
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Reproduced, Table, named_progress
from nearly.experiments.sweep import sweep
from nearly.graph.csr import Graph

LIMIT = 20.0  # seconds that a run may take
MOST_ROUNDS = 60  # of SSSP that are looked at one by one


class Swept(NamedTuple):
    """What is turned for an algorithm: a composition, one of its knobs, the knob's values, and the policy."""

    spec: str
    knob: str
    values: tuple[Any, ...]
    policy: str


_SHARES, _INDICES = (0.1, 0.3, 0.5, 0.7, 0.9), (0.2, 0.4, 0.6, 0.8, 1.0)
REDUCED = {
    "sssp": Swept("reduced-execution:residual=0", "changed", (0.4, 0.2, 0.1, 0.05, 0.01), "frontier"),
    "mst": Swept("reduced-execution:changed=0,residual=0", "rounds", (1, 2, 3, 4, 5), "frontier"),
    "scc": Swept("reduced-execution:residual=0", "changed", (0.4, 0.2, 0.1, 0.05, 0.01), "topology"),
    "pagerank": Swept("reduced-execution:changed=0", "residual", (0.2, 0.1, 0.05, 0.02, 0.005), "auto"),
    "betweenness": Swept("reduced-execution:changed=0,residual=0", "rounds", (8, 16, 32, 48, 60), "auto"),
}
TITLES = {"GP1": "reduced execution", "GP2": "the share of edges", "GP3": "the threshold on Jaccard's index"}
OWN = {  # what the thesis does where our default is another
    "GP2": ("a share of edges drawn anew each round", "partial-edges:keep=0.7,redraw=true", "partial-edges:keep=0.7"),
    "GP3": ("the index over plain neighbourhoods", "merge-similar:neighbours=all", "merge-similar"),
    "GP4": ("the closest power of two", "round-weights:round=nearest", "round-weights"),
}


def swept_by(key: str, graph: Graph) -> dict[str, Swept]:
    """What a sweep turns, for each algorithm of the slides' table."""
    if key == "GP1":
        return {algorithm: REDUCED[algorithm] for algorithm in graprox.CELLS}
    knob, values = ("keep", _SHARES) if key == "GP2" else ("jaccard", _INDICES)
    cells = graprox.cells_for(graph)
    return {name: Swept(own[key].spec, knob, values, own[key].policy) for name, own in cells.items() if key in own}


def sweeps(name: str, graph: Graph, repeat: int, progress: Progress) -> Reproduced:
    """A table for each of the three sweeps, and a picture for each algorithm."""
    tables, pictures = [], {}
    for key, title in TITLES.items():
        table = Table(f"{key}: speed and inaccuracy over {title}, on {name}", note="The slides have curves only.")
        for algorithm, turned in swept_by(key, graph).items():
            rows = sweep(
                graph, algorithm, turned.spec, turned.knob, turned.values, policy=turned.policy,
                sources=graprox.SOURCES, repeat=repeat, limit=LIMIT,
                progress=named_progress(f"{name}, {key}", progress),
            )  # fmt: skip
            table.rows += [_swept_line(algorithm, row) for row in rows if row.knob and row.technique != SAME_ERROR]
            if any(row.knob for row in rows):
                pictures[f"{key.lower()}-{algorithm}"] = _drawn(rows, f"{title}: {algorithm} on {name}")
        tables.append(table)
    return Reproduced(tables, pictures=pictures)


def _swept_line(algorithm: str, row: Any) -> dict[str, Any]:
    return {
        "algorithm": algorithm, "policy": row.policy, "knob": row.knob, "value": row.value, "speedup": row.speedup,
        "vs best": row.speedup_vs_best, "inaccuracy %": 100 * row.inaccuracy, "rounds": row.rounds,
        "edges": row.edges_touched, "guarantee": row.guarantee,
    }  # fmt: skip


def _drawn(rows: Comparison, title: str) -> Callable[[Path], None]:
    from nearly.experiments.comparison_charts import plot_sweep

    def draw(path: Path) -> None:
        plot_sweep(rows, path, title)

    return draw


def own_ways(name: str, graph: Graph, repeat: int, progress: Progress) -> Table:
    """What the thesis does beside what we do by default, where these differ."""
    table = Table(
        f"The thesis' ways, on {name}",
        note="ours: the same technique with our default: drawn once, without the two vertices, rounded up.",
    )
    pairs: dict[str, list[tuple[str, str, str]]] = {}
    for key, (_, theirs, ours) in OWN.items():
        for algorithm, cells in graprox.CELLS.items():
            if key in cells:
                pairs.setdefault(algorithm, []).append((key, theirs, ours))
    plan = [
        (ALGORITHMS.get(a), [Pair(composition(spec), "frontier") for _, *both in listed for spec in both])
        for a, listed in pairs.items()
    ]
    settings = checked_settings(graph, sources=graprox.SOURCES, repeat=repeat, limit=LIMIT)
    found = measured(graph, plan, settings, named_progress(f"{name}, GP2-GP4", progress))
    for key, (title, *both) in OWN.items():
        for algorithm in (a for a in pairs if key in graprox.CELLS[a]):
            old, new = (row_of(found, algorithm, Pair(composition(spec)).spec, "frontier") for spec in both)
            table.rows.append({
                "technique": f"{key} {title}", "algorithm": algorithm, "speedup": old and old.speedup,
                "ours: speedup": new and new.speedup, "inaccuracy %": old and 100 * old.inaccuracy,
                "ours: inaccuracy %": new and 100 * new.inaccuracy, "guarantee": old and old.guarantee,
                "ours: guarantee": new and new.guarantee,
            })  # fmt: skip
    return table


def progress_of_sssp(name: str, graph: Graph, progress: Progress) -> Reproduced:
    """How much of SSSP is done after each round: vertices reached, distances that are final, and the inaccuracy."""
    table = Table(
        f"Progress of SSSP round by round, on {name}",
        note="The slides' figure (rmat26) has no numbers: most of the work is done in the first iterations.",
    )
    source = int(np.argmax(graph.out_degrees)) if graph.n else 0
    exact = nearly.sssp(graph, source, policy="frontier", max_rounds=1 << 30)
    reachable = max(int(np.isfinite(exact.values).sum()), 1)
    count = min(exact.rounds, MOST_ROUNDS)
    for done in range(1, count + 1):
        progress(f"{name}: sssp, round by round", done, count)
        got = nearly.sssp(graph, source, policy="frontier", max_rounds=done)
        last = got.trace[done - 1] if got.rounds >= done else None
        final = np.isfinite(got.values) & (got.values == exact.values)
        table.rows.append({
            "round": done, "frontier": last and last.frontier, "edges": last and last.edges,
            "reached %": 100 * int(np.isfinite(got.values).sum()) / reachable,
            "final %": 100 * int(final.sum()) / reachable, "inaccuracy %": 100 * inaccuracy(exact, got, graph),
        })  # fmt: skip
    title = f"SSSP on {name}, round by round"
    return Reproduced([table], {"sssp-rounds": {name: exact.trace}}, {"sssp-progress": partial(_plot, table, title)})


def _plot(table: Table, title: str, path: Path) -> None:
    with picture(path) as axes:
        rounds = [row["round"] for row in table.rows]
        for column in ("reached %", "final %", "inaccuracy %"):
            axes.plot(rounds, [row[column] for row in table.rows], "o-", ms=3, label=column)
        axes.set(title=title, xlabel="round", ylabel="percent")
        axes.grid(alpha=0.3)
        axes.legend()
