"""Refinement: every scheme gives a sound mesh without bad triangles, the same for any number of threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.mesh.shapes import nasty, ring

from nearly import InvalidArgumentError
from nearly.mesh import Mesh, from_points, from_polygon, quality, refine, verify
from nearly.mesh import parallel_driver as many
from nearly.mesh.candidate import WAITS
from nearly.mesh.cavity import EDGES, TRIANGLES, row_size
from nearly.mesh.refine import Balance, Point, Scheme

SCHEMES = Scheme.__args__
LEAVES_NONE = ("random", "grid", "twin grid", "circle", "circle with a point", "duplicates", "one triangle")


def same(one: Mesh, two: Mesh) -> bool:
    return np.array_equal(one.points, two.points) and np.array_equal(one.triangles, two.triangles)


@pytest.fixture(scope="module")
def cloud():
    return from_points(np.random.default_rng(4).random((2500, 2)))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("name", "points"), nasty().items())
def test_nasty_points(name, points, scheme):
    mesh = from_points(points)
    done = refine(mesh, 20, scheme=scheme)
    assert verify(done.mesh, 20, allowed_bad=done.left, original=mesh).problems == ()
    assert not done.capped
    assert done.inserted == len(done.mesh.points) - len(mesh.points)
    if name in LEAVES_NONE or name.startswith("scale"):
        assert done.left == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_polygon_with_a_hole_and_a_largest_area(scheme):
    points, segments, holes = ring()
    mesh = from_polygon(points, segments, holes, segment_markers=[3] * 24 + [4] * 12)
    done = refine(mesh, 28, max_area=0.01, scheme=scheme)
    assert verify(done.mesh, 28, 0.01, original=mesh).problems == ()
    assert done.left == 0
    assert set(done.mesh.segment_markers.tolist()) == {3, 4}
    new = done.mesh.point_markers[len(points) :]
    on_rim = np.zeros(len(done.mesh.points), bool)
    on_rim[done.mesh.segments] = True
    assert ((new > 0) == on_rim[len(points) :]).all()


@pytest.mark.parametrize("angle", [20, 30])
def test_schemes_and_threads(cloud, angle):
    made = {}
    for scheme in SCHEMES:
        one, two = (refine(cloud, angle, scheme=scheme, threads=k) for k in (1, 2))
        assert same(one.mesh, two.mesh), scheme
        assert verify(one.mesh, angle, original=cloud).problems == ()
        made[scheme] = one
    assert same(made["two-stage"].mesh, made["atomic"].mesh)  # the same winners, however they were marked
    least = made["serial"].inserted
    for scheme, done in made.items():
        assert least * 0.9 < done.inserted < least * 1.3, scheme


@pytest.mark.parametrize("scheme", SCHEMES[1:])
@pytest.mark.parametrize("angle", [20, 30])
def test_circumcentres_keep_every_promise_and_take_more_points(cloud, scheme, angle):
    """The paper's points; the nearer ones of the default need fewer."""
    assert Point.__args__ == ("off-centre", "circumcentre")
    done, near = (refine(cloud, angle, scheme=scheme, point=point) for point in ("circumcentre", "off-centre"))
    assert verify(done.mesh, angle, original=cloud).problems == ()
    assert (done.left, done.capped, done.point, near.point) == (0, False, "circumcentre", "off-centre")
    assert done.inserted > near.inserted


@pytest.mark.parametrize(("name", "points"), nasty().items())
def test_circumcentres_of_nasty_points(name, points):
    mesh = from_points(points)
    for scheme in ("serial", "base"):
        done = refine(mesh, 20, scheme=scheme, point="circumcentre")
        assert verify(done.mesh, 20, allowed_bad=done.left, original=mesh).problems == ()
        assert not done.capped
        if name in LEAVES_NONE or name.startswith("scale"):
            assert done.left == 0


def test_a_circumcentre_is_the_centre_of_the_bad_triangles_circle():
    mesh = from_points([(0, 0), (8, 0), (8, 6), (0, 6), (3.9, 3), (4.1, 3)])
    done = refine(mesh, 20, point="circumcentre", max_points=len(mesh.points) + 1)
    added = done.mesh.points[-1]
    corners = mesh.points[mesh.triangles]
    apart = np.linalg.norm(corners - added, axis=2)
    on_an_edge = done.mesh.point_markers[-1] > 0
    assert done.inserted == 1
    assert on_an_edge or (np.ptp(apart, axis=1) < 1e-9).any()


def test_the_base_scheme_takes_one_thread_after_a_round_without_a_winner(cloud):
    """Marks written once and once again can leave every cavity without all of its triangles."""
    done = refine(cloud, 20, scheme="base", point="circumcentre")
    rounds = [(r.extra["inserted"], r.extra["alone"], r.frontier) for r in done.trace]
    assert any(alone for _, alone, _ in rounds)
    for (won, _, _), (next_won, alone, _) in pairwise(rounds):
        assert (alone == 0) or (won == 0 and next_won > 0)
    assert all("alone" not in r.extra for r in refine(cloud, 20, scheme="three-phase").trace)


@pytest.mark.parametrize("balance", Balance.__args__)
def test_every_balance_gives_the_same_mesh(cloud, balance):
    plain = refine(cloud, 22, scheme="two-stage")
    assert same(refine(cloud, 22, scheme="two-stage", balance=balance, threads=2).mesh, plain.mesh)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_auto_is_the_default_and_the_scheme_it_names(cloud, threads):
    chosen = refine(cloud, 22, threads=threads)
    assert chosen.scheme == refine(cloud, 22, scheme="auto", threads=threads).scheme == "serial"
    assert same(chosen.mesh, refine(cloud, 22, scheme="serial").mesh)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scheme_that_was_used_is_told(scheme):
    done = refine(from_points(nasty()["one triangle"]), 20, scheme=scheme)
    assert done.scheme == ("serial" if scheme == "auto" else scheme)


