"""Node splitting and dynamic parallelism (Kumar and Vadhiyar): Tables I and II and the figures around them.

The paper measures BFS and SSSP on a GPU, where a thread that has one long row holds up its warp. On a CPU workers take
batches of vertices, so long rows hurt only at the end of a round; the tables show what is left of the effect. As in the
paper, rounds over all vertices until nothing changes are the baseline of both tables. Splitting transforms the graph
first; children are updated in a pass of their own (Table I) or at once (Figure 12). Dynamic parallelism is the policy
`heavy-light`; its threshold is the paper's MDA. It expands only vertices that changed, so the time of plain rounds over
these stands beside it. `--on model` models the paper's two GPUs.
Stand-ins: R-MAT graphs of 8 arcs a vertex whose longest rows and long rows are, at the paper's size, about as many and
as long as those of its R-MAT graph (1,181 arcs; 29,604 extra nodes at MDA 54) and of web-Stanford (255; 158,002 at 8).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import nearly
from nearly.base.progress import Progress
from nearly.engine.algorithm import ALGORITHMS
from nearly.experiments.contestants import interleaved
from nearly.experiments.papers.splitting_degrees import block_table, degree_table, draw_degrees
from nearly.experiments.papers.splitting_published import (
    ATOMICS,
    DYNAMIC,
    HISTOGRAM,
    ROWS,
    SHOWN,
    SPLIT,
    STANDS_FOR,
    levels_of,
    paper_cell,
    paper_graph,
)
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Reproduced, Table, reproduction, with_weights
from nearly.graph.csr import Graph

NOTE = (
    "Improvement: the share of the baseline's time that is saved; below 0: slower. The paper's columns are of a GPU "
    "(Kepler), on its graphs."
)


def stand_ins(scale: int) -> dict[str, Graph]:
    """The paper's two graphs in small."""
    skewed = (0.5, 0.145, 0.145, 0.21)
    return {
        "rmat-like": nearly.generate.rmat(scale, 8, seed=1, params=skewed, weights="int"),
        "web-like": nearly.generate.rmat(max(scale - 2, 4), 8, seed=2, params="gtgraph", weights="int"),
    }


@reproduction("splitting", on=("cpu", "model"), rows=ROWS)
def splitting(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress, on: str = "cpu") -> Reproduced:
    """Node splitting (Table I), dynamic parallelism (II), automatic MDA, time by MDA, atomics, degrees, blocks."""
    chosen = with_weights(graphs or stand_ins(scale))
    shared = [degree_table(chosen), block_table(chosen)]
    pictures: dict[str, Callable[[Path], None]] = {
        f"degrees-{n}": partial(draw_degrees, n, g) for n, g in chosen.items()
    }
    if on == "model":
        from nearly.experiments.papers.splitting_model import modelled_tables

        made = modelled_tables(chosen, progress)
        return Reproduced([*made.tables, *shared], pictures={**made.pictures, **pictures}).on(chosen, STANDS_FOR)
    split, dynamic = Table("Table I: node splitting", note=NOTE), Table("Table II: dynamic parallelism", note=NOTE)
    automatic = Table("MDA chosen automatically", note=NOTE)
    curves = Table("Figures 8-10: milliseconds by MDA", note="Fermi (Figure 10): `--on model`.")
    atomics = Table("Figure 12: children updated at once, or in a pass of their own", note=NOTE)
    for name, graph in chosen.items():
        measured = {a: _times(graph, a, repeat, partial(progress, f"measuring {a} on {name}")) for a in SHOWN}
        for algorithm, times in measured.items():
            curves.rows += _curve(name, algorithm, times)
            split.rows.append(_best(name, algorithm, "split", times, graph))
            dynamic.rows.append(_best(name, algorithm, "heavy", times, graph))
            automatic.rows += _automatic(name, algorithm, graph, times)
            atomics.rows.append(_atomics(name, algorithm, times))
        pictures[f"times-{name}"] = partial(_draw_times, name, measured)
    return Reproduced([split, dynamic, automatic, atomics, *shared, curves], pictures=pictures).on(chosen, STANDS_FOR)


Times = dict[tuple[str, Any], float]


