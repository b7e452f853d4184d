"""`python scale_steps.py SCALE REPEAT`: one R-MAT graph, undirected, 16 edges a vertex; a line of JSON for each step.

Steps are making the graph and one exact answer of each algorithm. Each algorithm gets a graph object of its own on the
same arrays, so that nothing is kept from the step before: what it builds for the graph counts. Time is until the values
are there, the median of `REPEAT` such graphs (one above scale 20). The peak is the largest resident memory during the
step, the graph and the interpreter with its compiled code included; what these took before there was a graph
(`before`) is told too. The data of the process is limited to LIMIT, and a step whose memory is refused says so.
"""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nearly
from nearly import Graph
from nearly.graph.generate import with_weights

LIMIT = 24 << 30  # bytes
ONCE = 20  # scale above which a step runs once
WARM = 16  # scale of the graph on which everything is compiled: large enough for all that large graphs use
FACTOR = 16
STEPS: dict[str, Callable[[Graph], Any]] = {
    "pagerank": lambda g: nearly.pagerank(g, tol=1e-4).values,
    "bfs": lambda g: nearly.bfs(g, source(g)).values,
    "connected_components": lambda g: nearly.connected_components(g).values,
    "triangle_count": lambda g: nearly.triangle_count(g).total,
    "louvain": lambda g: nearly.louvain(g).values,
    "sssp": lambda g: nearly.sssp(g, source(g)).values,
    "mst": lambda g: nearly.mst(g).weight,
}
WEIGHTED = ("sssp", "mst")


def source(g: Graph) -> int:
    """A vertex of the largest degree."""
    return int(g.out_degrees.argmax())


def main() -> None:
    scale, repeat = int(sys.argv[1]), int(sys.argv[2])
    limit_memory()
    warm_up()
    before = peak_from_now()
    g, row = measured(lambda: nearly.generate.rmat(scale, FACTOR, seed=1, directed=False), 1)
    say({"step": "generate", "before": before, **row})
    if g is None:
        return
    say({"step": "graph", "n": g.n, "m": g.m, "bytes": g.nbytes})
    for step, call in STEPS.items():
        if step in WEIGHTED and not g.weighted:
            weighted, row = measured(partial(with_weights, g), 1)
            if weighted is None:
                for name in WEIGHTED:
                    say({"step": name, **row})
                return
            g = weighted
        say({"step": step, "bytes": g.nbytes, **measured(on_new_graphs(call, g), 1 if scale > ONCE else repeat)[1]})


def on_new_graphs(call: Callable[[Graph], Any], g: Graph) -> Callable[[], Any]:
    """The call on a graph that keeps nothing yet."""
    return lambda: call(Graph(g.offsets, g.targets, g.weights if g.weighted else None, directed=False))


def measured(call: Callable[[], Any], repeat: int) -> tuple[Any, dict[str, Any]]:
    """What the last of several calls gave, the median of their seconds, and the peak."""
    found, taken = None, []
    peak_from_now()
    try:
        for _ in range(repeat):
            found = None
            since = time.perf_counter()
            found = call()
            taken.append(time.perf_counter() - since)
    except (nearly.MemoryBudgetError, MemoryError) as error:
        return None, {"refused": f"{type(error).__name__}: {error}", "peak": peak()}
    return found, {"seconds": statistics.median(taken), "peak": peak()}


def warm_up() -> None:
    """Compile, or load, all that steps use."""
    g = nearly.generate.rmat(WARM, FACTOR, seed=1, directed=False)
    weighted = with_weights(g)
    for step, call in STEPS.items():
        on_new_graphs(call, weighted if step in WEIGHTED else g)()


def peak_from_now() -> int:
    """Give free memory back and forget the peak so far; what is resident now."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (AttributeError, OSError):
        pass  # then the peak is that since the process began
    return peak()


def peak() -> int:
    """The largest resident memory since it was last forgotten."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def limit_memory() -> None:
    """Let allocations beyond the limit fail instead of the machine."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT if hard < 0 else min(LIMIT, hard), hard))


def say(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
