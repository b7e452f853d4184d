"""The scheme `blocks`: sound meshes, the same for any number of threads, however the mesh is cut."""

from __future__ import annotations

import sys
import threading
from itertools import chain

import numpy as np
import pytest
from tests.mesh.shapes import nasty, ring

from nearly.mesh import Mesh, from_points, from_polygon, refine, verify
from nearly.mesh import block_driver as b
from nearly.mesh.crew import in_shares, in_turns


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks and strips of a few triangles, and hardly anything for the serial scheme."""
    for name, value in {"BLOCK": 40, "STRIP": 2, "FEW": 5, "SHARE": 1 << 30}.items():
        monkeypatch.setattr(b, name, value)


@pytest.fixture(scope="module")
def cloud():
    return from_points(np.random.default_rng(4).random((500, 2)))


def check(mesh: Mesh, angle: float, **how) -> None:
    """Two numbers of threads give one mesh, which is sound and about as large as the serial scheme's."""
    one, two = (refine(mesh, angle, scheme="blocks", threads=k, **how) for k in (1, 2))
    for name in ("points", "triangles", "neighbours", "segments", "segment_markers", "point_markers"):
        assert np.array_equal(getattr(one.mesh, name), getattr(two.mesh, name)), name
    assert [r.extra for r in one.trace] == [r.extra for r in two.trace]
    assert verify(one.mesh, angle, how.get("max_area"), allowed_bad=one.left, original=mesh).problems == ()
    assert sum(r.extra["inserted"] for r in one.trace) == one.inserted
    serial = refine(mesh, angle, scheme="serial", **how)
    assert abs(one.inserted - serial.inserted) < 0.15 * serial.inserted + 10
    assert abs(one.left - serial.left) <= 0.05 * serial.left + 1
    assert (one.capped, one.scheme) == (serial.capped, "blocks")


@pytest.mark.parametrize("angle", [20, 30])
def test_many_blocks_give_a_sound_mesh(cloud, angle, small_blocks):
    check(cloud, angle)
    check(cloud, angle, point="circumcentre")
    trace = refine(cloud, angle, scheme="blocks").trace
    assert len(trace) > 2
    assert sum(r.extra["inserted"] for r in trace[:-1]) > 0.5 * sum(r.extra["inserted"] for r in trace)


@pytest.mark.parametrize(("name", "points"), nasty().items())
def test_nasty_points_in_many_blocks(name, points, small_blocks):
    check(from_points(points), 20)


def test_a_hole_segments_inside_and_a_largest_area(small_blocks):
    points, segments, holes = ring()
    mesh = from_polygon(points, segments, holes, segment_markers=[3] * 24 + [4] * 12)
    fine = refine(mesh, 20, max_area=0.01).mesh
    check(fine, 28, max_area=0.004)
    done = refine(fine, 28, max_area=0.004, scheme="blocks")
    assert set(done.mesh.segment_markers.tolist()) == {3, 4}


def test_segments_on_seams_are_split_in_the_end(cloud, small_blocks):
    edges = cloud.triangles[:, :2]
    for some in (edges[::7], edges):
        check(Mesh(cloud.points, cloud.triangles, segments=some), 20)


def test_work_in_one_place_is_cut_anew(monkeypatch, small_blocks):
    """A few large triangles among many small ones have nearly all of the work."""
    random = np.random.default_rng(1)
    mesh = from_points(np.concatenate([random.normal(size=(400, 2)) * 0.01, random.random((10, 2)) * 3]))
    monkeypatch.setattr(b, "_ROUNDS", 1)
    cuts, strips = [], b._strips
    monkeypatch.setattr(b, "_strips", lambda *given: cuts.append(given) or strips(*given))
    check(mesh, 20, max_area=0.02)
    assert len(cuts) > 2


def test_the_cap_is_kept_whenever_it_is_reached(cloud, small_blocks):
    n, wanted = len(cloud.points), refine(cloud, 25, scheme="blocks").inserted
    for room in (0, 1, wanted // 4, wanted // 2, wanted - 1, wanted):
        one, two = (refine(cloud, 25, scheme="blocks", max_points=n + room, threads=k) for k in (1, 2))
        assert np.array_equal(one.mesh.triangles, two.mesh.triangles)
        assert one.inserted <= room
        assert one.capped == (one.left > 0)
        assert not one.capped or one.inserted == room
        assert verify(one.mesh, original=cloud).ok


def test_large_cavities_get_room(small_blocks):
    turn = np.linspace(0, 2 * np.pi, 700, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.sin(turn)])
    check(from_points(np.concatenate([rim, [[0.01, 0.0], [0.0, 0.02]]])), 25)


def test_auto_takes_blocks_for_many_triangles(cloud, monkeypatch):
    assert refine(cloud).scheme == "serial"
    monkeypatch.setattr(sys.modules["nearly.mesh.refine"], "MANY", len(cloud.triangles))
    for threads in (None, 1, 2):
        assert refine(cloud, threads=threads).scheme == "blocks"


def test_progress_tells_points_of_the_mesh_and_may_stop_it(cloud, small_blocks):
    heard = []
    done = refine(cloud, 25, scheme="blocks", progress=lambda stage, count, total: heard.append(count))
    assert heard == sorted(heard)
    assert heard[-1] == len(done.mesh.points)

    def stop(stage, count, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refine(cloud, 25, scheme="blocks", progress=stop)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_take_turns_and_give_what_was_made_in_order(workers):
    assert in_turns(workers, 20, lambda piece, worker: (piece, worker < workers)) == [(i, True) for i in range(20)]
    assert in_turns(workers, 0, lambda piece, worker: piece) == []
    for size in (0, 3, 100):
        shares = in_shares(workers, size, lambda low, high: list(range(low, high)))
        assert list(chain(*shares)) == list(range(size))


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_a_thread_raises_ends_all_and_is_raised(error):
    before, done = threading.active_count(), []

    def work(piece, worker):
        done.append(piece)
        if piece == 3:
            raise error

    with pytest.raises(error):
        in_turns(2, 10_000, work)
    assert len(done) < 10_000
    assert threading.active_count() == before


@pytest.mark.full
@pytest.mark.parametrize("angle", [20, 30])
def test_half_a_million_triangles_in_blocks(angle):
    check(from_points(np.random.default_rng(7).random((250_000, 2))), angle)
