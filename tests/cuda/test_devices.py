"""What happens where `device=` cannot be had; these tests need neither numba-cuda nor its simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from tests.cuda.ptx import SIMULATED

import nearly
from nearly import Graph
from nearly.engine import devices

G = Graph.from_edges([0, 1], [1, 2])


def test_without_numba_cuda_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    with pytest.raises(nearly.DeviceUnavailableError, match=r"pip install 'nearly\[cuda\]'"):
        nearly.bfs(G, 0, device="cuda")


def refine_a_mesh() -> None:
    nearly.mesh.refine(nearly.mesh.from_points([(0, 0), (1, 0), (0, 1)]), device="cuda")


@pytest.mark.cuda
@pytest.mark.skipif(SIMULATED, reason="the simulator stands in for a GPU")
@pytest.mark.parametrize("call", [lambda: nearly.bfs(G, 0, device="cuda"), refine_a_mesh], ids=["bfs", "refine"])
def test_without_a_gpu_the_error_says_what_is_missing(call: Callable[[], object]) -> None:
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(nearly.DeviceUnavailableError, match=r"NVIDIA GPU.*NUMBA_ENABLE_CUDASIM=1"):
        call()


def test_unknown_devices_and_algorithms_without_a_form_are_refused() -> None:
    with pytest.raises(nearly.DeviceUnavailableError, match="'cpu' or 'cuda', not 'tpu'"):
        nearly.bfs(G, 0, device="tpu")
    with pytest.raises(nearly.DeviceUnavailableError, match="mst has no form for device 'cuda'"):
        nearly.mst(G, device="cuda")


def test_a_run_on_the_cpu_imports_nothing_of_cuda() -> None:
    code = (
        "import sys, nearly; nearly.bfs(nearly.Graph.from_edges([0], [1]), 0)\n"
        "nearly.mesh.refine(nearly.mesh.from_points([(0, 0), (4, 0), (4, 1)]), 10, max_area=1)\n"
        "heavy = ('nearly.engine.cuda', 'nearly.algorithms.cuda.', 'nearly.mesh.cuda', 'numba.cuda')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
