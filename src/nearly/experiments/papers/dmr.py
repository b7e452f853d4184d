"""Delaunay mesh refinement: Table III (time by scheme), Figure 13 (three meshes), Figure 14 (triangles over time).

The paper's schemes on a GPU and ours on the CPU, on random points of which about half the triangles are bad at 30
degrees, mended by circumcentres as in the paper. Its base scheme is `base`, its atomic one `atomic`, its two-stage one
`two-stage` without (`own`) and with load balance (`shared`); its dynamic parallelism is `dynamic`, a launch a cavity.
Rows without the paper's numbers are what nearly does otherwise: marks until nothing changes, off-centres, one thread.
Only the relation between rows can be compared, not milliseconds. `--scale` is the binary logarithm of the number of
triangles of the largest mesh, 22.4 in the paper; the two others are smaller in the paper's proportion.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nearly import mesh as nm
from nearly.base.progress import Progress
from nearly.engine.trace import Trace
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Reproduced, Table, reproduction
from nearly.graph.csr import Graph

ANGLE = 30
MILLIONS = (0.5, 1.1, 5.6)  # triangles of the paper's meshes


class Way(NamedTuple):
    """A row: how it refines, and the paper's milliseconds for 5.6 million triangles on Kepler and on Fermi."""

    name: str
    how: dict[str, Any]
    kepler: float | None = None
    fermi: float | None = None


def _way(scheme: str, balance: str = "own", point: str = "circumcentre") -> dict[str, Any]:
    return {"scheme": scheme, "balance": balance, "point": point}


ROWS = [
    Way("base: three-phase, one re-mark", _way("base"), 27737.54, 28144.12),
    Way("only atomic", _way("atomic"), 14661.88, 18737.62),
    Way("two-stage: three-phase, then atomic", _way("two-stage"), 12660.46, 16291.16),
    Way("two-stage with shared checks", _way("two-stage", "shared"), 12064.17, 15713.53),
    Way("two-stage with a launch a cavity", _way("two-stage", "dynamic")),
    Way("three-phase, marks to a fixed point", _way("three-phase")),
    Way("two-stage, off-centres", _way("two-stage", point="off-centre")),
    Way("serial, off-centres", _way("serial", point="off-centre")),
]
BASE = ROWS[0]
NOTE = (
    f"Refined to {ANGLE} degrees. `gain` is how much less time a row takes than the base row; the paper's columns are "
    "its 5.6 million triangles on two GPUs. All rows but `serial` use all threads. The paper gives no number for a "
    "launch a cavity, only that it does not improve the time."
)


