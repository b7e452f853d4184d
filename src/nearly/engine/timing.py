"""Time inside compiled code, and time spent compiling.

`ticks` reads the processor's counter, so that a kernel which runs many rounds in one call can say how
long each took. `compile_seconds` adds up what numba spends compiling, so that results can report it apart.
"""

from __future__ import annotations

import time
from typing import Any

from numba.core import event

from nearly.base.jit import cache_seconds


class _Outermost(event.Listener):  # type: ignore[misc]
    """Seconds between the start and the end of outermost compilations, without loading on the way: it counts itself."""

    def __init__(self) -> None:
        self.depth, self.seconds, self._since = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self._since = time.perf_counter() - cache_seconds()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - cache_seconds() - self._since


_listener = _Outermost()
event.register("numba:compile", _listener)


def note_compiling(seconds: float) -> None:
    """Count time spent compiling of which numba tells nobody, as it does for a GPU."""
    _listener.seconds += seconds


def compile_seconds() -> float:
    """Seconds this process has spent compiling kernels or loading compiled ones; differences count."""
    return _listener.seconds + cache_seconds()
