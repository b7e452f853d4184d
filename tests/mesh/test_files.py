"""Mesh files: what is written is read back; what is wrong gets an error that says where."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.mesh.shapes import ring

import nearly
from nearly.mesh import from_polygon, plot, read, refine, verify, write


@pytest.fixture
def mesh():
    points, segments, holes = ring()
    return refine(from_polygon(points, segments, holes, segment_markers=[2] * 36), 25).mesh


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_three_files_come_back_equal(mesh, folder):
    write(mesh, "m.ele")
    assert sorted(p.name for p in folder.iterdir()) == ["m.ele", "m.node", "m.poly"]
    for name in ("m.ele", "m.node", "m.poly"):
        again = read(name)
        for array in ("points", "triangles", "neighbours", "segments", "segment_markers", "point_markers"):
            assert np.array_equal(getattr(again, array), getattr(mesh, array)), (name, array)


def test_gzip_and_edges(mesh, folder):
    write(mesh, "m.ele")
    write(mesh, "m.edge")
    for name in ("m.ele", "m.node"):
        Path(f"{name}.gz").write_bytes(gzip.compress(Path(name).read_bytes()))
        Path(name).unlink()
    Path("m.poly").unlink()
    again = read("m.ele.gz")  # segments from m.edge
    assert np.array_equal(again.triangles, mesh.triangles)
    assert set(again.segment_markers.tolist()) == {2}
    assert len(again.segments) == len(mesh.segments)


def test_poly_is_triangulated(folder):
    Path("a.poly").write_text(
        "# a square with a square hole, numbered from 1\n8 2 1 1\n"
        "1 0 0 9 5\n2 4 0 9 5\n3 4 4 9 5\n4 0 4 9 5\n5 1 1 9 6\n6 3 1 9 6\n7 3 3 9 6\n8 1 3 9 6\n"
        "8 1  # segments\n1 1 2 1\n2 2 3 1\n3 3 4 1\n4 4 1 1\n5 5 6 2\n6 6 7 2\n7 7 8 2\n8 8 5 2\n1\n1 2 2\n"
    )
    mesh = read("a.poly")
    assert verify(mesh).ok
    assert len(mesh.triangles) == 8
    assert mesh.point_markers.tolist() == [5] * 4 + [6] * 4
    assert sorted(mesh.segment_markers.tolist()) == [1] * 4 + [2] * 4
    write(mesh, "b.poly")
    assert len(read("b.poly").triangles) == 10  # holes are no part of a mesh: this one is filled
    write(mesh, "c.node")
    assert len(read("c.node").triangles) == 10


@pytest.mark.parametrize(
    ("name", "text", "line", "why"),
    [
        ("m.node", "", None, "ends where"),
        ("m.node", "x 2 0 0\n", 1, "expected <points>"),
        ("m.node", "-3 2 0 0\n", 1, "expected <points>"),
        ("m.node", "1000000000000 2 0 0\n1 0 0\n", None, "announced"),
        ("m.node", "3 3 0 0\n", 1, "2 dimensions"),
        ("m.node", "3 2 0 0\n1 0 0\n2 1 zero\n3 1 1\n", 3, "a point is 3 numbers"),
        ("m.node", "3 2 0 0\n1 0 0\n2 1\n3 1 1\n", 3, "a point is 3 numbers"),
        ("m.node", "3 2 0 0\n1 0 0\n2 1 0\n4 1 1\n", 4, "one after the other"),
        ("m.ele", "1 3 0\n1 1 2 9\n", None, "does not exist"),
        ("m.ele", "1 4 0\n1 1 2 3 4\n", 1, "3 or 6"),
        ("m.ele", "2 3 0\n1 1 2 3\n2 1 2 3\n", None, "more than two triangles"),
        ("m.ele", "1 3 0\n1 1 2 1.5\n", None, "does not exist"),
        ("m.poly", "0 2 0 0\n1 0\n1 1 7\n0\n", None, "does not exist"),
    ],
)
def test_broken_files(folder, name, text, line, why):
    Path("m.node").write_text("3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n")
    Path(name).write_text(text)
    with pytest.raises(nearly.GraphFormatError, match=why) as caught:
        read(name)
    assert caught.value.line == line


def test_missing_files(folder):
    with pytest.raises(nearly.FileAccessError, match="no such file"):
        read("m.ele")
    Path("m.ele").write_text("1 3 0\n1 1 2 3\n")
    with pytest.raises(nearly.InvalidArgumentError, match=r"needs the \.node"):
        read("m.ele")
    Path("m.node.gz").write_bytes(b"\x1f\x8bnonsense")
    with pytest.raises(nearly.GraphFormatError, match="unpacked"):
        read("m.ele")


def test_points_that_are_not_finite(folder):
    Path("m.node").write_text("3 2 0 0\n1 0 0\n2 1 0\n3 nan 1\n")
    with pytest.raises(nearly.InvalidGraphError, match="not finite"):
        read("m.node")


def test_other_formats_through_meshio(mesh, folder):
    pytest.importorskip("meshio")
    for name in ("m.vtk", "m.vtu", "m.off"):
        write(mesh, name)
        again = read(name)
        assert np.allclose(again.points, mesh.points, rtol=0, atol=1e-12)
        assert np.array_equal(again.triangles, mesh.triangles)
        assert len(again.segments) == len(mesh.segments)
    assert sorted(p.suffix for p in folder.iterdir()) == [".off", ".vtk", ".vtu"]
    Path("bad.vtk").write_text("nonsense")
    with pytest.raises(nearly.GraphFormatError, match="meshio"):
        read("bad.vtk")
    with pytest.raises(nearly.InvalidArgumentError, match="no mesh format"):
        write(mesh, "m.xyzzy")


def test_without_meshio_or_matplotlib(mesh, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "meshio", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(nearly.MissingDependencyError, match=r"nearly\[mesh\]"):
        write(mesh, "m.vtk")
    with pytest.raises(nearly.MissingDependencyError, match=r"nearly\[plots\]"):
        plot(mesh, "m.png")


def test_pictures(mesh, folder):
    points, segments, holes = ring()
    plot(mesh, "m.png", 25, before=from_polygon(points, segments, holes))
    assert Path("m.png").read_bytes().startswith(b"\x89PNG")
    mesh.plot("m.svg", None)
    assert b"<svg" in Path("m.svg").read_bytes()
    with pytest.raises(nearly.InvalidArgumentError, match="pictures"):
        plot(mesh, "m.jpeg")
