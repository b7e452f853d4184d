"""GAP's C++ programs beside ours, where `--gap FOLDER` holds them built: the same graphs, sources and threads.

Graphs are handed over as .sg and .wsg files in a temporary folder. GAP's programs time their own kernels and print
the seconds, without reading and building; ours are the seconds of a call until its values are there. Both sides take
turns, source by source. In each turn a side runs TURN times in a row, GAP in a process that has just read the graph;
the first of them finds caches that the other side has filled and threads that have slept. So there are two tables: the
median of the others over all sources, and that of the first ones. A ratio is GAP's time divided by ours: above 1, ours
is faster. GAP's own default is 1 for sssp's delta; the figure it gets here is the best of several, as its
users would choose it.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from part_algorithms import graphs

import nearly
from nearly import Graph
from nearly.graph.generate import with_weights

SOURCES, TOLERANCE, TURN = 8, 1e-4, 3
LONG = 1.0  # seconds of a call that is measured in two turns only
DELTAS = (1, 16, 256, 4096, 65536)
PROGRAMS = ("bfs", "cc", "sssp", "pr", "bc", "tc")
TRIAL = re.compile(r"Trial Time:\s+([0-9.]+)")


def run(options: Namespace) -> str:
    if options.gap is None:
        return "### Against GAP\n\nNot measured: `--gap FOLDER` says where GAP's programs are.\n"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, g in graphs(options):
            if any(options.only in f"{name}/{program}" for program in PROGRAMS):
                rows.append(measure_graph(name, g, options, Path(folder)))
    again = "### GAP's time divided by ours", rows
    first = [{"graph": row["graph"], **{p: row[f"first {p}"] for p in PROGRAMS if p in row}} for row in rows]
    return _table(*again) + "\n" + _table("### The same for the first run after the other side's", first)


def measure_graph(name: str, g: Graph, options: Namespace, folder: Path) -> dict[str, Any]:
    """GAP's time over ours, by program; the seconds are printed."""
    weighted = g if g.weighted and g.weights.dtype.kind in "iu" else with_weights(g)  # GAP's weights are whole
    bare = Graph(g.offsets, g.targets, directed=g.directed)
    files = {"sg": folder / f"{name}.sg", "wsg": folder / f"{name}.wsg", "both": folder / f"{name}-both.sg"}
    bare.save(files["sg"])
    weighted.save(files["wsg"])
    simple = _simple(bare)
    simple.save(files["both"])
    chosen = np.random.default_rng(5).choice(np.flatnonzero(g.out_degrees > 0), SOURCES)
    sources = [int(v) for v in chosen]
    row: dict[str, Any] = {"graph": f"{name}, {g.m:,} arcs"}
    for program in PROGRAMS:
        if options.only in f"{name}/{program}":
            (ours, theirs), (first, their_first) = _measure(program, (bare, weighted, simple), files, sources, options)
            row[program], row[f"first {program}"] = theirs / ours, their_first / first
            print(f"{name:<20} {program:<5} ours {ours:.5f} s, GAP {theirs:.5f} s, {theirs / ours:.2f}x", end="")
            print(f" (first {first:.5f} s, GAP {their_first:.5f} s, {their_first / first:.2f}x)", flush=True)
    for path in files.values():
        path.unlink()
    return row


def _simple(g: Graph) -> Graph:
    """The graph without directions and loops, as GAP's triangle count wants it."""
    both = g.symmetrized()
    return Graph.from_edges(both.arc_sources(), both.targets, n=g.n, directed=False, self_loops="drop")


def _measure(
    program: str, given: tuple[Graph, Graph, Graph], files: dict[str, Path], sources: list[int], options: Namespace
) -> list[tuple[float, float]]:
    """Our seconds and GAP's, without the first of each turn and of those alone."""
    bare, weighted, simple = given
    calls: dict[str, tuple[Callable[[int], Any], Path, list[str]]] = {
        "bfs": (lambda s: nearly.bfs(bare, s).values, files["sg"], []),
        "cc": (lambda s: nearly.connected_components(bare).values, files["sg"], []),
        "sssp": (lambda s: nearly.sssp(weighted, s).values, files["wsg"], []),
        "pr": (
            lambda s: nearly.pagerank(bare, tol=TOLERANCE).values, files["sg"], ["-i", "1000", "-t", f"{TOLERANCE:g}"],
        ),
        "bc": (lambda s: nearly.betweenness(bare, sources=[s]).values, files["sg"], ["-i", "1"]),
        "tc": (lambda s: nearly.triangle_count(simple).total, files["both"], []),
    }  # fmt: skip
    ours, path, arguments = calls[program]
    rooted = program in ("bfs", "sssp", "bc")
    tries = sources if rooted else sources[: max(options.repeat, 3)]
    if program == "sssp":
        timed = {d: _trials(options, program, path, ["-d", str(d)], tries[0], 2) for d in DELTAS}
        arguments = ["-d", str(min(timed, key=lambda d: min(timed[d])))]
    ours(tries[0])  # compiles, and builds what the graph keeps
    if _seconds(ours, tries[0]) > LONG:
        tries = tries[:2]
    mine, theirs = [], []
    for source in tries:
        theirs.append(_trials(options, program, path, arguments, source if rooted else None, TURN))
        mine.append([_seconds(ours, source) for _ in range(TURN)])
    both = np.array([mine, theirs])
    return [tuple(np.median(part, axis=(1, 2))) for part in (both[:, :, 1:], both[:, :, :1])]


def _seconds(call: Callable[[int], Any], source: int) -> float:
    since = time.perf_counter()
    call(source)
    return time.perf_counter() - since


def _trials(
    options: Namespace, program: str, path: Path, arguments: list[str], source: int | None, count: int
) -> list[float]:
    """The seconds that GAP's program prints."""
    rooted = [] if source is None else ["-r", str(source)]
    done = subprocess.run(
        [options.gap / program, "-f", path, "-n", str(count), *rooted, *arguments],
        capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": str(nearly.get_threads())},
    )  # fmt: skip
    return [float(found) for found in TRIAL.findall(done.stdout)]


def _table(title: str, rows: list[dict[str, Any]]) -> str:
    found = [program for program in PROGRAMS if any(program in row for row in rows)]
    lines = [
        title,
        "",
        "| graph | " + " | ".join(found) + " |",
        "|---" * (len(found) + 1) + "|",
    ]
    for row in rows:
        lines.append(f"| {row['graph']} | " + " | ".join(f"{row[p]:.2f}x" if p in row else "-" for p in found) + " |")
    cells = {p: [row[p] for row in rows if p in row] for p in found}
    means = {p: statistics.geometric_mean(values) for p, values in cells.items()}
    lines.append("| geometric mean | " + " | ".join(f"{means[p]:.2f}x" for p in found) + " |")
    every = [x for p in found for x in cells[p]]
    without = [x for p in found if p != "tc" for x in cells[p]] or every
    slower = sum(x < 0.95 for x in every)
    mean, apart = statistics.geometric_mean(every), statistics.geometric_mean(without)
    said = f"Geometric mean {mean:.2f}x, without triangles {apart:.2f}x; below 0.95x in {slower} of {len(every)} cells."
    lines += ["", said, ""]
    return "\n".join(lines)
