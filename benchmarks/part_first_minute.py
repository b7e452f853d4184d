"""The first minute: what a new user waits for, in fresh processes with an empty cache, and what a tiny call costs.

Tables: first calls that compile (as after `pip install .`), first calls with the kernels of a wheel (`--only wheel`
builds one, which takes minutes), calls on a graph of 5 vertices beside SciPy and igraph, and default threads on a
machine whose cores are all busy. `--only` names tables.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import nearly

ROOT = Path(__file__).resolve().parent.parent
CALLS = {
    "graph of 6 edges": "g",
    "bfs": "nearly.bfs(g, 0)",
    "connected_components": "nearly.connected_components(g)",
    "pagerank": "nearly.pagerank(g)",
    "sssp": "nearly.sssp(w, 0)",
    "mst": "nearly.mst(w)",
    "scc": "nearly.scc(g)",
    "kcore": "nearly.kcore(g)",
    "triangle_count": "nearly.triangle_count(g)",
    "clustering_coefficient": "nearly.clustering_coefficient(g)",
    "coloring": "nearly.coloring(g)",
    "maximal_independent_set": "nearly.maximal_independent_set(g)",
    "label_propagation": "nearly.label_propagation(g)",
    "betweenness": "nearly.betweenness(g)",
    "topk_betweenness": "nearly.topk_betweenness(g, k=2)",
    "louvain": "nearly.louvain(g)",
    "mesh refinement": "nearly.mesh.refine(nearly.mesh.from_points(np.random.default_rng(1).random((40, 2))))",
}
AIMS = {"graph of 6 edges": 1, "bfs": 3, "connected_components": 3, "betweenness": 10, "topk_betweenness": 10}
AIMS |= {"louvain": 10, "mesh refinement": 10}
SETUP = """
edges = [0, 1, 2, 3, 4, 1], [1, 2, 0, 4, 2, 4]
g = nearly.Graph.from_edges(*edges)
w = nearly.Graph.from_edges(*edges, weights=[1.0, 2, 3, 4, 5, 6])
"""
FIRST = f"""
import json, sys, time
import numba, numpy as np
since, used = time.perf_counter(), time.process_time()
import nearly
{SETUP}
eval(sys.argv[1])
seconds, used = time.perf_counter() - since, time.process_time() - used
from nearly.base.kernel_cache import spent
print(json.dumps([seconds, used, spent.compiled, spent.shipped]))
"""


def run(options: Namespace) -> str:
    tables = {"compile": first_calls, "wheel": with_the_wheel, "tiny": tiny_calls, "busy": busy_machine}
    chosen = [make for name, make in tables.items() if options.only in name] if options.only else list(tables.values())
    return "\n".join(make(options) for make in chosen)


class Seen(NamedTuple):
    """What a fresh process took beyond importing numba, and where its kernels came from."""

    seconds: float
    used: float  # processor seconds; fewer than on the clock where the machine is shared
    compiled: int
    shipped: int


def in_fresh_process(python: str, call: str) -> Seen:
    """One first call, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment["NEARLY_CACHE_DIR"] = cache
        done = subprocess.run(
            [python, "-c", FIRST, call], capture_output=True, text=True, check=True, env=environment, cwd=cache
        )
    return Seen(*json.loads(done.stdout.splitlines()[-1]))


def first_calls(options: Namespace) -> str:
    lines = ["## First calls that compile", "", "| first call | seconds | of processor time | aim | kernels compiled |"]
    lines.append("|---|---|---|---|---|")
    for name, call in CALLS.items():
        runs = [in_fresh_process(sys.executable, call) for _ in range(min(options.repeat, 3))]
        seconds, used = (statistics.median(times) for times in list(zip(*runs))[:2])
        lines.append(f"| {name} | {seconds:.2f} | {used:.2f} | {AIMS.get(name, 5)} | {runs[0].compiled} |")
    since, before = time.perf_counter(), os.times()
    with tempfile.TemporaryDirectory() as cache:
        subprocess.run(
            [sys.executable, "-m", "nearly", "demo"],
            check=True, capture_output=True, cwd=cache, env={**os.environ, "NEARLY_CACHE_DIR": cache},
        )  # fmt: skip
    used = sum(os.times()[2:4]) - sum(before[2:4])
    lines.append(f"| `nearly demo` | {time.perf_counter() - since:.2f} | {used:.2f} | 20 | - |")
    return "\n".join(lines) + "\n"


def with_the_wheel(options: Namespace) -> str:
    with tempfile.TemporaryDirectory() as folder:
        wheels, python = Path(folder) / "wheels", Path(folder) / "env" / "bin" / "python"
        subprocess.run([sys.executable, str(ROOT / "scripts" / "make_wheel.py"), "--out", str(wheels)], check=True)
        subprocess.run([sys.executable, "-m", "venv", str(Path(folder) / "env")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(next(wheels.iterdir()))], check=True)
        lines = ["## First calls with the wheel's kernels", ""]
        lines += ["| first call | seconds | of processor time | aim | compiled | loaded |", "|---|---|---|---|---|---|"]
        for name, call in CALLS.items():
            runs = [in_fresh_process(str(python), call) for _ in range(options.repeat)]
            seconds, used = (statistics.median(times) for times in list(zip(*runs))[:2])
            lines.append(f"| {name} | {seconds:.2f} | {used:.2f} | 0.5 | {runs[0].compiled} | {runs[0].shipped} |")
    return "\n".join(lines) + "\n"


