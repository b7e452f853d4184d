"""Meshes: Delaunay triangulations of points and polygons, their refinement, and a check that they are sound."""

from __future__ import annotations

from nearly.mesh.delaunay import from_points
from nearly.mesh.mesh import Mesh
from nearly.mesh.mesh_files import read, write
from nearly.mesh.plot import plot
from nearly.mesh.polygon import from_polygon
from nearly.mesh.quality import Quality, quality
from nearly.mesh.refine import Refined, refine
from nearly.mesh.verify import Verified, verify

__all__ = [
    "Mesh",
    "Quality",
    "Refined",
    "Verified",
    "from_points",
    "from_polygon",
    "plot",
    "quality",
    "read",
    "refine",
    "verify",
    "write",
]
