"""Shared by all tests: the repository's root is importable, so that tests can share `tests/zoo.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
