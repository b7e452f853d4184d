"""`Mesh`: a triangulation as arrays, checked when it is made."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nearly.base.arguments import as_array
from nearly.base.errors import InvalidGraphError
from nearly.base.memory import require

if TYPE_CHECKING:
    from nearly.mesh.quality import Quality

LARGEST, SMALLEST = 1e70, 1e-60  # coordinates: their fourth powers can be computed
MOST_TRIANGLES = 1 << 28  # as many as records can number


class Mesh:
    """Points, triangles between them, and segments: edges that stay.

    Every edge with a triangle on one side only is a segment, whether it is listed or not. Points that no triangle
    uses are allowed. Triangles are stored counter-clockwise.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Coordinates.
    triangles : array_like of int, shape (t, 3)
        Indices of points; clockwise triangles are turned round.
    segments : array_like of int, shape (s, 2), optional
        Indices of points, each pair an edge of the triangulation; edges of the boundary may be left out.
    segment_markers : array_like of int, shape (s,), optional
        Whole numbers, kept by the pieces of a segment that is split; 1 if left out.
    point_markers : array_like of int, shape (n,), optional
        Whole numbers; 0 if left out. New points on a segment get the segment's.

    Attributes
    ----------
    points : ndarray of float64, shape (n, 2)
        Coordinates.
    triangles : ndarray of int32, shape (t, 3)
        Indices of points, counter-clockwise.
    neighbours : ndarray of int32, shape (t, 3)
        The triangle across from each corner, or -1.
    segments : ndarray of int32, shape (s, 2)
        The given segments without repetitions, then the other edges of the boundary.
    segment_markers : ndarray of int32, shape (s,)
        A marker a segment.
    point_markers : ndarray of int32, shape (n,)
        A marker a point.
    nbytes : int
        Bytes of all arrays.

    Examples
    --------
    >>> m = Mesh([(0, 0), (1, 0), (1, 1), (0, 1)], [(0, 1, 2), (0, 2, 3)])
    >>> m
    <Mesh: 4 points, 2 triangles, 4 segments>
    >>> m.neighbours
    array([[-1,  1, -1],
           [-1, -1,  0]], dtype=int32)
    """

    def __init__(
        self,
        points: Any,
        triangles: Any,
        segments: Any = None,
        segment_markers: Any = None,
        point_markers: Any = None,
    ) -> None:
        self.points = as_points(points)
        corners = as_indices(triangles, 3, len(self.points), "triangles")
        if len(corners) > MOST_TRIANGLES:
            raise InvalidGraphError(f"a mesh holds at most {MOST_TRIANGLES:,} triangles, not {len(corners):,}")
        require(200 * len(corners), "the mesh")
        self.triangles = counter_clockwise(self.points, corners)
        given = as_indices([] if segments is None else segments, 2, len(self.points), "segments")
        markers = as_markers(segment_markers, len(given), 1, "segment_markers")
        self.point_markers = as_markers(point_markers, len(self.points), 0, "point_markers")
        from nearly.mesh.working_mesh import adjacency, all_segments

        records = adjacency(self.triangles, len(self.points))
        self.segments, self.segment_markers = all_segments(
            records, len(self.triangles), len(self.points), given, markers
        )

    @classmethod
    def _made(
        cls, points: np.ndarray, triangles: np.ndarray, neighbours: np.ndarray, segments: np.ndarray,
        segment_markers: np.ndarray, point_markers: np.ndarray,
    ) -> Mesh:  # fmt: skip
        """A mesh from arrays that are known to be right."""
        mesh = object.__new__(cls)
        mesh.points, mesh.triangles, mesh.segments = points, triangles, segments
        mesh.segment_markers, mesh.point_markers = segment_markers, point_markers
        mesh.__dict__["neighbours"] = neighbours
        return mesh

    @cached_property
    def neighbours(self) -> np.ndarray:
        """(t, 3): the triangle across from each corner, or -1."""
        from nearly.mesh.working_mesh import adjacency, unpacked

        n = len(self.points)
        return unpacked(adjacency(self.triangles, n), len(self.triangles), np.arange(n, dtype=np.int32))[1]

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        arrays = (self.points, self.triangles, self.segments, self.segment_markers, self.point_markers)
        return sum(a.nbytes for a in arrays) + (self.triangles.nbytes if "neighbours" in self.__dict__ else 0)

    def quality(self, min_angle: float = 20.0) -> Quality:
        """Angles and areas; see `nearly.mesh.quality`.

        Parameters
        ----------
        min_angle : float, default 20.0
            Triangles with a smaller angle, in degrees, count as bad.

        Returns
        -------
        Quality
            Angles, areas, and how many triangles are bad.
        """
        from nearly.mesh.quality import quality

        return quality(self, min_angle)

    def plot(self, path: str | os.PathLike[str], min_angle: float | None = 20.0, before: Mesh | None = None) -> None:
        """Draw the mesh, bad triangles red; see `nearly.mesh.plot`.

        Parameters
        ----------
        path : path
            The file; its extension says the format: .png, .svg or .pdf.
        min_angle : float, default 20.0
            Triangles with a smaller angle are red; None draws none red.
        before : Mesh, optional
            Another mesh, drawn to the left.
        """
        from nearly.mesh.plot import plot

        plot(self, path, min_angle, before)

    def _repr_html_(self) -> str:
        from nearly.mesh.mesh_html import html_of

        return html_of(self)

    def __repr__(self) -> str:
        return (
            f"<Mesh: {len(self.points):,} points, {len(self.triangles):,} triangles, {len(self.segments):,} segments>"
        )


def as_points(points: Any) -> np.ndarray:
    """An (n, 2) array of coordinates that predicates can deal with, or an error."""
    try:
        array = np.array(points, dtype=np.float64, order="C")
    except Exception:  # ragged, no numbers, or too large
        raise InvalidGraphError("points must be an (n, 2) array of numbers") from None
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidGraphError(f"points must be an (n, 2) array of numbers, not one of shape {array.shape}")
    if not np.isfinite(array).all():
        first = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise InvalidGraphError(f"point {first} is not finite; remove it")
    sizes = np.abs(array)
    if array.size and (sizes.max() > LARGEST or (sizes[sizes > 0] < SMALLEST).any()):
        raise InvalidGraphError(f"coordinates must be 0 or between {SMALLEST:g} and {LARGEST:g}; scale the points")
    return array


def as_indices(given: Any, width: int, n: int, what: str) -> np.ndarray:
    """A (k, width) array of indices below n, or an error."""
    array = as_array(what, given)
    if array.size == 0:
        return np.empty((0, width), np.int32)
    if array.ndim != 2 or array.shape[1] != width or array.dtype.kind not in "iu":
        raise InvalidGraphError(f"{what} must be a (k, {width}) array of whole numbers")
    outside = (array < 0) | (array >= n)
    if outside.any():
        row = int(np.flatnonzero(outside.any(axis=1))[0])
        raise InvalidGraphError(f"{what}: row {row} names a point that does not exist (there are {n})")
    return np.ascontiguousarray(array, dtype=np.int32)


def edge_keys(ends: np.ndarray, n: int) -> np.ndarray:
    """A number for each edge between two of n points, the same for both directions."""
    ordered = np.sort(ends, axis=1).astype(np.int64)
    return ordered[:, 0] * n + ordered[:, 1]


def as_markers(given: Any, n: int, default: int, what: str) -> np.ndarray:
    """n whole numbers."""
    if given is None:
        return np.full(n, default, np.int32)
    array = as_array(what, given)
    if array.shape != (n,) or array.dtype.kind not in "iu" or (array.size and np.abs(array).max() >= 1 << 31):
        raise InvalidGraphError(f"{what} must be {n} whole numbers below 2^31")
    return array.astype(np.int32)


def counter_clockwise(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles with clockwise ones turned round; flat ones are an error."""
    from nearly.mesh.working_mesh import turns

    signs = turns(points, triangles)
    if (signs == 0).any():
        first = int(np.flatnonzero(signs == 0)[0])
        raise InvalidGraphError(f"triangle {first} is flat: its corners lie on one line")
    turned = triangles[signs < 0]
    if turned.size:
        triangles = triangles.copy()
        triangles[signs < 0] = turned[:, ::-1]
    return triangles
