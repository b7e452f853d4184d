"""`from_polygon`: the constrained Delaunay triangulation of a polygon, or of points and segments, with holes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import as_array
from nearly.base.errors import InvalidGraphError
from nearly.base.progress import Progress, following
from nearly.base.signatures import typed
from nearly.mesh.delaunay import triangulated
from nearly.mesh.mesh import Mesh, as_indices, as_markers, as_points

if TYPE_CHECKING:
    from nearly.mesh.working_mesh import WorkingMesh


@typed
def from_polygon(
    points: Any,
    segments: Any = None,
    holes: Any = None,
    segment_markers: Any = None,
    point_markers: Any = None,
    convex: bool = False,
    progress: Progress | None = None,
) -> Mesh:
    """The triangulation of the area that segments enclose, in which every segment is an edge.

    A segment that passes through points is cut there. What lies outside the segments, and in holes, is left out.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Coordinates.
    segments : array_like of int, shape (s, 2), optional
        Indices of points. If left out, the points are the corners of one polygon, in order.
    holes : array_like, shape (h, 2), optional
        Coordinates, one point in each hole.
    segment_markers : array_like of int, shape (s,), optional
        Whole numbers; 1 if left out.
    point_markers : array_like of int, shape (n,), optional
        Whole numbers; 0 if left out.
    convex : bool, default False
        Keep everything in the convex hull, except holes.
    progress : callable, optional
        Called as `progress("triangulating", inserted, n)`.

    Returns
    -------
    Mesh
        All points, in their order, the triangles inside, and the segments with their markers.

    Examples
    --------
    >>> square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    >>> hole = [(1, 1), (3, 1), (3, 3), (1, 3)]
    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)]
    >>> from_polygon(square + hole, ring, holes=[(2, 2)])
    <Mesh: 8 points, 8 triangles, 8 segments>
    """
    array = as_points(points)
    n = len(array)
    if segments is None:
        segments = np.stack([np.arange(n), (np.arange(n) + 1) % max(n, 1)], axis=1)
    wanted = as_indices(segments, 2, n, "segments")
    markers = as_markers(segment_markers, len(wanted), 1, "segment_markers")
    inside = as_array("holes", () if holes is None else holes, "an (n, 2) array of numbers")
    seeds = as_points(inside) if inside.size else np.empty((0, 2))
    kept_markers = as_markers(point_markers, n, 0, "point_markers")
    with following(progress, "triangulating") as told:
        work = triangulated(array, told)
    _recover(work, wanted, markers)
    _carve(work, seeds, convex)
    work.close_hull()
    return work.mesh(kept_markers)


def _recover(work: WorkingMesh, segments: np.ndarray, markers: np.ndarray) -> None:
    from nearly.mesh import segment_kernels as s
    from nearly.mesh.flips import make_delaunay

    ends = _representatives(work)[segments].astype(np.uint32)
    some = np.full(work.points, 0xFFFFFFFF, np.uint32)
    s.start_somewhere(work.records, work.count, some)
    pairs = np.empty(6 * work.count + 16, np.uint32)
    for i, (a, b) in enumerate(ends):
        number = np.int32(i + 1)
        if s.add_segment(work.records, work.owner, work.xy, some, np.uint64(a), np.uint64(b), number, pairs) != s.DONE:
            raise InvalidGraphError(
                f"segment {i} crosses another segment; put a point where they meet and cut both there"
            )
    work.set_segments(ends, markers)
    make_delaunay(work)


def _representatives(work: WorkingMesh) -> np.ndarray:
    """For each point itself, or the point of the triangulation at the same place."""
    numbers = np.arange(work.points)
    used = np.zeros(work.points, np.bool_)
    used[work.table()[:, :3]] = True
    if not used.all():
        places = work.xy.reshape(-1, 2)
        at = {tuple(places[v]): v for v in np.flatnonzero(used)}
        for v in np.flatnonzero(~used):
            numbers[v] = at[tuple(places[v])]
    return numbers


def _carve(work: WorkingMesh, holes: np.ndarray, convex: bool) -> None:
    from nearly.mesh import segment_kernels as s

    stack, outside = np.empty(3 * work.count + 8, np.uint32), np.zeros(work.count, np.bool_)
    seeds = 0 if convex else s.beyond_hull(work.records, work.owner, work.count, stack)
    for x, y in holes:
        t = s.triangle_at(work.records, work.xy, work.count, x, y)
        if t != s.NOTHING:
            stack[seeds], seeds = t, seeds + 1
    s.spread(work.records, stack, seeds, outside)
    if outside.all():
        raise InvalidGraphError("the segments enclose no area; close them, or ask for the convex hull with convex=True")
    work.keep(~outside)
