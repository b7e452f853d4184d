"""`from_points`: the Delaunay triangulation of a set of points, its convex hull as the boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.memory import require
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.mesh.mesh import Mesh, as_markers, as_points

if TYPE_CHECKING:
    from nearly.mesh.working_mesh import WorkingMesh

_STEP = 1 << 16  # points inserted between two calls of progress


@typed
def from_points(points: Any, point_markers: Any = None, progress: Progress | None = None) -> Mesh:
    """The Delaunay triangulation of `points`.

    Points that appear more than once are used once (the others stay in `points`, without triangles). The edges of the
    convex hull are the segments.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Coordinates.
    point_markers : array_like of int, shape (n,), optional
        Whole numbers to keep; 0 if left out.
    progress : callable, optional
        Called as `progress("triangulating", inserted, n)`.

    Returns
    -------
    Mesh
        All points, in their order, and the triangles between them.

    Examples
    --------
    >>> from_points([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)])
    <Mesh: 5 points, 4 triangles, 4 segments>
    """
    array = as_points(points)
    markers = as_markers(point_markers, len(array), 0, "point_markers")
    with following(progress, "triangulating") as told:
        work = triangulated(array, told)
        work.close_hull()
        return work.mesh(markers)


def triangulated(points: np.ndarray, progress: Progress) -> WorkingMesh:
    """The working form of the Delaunay triangulation, with nothing across hull edges."""
    from nearly.mesh import delaunay_kernels as d
    from nearly.mesh.hilbert_order import insertion_order
    from nearly.mesh.working_mesh import WorkingMesh

    n = len(points)
    if n < 3:
        raise InvalidGraphError(f"a triangulation needs at least three points, not {n}")
    require(n * 250, "the triangulation")
    xy = points.reshape(-1).copy()
    order = insertion_order(xy)
    work = WorkingMesh(xy, np.zeros(8 * (2 * n + 8), np.uint32), 4)
    if not d.begin(xy, order, work.records):
        raise InvalidGraphError("all points lie on one line (or are the same point); add one that does not")
    _insert_all(work, order, progress)
    work.keep(work.table()[:, :3].max(axis=1) < n)  # not the ghosts, whose corner at infinity is n
    return work


def _insert_all(work: WorkingMesh, order: np.ndarray, progress: Progress) -> None:
    from nearly.mesh.cavity import one_row
    from nearly.mesh.delaunay_kernels import insert

    room, done, last, n = 1 << 10, 3, 0, order.size
    rows, stack, ring = one_row(room)
    while done < n:
        vertices, count, at = order[done : done + _STEP], np.uint64(work.count), np.uint64(last)
        inserted, count, last = insert(work.arrays, vertices, count, at, rows, stack, ring)
        if inserted < vertices.size:  # a cavity found no room
            room *= 4
            rows, stack, ring = one_row(room)
        done, work.count = done + int(inserted), int(count)
        progress("triangulating", done, n)
