"""One folder for the files of a process of the campaign, in memory where the system has a place for that.

To make, fill and remove a folder a case took most of the time of the parts that need one.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

IN_MEMORY = Path("/dev/shm")


@cache
def folder() -> Path:
    """The folder; it goes with the process."""
    made = Path(tempfile.mkdtemp(prefix="nearly-campaign-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
