"""Other mesh formats (.vtk, .vtu, .msh, .off and more), through meshio where it is installed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError, InvalidArgumentError, MissingDependencyError
from nearly.mesh.mesh import Mesh


def _meshio(file: Path) -> Any:
    try:
        import meshio
    except ImportError:
        raise MissingDependencyError(
            f"{file}: only .node, .ele, .poly and .edge are read and written without meshio: pip install 'nearly[mesh]'"
        ) from None
    return meshio


def check_format(file: Path) -> None:
    """An error if meshio is missing or does not know the extension."""
    meshio = _meshio(file)
    if file.suffix.lower() not in meshio.extension_to_filetypes:
        raise InvalidArgumentError(f"{file}: no mesh format has the extension {file.suffix or 'of this name'!r}")


def read_with_meshio(file: Path) -> Mesh:
    """The triangles of a file, and its lines as segments; points must lie in a plane of constant z."""
    check_format(file)
    if not file.is_file():
        raise FileAccessError(2, f"{file}: no such file")
    try:
        found = _meshio(file).read(file)
    except (Exception, SystemExit) as error:  # every reader has errors of its own, and some leave the process
        raise GraphFormatError(file, None, None, f"meshio cannot read it: {error}") from None
    points = np.asarray(found.points, np.float64)
    if points.ndim != 2 or (points.shape[1] > 2 and np.ptp(points[:, 2]) != 0):
        raise GraphFormatError(file, None, None, "only meshes in a plane of constant z can be used")
    triangles = found.cells_dict.get("triangle")
    if triangles is None or len(triangles) == 0:
        raise GraphFormatError(file, None, None, "it holds no triangles")
    return Mesh(points[:, :2], triangles, found.cells_dict.get("line"))


def write_with_meshio(mesh: Mesh, file: Path) -> None:
    """Triangles, and segments as lines; z is 0. Written beside and renamed."""
    check_format(file)
    meshio = _meshio(file)
    points = np.column_stack([mesh.points, np.zeros(len(mesh.points))])
    cells = [("triangle", mesh.triangles), ("line", mesh.segments)]
    with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
        beside = Path(folder) / file.name
        try:
            meshio.Mesh(points, cells).write(beside)
        except meshio.WriteError as error:
            raise InvalidArgumentError(f"{file}: meshio cannot write it: {error}") from None
        os.replace(beside, file)
