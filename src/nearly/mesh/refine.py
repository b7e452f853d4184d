"""`refine`: insert points until no triangle is bad, with one of four schemes.

`serial` mends one triangle after the other, shortest edges first. The others work in rounds on many cavities at once,
as long as these do not touch; `nearly.mesh.parallel_driver` tells them apart.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.base.threads import kernel_threads
from nearly.engine.devices import DEVICES, check_device
from nearly.engine.trace import Trace
from nearly.mesh.mesh import Mesh

Scheme = Literal["two-stage", "three-phase", "atomic", "serial"]
Balance = Literal["shared", "own", "dynamic"]
Device = Literal["cpu", "cuda"]
LARGEST_ANGLE = 33.0  # refinement is proven to end up to 20.7 degrees, and in practice does up to about here


@dataclass
class Refined:
    """A refined mesh and how it came about.

    `inserted` points in so many `rounds` (of the trace); `capped` if it stopped at `max_points`; `left` is the number
    of triangles that are still bad: those at sharp corners of the input, which no point can mend, and all others
    where it was capped.
    """

    mesh: Mesh
    inserted: int
    rounds: int
    capped: bool
    left: int
    scheme: str
    balance: str
    device: str
    seconds: float
    compile_seconds: float
    trace: Trace = field(repr=False)


def refine(
    mesh: Mesh,
    min_angle: float = 20.0,
    max_area: float | None = None,
    scheme: Scheme = "two-stage",
    balance: Balance = "own",
    max_points: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    device: Device = "cpu",
) -> Refined:
    """Insert points until every triangle has angles of at least `min_angle` degrees and an area of at most `max_area`.

    Segments stay, in pieces. The mesh is made Delaunay first where it is not. The result depends on the scheme, never
    on the number of threads nor on the device.

    Parameters
    ----------
    mesh : what to refine; it is not changed.
    min_angle : the bound in degrees, up to 33; above 20.7 it is not proven that refinement ends before `max_points`.
    max_area : the largest area of a triangle.
    scheme : how cavities are kept apart: two-stage, three-phase, atomic, or serial for one at a time.
    balance : how new triangles are checked: by the own thread of each cavity, shared evenly among threads, or dynamic,
        by a launch a cavity. It changes the time only; on a CPU, where they are still in the cache, own is fastest.
    max_points : stop at so many points in all; by default ten times as many as there are, and 100,000 more.
    threads : how many threads.
    progress : called with the number of points so far.
    device : where to run: cpu, or cuda for an NVIDIA GPU, for which all schemes but serial have a form.

    >>> from nearly.mesh.delaunay import from_points
    >>> m = from_points([(0, 0), (10, 0), (10, 1), (0, 1), (5, 0.1)])
    >>> done = refine(m, min_angle=25)
    >>> done.left, done.capped
    (0, False)
    """
    _check(min_angle, max_area, scheme, balance)
    check_device(device, f"refine(scheme={scheme!r})", ("cpu",) if scheme == "serial" else DEVICES)
    from nearly.engine.timing import compile_seconds
    from nearly.mesh.job import Refinement

    since, compiled = time.perf_counter(), compile_seconds()
    with kernel_threads(threads, work=len(mesh.triangles)) as workers:
        most = _most(mesh, max_area, max_points)
        job = Refinement(mesh, min_angle, max_area, most, workers, progress or silent, device)
        job.make_delaunay()
        if scheme == "serial":
            from nearly.mesh.serial_driver import run
        else:
            from nearly.mesh.parallel_driver import run
        run(job, scheme, balance)
        refined, left = job.finish()
    compiled = compile_seconds() - compiled
    seconds = max(time.perf_counter() - since - compiled, 0.0)
    inserted = len(refined.points) - len(mesh.points)
    rounds, capped = len(job.trace), job.capped
    return Refined(refined, inserted, rounds, capped, left, scheme, balance, device, seconds, compiled, job.trace)


def _most(mesh: Mesh, max_area: float | None, max_points: int | None) -> int:
    if max_points is not None:
        if isinstance(max_points, bool) or not isinstance(max_points, (int, np.integer)) or max_points < 0:
            raise InvalidArgumentError(f"max_points must be a whole number of at least 0, not {max_points!r}")
        return int(max_points)
    most = 10 * len(mesh.points) + 100_000
    if max_area is not None:
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        most += int(min(4 * float(np.prod(high - low)) / max_area, 1e9))
    return most


def _check(min_angle: Any, max_area: Any, scheme: str, balance: str) -> None:
    if isinstance(min_angle, bool) or not isinstance(min_angle, (int, float)) or not 0 <= min_angle <= LARGEST_ANGLE:
        raise InvalidArgumentError(f"min_angle must be between 0 and {LARGEST_ANGLE:g} degrees, not {min_angle!r}")
    if max_area is not None and not (isinstance(max_area, (int, float)) and max_area > 0):
        raise InvalidArgumentError(f"max_area must be a number above 0, not {max_area!r}")
    for value, words, name in ((scheme, get_args(Scheme), "scheme"), (balance, get_args(Balance), "balance")):
        if value not in words:
            raise InvalidArgumentError(f"{name} must be one of {', '.join(words)}, not {value!r}")
