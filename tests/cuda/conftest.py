"""Which of the CUDA tests can run in this process: those that compile, or those that need numba's simulator."""

from __future__ import annotations

import pytest
from tests.cuda.ptx import INSTALLED, SIMULATED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("cuda") and not INSTALLED:
            item.add_marker(pytest.mark.skip(reason="numba-cuda is not installed: pip install '.[cuda]'"))
        elif item.get_closest_marker("simulator") and not SIMULATED:
            item.add_marker(pytest.mark.skip(reason="runs in numba's simulator: NUMBA_ENABLE_CUDASIM=1 pytest -m cuda"))
        elif item.get_closest_marker("compiled") and SIMULATED:
            item.add_marker(pytest.mark.skip(reason="compiles kernels, which the simulator does not"))