def tiny_calls(options: Namespace) -> str:
    names = {"nearly": nearly, "np": np}
    exec(SETUP, names)
    peers = _peers(names["w"])
    aims = dict.fromkeys(("bfs", "connected_components", "kcore", "triangle_count"), 60)
    aims |= {"sssp": 100, "mst": 100, "scc": 100, "pagerank": 200, "betweenness": 300, "louvain": 1000}
    lines = ["## Calls on a graph of 5 vertices, microseconds", "", "| call | nearly | aim | scipy | igraph |"]
    lines.append("|---|---|---|---|---|")
    for name, aim in aims.items():
        contestants = {"nearly": eval(f"lambda: {CALLS[name]}", names), **peers.get(name, {})}
        times = {library: _microseconds(contestants, library, options.repeat) for library in contestants}
        cells = [f"{times[library]:.0f}" if library in times else "-" for library in ("scipy", "igraph")]
        lines.append(f"| {name} | {times['nearly']:.0f} | {aim} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def _microseconds(contestants: dict, which: str, repeat: int) -> float:
    call, times = contestants[which], []
    for _ in range(50):
        call()
    for _ in range(max(repeat, 5)):
        since = time.perf_counter()
        for _ in range(200):
            call()
        times.append((time.perf_counter() - since) / 200 * 1e6)
    return statistics.median(times)


def _peers(w: nearly.Graph) -> dict[str, dict]:
    import igraph
    from scipy.sparse import csgraph

    matrix = w.to_scipy()
    arcs = list(zip(w.arc_sources().tolist(), w.targets.tolist()))
    g = igraph.Graph(n=w.n, edges=arcs, directed=True)
    both, lengths = g.as_undirected(), w.weights.tolist()
    return {
        "bfs": {"scipy": lambda: csgraph.breadth_first_order(matrix, 0), "igraph": lambda: g.distances(source=0)},
        "connected_components": {
            "scipy": lambda: csgraph.connected_components(matrix, directed=False),
            "igraph": lambda: g.connected_components("weak").membership,
        },
        "kcore": {"igraph": both.coreness},
        "triangle_count": {"igraph": both.list_triangles},
        "sssp": {
            "scipy": lambda: csgraph.dijkstra(matrix, indices=0),
            "igraph": lambda: g.distances(source=0, weights=lengths),
        },
        "mst": {
            "scipy": lambda: csgraph.minimum_spanning_tree(matrix),
            "igraph": lambda: both.spanning_tree(return_tree=False),
        },
        "scc": {
            "scipy": lambda: csgraph.connected_components(matrix, connection="strong"),
            "igraph": lambda: g.connected_components("strong").membership,
        },
        "pagerank": {"igraph": g.pagerank},
        "betweenness": {"igraph": g.betweenness},
        "louvain": {"igraph": both.community_multilevel},
    }


def busy_machine(options: Namespace) -> str:
    """Default threads and one thread, with nothing else running and with a spinning process on every core."""
    graphs = {
        "road-like": nearly.generate.with_weights(nearly.generate.grid(520, 520), "int", 1, 100, 1),
        "hubs": nearly.generate.with_weights(nearly.generate.rmat(16, 16, seed=1), "int", 1, 100, 1),
    }
    algorithms = ("bfs", "connected_components", "sssp", "pagerank", "mst", "scc", "kcore", "triangle_count", "louvain")
    quiet = _medians(graphs, algorithms, options.repeat)
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        time.sleep(1)
        busy = _medians(graphs, algorithms, options.repeat)
    finally:
        for spinner in spinners:
            spinner.kill()
    lines = [
        "## A busy machine",
        "",
        "Milliseconds; ratios of default threads: to the quiet run, to one thread when busy.",
    ]
    lines += [
        "",
        "| graph | algorithm | quiet | busy | busy, 1 thread | of quiet | of 1 thread |",
        "|---|---|---|---|---|---|---|",
    ]
    for (graph, name), (all_threads, _) in quiet.items():
        now, one = busy[graph, name]
        times = " | ".join(f"{time:.1f}" for time in (all_threads, now, one))
        lines.append(f"| {graph} | {name} | {times} | {now / all_threads:.2f}x | {now / one:.2f}x |")
    return "\n".join(lines) + "\n"


def _medians(graphs: dict, algorithms: tuple[str, ...], repeat: int) -> dict:
    found = {}
    for kind, graph in graphs.items():
        for name in algorithms:
            own = {"source": int(graph.out_degrees.argmax())} if name in ("bfs", "sssp") else {}
            own |= {"tol": 1e-4} if name == "pagerank" else {}
            times: dict = {None: [], 1: []}
            for again in range(repeat + 1):
                for threads, seen in times.items():
                    since = time.perf_counter()
                    getattr(nearly, name)(graph, threads=threads, **own)
                    if again:
                        seen.append((time.perf_counter() - since) * 1000)
            found[kind, name] = tuple(statistics.median(seen) for seen in times.values())
    return found