@reproduction("dmr")
def dmr(graphs: dict[str, Graph], scale: int, repeat: int, progress: Progress) -> Reproduced:
    """Time of every scheme of refinement (Table III, Figure 13), triangles processed over time (Figure 14)."""
    sizes = [max(int((1 << scale) * share / MILLIONS[-1]), 64) for share in MILLIONS]
    meshes = [nm.from_points(np.random.default_rng(1).random((size // 2, 2))) for size in sizes]
    measured = [_measured(mesh, repeat, progress) for mesh in meshes]
    names = [f"{len(mesh.triangles):,} triangles, {100 * mesh.quality(ANGLE).bad_share:.0f}% bad" for mesh in meshes]
    (seconds, done), (_, middle) = measured[-1], measured[1]
    work = Table(f"Work: {names[-1]}", note="Cavities per point: how often one was searched for, per point inserted.")
    work.rows = [{"scheme": way.name, **_work(done[way.name])} for way in ROWS]
    rounds = {way.name: done[way.name].trace for way in (BASE, ROWS[2])}
    bars = {name: taken for name, (taken, _) in zip(names, measured)}
    pictures: dict[str, Callable[[Path], None]] = {
        "figure-13": partial(_draw_bars, bars),
        "figure-14": partial(_draw_over_time, middle, names[1]),
        "rounds": partial(_draw, rounds, names[-1]),
    }
    return Reproduced([_times(seconds, names[-1]), _by_mesh(bars), work, _over_time(middle, names[1])], {}, pictures)


def _times(seconds: dict[str, float], size: str) -> Table:
    table = Table(f"Table III: {size}", note=NOTE)
    for way in ROWS:
        line = {
            "scheme": way.name,
            "ms": 1000 * seconds[way.name],
            "gain %": _gain(seconds[way.name], seconds[BASE.name]),
        }
        line |= {"paper: Kepler ms": way.kepler, "paper: Kepler gain %": _gain(way.kepler, BASE.kepler)}
        table.rows.append(line | {"paper: Fermi ms": way.fermi, "paper: Fermi gain %": _gain(way.fermi, BASE.fermi)})
    return table


def _gain(taken: float | None, base: float | None) -> float | None:
    """How much less time than the base, in percent."""
    return None if taken is None or base is None else 100 * (1 - taken / base)


def _by_mesh(bars: dict[str, dict[str, float]]) -> Table:
    """Figure 13: all schemes on three meshes."""
    note = (
        "The paper's figure has 0.5, 1.1 and 5.6 million triangles, its numbers are printed for the last (Table III)."
    )
    table = Table("Figure 13: milliseconds, and gain over the base scheme, on three meshes", note=note)
    for way in ROWS:
        row: dict[str, Any] = {"scheme": way.name}
        for name, taken in bars.items():
            size = name.split(" ")[0]
            row |= {f"{size}: ms": 1000 * taken[way.name], f"{size}: gain %": _gain(taken[way.name], taken[BASE.name])}
        table.rows.append(row)
    return table


def _draw(rounds: dict[str, Trace], size: str, path: Path) -> None:
    from nearly.experiments.pictures import plot_traces

    plot_traces(rounds, path, f"Refinement of {size}", words=("bad triangles to try", "million triangles per second"))


def _draw_bars(bars: dict[str, dict[str, float]], path: Path) -> None:
    with picture(path, columns=len(bars), size=(14, 5)) as axes:
        for axis, (name, taken) in zip(axes, bars.items()):
            axis.barh(list(taken), [1000 * s for s in taken.values()], color="#1f6fb4")
            axis.set(title=name, xlabel="milliseconds")
            axis.invert_yaxis()
        for axis in axes[1:]:
            axis.set_yticklabels([])


def _draw_over_time(done: dict[str, nm.Refined], size: str, path: Path) -> None:
    with picture(path) as axis:
        for way in ROWS[:4]:
            clock, made = _made_by(done[way.name])
            axis.plot(clock, made / 1000, label=way.name)
        axis.set(title=f"Refinement of {size}", xlabel="milliseconds", ylabel="thousand triangles processed")
        axis.legend(frameon=False)


def _measured(mesh: nm.Mesh, repeat: int, progress: Progress) -> tuple[dict[str, float], dict[str, nm.Refined]]:
    """Median seconds and a result for each row; rows take turns."""
    small = nm.from_points(np.random.default_rng(1).random((64, 2)))
    runs: dict[str, list[float]] = {way.name: [] for way in ROWS}
    done: dict[str, nm.Refined] = {}
    for way in ROWS:
        nm.refine(small, ANGLE, **way.how)  # compiles
    for turn in range(repeat):
        for i, way in enumerate(ROWS):
            stage = f"measuring {len(mesh.triangles):,} triangles: {way.name}"
            progress(stage, turn * len(ROWS) + i, repeat * len(ROWS))
            since = time.perf_counter()
            done[way.name] = nm.refine(mesh, ANGLE, **way.how)
            runs[way.name].append(time.perf_counter() - since)
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
        "rounds by one thread": int(sum(r.extra.get("alone", 0) for r in result.trace)),
    }


def _made_by(result: nm.Refined) -> tuple[np.ndarray, np.ndarray]:
    """Milliseconds at the end of each stage, and how many triangles had been made by then."""
    return np.cumsum([r.milliseconds for r in result.trace]), np.cumsum([r.edges for r in result.trace])


def _over_time(done: dict[str, nm.Refined], size: str) -> Table:
    """New triangles made when a tenth, two tenths, ... of the base scheme's time have passed."""
    note = "Thousands of triangles made by then, per scheme. The paper's figure is of 1.1 million triangles, on Kepler."
    table = Table(f"Figure 14: triangles processed over time ({size})", note=note)
    whole = sum(r.milliseconds for r in done[BASE.name].trace)
    for tenth in range(1, 11):
        row: dict[str, Any] = {"ms": whole * tenth / 10}
        for name, result in done.items():
            clock, made = _made_by(result)
            before = int(np.searchsorted(clock, whole * tenth / 10, side="right"))
            row[name] = float(made[before - 1]) / 1000 if before else 0.0
        table.rows.append(row)
    return table
