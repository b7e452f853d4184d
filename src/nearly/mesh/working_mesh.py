"""From a `Mesh` to its working form and back, with room to grow.

`work_on` makes a `WorkingMesh` from a mesh, `WorkingMesh.mesh` goes back. The functions below find neighbours
(`adjacency`) and segments (`all_segments`) of triangles that are given as plain arrays.
"""

from __future__ import annotations

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.jit import kernel
from nearly.base.memory import require
from nearly.mesh import record_kernels as r
from nearly.mesh.crew import in_shares
from nearly.mesh.device_arrays import longer
from nearly.mesh.mesh import MOST_TRIANGLES, Mesh, edge_keys
from nearly.mesh.predicates import turn
from nearly.mesh.triangle_records import NOTHING, MeshArrays

FEW = 1 << 14  # triangles whose memory is not worth asking the machine about
BYTES_A_TRIANGLE = 8 * 4 + 4 * 4 + 8  # record, owners of half-edges, and the points that come with it


class WorkingMesh:
    """Records of `count` triangles over `points` points, in `arrays` that may be longer.

    `markers` holds a marker a segment. `workers` threads share what is done for every triangle. While the mesh is
    refined on a GPU (`device`), the arrays are there.
    """

    device = "cpu"

    def __init__(self, xy: np.ndarray, records: np.ndarray, count: int, workers: int = 1) -> None:
        self.count, self.points, self.workers = count, xy.size // 2, workers
        owner, on = np.zeros(records.size // 2, np.int32), np.zeros(xy.size // 2, np.int32)
        self.arrays = MeshArrays(records, xy, owner, on, np.zeros((1, 2), np.uint32))
        self.markers = np.zeros(1, np.int32)

    @property
    def records(self) -> np.ndarray:
        return self.arrays.records

    @property
    def xy(self) -> np.ndarray:
        return self.arrays.xy

    @property
    def owner(self) -> np.ndarray:
        return self.arrays.owner

    def table(self) -> np.ndarray:
        """The records in use, a row of eight words each."""
        return self.records[: 8 * self.count].reshape(-1, 8)

    def keep(self, kept: np.ndarray) -> None:
        """Keep the triangles for which this is true; across the edges of the others nothing is left."""
        chosen, renumbered = np.flatnonzero(kept), np.full(self.count, NOTHING, np.uint32)
        renumbered[chosen] = np.arange(chosen.size, dtype=np.uint32)
        r.compact(self.records, self.owner, np.uint64(self.count), renumbered)
        self.count = chosen.size

    def set_segments(self, ends: np.ndarray, markers: np.ndarray) -> None:
        """The segments, numbered from 1 by `owner`: the (s, 2) points they join, and their markers."""
        none = np.zeros((1, 2), np.uint32)
        self.arrays = self.arrays._replace(ends=np.vstack([none, ends.astype(np.uint32)]))
        self.markers = np.concatenate([np.zeros(1, np.int32), markers])

    def make_room(self, insertions: int) -> None:
        """Make room for so many more points and the triangles that come with them; where arrays must grow, by half."""
        points, triangles = self.points + insertions, self.count + 2 * insertions
        if triangles > MOST_TRIANGLES:
            raise InvalidGraphError(f"a mesh holds at most {MOST_TRIANGLES:,} triangles; refine less")
        if triangles * 8 > self.records.size or points * 2 > self.xy.size:
            points, triangles = points + points // 2, min(triangles + triangles // 2, MOST_TRIANGLES)
            if triangles > FEW:
                require(triangles * BYTES_A_TRIANGLE, "the refined mesh")
            sizes = {"records": triangles * 8, "owner": triangles * 4, "xy": points * 2, "on": points}
            given = {name: getattr(self.arrays, name) for name in sizes}
            grown = {name: longer(self, a, a.size, sizes[name]) for name, a in given.items() if a.size < sizes[name]}
            self.arrays = self.arrays._replace(**grown)

    def close_hull(self) -> None:
        """Number the edges with nothing across them that are no segments yet, with marker 1."""
        known, owner = len(self.markers), self.owner[: 4 * self.count].reshape(-1, 4)[:, :3]
        bare = (self.table()[:, 4:7] == NOTHING) & (owner == 0)
        new = np.count_nonzero(bare)
        owner[bare] = np.arange(known, known + new)
        listed, owners = walls(self.records, self.owner, self.count)
        ends = np.vstack([self.arrays.ends, np.zeros((new, 2), np.uint32)])
        ends[owners[owners >= known]] = listed[owners >= known]
        self.set_segments(ends[1:], np.concatenate([self.markers[1:], np.ones(new, np.int32)]))

    def mesh(self, point_markers: np.ndarray, order: np.ndarray | None = None) -> Mesh:
        """The mesh as it stands; `point_markers` are those of the first points, which are numbered by `order`."""
        numbers = np.arange(self.points, dtype=np.int32)
        if order is not None:
            numbers[: order.size] = order
        triangles, neighbours = unpacked(self.records, self.count, numbers, self.workers)
        segments, owners = walls(self.records, self.owner, self.count)
        points, markers = self.xy[: 2 * self.points].reshape(-1, 2).copy(), np.zeros(self.points, np.int32)
        if order is not None:
            pairs(points)[order] = pairs(self.xy)[: order.size]
        on = self.arrays.on[: self.points]
        markers[: len(point_markers)] = point_markers
        markers[on > 0] = self.markers[on[on > 0]]
        return Mesh._made(points, triangles, neighbours, numbers[segments], self.markers[owners], markers)


def pairs(points: np.ndarray) -> np.ndarray:
    """Points as complex numbers, which numpy picks faster than rows."""
    return points.reshape(-1).view(np.complex128)


def work_on(mesh: Mesh, order: np.ndarray, workers: int = 1, room: int = 0) -> WorkingMesh:
    """The working form of a mesh with its points renumbered in this order, its triangles by their smallest point.

    There is `room` for so many more points, so that arrays need not grow before that.
    """
    n, t = len(mesh.points), len(mesh.triangles)
    numbers = _inverse(order)
    along, smallest = np.empty(t, np.int32), np.empty(t, np.uint64)
    in_shares(workers, t, lambda i, j: r.find_smallest(mesh.triangles[i:j], numbers, smallest[i:j]))
    r.order_by_number(smallest, np.zeros(n + 1, np.uint64), along)
    if t + 2 * room > FEW:
        require((t + 2 * room) * BYTES_A_TRIANGLE, "the mesh")
    records, xy = np.zeros(8 * (t + 2 * room), np.uint32), np.zeros(2 * (n + room))
    given, position = (mesh.triangles, mesh.neighbours), _inverse(along)
    in_shares(workers, t, lambda i, j: r.load(*given, along[i:j], position, numbers, records[8 * i : 8 * j]))
    np.take(pairs(mesh.points), order, out=pairs(xy)[:n], mode="clip")  # other modes go by way of a copy
    work = WorkingMesh(xy, records, t, workers)
    work.points = n
    segments = numbers[mesh.segments]
    found, number = _raised(records, work.owner, t, n, segments, workers)
    assert found == number == len(segments)
    work.set_segments(segments, mesh.segment_markers)
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
    keep = np.sort(np.unique(edge_keys(given, n), return_index=True)[1])
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


def _raised(
    records: np.ndarray, owner: np.ndarray, t: int, n: int, segments: np.ndarray, workers: int = 1
) -> tuple[int, int]:
    """Raise walls; several threads can do it where each edge of the boundary is among the segments."""
    low = segments.min(axis=1) if len(segments) else np.empty(0, np.int32)
    first = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(low, minlength=n), out=first[1:])
    items = np.argsort(low, kind="stable").astype(np.int32)
    made = in_shares(workers, t, lambda *share: r.raise_walls(records, owner, share, first, items, segments))
    return sum(found for found, _ in made), max(number for _, number in made)


def unpacked(records: np.ndarray, count: int, numbers: np.ndarray, workers: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Triangles and neighbours, vertex v as `numbers[v]`."""
    triangles, neighbours = np.empty((count, 3), np.int32), np.empty((count, 3), np.int32)
    in_shares(workers, count, lambda i, j: r.unpack(records[8 * i : 8 * j], numbers, triangles[i:j], neighbours[i:j]))
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
        signs[t] = np.sign(turn(xy, a, b, c))
