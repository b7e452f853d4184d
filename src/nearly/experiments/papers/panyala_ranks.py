"""Panyala et al., the half on PageRank: Tables II to IV, Figures 2 to 5, memory, and the gain by tolerance.

Ranks leak and rounds end when no rank changes by more than 10^-6, as in the paper; the baseline is the same push and
sum over slots with nothing frozen. "As printed" is the paper's freezing to the letter: changes from the round before,
and a constant of 10^-11 whatever the graph's size. The paper's graphs have 10^6 to 10^9 vertices, so ranks there are of
the order of 10^-8, and on stand-ins of thousands of vertices hardly anything changes by so little before the end; the
other rows scale the constant to the graph. STIC-D is `method="stic-d"`: one component at a time, and what has converged
is never computed again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nearly
from nearly.accuracy.values import l1, l2, linf
from nearly.base.progress import Progress
from nearly.base.threads import available_threads
from nearly.engine.result import Result
from nearly.experiments.contestants import interleaved
from nearly.experiments.papers.panyala_pictures import Lines
from nearly.experiments.papers.panyala_published import RANKS, printed_as
from nearly.experiments.reproduction import Table
from nearly.graph.csr import Graph
from nearly.techniques.freeze_edges.rounds import groups_of

TOLERANCE = 1e-6
TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
TOP = 2000
NOTHING = "freeze-edges:c=1e-300,scaled=false"  # nothing is frozen but what does not change at all
PRINTED = "frozen, as printed"
WAYS = {
    PRINTED: "freeze-edges:against=previous,scaled=false",
    "frozen (previous)": "freeze-edges:against=previous",
    "frozen (sent)": "freeze-edges",
    "frozen vertices": "freeze-edges:by=vertices",
}
STIC = "STIC-D"
WORD = 8  # bytes of a number in the paper's sums of memory
TITLES = {
    "II": "Table II: frozen edges",
    "III": "Table III: norms",
    "IV": f"Table IV: norms of the top {TOP}",
    "2": "Figure 2: share of frozen edges by round",
    "3": "Figure 3: speedup by number of threads",
    "45": "Figures 4 and 5: beside STIC-D",
    "tolerance": "Gain by tolerance",
    "memory": "Memory",
}
NOTES = {
    "II": "Frozen: share of the arcs in the last round. As printed: c = 1e-11 and tolerance 1e-6, both absolute, "
    "changes from the round before; the other rows scale c to the graph (c is for 10^8 vertices). The paper's columns "
    "are of the graph that a stand-in stands for.",
    "III": "Norms of the difference to exact ranks.",
    "IV": f"The same over the {TOP} vertices of highest exact rank.",
    "2": "Share of arcs frozen, round by round; the paper has a picture.",
    "3": "Speedup over the same method with nothing frozen, on as many threads; the paper: up to 2.3x, and more on few "
    "cores than on many. Frozen vertices have no slots, so that part of their gain is that: see `At equal error`.",
    "45": "STIC-D: method='stic-d' with the same tolerance; speedups are over it. Below 1: slower. The paper has "
    "pictures.",
    "tolerance": "Speedup over the same method with nothing frozen, and share of arcs frozen at the end, as the "
    "tolerance falls. The paper: performance improvements scale with lowering the threshold.",
    "memory": "Numbers held by the paper's count: 4 V + 2 E without freezing, and a list of bins a vertex with it; the "
    "bins are log2 of the largest in-degree (paper: 10 to 27). Ours: bytes of slots, groups of arcs and ranks.",
}


class Ranked(NamedTuple):
    """What was measured on one graph."""

    name: str
    graph: Graph
    exact: Result
    results: dict[str, Result]
    seconds: dict[int, dict[str, float]]  # by number of threads


def thread_counts() -> list[int]:
    """1, 2, 4, ... and all that there are."""
    most = available_threads()
    return sorted({1 << k for k in range(most.bit_length()) if 1 << k <= most} | {most})


def rank_tables(
    graphs: dict[str, Graph], repeat: int, progress: Progress
) -> tuple[list[Table], dict[str, Callable[[Path], None]]]:
    """The tables of PageRank, and the pictures of its figures."""
    tables = {key: Table(title, note=NOTES[key]) for key, title in TITLES.items()}
    pictures: dict[str, Callable[[Path], None]] = {}
    for done, (name, graph) in enumerate(graphs.items()):
        progress(f"ranking {name}", done, len(graphs))
        if not graph.n:
            continue
        found = ranked(name, graph, repeat)
        for way in WAYS:
            for key, row in _rows(found, way).items():
                tables[key].rows.append(row)
        progress(f"ranking {name} to other tolerances", done, len(graphs))
        tables["tolerance"].rows += by_tolerance(name, graph)
        tables["memory"].rows.append(memory(name, graph))
        pictures |= _pictures(found, tables)
    return list(tables.values()), pictures


def _ask(graph: Graph, tol: float) -> dict[str, Callable[..., Result]]:
    """Every way, beside nothing frozen and STIC-D."""
    call = partial(nearly.pagerank, graph, dangling="leak", norm="max", tol=tol)
    calls: dict[str, Callable[..., Result]] = {
        "exact": partial(call, approx=NOTHING),
        STIC: partial(call, method="stic-d"),
    }
    return calls | {way: partial(call, approx=spec) for way, spec in WAYS.items()}


def ranked(name: str, graph: Graph, repeat: int) -> Ranked:
    """All ways on one graph, once for their answers and then for time, on every number of threads."""
    calls = _ask(graph, TOLERANCE)
    exact = nearly.pagerank(graph, dangling="leak", tol=1e-12)
    results = {way: call() for way, call in calls.items()}
    seconds = {
        threads: interleaved({way: partial(call, threads=threads) for way, call in calls.items()}, repeat)
        for threads in thread_counts()
    }
    return Ranked(name, graph, exact, results, seconds)


def _rows(found: Ranked, way: str) -> dict[str, dict[str, Any]]:
    """A row of each table, by its key."""
    result, base, stic = found.results[way], found.results["exact"], found.results[STIC]
    frozen = _frozen(result)
    about = {"graph": found.name, "technique": way}
    seconds = found.seconds[max(found.seconds)]
    printed = RANKS.get(printed_as(found.name))
    theirs = printed.frozen if printed else None
    top = np.argsort(-found.exact.values, kind="stable")[:TOP]
    rounds = np.unique(np.linspace(0, len(frozen) - 1, 8).round().astype(int))
    second = {
        "arcs": found.graph.m,
        "frozen %": 100 * frozen[-1],
        "sum of ranks differs by": abs(result.values.sum() - base.values.sum()),
        "rounds (exact)": base.rounds,
        "rounds": result.rounds,
        "paper: frozen %": theirs and theirs.percent,
        "paper: sum differs by": theirs and theirs.apart,
        "paper: rounds": theirs and f"{theirs.rounds}, {theirs.approximate}",
    }
    by_threads = {_word(k): times["exact"] / times[way] for k, times in found.seconds.items()}
    beside = {
        "L2": norms(found.exact, result)["L2"],
        "STIC-D L2": norms(found.exact, stic)["L2"],
        "STIC-D seconds": seconds[STIC],
        "speedup over STIC-D": seconds[STIC] / seconds[way],
    }
    return {
        "II": {**about, **second},
        "III": {**about, **norms(found.exact, result), **_printed_norms(printed and printed.norms)},
        "IV": {**about, **norms(found.exact, result, top), **_printed_norms(printed and printed.top)},
        "2": {**about, "by round": ", ".join(f"{k + 1}: {100 * frozen[k]:.0f}%" for k in rounds)},
        "3": {**about, "seconds": seconds[way], "exact seconds": seconds["exact"], **by_threads},
        "45": {**about, **beside},
    }


def _word(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _frozen(result: Result) -> list[float]:
    return [row.extra.get("frozen", 0.0) for row in result.trace] or [0.0]


def _printed_norms(theirs: tuple[float, float, float] | None) -> dict[str, float | None]:
    return dict(zip(("paper: L1", "paper: L2", "paper: Linf"), theirs or (None,) * 3))


def norms(exact: Result, result: Result, which: Any = slice(None)) -> dict[str, float]:
    """The norms of the difference, over chosen vertices."""
    pair = exact.values[which], result.values[which]
    return {"L1": l1(*pair), "L2": l2(*pair), "Linf": linf(*pair)}


def by_tolerance(name: str, graph: Graph) -> list[dict[str, Any]]:
    """How the gain by freezing edges goes with the tolerance: as printed, and with the constant scaled."""
    rows = []
    for tol in TOLERANCES:
        calls = _ask(graph, tol)
        chosen = {way: calls[way] for way in ("exact", PRINTED, "frozen (previous)")}
        row: dict[str, Any] = {"graph": name, "tolerance": f"{tol:g}"}
        seconds = interleaved(chosen, 1)
        for way, word in ((PRINTED, "as printed"), ("frozen (previous)", "scaled")):
            result = calls[way]()
            row |= {f"{word}: speedup": seconds["exact"] / seconds[way], f"{word}: frozen %": 100 * _frozen(result)[-1]}
            row |= {f"{word}: rounds": result.rounds}
        rows.append(row)
    return rows


def memory(name: str, graph: Graph) -> dict[str, Any]:
    """What the paper's count of numbers comes to, and what is held here."""
    bins = int(np.ceil(np.log2(max(int(graph.in_degrees.max(initial=0)), 1))))
    plain, groups = 4 * graph.n + 2 * graph.m, groups_of(graph, graph.in_degrees)
    ours = sum(array.nbytes for array in groups) + 8 * groups.bin.size + WORD * (graph.m + 5 * graph.n)
    return {
        "graph": name,
        "bins": bins,
        "4 V + 2 E": plain,
        "4 V + 2 E + bins V": plain + bins * graph.n,
        "more %": 100 * bins * graph.n / plain,
        "their bytes": WORD * (plain + bins * graph.n),
        "our bytes": ours,
    }


