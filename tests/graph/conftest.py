"""What several tests of graphs take: a number of threads for one test."""

from __future__ import annotations

import pytest

import nearly


@pytest.fixture
def on_threads():
    """`set_threads`, put back afterwards."""
    yield nearly.set_threads
    nearly.set_threads(None)
