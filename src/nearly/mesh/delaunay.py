"""`from_points`: the Delaunay triangulation of a set of points, its convex hull as the boundary."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, silent
from nearly.mesh.buffers import buffers
from nearly.mesh.mesh import Mesh, as_markers, as_points

_STEP = 1 << 16  # points inserted between two looks at the clock


def from_points(points: Any, point_markers: Any = None, progress: Progress | None = None) -> Mesh:
    """The Delaunay triangulation of `points`.

    Points that appear more than once are used once (the others stay in `points`, without triangles). The edges of the
    convex hull are the segments.

    Parameters
    ----------
    points : (n, 2) coordinates.
    point_markers : (n,) whole numbers to keep; 0 if left out.
    progress : called with how many points are inserted.

    >>> from_points([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)])
    <Mesh: 5 points, 4 triangles, 4 segments>
    """
    array = as_points(points)
    markers = as_markers(point_markers, len(array), 0, "point_markers")
    work = triangulated(array, progress or silent)
    work.close_hull()
    return work.mesh(markers)


def triangulated(points: np.ndarray, progress: Progress) -> Any:
    """The working form of the Delaunay triangulation, with nothing across hull edges."""
    from nearly.mesh import delaunay_kernels as d
    from nearly.mesh.order import insertion_order
    from nearly.mesh.working_mesh import Work

    n = len(points)
    if n < 3:
        raise InvalidGraphError(f"a triangulation needs at least three points, not {n}")
    require(n * 250, "the triangulation")
    xy = points.reshape(-1).copy()
    order = insertion_order(xy)
    if not d.first_triangle(xy, order):
        raise InvalidGraphError("all points lie on one line (or are the same point); add one that does not")
    work = Work(xy, np.zeros(8 * (2 * n + 8), np.uint32), 4)
    d.begin(xy, order, work.records)
    _insert_all(work, order, progress)
    renumbered = np.empty(work.count, np.uint32)
    work.count = int(d.drop_ghosts(work.records, work.owner, np.uint64(work.count), np.uint32(n), renumbered))
    return work


def _insert_all(work: Any, order: np.ndarray, progress: Progress) -> None:
    from nearly.mesh import delaunay_kernels as d

    room, done, last, n = 1 << 10, 3, 0, order.size
    skipped = np.zeros(n, np.bool_)
    space = buffers(room)
    while done < n:
        until = min(n, done + _STEP)
        reached, count, last = d.insert(
            work.xy, order, np.uint64(done), np.uint64(until), work.records, work.owner, np.uint64(work.count),
            np.uint64(last), space[0], np.uint64(room), space[1], space[2], skipped,
        )  # fmt: skip
        if reached < until:  # a cavity found no room
            room *= 4
            space = buffers(room)
        done, work.count = int(reached), int(count)
        progress("triangulating", done, n)
