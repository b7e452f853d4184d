"""From a `Mesh` to its working form and back, with room to grow."""

from __future__ import annotations

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.jit import kernel
from nearly.base.memory import require
from nearly.mesh import records as r
from nearly.mesh.arrays import longer
from nearly.mesh.limits import MOST_TRIANGLES
from nearly.mesh.mesh import Mesh
from nearly.mesh.predicates import orient
from nearly.mesh.segment_kernels import close

BYTES_A_TRIANGLE = 8 * 4 + 4 * 4 + 8  # record, owners of half-edges, and the points that come with it


class Work:
    """Records of `count` triangles over `points` points, in arrays that may be longer.

    `owner` holds a segment's number, from 1, at the half-edges that are walls; row s of `ends` the points that segment
    s joined at the start, `markers` its marker. `on` is the segment a point was put on, 0 for others.
    While the mesh is refined on a GPU (`device`), the arrays are there.
    """

    device = "cpu"

    def __init__(self, xy: np.ndarray, records: np.ndarray, count: int) -> None:
        self.xy, self.records, self.count = xy, records, count
        self.points = xy.size // 2
        self.owner = np.zeros(records.size // 2, np.int32)
        self.ends = np.zeros((1, 2), np.uint32)
        self.markers = np.zeros(1, np.int32)
        self.on = np.zeros(self.points, np.int32)

    def make_room(self, insertions: int) -> None:
        """Make room for so many more points and the triangles that come with them; where arrays must grow, by half."""
        points, triangles = self.points + insertions, self.count + 2 * insertions
        if triangles > MOST_TRIANGLES:
            raise InvalidGraphError(f"a mesh holds at most {MOST_TRIANGLES:,} triangles; refine less")
        if triangles * 8 > self.records.size or points * 2 > self.xy.size:
            points, triangles = points + points // 2, min(triangles + triangles // 2, MOST_TRIANGLES)
            require(triangles * BYTES_A_TRIANGLE, "the refined mesh")
            sizes = {"records": triangles * 8, "owner": triangles * 4, "xy": points * 2, "on": points}
            for name, size in sizes.items():
                array = getattr(self, name)
                if size > array.size:
                    setattr(self, name, longer(self, array, array.size, size))

    def close_hull(self) -> None:
        """Number the edges with nothing across them that are no segments yet, with marker 1."""
        known = len(self.ends)
        number = close(self.records, self.owner, self.count, known - 1)
        ends, owners = walls(self.records, self.owner, self.count)
        self.ends = np.vstack([self.ends, np.zeros((number + 1 - known, 2), np.uint32)])
        self.ends[owners[owners >= known]] = ends[owners >= known]
        self.markers = np.concatenate([self.markers, np.ones(number + 1 - known, np.int32)])

    def mesh(self, point_markers: np.ndarray, order: np.ndarray | None = None) -> Mesh:
        """The mesh as it stands; `point_markers` are those of the first points, which are numbered by `order`."""
        numbers = np.arange(self.points, dtype=np.int32)
        if order is not None:
            numbers[: order.size] = order
        triangles, neighbours = unpacked(self.records, self.count, numbers)
        segments, owners = walls(self.records, self.owner, self.count)
        points, markers = np.empty((self.points, 2)), np.zeros(self.points, np.int32)
        points[numbers] = self.xy[: 2 * self.points].reshape(-1, 2)
        on = self.on[: self.points]
        markers[: len(point_markers)] = point_markers
        markers[on > 0] = self.markers[on[on > 0]]
        return Mesh._made(points, triangles, neighbours, numbers[segments], self.markers[owners], markers)


def work_on(mesh: Mesh, order: np.ndarray) -> Work:
    """The working form of a mesh with its points renumbered in this order, its triangles by their smallest point."""
    n, t = len(mesh.points), len(mesh.triangles)
    numbers = _inverse(order)
    along = np.empty(t, np.int32)
    r.order_by_smallest(mesh.triangles, numbers, np.zeros(n + 1, np.int64), along)
    records = np.empty(8 * t, np.uint32)
    r.load(mesh.triangles, mesh.neighbours, along, _inverse(along), numbers, records)
    work = Work(mesh.points[order].reshape(-1), records, t)
    segments = numbers[mesh.segments]
    found, number = _raised(records, work.owner, t, n, segments)
    assert found == number == len(segments)
    work.ends = np.vstack([np.zeros((1, 2), np.int32), segments]).astype(np.uint32)
    work.markers = np.concatenate([np.zeros(1, np.int32), mesh.segment_markers])
    return work


def _inverse(order: np.ndarray) -> np.ndarray:
    inverse = np.empty(order.size, np.int32)
    inverse[order] = np.arange(order.size, dtype=np.int32)
    return inverse


def adjacency(triangles: np.ndarray, n: int) -> np.ndarray:
    """Records of the triangles, each knowing its neighbours."""
    t = len(triangles)
    records = np.empty(8 * t, np.uint32)
    wrong = r.pack(triangles, records, np.zeros(n + 1, np.uint64), np.empty(3 * t, np.uint32))
    if wrong:
        raise InvalidGraphError(f"{wrong} edges have more than two triangles, or two that overlap; remove some")
    return records


def all_segments(
    records: np.ndarray, t: int, n: int, given: np.ndarray, markers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The given segments without repetitions, then the other edges of the boundary with marker 1."""
    ordered = np.sort(given, axis=1).astype(np.int64)
    keep = np.sort(np.unique(ordered[:, 0] * max(n, 1) + ordered[:, 1], return_index=True)[1])
    given, markers = given[keep], markers[keep]
    owner = np.zeros(4 * t, np.int32)
    found, number = _raised(records, owner, t, n, given)
    if found < len(given):
        raise InvalidGraphError(
            f"{len(given) - found} segments are no edges of a triangle; build the mesh with from_polygon"
        )
    segments, owners = walls(records, owner, t)
    listed = np.vstack([given, segments[np.argsort(owners, kind="stable")][len(given) :]])
    return listed, np.concatenate([markers, np.ones(number - len(given), np.int32)])


def _raised(records: np.ndarray, owner: np.ndarray, t: int, n: int, segments: np.ndarray) -> tuple[int, int]:
    low = segments.min(axis=1) if len(segments) else np.empty(0, np.int32)
    first = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(low, minlength=n), out=first[1:])
    items = np.argsort(low, kind="stable").astype(np.int32)
    return r.raise_walls(records, owner, t, first, items, segments)


def unpacked(records: np.ndarray, count: int, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles and neighbours, vertex v as `numbers[v]`."""
    triangles, neighbours = np.empty((count, 3), np.int32), np.empty((count, 3), np.int32)
    r.unpack(records, numbers, triangles, neighbours)
    return triangles, neighbours


def walls(records: np.ndarray, owner: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Every wall once, as (s, 2) ends, and the number of the segment it belongs to."""
    room = 1024
    while True:
        ends, owners = np.empty((room, 2), np.int32), np.empty(room, np.int32)
        found = r.list_walls(records, owner, count, ends, owners)
        if found <= room:
            return ends[:found], owners[:found]
        room = found


def turns(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """For each triangle 1 if it turns left, -1 right, 0 if it is flat."""
    signs = np.empty(len(triangles), np.int8)
    _turns(points.reshape(-1), triangles, signs)
    return signs


@kernel
def _turns(xy, triangles, signs):
    for t in range(np.uint64(signs.size)):
        a, b, c = np.uint64(triangles[t, 0]), np.uint64(triangles[t, 1]), np.uint64(triangles[t, 2])
        a, b, c = a << r.U1, b << r.U1, c << r.U1
        signs[t] = np.sign(orient(xy[a], xy[a + r.U1], xy[b], xy[b + r.U1], xy[c], xy[c + r.U1]))
