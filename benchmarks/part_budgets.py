"""Answers within budgets beside exact ones and other libraries' approximations: time, error, bound and choice.

A cell is one algorithm on one graph with one budget. Exact and budgeted calls take turns in one process; their values
are read inside the clock. Exact betweenness of large graphs is extrapolated from SOURCES sources, and says so with a ~.
The error seen is against the exact answer where that is known. Cells predicted to take over LIMIT seconds are left out.
Each graph has tables of its own, so that `--only GRAPH --record` measures and replaces those of one graph.
"""

from __future__ import annotations

import statistics
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from peers import PEERS

import nearly
from nearly import Graph

BUDGETS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.001)
SAMPLED = ("pagerank", "triangle_count", "clustering_coefficient", "betweenness", "topk_betweenness")
OTHERS = ("bfs", "sssp", "connected_components", "scc", "mst", "kcore", "coloring", "maximal_independent_set")
REAL = {"USA-road-d": "New York", "cnr-2000": "cnr-2000", "soc-Slashdot": "Slashdot", "email-Enron": "Enron"}
SOURCES, LIMIT, TOP = 64, 5.0, 20
PIECES = True  # a graph may be recorded alone
ENOUGH, MANY = 1.0, 31  # seconds of runs, of both, that make a median, and how many at most
PEER_ERRORS, FIXED_SIZE = (0.05, 0.01), 0.05
PEER_ARCS = 2_000_000  # of graphs on which NetworKit's betweenness is run: on larger ones it takes minutes
EXACT_LIMIT = 5.0  # seconds: an exact betweenness that takes longer is extrapolated


def run(options: Namespace) -> str:
    text = ""
    for name, make in graphs(options).items():
        if options.only.partition("/")[0] in ("", name):
            g = make()
            cells = list(measure_graph(name, g, options))
            text += (table(name, cells) if cells else "") + peers(name, g, options)
    return text


def graphs(options: Namespace) -> dict[str, Callable[[], Graph]]:
    n, scale = 1 << options.scale, options.scale
    kron = partial(nearly.generate.rmat, scale, 16, seed=1, directed=False, weights="int")
    random = partial(nearly.generate.random, n, 16 * n, seed=1, directed=False, weights="int")
    found: dict[str, Callable[[], Graph]] = {f"kron-{scale}": kron, f"random-{scale}": random}
    for path in sorted(Path(options.data).iterdir()) if options.data else []:
        for begin, name in REAL.items():
            if path.name.startswith(begin):
                found[name] = partial(_read, path)
    return found


def _read(path: Path) -> Graph:
    g = nearly.read(path)
    return g.symmetrized() if path.name.startswith("email") else g


def measure_graph(name: str, g: Graph, options: Namespace) -> Iterator[dict[str, Any]]:
    for algorithm in (*SAMPLED, *OTHERS):
        if options.only not in f"{name}/{algorithm}" or not hasattr(nearly, algorithm):
            continue
        own = arguments(algorithm, g)
        exact_seconds, right = exact(algorithm, g, own)
        for budget in BUDGETS if algorithm in SAMPLED else BUDGETS[2:3]:
            yield measure_cell(name, g, (algorithm, own), (exact_seconds, right), budget, options)


def arguments(algorithm: str, g: Graph) -> dict[str, Any]:
    own: dict[str, Any] = {"source": int(g.out_degrees.argmax())} if algorithm in ("bfs", "sssp") else {}
    return {**own, **({"k": TOP} if algorithm == "topk_betweenness" else {})}


def exact(algorithm: str, g: Graph, own: dict[str, Any]) -> tuple[float | None, Any]:
    """The seconds of an exact run where it is not measured beside the budgeted one, and its result."""
    call = getattr(nearly, algorithm)
    if "betweenness" not in algorithm:
        return None, call(g, **own)
    chosen = np.random.default_rng(1).choice(g.n, min(SOURCES, g.n), replace=False)
    nearly.betweenness(g, sources=chosen)  # compiles
    since = time.perf_counter()
    nearly.betweenness(g, sources=chosen)
    seconds = (time.perf_counter() - since) * g.n / chosen.size
    return seconds, (call(g, **own) if seconds < EXACT_LIMIT else None)


def measure_cell(
    name: str,
    g: Graph,
    what: tuple[str, dict[str, Any]],
    known: tuple[float | None, Any],
    budget: float,
    options: Namespace,
) -> dict[str, Any]:
    (algorithm, own), (exact_seconds, right) = what, known
    call = getattr(nearly, algorithm)
    plan = nearly.plan(g, algorithm, **own, max_error=budget)
    predicted = next(one.seconds for one in plan.candidates if one.chosen)
    cell: dict[str, Any] = {"graph": name, "algorithm": algorithm, "budget": budget, "choice": plan.choice}
    if predicted is not None and predicted > LIMIT:
        return {**cell, "choice": f"{plan.choice} (predicted {predicted:.0f} s, not run)"}
    ours, exact_call = partial(call, g, **own, max_error=budget), partial(call, g, **own)
    since = time.perf_counter()
    r = ours()
    if exact_seconds is None:
        exact_call()
    runs = min(max(options.repeat, int(ENOUGH / (time.perf_counter() - since))), MANY)
    mine, theirs = in_turns(ours, None if exact_seconds else exact_call, runs)
    seconds, base = statistics.median(mine), exact_seconds or statistics.median(theirs)
    cell |= {"seconds": seconds, "speedup": base / seconds, "bound": r.error, "guarantee": r.guarantee}
    cell |= {"seen": seen(algorithm, right, r), "extrapolated": exact_seconds is not None}
    cell["choice"] = "exact (gave up)" if r.plan.fell_back else r.plan.choice
    print({key: f"{value:.4g}" if isinstance(value, float) else value for key, value in cell.items()}, flush=True)
    return cell


