"""Node splitting and dynamic parallelism (Kumar and Vadhiyar): Tables I and II and the figures around them.

The paper measures BFS and SSSP on a GPU, where a thread that has one long row holds up its warp. On a CPU workers take
batches of vertices, so long rows hurt only at the end of a round; the tables show what is left of the effect. Rounds
over the frontier are the baseline. Splitting transforms the graph first. Dynamic parallelism is the policy
`heavy-light`; its threshold is the paper's MDA. `--on model` models a GPU.
Stand-ins: an R-MAT graph of 8 arcs a vertex and one of a web graph's density.
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
from nearly.engine.transform.graph_map import GraphMap
from nearly.experiments.contestants import interleaved
from nearly.experiments.papers.splitting_published import DYNAMIC, HISTOGRAM, SHOWN, SPLIT, levels_of
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Reproduced, Table, reproduction, with_weights
from nearly.graph.csr import Graph

WARP, BLOCK = 32, 256
NOTE = (
    "Improvement: the share of the baseline's time that is saved; below 0: slower. Last columns: the paper's, on a GPU."
)


def stand_ins(scale: int) -> dict[str, Graph]:
    """The paper's two graphs in small."""
    return {
        "rmat": nearly.generate.rmat(scale, 8, seed=1, params="gtgraph", weights="int"),
        "web": nearly.generate.rmat(max(scale - 2, 4), 8, seed=2, weights="int"),
    }


@reproduction("splitting", on=("cpu", "model"))
def splitting(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress, on: str = "cpu") -> Reproduced:
    """Node splitting (Table I), dynamic parallelism (II), automatic MDA, time by MDA, atomics, degree distributions."""
    chosen = with_weights(graphs or stand_ins(scale))
    if on == "model":
        from nearly.experiments.papers.splitting_model import modelled_tables

        return modelled_tables(chosen, progress)
    split, dynamic = Table("Table I: node splitting", note=NOTE), Table("Table II: dynamic parallelism", note=NOTE)
    automatic = Table("MDA chosen automatically", note=NOTE)
    curves = Table("Figures 8-10: milliseconds by MDA")
    atomics = Table("Figure 12: children updated at once, or in a pass of their own", note=NOTE)
    pictures: dict[str, Callable[[Path], None]] = {}
    for name, graph in chosen.items():
        measured = {a: _times(graph, a, repeat, partial(progress, f"measuring {a} on {name}")) for a in SHOWN}
        for algorithm, times in measured.items():
            curves.rows += _curve(name, algorithm, times)
            split.rows.append(_best(name, algorithm, "split", times, SPLIT, graph))
            dynamic.rows.append(_best(name, algorithm, "heavy", times, DYNAMIC, graph))
            automatic.rows += _automatic(name, algorithm, graph, times)
            atomics.rows.append(_atomics(name, algorithm, times))
        pictures[f"times-{name}"] = partial(_draw_times, name, measured)
        pictures[f"degrees-{name}"] = partial(_draw_degrees, name, graph)
    return Reproduced([split, dynamic, automatic, atomics, curves], pictures=pictures)


Times = dict[tuple[str, Any], float]


def _times(graph: Graph, algorithm: str, repeat: int, progress: Callable[[int, int], None]) -> Times:
    """Seconds of the baseline, of splitting by MDA and update, and of heavy-light expansion by threshold."""
    progress(0, 1)
    entry = ALGORITHMS.get(algorithm)
    call = partial(entry.function, graph, int(np.argmax(graph.out_degrees)))
    calls: dict[tuple[str, Any], Callable[..., Any]] = {("base", None): partial(call, policy="frontier")}
    for mda in (*levels_of(graph), "histogram", "percentile"):
        calls["split", mda] = partial(call, policy="frontier", approx=applied(graph, algorithm, mda))
        if not isinstance(mda, str):
            calls["heavy", mda] = partial(call, policy="heavy-light", threshold=mda)
    calls["pass", "histogram"] = partial(call, policy="frontier", approx=applied(graph, algorithm, "histogram", "pass"))
    named = {f"{kind} {mda}": each for (kind, mda), each in calls.items()}
    seconds = interleaved(named, repeat)
    return {key: seconds[f"{key[0]} {key[1]}"] for key in calls}