def test_small_batches_and_large_cavities(monkeypatch):
    from tests.mesh.shapes import circle

    monkeypatch.setattr(many, "BATCH", 50)
    mesh = from_points(np.concatenate([circle(400), [[0.01, 0.0], [0.0, 0.02]]]))  # two fans of long needles
    for scheme in SCHEMES:
        done = refine(mesh, 25, scheme=scheme)
        assert verify(done.mesh, 25, original=mesh).problems == ()


def test_rows_are_used_again_for_cavities_of_other_sizes(monkeypatch):
    """What a row held before is never taken for a cavity, and every row has its spot."""
    monkeypatch.setattr(many, "ROOM", 3)
    find, stages = many.s.find, []

    def checked(run, stage):
        found, room, size = find(run, stage), int(run.rows.room), int(row_size(run.rows.room))
        heads = run.rows.words[: size * stage.state.size].reshape(-1, size)[stage.active]
        waits = heads[stage.state[stage.active] == WAITS]
        assert (waits[:, int(TRIANGLES)] <= room).all()
        assert (waits[:, int(EDGES)] <= room + 2).all()
        assert run.rows.spots.size >= 2 * stage.state.size
        stages.append(room)
        return found

    monkeypatch.setattr(many.s, "find", checked)
    mesh = from_points(nasty()["random"])
    done = refine(mesh, 25, scheme="atomic", threads=1)
    assert verify(done.mesh, 25, original=mesh).problems == ()
    assert len(set(stages)) > 1


def test_the_cap_is_kept_and_told(cloud):
    for scheme in SCHEMES:
        done = refine(cloud, 30, scheme=scheme, max_points=len(cloud.points) + 100)
        assert (done.inserted, done.capped) == (100, True)
        assert done.left > 0
        assert verify(done.mesh, original=cloud).ok
        untouched = refine(cloud, 30, scheme=scheme, max_points=0)
        assert (untouched.inserted, untouched.capped) == (0, True)


def test_what_is_not_delaunay_is_made_so():
    mesh = Mesh([(0, 0), (4, -1), (8, 0), (4, 1)], [(0, 1, 2), (0, 2, 3)])
    assert not verify(mesh).ok
    done = refine(mesh, 10)
    assert done.inserted == 0
    assert verify(done.mesh, 10, original=mesh).ok
    kept = refine(Mesh(mesh.points, mesh.triangles, segments=[(0, 2)]), 10)
    assert [0, 2] in np.sort(kept.mesh.segments, axis=1).tolist() or kept.inserted > 0


def test_nothing_to_do(cloud):
    done = refine(refine(cloud, 25).mesh, 25)
    assert (done.inserted, done.left) == (0, 0)


@pytest.mark.parametrize(("scheme", "rounds"), [("serial", 3), ("two-stage", 4)])
def test_trace_and_progress(cloud, scheme, rounds):
    heard = []
    done = refine(cloud, 25, scheme=scheme, progress=lambda stage, count, total: heard.append((stage, count)))
    assert heard[-1] == ("refining", len(done.mesh.points))
    assert sum(r.extra["inserted"] for r in done.trace) == done.inserted
    assert len(done.trace) == done.rounds >= rounds

    def stop(stage, count, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refine(cloud, 25, scheme=scheme, progress=stop)


def test_counts_are_near_those_of_the_quality_bound(cloud):
    few, more = (refine(cloud, angle, scheme="serial").inserted for angle in (15, 25))
    assert 0 < few < more
    assert quality(refine(cloud, 25).mesh).min_angle >= 25 - 1e-6


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"min_angle": 40}, "from 0 to 33"),
        ({"min_angle": "20"}, "from 0 to 33"),
        ({"min_angle": float("nan")}, "from 0 to 33"),
        ({"max_area": 0}, "above 0"),
        ({"scheme": "fast"}, "auto.*serial.*two-stage.*three-phase.*atomic.*base"),
        ({"balance": "fair"}, "shared"),
        ({"point": "middle"}, "off-centre.*circumcentre"),
        ({"max_points": -1}, "at least 0"),
        ({"threads": 0}, "at least 1"),
    ],
)
def test_bad_arguments(cloud, arguments, why):
    with pytest.raises(InvalidArgumentError, match=why):
        refine(cloud, **arguments)


@pytest.mark.full
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("angle", [25, 30])
def test_nasty_points_at_larger_angles(scheme, angle):
    for points in nasty().values():
        mesh = from_points(points)
        done = refine(mesh, angle, scheme=scheme)
        assert verify(done.mesh, angle, allowed_bad=done.left, original=mesh).problems == ()


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_half_a_million_triangles(seed):
    mesh = from_points(np.random.default_rng(seed).random((250_000, 2)))
    assert 0.2 < quality(mesh, 20).bad_share < 0.3
    assert 0.45 < quality(mesh, 30).bad_share < 0.55
    for scheme in ("serial", "two-stage"):
        one, two = (refine(mesh, 20, scheme=scheme, threads=k) for k in (1, 2))
        assert same(one.mesh, two.mesh)
        assert one.left == 0
        assert verify(one.mesh, 20, original=mesh).problems == ()
