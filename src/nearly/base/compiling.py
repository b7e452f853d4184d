"""Saying that something compiles, once it has taken a second: where a person watches, or to the `progress` of the call.

A first call may wait for the compiler, which a user otherwise takes for a slow algorithm. The line is printed to the
terminal's error stream, once for each public function; nothing is printed where no person would read it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from nearly.base.progress import watched

_PATIENCE = 1.0  # seconds


class Compiling:
    """What is being compiled for, since when, and what was said of it.

    task : the public function that runs.
    progress : what hears of it instead of the terminal; see `nearly.base.progress`.
    spent : seconds for which it has compiled; a public function that begins sets these three.
    """

    def __init__(self) -> None:
        self.task = ""
        self.progress: Callable[..., Any] | None = None
        self._since: float | None = None
        self.spent = 0.0
        self._said: set[str] = set()

    def begin(self) -> None:
        """A compilation begins."""
        self._since = time.perf_counter()

    def look(self) -> None:
        """Say so if this public function has compiled for long."""
        if self._since is None or self.task in self._said:
            return
        if self.spent + time.perf_counter() - self._since > _PATIENCE:
            self._said.add(self.task)
            self._say()

    @property
    def going(self) -> float:
        """For how many seconds the compilation under way has gone on; 0 where there is none."""
        since = self._since
        return 0.0 if since is None else time.perf_counter() - since

    def end(self) -> None:
        """A compilation ends."""
        if self._since is not None:
            self.spent += time.perf_counter() - self._since
            self._since = None

    def _say(self) -> None:
        line = f"compiling {self.task}, once" if self.task else "compiling, once"
        if self.progress is not None:
            self.progress(line, 0, None)
        elif watched():
            print(f"{line} ...", file=sys.stderr, flush=True)


compiling = Compiling()