def in_turns(one: Callable[[], Any], other: Callable[[], Any] | None, runs: int) -> tuple[list[float], list[float]]:
    """The seconds of both, each first in every other turn."""
    taken: tuple[list[float], list[float]] = ([], [])
    for i in range(runs):
        for which in (0, 1) if i % 2 else (1, 0):
            call = (one, other)[which]
            if call is not None:
                taken[which].append(timed(call))
    return taken


def timed(call: Callable[[], Any]) -> float:
    since = time.perf_counter()
    call().values  # noqa: B018  values may be made when they are read
    return time.perf_counter() - since


def seen(algorithm: str, right: Any, r: Any) -> float | None:
    """The error of a result, as its budget means it; None where the exact answer is not known."""
    if right is None:
        return None
    if algorithm == "triangle_count":
        return abs(r.total - right.total) / max(right.total, 1)
    if algorithm == "clustering_coefficient":
        return max(abs(r.average - right.average), abs(r.transitivity - right.transitivity))
    if algorithm == "topk_betweenness":
        true = right.values[r.vertices]
        return float((np.abs(r.scores - true) / np.maximum(true, 1e-300)).max(initial=0.0))
    if algorithm == "pagerank":
        return float(np.abs(r.values - right.values).sum())
    if algorithm == "betweenness":
        return float(np.abs(r.values - right.values).max(initial=0.0))
    return 0.0 if r.guarantee == "exact" else None


def table(name: str, cells: list[dict[str, Any]]) -> str:
    text = f"### Answers within budgets, beside exact ones: {name}\n\n"
    text += "| algorithm | max_error | choice | guarantee | seconds | exact / budgeted | bound | error seen |\n"
    text += "|---" * 8 + "|\n"
    for cell in cells:
        ratio = "-" if "speedup" not in cell else f"{'~' * cell['extrapolated']}{_ratio(cell['speedup'])}"
        figures = [f"{cell[key]:.3g}" if cell.get(key) is not None else "-" for key in ("seconds", "bound", "seen")]
        text += f"| {cell['algorithm']} | {cell['budget']:g} | {cell['choice']} "
        text += f"| {cell.get('guarantee', '-')} | {figures[0]} | {ratio} | {figures[1]} | {figures[2]} |\n"
    ratios = [1 / cell["speedup"] for cell in cells if "speedup" in cell]
    within = sum(ratio <= 1.05 for ratio in ratios)
    text += f"\nOf {len(ratios)} cells measured, {within} take at most 1.05x of exact's time; the slowest takes "
    return text + f"{max(ratios, default=0):.2f}x.\n\n"


def _ratio(value: float) -> str:
    return f"{value:,.0f}x" if value >= 100 else f"{value:.3g}x"


def peers(name: str, g: Graph, options: Namespace) -> str:
    """NetworKit's approximations at the same error and confidence, where it is installed."""
    try:
        import networkit as nk
    except ImportError:
        return ""
    if options.only not in f"{name}/peers":
        return ""
    rows, bare = [], Graph(g.offsets, g.targets, directed=g.directed)
    theirs, told = PEERS["networkit"](bare, 0).graph, ""
    for error in PEER_ERRORS:
        for what, (ours, other) in contests(nk, bare, theirs, error).items():
            ours()
            mine = statistics.median(timed(ours) for _ in range(5))
            try:
                peer = statistics.median(_took(other) for _ in range(1 if "Approx" in what else 3))
                told = f"{peer:.4g} | {_ratio(peer / mine)}"
            except RuntimeError as failure:  # a peer's failure is a fact for the table
                told = f"{failure} | -"
            rows.append(f"| {what} | {error:g} | {mine:.4g} | {told} |")
            print(rows[-1], flush=True)
    head = f"### Beside NetworKit's approximations, at equal error and a confidence of 0.99: {name}\n\n"
    head += "| question | max_error | nearly (s) | NetworKit (s) | ratio |\n" + "|---" * 5 + "|\n"
    return head + "\n".join(rows) + "\n\n"


def _took(call: Callable[[], Any]) -> float:
    since = time.perf_counter()
    call()
    return time.perf_counter() - since


def contests(nk: Any, g: Graph, theirs: Any, error: float) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Our answer and NetworKit's, by question."""
    ours = partial(nearly.betweenness, g, max_error=error)
    clustering = partial(nearly.clustering_coefficient, g, max_error=error)
    found: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "average clustering": (clustering, lambda: nk.globals.clustering(theirs, error))
    }
    if g.m > PEER_ARCS:
        return found
    found["betweenness, KADABRA"] = ours, lambda: nk.centrality.KadabraBetweenness(theirs, error, 0.01).run()
    if error >= FIXED_SIZE:  # a search from end to end for each of its samples: minutes, below
        found["betweenness, ApproxBetweenness"] = (
            ours, lambda: nk.centrality.ApproxBetweenness(theirs, error, 0.01).run()
        )  # fmt: skip
    return found
