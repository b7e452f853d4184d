"""`refine`: insert points until no triangle is bad, with one of six schemes.

`serial` mends one triangle after the other, shortest edges first. `blocks` does the same in many parts of the mesh at
once, apart from each other (`nearly.mesh.block_driver`). The others work in rounds on many cavities at once, as long as
these do not touch; `nearly.mesh.parallel_driver` says how they differ. `auto` names one of the six.
"""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from nearly.base.arguments import choice, number, whole_number
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.base.threads import kernel_threads
from nearly.engine.devices import DEVICES, check_device
from nearly.engine.trace import Trace
from nearly.mesh.mesh import Mesh

Scheme = Literal["auto", "serial", "blocks", "two-stage", "three-phase", "atomic", "base"]
Balance = Literal["shared", "own", "dynamic"]
Point = Literal["off-centre", "circumcentre"]
Device = Literal["cpu", "cuda"]
ON_CPU = ("serial", "blocks", "base")  # schemes without a form for GPUs
MANY = 1 << 16  # triangles that are worth several threads
LARGEST_ANGLE = 33.0  # refinement is proven to end up to 20.7 degrees, and in practice does up to about here


@dataclass
class Refined:
    """A refined mesh, and how it was made; what `refine` returns.

    Attributes
    ----------
    mesh : Mesh
        The refined mesh. The points of the given mesh come first, with the numbers they had.
    inserted : int
        How many points were inserted.
    rounds : int
        How many entries the trace has: stages, steps of the serial scheme, or rounds in which each block takes steps.
    capped : bool
        Whether it stopped at `max_points` with work left.
    left : int
        How many triangles are still bad: those at sharp corners of the input, which no point can mend, and all others
        if it was capped.
    scheme, balance, point, device : str
        How and where it ran; `scheme` is the one that was used, never "auto".
    seconds : float
        How long it took, without compiling.
    compile_seconds : float
        How long compiling took.
    trace : Trace
        For each stage how many candidates there were (`frontier`), how many triangles were judged (`edges`), and in
        `extra` how many points were `inserted`; for schemes other than `serial` and `blocks` also how many cavities
        were searched for (`found`) and how many `points` there were then, and for `base` whether one thread made it
        (`alone`).

    Examples
    --------
    >>> from nearly.mesh.delaunay import from_points
    >>> done = refine(from_points([(0, 0), (10, 0), (10, 1), (0, 1)]), max_area=2.5)
    >>> done.capped, done.left, done.inserted == len(done.mesh.points) - 4
    (False, 0, True)
    """

    mesh: Mesh
    inserted: int
    rounds: int
    capped: bool
    left: int
    scheme: str
    balance: str
    point: str
    device: str
    seconds: float
    compile_seconds: float
    trace: Trace = field(repr=False)


