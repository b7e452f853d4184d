"""How good a mesh is: angles and areas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.base.signatures import typed
from nearly.mesh.mesh import Mesh

_SLACK = 1e-7  # degrees; an angle that rounding put this little below a bound meets it


@dataclass(frozen=True)
class Quality:
    """Angles and areas of a mesh; what `quality` returns.

    Attributes
    ----------
    triangles : int
        How many triangles there are.
    min_angle, max_angle : float
        The smallest and the largest angle of all, in degrees.
    mean_min_angle : float
        The mean of the triangles' smallest angles, in degrees.
    histogram : tuple of int
        Item i counts the triangles with a smallest angle between 5i and 5i + 5 degrees.
    min_area, max_area, total_area : float
        The smallest and the largest area of a triangle, and the sum.
    bound : float
        Triangles with an angle below this, in degrees, are bad.
    bad : int
        How many triangles are bad.
    bad_share : float
        The part of all triangles that is bad, from 0 to 1.

    Examples
    --------
    >>> q = quality(Mesh([(0, 0), (3, 0), (3, 1), (0, 1)], [(0, 1, 2), (0, 2, 3)]))
    >>> q.bad, q.bad_share, q.histogram[:4]
    (2, 1.0, (0, 0, 0, 2))
    """

    triangles: int
    min_angle: float
    max_angle: float
    mean_min_angle: float
    histogram: tuple[int, ...]
    min_area: float
    max_area: float
    total_area: float
    bound: float
    bad: int

    @property
    def bad_share(self) -> float:
        """The part of all triangles that is bad."""
        return self.bad / self.triangles if self.triangles else 0.0


@typed
def quality(mesh: Mesh, min_angle: float = 20.0) -> Quality:
    """Angles and areas of a mesh.

    Parameters
    ----------
    mesh : Mesh
        The mesh to measure.
    min_angle : float, default 20.0
        Triangles with a smaller angle, in degrees, count as bad.

    Returns
    -------
    Quality
        How many `triangles`; `min_angle`, `max_angle`, `mean_min_angle` and a `histogram` of smallest angles;
        `min_area`, `max_area`, `total_area`; the `bound`, how many triangles are `bad`, and their `bad_share`.

    Examples
    --------
    >>> m = Mesh([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)])
    >>> q = quality(m)
    >>> q.triangles, round(q.min_angle), round(q.max_angle), q.total_area, q.bad
    (1, 45, 90, 0.5, 0)
    """
    smallest, largest, area = measures(mesh.points, mesh.triangles)
    counts = np.histogram(smallest, bins=12, range=(0.0, 60.0 + 1e-9))[0]
    some = area.size > 0
    return Quality(
        triangles=area.size,
        min_angle=float(smallest.min()) if some else 0.0,
        max_angle=float(largest.max()) if some else 0.0,
        mean_min_angle=float(smallest.mean()) if some else 0.0,
        histogram=tuple(int(c) for c in counts),
        min_area=float(area.min()) if some else 0.0,
        max_area=float(area.max()) if some else 0.0,
        total_area=float(area.sum()),
        bound=float(min_angle),
        bad=count_bad(mesh, min_angle),
    )


def count_bad(mesh: Mesh, min_angle: float, max_area: float | None = None) -> int:
    """How many triangles have an angle below the bound or an area above it."""
    return int(np.count_nonzero(are_bad(mesh, min_angle, max_area)))


def are_bad(mesh: Mesh, min_angle: float, max_area: float | None = None) -> np.ndarray:
    """For each triangle whether it is bad."""
    return bad_ones(mesh.points.reshape(-1), mesh.triangles, min_angle, max_area)


def bad_ones(
    xy: np.ndarray, triangles: np.ndarray, min_angle: float, max_area: float | None, workers: int = 1
) -> np.ndarray:
    """For each triangle whether it is bad, in rows that begin with the numbers of its vertices."""
    from nearly.mesh.crew import in_shares
    from nearly.mesh.quality_kernels import find_bad

    bad = np.empty(len(triangles), np.bool_)
    cosine = np.cos(np.radians(max(min_angle - _SLACK, 0.0)))
    largest = np.inf if max_area is None else max_area * (1 + 1e-12)
    in_shares(workers, bad.size, lambda i, j: find_bad(xy, triangles[i:j], cosine, largest, bad[i:j]))
    return bad


def measures(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The smallest and the largest angle in degrees, and the area, of every triangle."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    angles = np.stack([_angle(b - a, c - a), _angle(c - b, a - b), _angle(a - c, b - c)])
    area = 0.5 * _cross(b - a, c - a)
    return angles.min(axis=0), angles.max(axis=0), area


def _cross(u: Any, v: Any) -> Any:
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]


def _angle(u: Any, v: Any) -> Any:
    return np.degrees(np.arctan2(np.abs(_cross(u, v)), (u * v).sum(axis=1)))
