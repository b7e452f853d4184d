"""Refinement with `device="cuda"` in numba's simulator gives the CPU's mesh, stage by stage, whatever the scheme."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.mesh.shapes import grid

import nearly
from nearly.mesh import Mesh, from_points, from_polygon, refine, verify
from nearly.mesh import parallel_driver as many
from nearly.mesh import worklist as waiting

SCHEMES = ["two-stage", "three-phase", "atomic"]
simulated = [pytest.mark.cuda, pytest.mark.simulator]


def cloud(n: int = 18) -> Mesh:
    return from_points(np.random.default_rng(0).random((n, 2)))


def shapes() -> dict[str, Mesh]:
    """Points anywhere; four on each of many circles, so that exact arithmetic decides; segments at a sharp angle."""
    corners = [(0, 0), (4, 0), (4, 3), (2, 0.7)]
    return {
        "cloud": cloud(),
        "grid": from_points(grid(4) * [1, 3]),
        "sharp": from_polygon(corners, [(0, 1), (1, 2), (2, 3), (3, 0)]),
    }


def compare(mesh: Mesh, angle: float = 20, **how: Any) -> nearly.mesh.Refined:
    how = {"scheme": "two-stage", **how}
    cpu, gpu = (refine(mesh, angle, device=device, **how) for device in ("cpu", "cuda"))
    for name in ("points", "triangles", "neighbours", "segments", "segment_markers", "point_markers"):
        assert np.array_equal(getattr(gpu.mesh, name), getattr(cpu.mesh, name)), name
    assert [(r.frontier, r.edges, r.extra) for r in gpu.trace] == [(r.frontier, r.edges, r.extra) for r in cpu.trace]
    assert (gpu.inserted, gpu.capped, gpu.left, gpu.device) == (cpu.inserted, cpu.capped, cpu.left, "cuda")
    assert gpu.inserted > 0
    return gpu


@pytest.mark.parametrize("name", ["cloud", "grid", "sharp"])
@pytest.mark.parametrize("scheme", SCHEMES)
class TestSameMesh:
    pytestmark = simulated

    def test_as_on_the_cpu(self, name: str, scheme: str) -> None:
        mesh = shapes()[name]
        done = compare(mesh, scheme=scheme)
        assert verify(done.mesh, 20, allowed_bad=done.left, original=mesh).problems == ()
        assert (done.left > 0) == (name == "sharp")


class TestOtherWays:
    pytestmark = simulated

    @pytest.mark.parametrize("balance", ["shared", "dynamic"])
    def test_balances(self, balance: str) -> None:
        compare(cloud(14), 15, balance=balance)

    def test_cavities_too_large_for_their_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(many, "ROOM", 3)
        alone, work_alone = [], many.Rounds._work_alone
        monkeypatch.setattr(many.Rounds, "_work_alone", lambda *given: (alone.append(given), work_alone(*given)))
        compare(cloud(), 15)
        assert alone

    def test_small_batches_by_rank(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(many, "BATCH", 4)
        monkeypatch.setattr(waiting, "FEW", 2)
        done = compare(cloud(), scheme="three-phase")
        assert max(r.frontier for r in done.trace) == 4

    def test_the_cap(self) -> None:
        assert compare(cloud(), max_points=21, scheme="atomic").capped

    def test_auto_is_two_stage(self) -> None:
        chosen, named = (refine(cloud(), device="cuda", scheme=scheme) for scheme in ("auto", "two-stage"))
        assert (chosen.scheme, chosen.device) == ("two-stage", "cuda")
        assert np.array_equal(chosen.mesh.points, named.mesh.points)
        assert np.array_equal(chosen.mesh.triangles, named.mesh.triangles)

    def test_a_largest_area(self) -> None:
        compare(from_points([(0, 0), (1, 0), (1, 1), (0, 1)]), 20, max_area=0.1)

    @pytest.mark.full
    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_some_dozens_of_points(self, scheme: str) -> None:
        compare(cloud(80), 25, scheme=scheme)


@pytest.mark.parametrize("scheme", ["serial", "blocks", "base"])
def test_schemes_without_a_form_on_a_gpu(scheme) -> None:
    with pytest.raises(nearly.DeviceUnavailableError, match=rf"refine\(scheme='{scheme}'\) has no form.*device='cpu'"):
        refine(cloud(), scheme=scheme, device="cuda")


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(nearly.DeviceUnavailableError, match="'cpu' or 'cuda', not 'tpu'"):
        refine(cloud(), device="tpu")  # type: ignore[arg-type]