@typed
def refine(  # noqa: PLR0913
    mesh: Mesh,
    min_angle: float = 20.0,
    max_area: float | None = None,
    scheme: Scheme = "auto",
    balance: Balance = "own",
    max_points: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    device: Device = "cpu",
    point: Point = "off-centre",
    checkpoint: str | os.PathLike[str] | None = None,
) -> Refined:
    """Insert points until every triangle has angles of at least `min_angle` degrees and an area of at most `max_area`.

    Segments stay, in pieces. The mesh is made Delaunay first where it is not. The result depends on the scheme, never
    on the number of threads nor on the device. With "auto" the device and the number of triangles decide the scheme,
    and nothing else does: the same call gives the same mesh on every machine, and `device` alone can change it.

    Parameters
    ----------
    mesh : Mesh
        The mesh to refine; it is not changed.
    min_angle : float, default 20.0
        The bound in degrees, up to 33; above 20.7 it is not proven that refinement ends before `max_points`.
    max_area : float, optional
        The largest area of a triangle.
    scheme : {"auto", "serial", "blocks", "two-stage", "three-phase", "atomic", "base"}
        How cavities are kept apart: serial, one at a time; blocks, one at a time in each part of the mesh, and those
        where parts meet afterwards; or two-stage, three-phase, atomic, base, many at a time. base marks cavities once,
        and once again; after a round in which no cavity won, it takes one thread. auto is the fastest: on a CPU blocks
        from 65,536 triangles on, else serial; on a GPU, which can run none of serial, blocks and base, two-stage.
    balance : {"own", "shared", "dynamic"}
        How new triangles are checked: own, by the thread that made them; shared evenly among threads; or dynamic,
        by a launch a cavity. It changes the time only; on a CPU, where they are still in the cache, own is fastest.
        serial and blocks have nothing to share: each thread checks its own.
    max_points : int, optional
        Stop at so many points in all; by default ten times as many as there are, and 100,000 more.
    threads : int, optional
        How many threads; serial uses one.
    progress : callable, optional
        Called as `progress("refining", points, None)` with the number of points so far.
    device : {"cpu", "cuda"}
        Where to run: cpu, or cuda for an NVIDIA GPU, for all schemes but serial, blocks and base.
    point : {"off-centre", "circumcentre"}
        Where the point goes that mends a triangle: to the centre of its circle, or no further from its shortest edge
        than the wanted angle needs, which takes fewer points. Both give the same guarantees.
    checkpoint : str or os.PathLike, optional
        A file where the mesh so far is kept; a call that finds it goes on from there. Refinement then goes in parts of
        some 100,000 points; each begins with the mesh that the one before left, whether the process is the same or not.

    Returns
    -------
    Refined
        The refined mesh (`mesh`), the number of points `inserted` in so many `rounds`, whether it was `capped`, how
        many bad triangles are `left`, the `scheme`, `balance`, `point` and `device` used, `seconds`, `compile_seconds`,
        `trace`.

    Examples
    --------
    >>> from nearly.mesh.delaunay import from_points
    >>> m = from_points([(0, 0), (10, 0), (10, 1), (0, 1), (5, 0.1)])
    >>> done = refine(m, min_angle=25)
    >>> done.left, done.capped, done.scheme
    (0, False, 'serial')
    """
    _check(min_angle, max_area)
    choice("scheme", scheme, get_args(Scheme))
    choice("balance", balance, get_args(Balance))
    choice("point", point, get_args(Point))
    check_device(device, f"refine(scheme={scheme!r})", ("cpu",) if scheme in ON_CPU else DEVICES)
    used = scheme if scheme != "auto" else _auto(mesh, device)
    if checkpoint is not None:
        from nearly.mesh.parts import in_parts

        most = _most(mesh, max_area, max_points)
        asked = {"scheme": used, "balance": balance, "device": device, "point": point}
        return in_parts(mesh, most, checkpoint, (min_angle, max_area), asked, threads, progress)
    from nearly.base.jit import compile_seconds
    from nearly.mesh.job import Refinement

    since, compiled = time.perf_counter(), compile_seconds()
    block = kernel_threads(threads, work=len(mesh.triangles))  # not entered by the serial scheme: it starts no threads
    threaded = block if used != "serial" else nullcontext(1)
    with following(progress, "refining") as told, threaded as workers:
        most = _most(mesh, max_area, max_points)
        job = Refinement(mesh, min_angle, max_area, most, workers, told, point == "off-centre", device)
        job.make_delaunay()
        if used == "serial":
            from nearly.mesh.serial_driver import run
        elif used == "blocks":
            from nearly.mesh.block_driver import run
        else:
            from nearly.mesh.parallel_driver import run
        run(job, used, balance)
        refined, left = job.finish()
    compiled = compile_seconds() - compiled
    seconds = max(time.perf_counter() - since - compiled, 0.0)
    inserted = len(refined.points) - len(mesh.points)
    how = (len(job.trace), job.capped, left, used, balance, point, device, seconds, compiled)
    return Refined(refined, inserted, *how, job.trace)


def _auto(mesh: Mesh, device: str) -> str:
    if device != "cpu":
        return "two-stage"
    return "blocks" if len(mesh.triangles) >= MANY else "serial"


def _most(mesh: Mesh, max_area: float | None, max_points: int | None) -> int:
    if max_points is not None:
        return whole_number("max_points", max_points, 0)
    most = 10 * len(mesh.points) + 100_000
    if max_area is not None:
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        most += int(min(4 * float(np.prod(high - low)) / max_area, 1e9))
    return most


def _check(min_angle: Any, max_area: Any) -> None:
    number("min_angle", min_angle, 0, LARGEST_ANGLE)
    if max_area is not None:
        number("max_area", max_area, 0, above=True)
