"""The engine's kernels run in both forms with bounds checks too."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _both_forms(parallel_with_bounds_checks: None) -> None:
    """See `tests/conftest.py`."""
