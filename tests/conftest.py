"""Shared by all tests: the repository's root is importable, so that tests can share `tests/zoo.py`.

Idle kernel threads sleep instead of spinning: tests run in two processes on what may be two cores, where
spinning threads take the time of working ones (the suite then needs up to three times the processor time).
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path

import hypothesis
import numba
import pytest

from nearly.base.threads import current

LONG_TESTS = ("test_suite.py",)  # NetworkX's own tests, in a process of their own
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when the first kernel is loaded
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script; tests of Ctrl-C need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The settings a test writes for itself (max_examples, ...) are added to the profile loaded here, before any test is
# imported. Fixed: random cases follow from the test's own text, so that a change is judged by the same ones everywhere.
hypothesis.settings.register_profile("fixed", derandomize=True, database=None, deadline=None, print_blob=True)
hypothesis.settings.register_profile("full", derandomize=False, database=None, deadline=None, print_blob=True)


@pytest.fixture(scope="session", autouse=True)
def parallel_kernels_on_small_inputs():
    """A test that asks for two threads gets them, and the kernels for them, however small its input is.

    With bounds checks, which compile everything again, only those that say so: both forms of a kernel are one text.
    """
    current.small_in_parallel = not numba.config.BOUNDSCHECK


@pytest.fixture
def parallel_with_bounds_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that together run all kernels for several threads."""
    monkeypatch.setattr(current, "small_in_parallel", True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files in an order that keeps two processes busy to the end: those of long single tests, then by their tests."""
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.name not in LONG_TESTS, -tests[item.path], item.path))


def pytest_configure(config: pytest.Config) -> None:
    """Free drawing where the long tests run too (`pytest -m ''`); a failure prints how to repeat it."""
    if not config.getoption("--hypothesis-profile", None):
        hypothesis.settings.load_profile("full" if config.option.markexpr.strip() in ("", "full") else "fixed")
