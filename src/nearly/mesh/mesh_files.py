"""Mesh files: `.node`, `.ele`, `.poly` and `.edge` here, all others through meshio where it is installed.

A mesh in these formats is several files of one name: points in `.node`, triangles in `.ele`, segments in `.poly`.
Reading one of them also reads the others that belong to it. Where there is no `.ele`, points and segments are
triangulated. Files that are read may end in `.gz`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.errors import FileAccessError, GraphFormatError, InvalidArgumentError, InvalidGraphError
from nearly.base.files import replacing
from nearly.base.progress import Progress
from nearly.base.signatures import typed
from nearly.mesh.delaunay import from_points
from nearly.mesh.mesh import Mesh, edge_keys
from nearly.mesh.number_lines import Lines
from nearly.mesh.polygon import from_polygon

OWN = (".node", ".ele", ".poly", ".edge")
PathLike = str | os.PathLike[str]


@typed
def read(path: PathLike, progress: Progress | None = None) -> Mesh:
    """Read a mesh, or triangulate the points and segments of a file.

    `.ele` needs the `.node` of the same name, and takes segments from `.poly` or else `.edge` if they are there.
    `.poly` (with its own points, or those of `.node`) and `.node` alone are triangulated, unless there is an `.ele` of
    that name and the `.poly` holds no points of its own. Other extensions are read by meshio.

    Parameters
    ----------
    path : path
        The file.
    progress : callable, optional
        Called as `progress("triangulating", inserted, n)` where points are triangulated.

    Returns
    -------
    Mesh
        Points are numbered from 0, also where the file numbers them from 1.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.node")
    ...     _ = file.write_text("3 2 0 0\\n1 0 0\\n2 1 0\\n3 0 1\\n")
    ...     read(file)
    <Mesh: 3 points, 1 triangles, 3 segments>
    """
    file = Path(path)
    kind = _kind(file)
    if kind not in OWN:
        from nearly.mesh.meshio_files import read_with_meshio

        return read_with_meshio(file)
    if not file.is_file():
        raise FileAccessError(2, f"{file}: no such file")
    poly = _read_poly(file) if kind == ".poly" else None
    own_points = poly is not None and len(poly["nodes"]["points"]) > 0
    elements = file if kind == ".ele" else _sibling(file, ".ele")
    if elements is not None and not own_points:
        return _read_elements(file, elements)
    if poly is not None:
        nodes = poly["nodes"] if own_points else _read_points(_needed(file, ".node"))
        ends = _checked(poly["segments"], nodes, file, "segment")
        return from_polygon(nodes["points"], ends, poly["holes"], poly["markers"], nodes["markers"], progress=progress)
    nodes = _read_points(_needed(file, ".node"))
    return from_points(nodes["points"], nodes["markers"], progress)


@typed
def write(mesh: Mesh, path: PathLike) -> None:
    """Write a mesh; the extension says how.

    `.ele` writes three files: points (`.node`), triangles (`.ele`) and segments (`.poly`). `.node`, `.poly` (points and
    segments) and `.edge` (all edges) write one. Other extensions are written by meshio. Numbers start from 0.

    Parameters
    ----------
    mesh : Mesh
        The mesh to write.
    path : path
        The file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Mesh([(0, 0), (1, 0), (0, 1)], [(0, 1, 2)]), pathlib.Path(folder, "a.ele"))
    ...     sorted(file.name for file in pathlib.Path(folder).iterdir())
    ['a.ele', 'a.node', 'a.poly']
    """
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in OWN:
        from nearly.mesh.meshio_files import write_with_meshio

        write_with_meshio(mesh, file)
        return
    if kind == ".ele":
        _write_points(mesh, file.with_suffix(".node"))
        _write_segments(mesh, file.with_suffix(".poly"), with_points=False)
        with replacing(file) as out:
            out.write(f"{len(mesh.triangles)} 3 0\n".encode())
            _rows(out, mesh.triangles)
    elif kind == ".node":
        _write_points(mesh, file)
    elif kind == ".poly":
        _write_segments(mesh, file, with_points=True)
    else:
        edges, markers = all_edges(mesh)
        with replacing(file) as out:
            out.write(f"{len(edges)} 1\n".encode())
            _rows(out, np.column_stack([edges, markers]))


def check_target(path: PathLike) -> None:
    """An error if a mesh cannot be written under this name."""
    if Path(path).suffix.lower() not in OWN:
        from nearly.mesh.meshio_files import check_format

        check_format(Path(path))


def all_edges(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Every edge once, and its marker: a segment's, else 0."""
    ends = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    n = max(len(mesh.points), 1)
    edges = np.unique(edge_keys(ends, n))
    markers = np.zeros(edges.size, np.int32)
    markers[np.searchsorted(edges, edge_keys(mesh.segments, n))] = mesh.segment_markers
    return np.stack([edges // n, edges % n], axis=1), markers


def _kind(file: Path) -> str:
    """The extension, that before `.gz` if there is one."""
    name = file.name.lower().removesuffix(".gz")
    return Path(name).suffix


def _sibling(file: Path, kind: str) -> Path | None:
    """The file of the same name with this extension, unpacked or not; None if there is none."""
    name = file.name[:-3] if file.name.lower().endswith(".gz") else file.name
    stem = file.with_name(name).with_suffix(kind)
    return next((p for p in (stem, stem.with_name(stem.name + ".gz")) if p.is_file()), None)


def _needed(file: Path, kind: str) -> Path:
    found = file if _kind(file) == kind else _sibling(file, kind)
    if found is None:
        raise InvalidArgumentError(f"{file} needs the {kind} file of the same name, which is not there")
    return found


def _read_elements(file: Path, elements: Path) -> Mesh:
    nodes = _read_points(_needed(file, ".node"))
    lines = Lines(elements)
    header = lines.header(1, 3, "<triangles> <corners> <attributes>")
    corners = int(header[1]) or 3
    if corners not in (3, 6):
        raise lines.error("triangles have 3 or 6 corners")
    table = lines.block(int(header[0]), 1 + corners + int(header[2]), "a triangle")
    triangles = _checked(table[:, 1:4], nodes, elements, "triangle")
    segments, markers = None, None
    for kind in (".poly", ".edge"):
        there = file if _kind(file) == kind else _sibling(file, kind)
        if there is not None:
            found = _read_poly(there) if kind == ".poly" else _read_edges(there)
            segments, markers = _checked(found["segments"], nodes, there, "segment"), found["markers"]
            break
    try:
        return Mesh(nodes["points"], triangles, segments, markers, nodes["markers"])
    except InvalidGraphError as error:
        raise GraphFormatError(elements, None, None, str(error)) from None


def _read_points(file: Path) -> dict[str, Any]:
    return _points_of(Lines(file))


def _points_of(lines: Lines) -> dict[str, Any]:
    header = lines.header(1, 4, "<points> <dimension> <attributes> <markers>")
    n, dimension, attributes, marked = (int(x) for x in header)
    if dimension not in (0, 2):
        raise lines.error(f"only points of 2 dimensions can be read, not of {dimension}")
    table = lines.block(n, 3 + attributes + min(marked, 1), "a point")
    if n and not np.array_equal(table[:, 0], table[0, 0] + np.arange(n)):
        raise lines.error("points must be numbered one after the other")
    first = int(table[0, 0]) if n else 0
    markers = table[:, -1].astype(np.int64) if marked else None
    return {"points": table[:, 1:3].copy(), "markers": markers, "first": first}


def _read_poly(file: Path) -> dict[str, Any]:
    lines = Lines(file)
    nodes = _points_of(lines)
    marked, ends = _marked_pairs(lines, "<segments> <markers>", "a segment")
    holes = lines.block(int(lines.header(1, 1, "<holes>")[0]), 3, "a hole") if lines.more() else np.empty((0, 3))
    return {"nodes": nodes, "segments": ends, "markers": marked, "holes": holes[:, 1:3]}


def _read_edges(file: Path) -> dict[str, Any]:
    marked, ends = _marked_pairs(Lines(file), "<edges> <markers>", "an edge")
    if marked is None:
        return {"segments": ends[:0], "markers": None}
    return {"segments": ends[marked != 0], "markers": marked[marked != 0]}  # the others are plain edges


def _marked_pairs(lines: Lines, what: str, item: str) -> tuple[np.ndarray | None, np.ndarray]:
    n, marked = (int(x) for x in lines.header(1, 2, what))
    table = lines.block(n, 3 + min(marked, 1), item)
    return (table[:, 3].astype(np.int64) if marked else None), table[:, 1:3]


def _checked(table: np.ndarray, nodes: dict[str, Any], file: Path, what: str) -> np.ndarray:
    """Indices from 0, of points that exist."""
    n, numbers = len(nodes["points"]), table - nodes["first"]
    wrong = ~np.isfinite(numbers) | (numbers < 0) | (numbers >= n) | (numbers != np.floor(numbers))
    if wrong.any():
        row = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise GraphFormatError(file, None, None, f"{what} {row + 1} names a point that does not exist (there are {n})")
    return numbers.astype(np.int32)


def _write_points(mesh: Mesh, file: Path) -> None:
    with replacing(file) as out:
        _points_text(mesh, out)


def _points_text(mesh: Mesh, out: Any) -> None:
    out.write(f"{len(mesh.points)} 2 0 1\n".encode())
    pieces = zip(mesh.points.tolist(), mesh.point_markers.tolist())
    out.writelines(f"{i} {x!r} {y!r} {marker}\n".encode() for i, ((x, y), marker) in enumerate(pieces))


def _write_segments(mesh: Mesh, file: Path, with_points: bool) -> None:
    with replacing(file) as out:
        if with_points:
            _points_text(mesh, out)
        else:
            out.write(b"0 2 0 1\n")
        out.write(f"{len(mesh.segments)} 1\n".encode())
        _rows(out, np.column_stack([mesh.segments, mesh.segment_markers]))
        out.write(b"0\n")


def _rows(out: Any, table: np.ndarray) -> None:
    out.writelines(f"{i} {' '.join(map(str, row))}\n".encode() for i, row in enumerate(table.tolist()))
