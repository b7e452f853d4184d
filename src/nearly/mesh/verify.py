"""`verify`: is this a mesh, is it Delaunay, and does it cover the mesh it was made from?

Everything is decided by exact predicates from the mesh's arrays alone; nothing that refinement knew is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nearly.base.errors import InvalidGraphError
from nearly.base.signatures import typed
from nearly.mesh.mesh import Mesh
from nearly.mesh.quality import count_bad, measures


@dataclass(frozen=True)
class Verified:
    """What is wrong with a mesh; what `verify` returns. It is true if nothing is.

    Attributes
    ----------
    problems : tuple of str
        What is wrong, a sentence each.
    ok : bool
        Whether nothing is wrong.

    Examples
    --------
    >>> bool(verify(Mesh([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)])))
    True
    """

    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok


@typed
def verify(
    mesh: Mesh,
    min_angle: float | None = None,
    max_area: float | None = None,
    allowed_bad: int = 0,
    original: Mesh | None = None,
    delaunay: bool = True,
) -> Verified:
    """Check a mesh, and with `original` that it covers the same ground with the same segments.

    Always checked: coordinates are finite, triangles counter-clockwise, each edge has one triangle or two that lie on
    different sides, neighbours are each other's, the boundary is made of segments, segments are edges, and (unless
    `delaunay` is False) no triangle's circle holds a vertex across an edge that is no segment.

    Parameters
    ----------
    mesh : Mesh
        The mesh to check.
    min_angle : float, optional
        The smallest angle that a triangle may have, in degrees.
    max_area : float, optional
        The largest area that a triangle may have.
    allowed_bad : int, default 0
        So many triangles may be worse than that (`Refined.left`).
    original : Mesh, optional
        The mesh it was refined from: its points must come first, its segments must be covered by pieces of
        themselves, and the total area must be the same.
    delaunay : bool, default True
        Also check circles.

    Returns
    -------
    Verified
        What is wrong (`problems`), and whether nothing is (`ok`).

    Examples
    --------
    >>> m = Mesh([(0, 0), (3, 0), (3, 1), (0, 1)], [(0, 1, 2), (0, 2, 3)])
    >>> verify(m, min_angle=15).ok
    True
    >>> verify(m, min_angle=20).problems
    ('2 triangles are bad (angle below 20 degrees), 0 are allowed',)
    """
    problems = _soundness(mesh)
    if not problems and delaunay:
        problems += _circles(mesh)
    if not problems and (min_angle is not None or max_area is not None):
        problems += _badness(mesh, min_angle or 0.0, max_area, allowed_bad)
    if not problems and original is not None:
        problems += _sameness(mesh, original)
    return Verified(tuple(problems))


def _soundness(mesh: Mesh) -> list[str]:
    from nearly.mesh.working_mesh import adjacency, all_segments, turns, unpacked

    n, t = len(mesh.points), len(mesh.triangles)
    if not np.isfinite(mesh.points).all():
        return ["a point is not finite"]
    for name, array in (("triangles", mesh.triangles), ("segments", mesh.segments)):
        if array.size and (array.min() < 0 or array.max() >= n):
            return [f"{name} name a point that does not exist"]
    problems = []
    if wrong := int(np.count_nonzero(turns(mesh.points, mesh.triangles) <= 0)):
        problems.append(f"{wrong} triangles are flat or clockwise")
    try:
        records = adjacency(mesh.triangles, n)
        neighbours = unpacked(records, t, np.arange(n, dtype=np.int32))[1]
        if wrong := int(np.count_nonzero((neighbours != mesh.neighbours).any(axis=1))):
            problems.append(f"{wrong} triangles name wrong neighbours")
        listed, _ = all_segments(records, t, n, mesh.segments, mesh.segment_markers)
        if len(listed) != len(mesh.segments):
            problems.append(
                f"{abs(len(listed) - len(mesh.segments))} edges of the boundary are no segments, or repeated"
            )
    except InvalidGraphError as error:
        problems.append(str(error))
    return problems


def _circles(mesh: Mesh) -> list[str]:
    from nearly.mesh.flips import count_flips
    from nearly.mesh.working_mesh import work_on

    work = work_on(mesh, np.arange(len(mesh.points)))
    wrong = count_flips(work.records, work.xy, work.count)
    return [f"{wrong} edges are not Delaunay"] if wrong else []


def _badness(mesh: Mesh, min_angle: float, max_area: float | None, allowed: int) -> list[str]:
    bad = count_bad(mesh, min_angle, max_area)
    if bad <= allowed:
        return []
    area = "" if max_area is None else f" or area above {max_area:g}"
    return [f"{bad} triangles are bad (angle below {min_angle:g} degrees{area}), {allowed} are allowed"]


def _sameness(mesh: Mesh, original: Mesh) -> list[str]:
    n, problems = len(original.points), []
    if len(mesh.points) < n or not np.array_equal(mesh.points[:n], original.points):
        return ["the original's points are not the first points"]
    before, after = (float(measures(m.points, m.triangles)[2].sum()) for m in (original, mesh))
    scale = float(np.abs(mesh.points).max(initial=0.0)) ** 2 * 1e-12
    if abs(after - before) > 1e-9 * abs(before) + scale:
        problems.append(f"the area was {before:.17g} and is {after:.17g}")
    before, after = (_lengths(m) for m in (original, mesh))
    if abs(after - before) > 1e-9 * before + scale**0.5:
        problems.append(f"the segments' length was {before:.17g} and is {after:.17g}")
    if wrong := uncovered(mesh, original):
        problems.append(f"{wrong} segments of the original are not covered by segments")
    return problems


def _lengths(mesh: Mesh) -> float:
    ends = mesh.points[mesh.segments]
    return float(np.hypot(*(ends[:, 0] - ends[:, 1]).T).sum())


def uncovered(mesh: Mesh, original: Mesh) -> int:
    """How many of the original's segments are not a chain of the mesh's segments that lie on them.

    From one end of a segment, the chain goes on to the neighbouring end that is nearest to the line ahead; new
    points lie on it up to rounding.
    """
    from nearly.mesh.segment_chains import count_broken

    n = len(mesh.points)
    both = np.concatenate([mesh.segments, mesh.segments[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(both[:, 0], minlength=n), out=first[1:])
    size = float(np.abs(mesh.points).max(initial=0.0))
    return int(count_broken(mesh.points, original.segments, first, both[:, 1].copy(), 1e-12 * size))
