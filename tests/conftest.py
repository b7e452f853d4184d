"""Shared by all tests: the repository's root is importable, so that tests can share `tests/zoo.py`.

Idle kernel threads sleep instead of spinning: tests run in two processes on what may be two cores, where
spinning threads take the time of working ones (the suite then needs up to three times the processor time).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when the first kernel is loaded
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# where changes are judged, random cases are the same every time: a failure there can be repeated here
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")