def applied(graph: Graph, algorithm: str, mda: Any, update: str = "atomic") -> Any:
    """The graph split for an algorithm."""
    return ALGORITHMS.get(algorithm).apply(nearly.SplitNodes(mda=mda, update=update), graph)


def saved(times: Times, key: tuple[str, Any]) -> float:
    """The share of the baseline's time that is saved, in percent."""
    return 100 * (1 - times[key] / times["base", None])


def _best(name: str, algorithm: str, kind: str, times: Times, paper: dict[Any, Any], graph: Graph) -> dict[str, Any]:
    mda = min((key[1] for key in times if key[0] == kind and not isinstance(key[1], str)), key=lambda m: times[kind, m])
    line = {"graph": name, "algorithm": algorithm, "baseline ms": 1000 * times["base", None], "MDA": mda}
    if kind == "split":
        line["extra nodes"] = applied(graph, algorithm, mda).map.graph.n - graph.n
    theirs = paper.get((name, algorithm), (None, None))
    line |= {"ms": 1000 * times[kind, mda], "improvement %": saved(times, (kind, mda))}
    return line | {"paper: MDA": theirs[0], "paper: improvement %": theirs[1]}


def _automatic(name: str, algorithm: str, graph: Graph, times: Times) -> list[dict[str, Any]]:
    rows = []
    for rule in ("histogram", "percentile"):
        moved = applied(graph, algorithm, rule).map
        theirs = HISTOGRAM.get(name, (None, None)) if rule == "histogram" else (None, None)
        rows.append({
            "graph": name, "algorithm": algorithm, "rule": rule, "longest row": int(graph.out_degrees.max(initial=0)),
            "longest after": int(moved.graph.out_degrees.max(initial=0)), "extra nodes": moved.graph.n - graph.n,
            "improvement %": saved(times, ("split", rule)),
            "paper: MDA": theirs[0], "paper: improvement %": theirs[1] if algorithm == "bfs" else None,
        })  # fmt: skip
    return rows


def _atomics(name: str, algorithm: str, times: Times) -> dict[str, Any]:
    at_once, apart = times["split", "histogram"], times["pass", "histogram"]
    return {
        "graph": name, "algorithm": algorithm, "at once ms": 1000 * at_once, "in a pass ms": 1000 * apart,
        "improvement %": 100 * (1 - at_once / apart), "paper: improvement %": "2 to 6",
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


def _draw_degrees(name: str, graph: Graph, path: Path) -> None:
    """Degrees before and after splitting, and the work of each block of threads, which its longest rows decide."""
    after: GraphMap = applied(graph, "bfs", "histogram").map
    with picture(path, columns=2, size=(11, 4)) as (left, right):
        for label, g in (("as it is", graph), ("split", after.graph)):
            degrees = np.sort(g.out_degrees)[::-1]
            left.loglog(np.arange(1, degrees.size + 1), np.maximum(degrees, 0.5), label=label)
            right.semilogy(np.sort(block_work(g.out_degrees))[::-1] + 1, label=label)
        left.set(title=f"out-degrees of {name}", xlabel="vertices of at least this degree", ylabel="out-degree")
        right.set(title="steps a block of 256 threads takes", xlabel="block, longest first", ylabel="steps + 1")
        for axis in (left, right):
            axis.legend(frameon=False)


def block_work(degrees: np.ndarray) -> np.ndarray:
    """Steps of each block if a thread takes a vertex: its warps' longest rows, added up."""
    padded = np.zeros(-(-degrees.size // BLOCK) * BLOCK, np.int64)
    padded[: degrees.size] = degrees
    return padded.reshape(-1, BLOCK // WARP, WARP).max(axis=2).sum(axis=1)
