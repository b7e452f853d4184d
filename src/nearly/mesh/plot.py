"""`plot`: a picture of a mesh, bad triangles red, segments bold; or two, before and after."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError, MissingDependencyError
from nearly.base.files import replacing
from nearly.base.signatures import typed
from nearly.mesh.mesh import Mesh
from nearly.mesh.quality import are_bad

FORMATS = ("png", "svg", "pdf")
MOST = 2_000_000  # triangles that can be drawn in reasonable time
_SEEN = 0.03  # the share of a picture's width that a triangle needs to be seen
_RINGS = 200  # bad triangles up to which small ones get a ring; more are seen anyway


@typed
def plot(mesh: Mesh, path: str | os.PathLike[str], min_angle: float | None = 20.0, before: Mesh | None = None) -> None:
    """Draw a mesh into a file.

    Parameters
    ----------
    mesh : Mesh
        The mesh to draw.
    path : path
        The file; its extension says the format: .png, .svg or .pdf.
    min_angle : float, default 20.0
        Triangles with a smaller angle are red; None draws none red.
    before : Mesh, optional
        Another mesh, drawn to the left.

    Examples
    --------
    >>> from nearly.mesh import from_points, refine
    >>> m = from_points([(0, 0), (10, 0), (10, 1), (0, 1)])
    >>> plot(refine(m).mesh, "refined.svg", before=m)  # doctest: +SKIP
    """
    form = check_plot(path)
    meshes = [mesh] if before is None else [before, mesh]
    for m in meshes:
        if len(m.triangles) > MOST:
            raise InvalidArgumentError(f"meshes of up to {MOST:,} triangles can be drawn, not {len(m.triangles):,}")
    from matplotlib.figure import Figure

    width, height = np.ptp(mesh.points, axis=0) if len(mesh.points) else (1.0, 1.0)
    tall = float(np.clip(height / max(width, 1e-300), 0.3, 1.5))
    figure = Figure(figsize=(7 * len(meshes), 7 * tall + 0.5), layout="constrained")
    for axes, m in zip(np.atleast_1d(figure.subplots(1, len(meshes))), meshes):
        _draw(axes, m, min_angle)
    with replacing(path) as file:
        figure.savefig(file, format=form, dpi=130, metadata={"Creator" if form != "png" else "Software": "nearly"})


def check_plot(path: str | os.PathLike[str]) -> str:
    """The picture's format; an error if it is none, or matplotlib is missing."""
    form = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    if form not in FORMATS:
        raise InvalidArgumentError(f"{path}: pictures are written as .{', .'.join(FORMATS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pictures need matplotlib: pip install 'nearly[plots]'") from None
    return form


def _mark(axes: Any, mesh: Mesh, bad: np.ndarray) -> None:
    """A ring around each bad triangle that is too small to be seen."""
    sizes = np.ptp(bad, axis=1).max(axis=1)
    small = sizes < _SEEN * max(float(np.ptp(mesh.points, axis=0).max()), 1e-300)
    if small.any() and len(bad) <= _RINGS:
        axes.plot(*bad[small].mean(axis=1).T, "o", ms=11, fillstyle="none", color="#e0483e", markeredgewidth=1.4)


def _draw(axes: Any, mesh: Mesh, min_angle: float | None) -> None:
    from matplotlib.collections import LineCollection, PolyCollection

    few = 1.0 / max(1.0, len(mesh.triangles) / 3000) ** 0.5  # finer lines where there are more
    corners = mesh.points[mesh.triangles]
    bad = np.zeros(len(corners), np.bool_) if min_angle is None else are_bad(mesh, min_angle)
    good = PolyCollection(corners[~bad], facecolors="#e8f0f8", edgecolors="#5a7fa5", linewidths=0.5 * few)
    red = PolyCollection(corners[bad], facecolors="#e0483e", edgecolors="#8c1d14", linewidths=0.5 * few)
    axes.add_collection(good)
    axes.add_collection(red)
    if bad.any():
        _mark(axes, mesh, corners[bad])
    axes.add_collection(LineCollection(mesh.points[mesh.segments], colors="#1b2a3a", linewidths=0.8 + 0.4 * few))
    said = "" if min_angle is None else f", {int(bad.sum()):,} with an angle below {min_angle:g}°"
    axes.set_title(f"{len(corners):,} triangles{said}")
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_axis_off()