def _pictures(found: Ranked, tables: dict[str, Table]) -> dict[str, Callable[[Path], None]]:
    name, word = found.name, found.name.replace(" ", "-")
    shares = {way: [100 * share for share in _frozen(found.results[way])] for way in WAYS}
    over_rounds = {way: (range(1, len(y) + 1), y) for way, y in shares.items()}
    counts = list(found.seconds)
    over_threads = {way: (counts, [s["exact"] / s[way] for s in found.seconds.values()]) for way in WAYS}
    rows = [row for row in tables["tolerance"].rows if row["graph"] == name]
    falling = [float(row["tolerance"]) for row in rows]
    over_tolerance = {w: (falling, [row[f"{w}: speedup"] for row in rows]) for w in ("as printed", "scaled")}
    beside = [row for row in tables["45"].rows if row["graph"] == name]
    places, ticks = range(len(beside)), [row["technique"] for row in beside]
    apart = {key: (places, [row[key] for row in beside]) for key in ("L2", "STIC-D L2")}
    faster = {name: (places, [row["speedup over STIC-D"] for row in beside])}
    ways: dict[str, Any] = {"xticks": places, "xticklabels": [t.replace("frozen", "").strip(" ,()") for t in ticks]}
    tail = {"xscale": "log", "xlabel": "tolerance", "ylabel": "speedup over nothing frozen"}
    made = {
        "figure-2": Lines(over_rounds, {"title": f"Frozen, {name}", "xlabel": "round", "ylabel": "frozen arcs (%)"}),
        "figure-3": Lines(over_threads, {"title": f"Speedup, {name}", "xlabel": "threads", "ylabel": "speedup"}),
        "figure-4": Lines(apart, {"title": f"L2 beside STIC-D, {name}", "yscale": "log", **ways}),
        "figure-5": Lines(faster, {"title": f"Speedup over STIC-D, {name}", **ways}),
        "tolerance": Lines(over_tolerance, {"title": f"Gain by tolerance, {name}", **tail}),
    }
    return {f"{key}-{word}": lines.draw for key, lines in made.items()}
