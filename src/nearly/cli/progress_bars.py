"""Progress bars on standard error, for work that lasts: nothing is drawn in the first second.

The bar follows a callback `progress(stage, done, total)`. Text behind a colon in the stage only says what is being done
just now: the bar goes on, and so does its estimate of the time left. A timer draws the bar, not the callback, so that
work which never calls it, such as compilation, still shows that it is alive.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nearly.base.progress import Progress, silent
from nearly.cli import output

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0  # seconds before anything is drawn


@contextmanager
def bars(stage: str = "working") -> Iterator[Progress]:
    """A callback for the work in the block; the bar disappears when the block ends."""
    wanted = output.settings.progress
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield silent
        return
    display = _Bars(stage, forced=bool(wanted))
    timer = threading.Timer(PATIENCE, display.start)
    timer.daemon = True
    timer.start()
    try:
        yield display.update
    finally:
        timer.cancel()
        display.stop()


class _Bars:
    """One line that shows the present stage."""

    def __init__(self, stage: str, forced: bool) -> None:
        self._state: tuple[str, int, int | None] = (stage, 0, None)
        self._forced = forced
        self._lock = threading.Lock()
        self._drawn: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None
        self._task_stage = ""
        self._over = False

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with self._lock:
            if self._over:
                return
            screen = Console(stderr=True, force_terminal=self._forced or None)
            self._drawn = Progress(*columns, console=screen, transient=True)
            self._drawn.start()
            self._draw()

    def update(self, stage: str, done: int, total: int | None) -> None:
        with self._lock:
            self._state = (stage, done, total)
            if self._drawn is not None:
                self._draw()

    def stop(self) -> None:
        with self._lock:
            self._over = True
            if self._drawn is not None:
                self._drawn.stop()

    def _draw(self) -> None:
        assert self._drawn is not None
        stage, done, total = self._state
        kind = stage.partition(":")[0]
        if self._task is None or kind != self._task_stage:
            if self._task is not None:
                self._drawn.remove_task(self._task)
            self._task, self._task_stage = self._drawn.add_task(stage, total=total), kind
        self._drawn.update(self._task, description=stage, completed=done, total=total)
