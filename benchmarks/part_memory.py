"""The peak memory of every registered algorithm on one graph, in times the graph.

Each algorithm runs in a process of its own, on an undirected R-MAT graph (`--scale`, 16 edges a vertex) with weights,
after everything was compiled on a small one; the peak is the largest resident memory during the call beyond what the
process had with the graph loaded. Questions that would search from every vertex are asked within a budget (see ASKED),
as one would on a graph of that size. An algorithm that was refused memory, or took too long, is told as such. Beside
the peak stands what was announced before the run began (`Algorithm.needed`): the peak may not exceed it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
from scale_steps import FACTOR, WARM, limit_memory, measured, peak_from_now, source

import nearly
from nearly.engine.algorithm import ALGORITHMS
from nearly.graph.generate import with_weights

HERE = Path(__file__).resolve().parent
LONGEST = 600  # seconds
ASKED: dict[str, dict[str, Any]] = {
    "betweenness": {"sources": 8},
    "topk_betweenness": {"k": 10, "max_error": 0.2},
    "topk_closeness": {"k": 10},
    "closeness": {"max_error": 0.05},
    "harmonic": {"max_error": 0.05},
    "distance_statistics": {"max_error": 0.05},
    "densest_subgraph": {"max_error": 0.2},
    "similar": {"k": 10},
    "distances": {"pairs": np.arange(2000).reshape(-1, 2)},
}
ROOTED = ("bfs", "sssp", "similar")


def run(options: Namespace) -> str:
    rows = []
    for name in ALGORITHMS.names():
        if options.only in name:
            rows.append(_row(name, options.scale))
            print(" | ".join(rows[-1]), flush=True)
    lines = [
        "| algorithm | asked | announced | peak beyond the graph | in times the graph | seconds |",
        "|---" * 6 + "|",
    ]
    title = f"### Peak memory of algorithms, R-MAT scale {options.scale}, undirected, weighted"
    return "\n".join([title, "", *lines, *("| " + " | ".join(row) + " |" for row in rows), ""])


def _row(name: str, scale: int) -> list[str]:
    asked = ", ".join(
        f"{len(value):,} {key}" if isinstance(value, np.ndarray) else f"{key}={value}"
        for key, value in ASKED.get(name, {}).items()
    )
    command = [sys.executable, str(HERE / "part_memory.py"), name, str(scale)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=True)
    except subprocess.TimeoutExpired:
        return [name, asked, f"over {LONGEST} s", "-", "-", "-"]
    except subprocess.CalledProcessError as error:
        return [name, asked, error.stderr.strip().splitlines()[-1][:80], "-", "-", "-"]
    told = json.loads(done.stdout.splitlines()[-1])
    if "refused" in told:
        return [name, asked, told["refused"], "-", "-", "-"]
    beyond = max(told["peak"] - told["before"], 0)
    sizes = [f"{size / 2**20:,.0f} MiB" for size in (told["needed"], beyond)]
    return [name, asked, *sizes, f"{beyond / told['bytes']:.2f}x", f"{told['seconds']:.3g}"]


def _child(name: str, scale: int) -> None:
    limit_memory()
    entry = ALGORITHMS.get(name)
    call = entry.function
    for size in (WARM, scale):
        g = with_weights(nearly.generate.rmat(size, FACTOR, seed=1, directed=name == "topological_sort"))
        asked = {**ASKED.get(name, {}), **({"source": source(g)} if name in ROOTED else {})}
        before = peak_from_now()
        _, row = measured(lambda g=g, asked=asked: call(g, **asked).values, 1)
    print(json.dumps({"before": before, "bytes": g.nbytes, "needed": entry.needed(g), **row}))


if __name__ == "__main__":
    _child(sys.argv[1], int(sys.argv[2]))