def _times(graph: Graph, algorithm: str, repeat: int, progress: Callable[[int, int], None]) -> Times:
    """Seconds of the baseline, of splitting by MDA and update, and of heavy-light expansion by threshold."""
    progress(0, 1)
    entry = ALGORITHMS.get(algorithm)
    call = partial(entry.function, graph, int(np.argmax(graph.out_degrees)))
    calls: dict[tuple[str, Any], Callable[..., Any]] = {("base", None): partial(call, policy="topology")}
    calls["frontier", None] = partial(call, policy="frontier")
    for mda in (*levels_of(graph), "histogram", "percentile"):
        calls["split", mda] = partial(call, policy="topology", approx=applied(graph, algorithm, mda))
        if not isinstance(mda, str):
            calls["heavy", mda] = partial(call, policy="heavy-light", threshold=mda)
    at_once = applied(graph, algorithm, "histogram", "atomic")
    calls["at once", "histogram"] = partial(call, policy="topology", approx=at_once)
    named = {f"{kind} {mda}": each for (kind, mda), each in calls.items()}
    seconds = interleaved(named, repeat)
    return {key: seconds[f"{key[0]} {key[1]}"] for key in calls}


def applied(graph: Graph, algorithm: str, mda: Any, update: str = "pass") -> Any:
    """The graph split for an algorithm."""
    return ALGORITHMS.get(algorithm).apply(nearly.SplitNodes(mda=mda, update=update), graph)


def saved(times: Times, key: tuple[str, Any], base: str = "base") -> float:
    """The share of the baseline's time that is saved, in percent."""
    return 100 * (1 - times[key] / times[base, None])


def _best(name: str, algorithm: str, kind: str, times: Times, graph: Graph) -> dict[str, Any]:
    mda = min((key[1] for key in times if key[0] == kind and not isinstance(key[1], str)), key=lambda m: times[kind, m])
    line = {"graph": name, "algorithm": algorithm, "baseline ms": 1000 * times["base", None], "MDA": mda}
    line |= {"ms": 1000 * times[kind, mda], "improvement %": saved(times, (kind, mda))}
    if kind == "split":
        line["extra nodes"] = applied(graph, algorithm, mda).map.graph.n - graph.n
        return line | paper_cell(SPLIT, name, algorithm)
    line |= {"frontier ms": 1000 * times["frontier", None]}
    return line | {"over frontier %": saved(times, (kind, mda), "frontier")} | paper_cell(DYNAMIC, name, algorithm)


def _automatic(name: str, algorithm: str, graph: Graph, times: Times) -> list[dict[str, Any]]:
    rows = []
    for rule in ("histogram", "percentile"):
        moved = applied(graph, algorithm, rule).map
        theirs = HISTOGRAM.get(paper_graph(name), (None, None)) if rule == "histogram" else (None, None)
        rows.append({
            "graph": name, "algorithm": algorithm, "rule": rule, "longest row": int(graph.out_degrees.max(initial=0)),
            "longest after": int(moved.graph.out_degrees.max(initial=0)), "extra nodes": moved.graph.n - graph.n,
            "improvement %": saved(times, ("split", rule)),
            "paper: MDA": theirs[0], "paper: improvement %": theirs[1] if algorithm == "bfs" else None,
        })  # fmt: skip
    return rows


def _atomics(name: str, algorithm: str, times: Times) -> dict[str, Any]:
    at_once, apart = times["at once", "histogram"], times["split", "histogram"]
    return {
        "graph": name, "algorithm": algorithm, "at once ms": 1000 * at_once, "in a pass ms": 1000 * apart,
        "improvement %": 100 * (1 - at_once / apart), "paper: improvement %": ATOMICS,
    }  # fmt: skip


def _curve(name: str, algorithm: str, times: Times) -> list[dict[str, Any]]:
    base = {"graph": name, "algorithm": algorithm}
    rows = [{**base, "MDA": "none", "splitting ms": 1000 * times["base", None], "heavy-light ms": None}]
    for kind, mda in times:
        if kind == "heavy":
            ours = {"splitting ms": 1000 * times["split", mda], "heavy-light ms": 1000 * times["heavy", mda]}
            rows.append({**base, "MDA": mda, **ours})
    return rows


def _draw_times(name: str, measured: dict[str, Times], path: Path) -> None:
    with picture(path, columns=len(measured), size=(11, 4)) as axes:
        for axis, (algorithm, times) in zip(axes, measured.items()):
            for kind, label in (("split", "node splitting"), ("heavy", "heavy-light expansion")):
                at = [mda for k, mda in times if k == kind and not isinstance(mda, str)]
                axis.plot(at, [1000 * times[kind, mda] for mda in at], "o-", label=label)
            axis.axhline(1000 * times["base", None], color="black", lw=0.8, label="baseline")
            axis.set(xscale="log", xlabel="MDA", ylabel="milliseconds", title=f"{algorithm} on {name}", ylim=(0, None))
            axis.legend(frameon=False)
