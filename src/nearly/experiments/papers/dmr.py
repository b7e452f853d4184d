"""Delaunay mesh refinement: Table III (time by scheme) and the form of its figures (triangles processed over time).

The paper's schemes on a GPU and ours on the CPU, on random points of which about half the triangles are bad at 30
degrees. Its base scheme is `three-phase`, its atomic one `atomic`, its two-stage one `two-stage` without (`own`) and
with load balance (`shared`); its dynamic parallelism is `dynamic`, a launch a cavity. Only the relation between rows
can be compared, not milliseconds. `--scale` is the binary logarithm of the number of triangles; the paper's meshes
have 19, 20 and 22.4.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nearly import mesh as nm
from nearly.base.progress import Progress
from nearly.engine.trace import Trace
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

ANGLE = 30
# the paper's Table III: milliseconds for 5.6 million triangles on Kepler and on Fermi
ROWS: list[tuple[str, Any, Any, float | None, float | None]] = [
    ("base: three-phase", "three-phase", "own", 27737.54, 28144.12),
    ("only atomic", "atomic", "own", 14661.88, 18737.62),
    ("two-stage: three-phase, then atomic", "two-stage", "own", 12660.46, 16291.16),
    ("two-stage with shared checks", "two-stage", "shared", 12064.17, 15713.53),
    ("two-stage with a launch a cavity", "two-stage", "dynamic", None, None),
    ("serial", "serial", "own", None, None),
]
NOTE = (
    f"Refined to {ANGLE} degrees. `gain` is how much less time a row takes than the base row; the paper's columns are "
    "its 5.6 million triangles on two GPUs. All rows but `serial` use all threads."
)


@reproduction("dmr")
def dmr(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """Time of every scheme of mesh refinement (Table III), triangles processed round by round (Figure 14)."""
    mesh = nm.from_points(np.random.default_rng(1).random((max(1 << scale, 64) // 2, 2)))
    quality = mesh.quality(ANGLE)
    size = f"{len(mesh.triangles):,} triangles, {100 * quality.bad_share:.0f}% bad"
    seconds, done = _measured(mesh, repeat, progress)
    times = Table(f"Table III: {size}", note=NOTE)
    work = Table(f"Work: {size}", note="Cavities per point: how often one was searched for, per point inserted.")
    base = seconds[ROWS[0][0]]
    for name, _, _, kepler, fermi in ROWS:
        result = done[name]
        times.rows.append(
            {
                "scheme": name,
                "ms": 1000 * seconds[name],
                "gain %": 100 * (1 - seconds[name] / base),
                "paper: Kepler ms": kepler,
                "paper: gain %": None if kepler is None else 100 * (1 - kepler / ROWS[0][3]),  # type: ignore[operator]
                "paper: Fermi ms": fermi,
            }
        )
        work.rows.append({"scheme": name, **_work(result)})
    rounds = {name: done[name].trace for name in (ROWS[0][0], ROWS[2][0])}
    return Reproduced([times, work, _over_time(done)], pictures={"rounds": partial(_draw, rounds, size)})


def _draw(rounds: dict[str, Trace], size: str, path: Path) -> None:
    from nearly.experiments.pictures import plot_traces

    plot_traces(rounds, path, f"Refinement of {size}", words=("bad triangles to try", "million triangles per second"))


def _measured(mesh: nm.Mesh, repeat: int, progress: Progress) -> tuple[dict[str, float], dict[str, nm.Refined]]:
    """Median seconds and a result for each row; rows take turns."""
    small = nm.from_points(np.random.default_rng(1).random((64, 2)))
    runs: dict[str, list[float]] = {row[0]: [] for row in ROWS}
    done: dict[str, nm.Refined] = {}
    for _, scheme, balance, _, _ in ROWS:
        nm.refine(small, ANGLE, scheme=scheme, balance=balance)  # compiles
    for turn in range(repeat):
        for i, (name, scheme, balance, _, _) in enumerate(ROWS):
            progress(f"measuring: {name}", turn * len(ROWS) + i, repeat * len(ROWS))
            since = time.perf_counter()
            done[name] = nm.refine(mesh, ANGLE, scheme=scheme, balance=balance)
            runs[name].append(time.perf_counter() - since)
    return {name: statistics.median(taken) for name, taken in runs.items()}, done


def _work(result: nm.Refined) -> dict[str, Any]:
    found = sum(r.extra.get("found", r.frontier) for r in result.trace)
    widest = max((r.extra["inserted"] for r in result.trace), default=0)
    return {
        "points inserted": result.inserted,
        "triangles": len(result.mesh.triangles),
        "bad left": result.left,
        "stages": result.rounds,
        "cavities per point": found / max(result.inserted, 1),
        "most points in a stage": int(widest),
        "triangles made": result.trace.edges,
    }


def _over_time(done: dict[str, nm.Refined]) -> Table:
    """New triangles made when a tenth, two tenths, ... of the base scheme's time have passed."""
    table = Table("Triangles processed over time (Figure 14)", note="Thousands of triangles made by then, per scheme.")
    whole = sum(r.milliseconds for r in done[ROWS[0][0]].trace)
    for tenth in range(1, 11):
        row: dict[str, Any] = {"ms": whole * tenth / 10}
        for name, result in done.items():
            clock = np.cumsum([r.milliseconds for r in result.trace])
            made = np.cumsum([r.edges for r in result.trace])
            before = int(np.searchsorted(clock, whole * tenth / 10, side="right"))
            row[name] = float(made[before - 1]) / 1000 if before else 0.0
        table.rows.append(row)
    return table
