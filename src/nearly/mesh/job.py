"""`Refinement`, what every scheme works on: the mesh in working form, the rules, the limits, and the trace."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.base.progress import Progress
from nearly.engine.run import Did
from nearly.engine.trace import Trace
from nearly.mesh.hilbert_order import curve_order
from nearly.mesh.mesh import Mesh
from nearly.mesh.rules import rules_for
from nearly.mesh.working_mesh import work_on


class Refinement:
    """One call of `refine`. Triangles and points are renumbered along a curve while it lasts."""

    def __init__(
        self,
        mesh: Mesh,
        min_angle: float,
        max_area: float | None,
        most: int,
        workers: int,
        progress: Progress,
        off_centres: bool = True,
        device: str = "cpu",
    ) -> None:
        self.given, self.most, self.workers, self.progress, self.device = mesh, most, workers, progress, device
        self.order = curve_order(mesh.points.reshape(-1), workers)
        self.work = work_on(mesh, self.order, workers, room=len(mesh.triangles) // 2)
        points = self.work.xy[: 2 * self.work.points].reshape(-1, 2)
        segments = self.work.arrays.ends[1:].astype(np.int64)
        self.rules = rules_for(min_angle, max_area, points, segments, off_centres)
        self.min_angle, self.max_area = min_angle, max_area
        self.capped, self.reached = False, len(mesh.points)  # points in the mesh; numbers of points may have gaps
        self.lists: Any = None  # on a GPU: the `Lister`
        self.trace = Trace()

    def make_delaunay(self) -> None:
        """Flip edges until the mesh is (constrained) Delaunay."""
        from nearly.mesh.flips import make_delaunay

        make_delaunay(self.work)

    def note(self, did: Did, milliseconds: float) -> None:
        """Add a round to the trace."""
        self.trace.add_step([did], milliseconds)
        self.reached += int(did.extra["inserted"])
        self.progress("refining", self.reached, None)

    def finish(self) -> tuple[Mesh, int]:
        """The refined mesh with the points as they were numbered, and how many of its triangles are bad."""
        from nearly.mesh.quality import bad_ones

        work = self.work  # whose points lie in the order of the curve, so that those of a triangle are near in memory
        bad = bad_ones(work.xy, work.table(), self.min_angle, self.max_area, self.workers)
        return work.mesh(self.given.point_markers, self.order), int(np.count_nonzero(bad))
