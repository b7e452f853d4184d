"""Triangulations of points and polygons: sound, Delaunay, complete; and errors for what is none."""

from __future__ import annotations

import numpy as np
import pytest
from tests.mesh.shapes import circle, grid, nasty, ring

from nearly import InvalidGraphError
from nearly.mesh import Mesh, from_points, from_polygon, quality, verify


@pytest.mark.parametrize(("name", "points"), nasty().items())
def test_points_become_a_delaunay_mesh(name, points):
    mesh = from_points(points)
    assert verify(mesh).problems == ()
    assert np.array_equal(mesh.points, points)
    used = np.unique(mesh.points[np.unique(mesh.triangles)], axis=0)
    assert np.array_equal(used, np.unique(points, axis=0))  # every place is a vertex
    hull = len(np.unique(mesh.segments))
    assert len(mesh.triangles) == 2 * len(used) - hull - 2  # Euler: nothing is missing


def test_the_same_triangles_as_scipy():
    from scipy.spatial import Delaunay

    points = np.random.default_rng(5).random((400, 2))
    ours = {tuple(sorted(t)) for t in from_points(points).triangles.tolist()}
    assert ours == {tuple(sorted(t)) for t in Delaunay(points).simplices.tolist()}


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([(0, 0), (1, 1)], "at least three"),
        ([(0, 0), (1, 1), (2, 2), (7, 7)], "on one line"),
        ([(1, 1)] * 5, "on one line"),
        ([(0, 0), (1, 0), (np.nan, 1)], "point 2 is not finite"),
        ([(0, 0), (1, 0), (1e80, 1)], "scale the points"),
        ([(0, 0), (1, 0), (1e-80, 1)], "scale the points"),
        ([1, 2, 3], r"\(n, 2\) array"),
        ("points", r"\(n, 2\) array"),
    ],
)
def test_what_is_no_set_of_points(points, why):
    with pytest.raises(InvalidGraphError, match=why):
        from_points(points)


def test_a_polygon_with_a_hole():
    points, segments, holes = ring()
    mesh = from_polygon(points, segments, holes)
    assert verify(mesh).ok
    assert len(mesh.segments) == len(segments)
    whole = from_polygon(points, segments)
    assert quality(whole).total_area > quality(mesh).total_area + 0.3
    star = circle(10) * np.where(np.arange(10) % 2, 0.3, 1.0)[:, None]
    inside = from_polygon(star)
    assert verify(inside).ok
    assert len(inside.triangles) == 8  # a polygon of ten corners
    hull = from_polygon(star, convex=True)
    assert verify(hull).ok
    assert quality(hull).total_area > quality(inside).total_area


def test_segments_are_recovered_through_a_cloud():
    rng = np.random.default_rng(2)
    corners = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    points = np.concatenate([corners, rng.random((200, 2)) * 10, [(0.5, 5), (9.5, 5.3), (5, 0.5), (5.1, 3.0)]])
    n = len(points)
    segments = [(0, 1), (1, 2), (2, 3), (3, 0), (n - 4, n - 3), (n - 2, n - 1)]
    mesh = from_polygon(points, segments, segment_markers=[1, 1, 1, 1, 7, 8])
    assert verify(mesh).ok
    assert {7, 8} <= set(mesh.segment_markers.tolist())
    listed = {tuple(sorted(s)) for s in mesh.segments.tolist()}
    assert (n - 4, n - 3) in listed


def test_a_segment_through_points_is_cut_there():
    mesh = from_polygon(grid(5), [(0, 4), (4, 24), (24, 20), (20, 0), (0, 24), (2, 22)])
    assert verify(mesh).ok
    assert len(mesh.segments) == 16 + 4 + 4


def test_duplicate_points_of_a_polygon_are_one():
    square = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    mesh = from_polygon(square, [(0, 1), (1, 2), (2, 3), (3, 4)])
    assert verify(mesh).ok
    assert len(mesh.triangles) == 2


@pytest.mark.parametrize(
    ("segments", "why"),
    [
        ([(0, 2), (1, 3)], "crosses another"),
        ([(0, 1), (1, 2)], "enclose no area"),
        ([(0, 9)], "does not exist"),
        ([(0, 1, 2)], r"\(k, 2\) array"),
    ],
)
def test_what_is_no_polygon(segments, why):
    with pytest.raises(InvalidGraphError, match=why):
        from_polygon([(0, 0), (1, 0), (1, 1), (0, 1)], segments)


def test_meshes_from_arrays():
    points = [(0, 0), (1, 0), (1, 1), (0, 1)]
    mesh = Mesh(points, [(0, 2, 1), (0, 2, 3)], segments=[(2, 0)], segment_markers=[5])
    assert verify(mesh).ok
    assert mesh.segment_markers.tolist() == [5, 1, 1, 1, 1]
    for triangles, segments, why in (
        ([(0, 1, 2), (0, 1, 2)], None, "more than two triangles"),
        ([(0, 1, 1)], None, "flat"),
        ([(0, 1, 4)], None, "does not exist"),
        ([(0, 1, 2), (0, 2, 3)], [(1, 3)], "no edges of a triangle"),
    ):
        with pytest.raises(InvalidGraphError, match=why):
            Mesh(points, triangles, segments)


def test_verify_sees_what_is_wrong():
    sound = from_points(np.random.default_rng(1).random((30, 2)))

    def broken(**changed):
        arrays = {
            name: getattr(sound, name).copy()
            for name in ("points", "triangles", "neighbours", "segments", "segment_markers", "point_markers")
        }
        for name, change in changed.items():
            change(arrays[name])
        return Mesh._made(**arrays)

    def turn(a):
        a[3] = a[3, ::-1].copy()

    def swap(a):
        a[[2, 5]] = a[[5, 2]]

    def move(a):
        a[sound.triangles[0, 0]] += 0.4

    def nan(a):
        a[0, 0] = np.nan

    for changed in ({"triangles": turn}, {"neighbours": swap}, {"points": move}, {"points": nan}):
        assert not verify(broken(**changed)).ok, changed
    lacks = Mesh._made(sound.points, sound.triangles, sound.neighbours, sound.segments[1:], sound.segment_markers[1:],
                       sound.point_markers)  # fmt: skip
    assert "boundary" in verify(lacks).problems[0]
    flat = Mesh([(0, 0), (4, 0.2), (8, 0), (4, 8)], [(0, 1, 3), (1, 2, 3)])
    assert verify(flat).ok
    wrong = Mesh([(0, 0), (4, -1), (8, 0), (4, 1)], [(0, 1, 2), (0, 2, 3)])
    assert "not Delaunay" in verify(wrong).problems[0]
    assert verify(wrong, delaunay=False).ok
    assert "covered" in " ".join(verify(from_points(wrong.points), original=wrong).problems) or not verify(
        from_points(wrong.points[:3]), original=wrong
    )
