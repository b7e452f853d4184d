"""Where `nearly` keeps what it may lose: the user's cache directory, readable by the user alone."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """`NEARLY_CACHE_DIR`, else `XDG_CACHE_HOME/nearly`, else `~/.cache/nearly`; made with mode 0700."""
    chosen = os.environ.get("NEARLY_CACHE_DIR")
    if chosen:
        path = Path(chosen)
    else:
        path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nearly"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
