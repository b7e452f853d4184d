"""Bars that show how far work is: in a terminal by rich, in a notebook as a line of HTML. Nothing is drawn at first.

A bar follows a callback `progress(stage, done, total)`. Text behind a colon in the stage only says what is being done
just now: the bar goes on, and so does its estimate of the time left. Bars are drawn from another thread than the
work's, so that work which never calls back, such as compilation, still shows that it is alive. `Watcher` keeps one such
thread, which sleeps while nothing runs: a call that is over soon pays for two assignments and no thread.
"""

from __future__ import annotations

import threading
import time
from html import escape
from typing import TYPE_CHECKING, Any

from nearly.base.progress import Progress, in_notebook

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0  # seconds before anything is drawn
_LOOK = 0.2  # seconds between two looks of the watcher
_IDLE = 25  # looks without work after which it sleeps


class TerminalBar:
    """One line on standard error that shows the present stage."""

    def __init__(self, stage: str, forced: bool = False) -> None:
        self._state: tuple[str, int, int | None] = (stage, 0, None)
        self._forced = forced
        self._lock = threading.Lock()
        self._drawn: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None
        self._task_stage = ""
        self._over = False

    def start(self) -> None:
        """Draw from now on."""
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
        """The callback."""
        with self._lock:
            self._state = (stage, done, total)
            if self._drawn is not None:
                self._draw()

    def look(self) -> None:
        """Nothing to do: rich draws by itself."""

    def stop(self) -> None:
        """Take the line away."""
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


class NotebookBar:
    """A line below a notebook's cell, drawn by the watcher and not by the work; it goes when the work is over."""

    def __init__(self, stage: str) -> None:
        self._state: tuple[str, int, int | None] = (stage, 0, None)
        self._since = time.monotonic()
        self._shown: Any = None

    def start(self) -> None:
        """Draw from now on."""
        from IPython.display import HTML, display

        self._shown = display(HTML(self._html()), display_id=True)

    def update(self, stage: str, done: int, total: int | None) -> None:
        """The callback."""
        self._state = (stage, done, total)

    def look(self) -> None:
        """Draw it anew."""
        if self._shown is not None:
            from IPython.display import HTML

            self._shown.update(HTML(self._html()))

    def stop(self) -> None:
        """Take the line away."""
        if self._shown is not None:
            from IPython.display import HTML

            self._shown.update(HTML(""))

    def _html(self) -> str:
        stage, done, total = self._state
        bar = f'<progress value="{done}" max="{total}"></progress> {done:,} of {total:,}' if total else ""
        return f"<div>{escape(stage)} {bar} {time.monotonic() - self._since:.0f} s</div>"


class Watcher:
    """Shows a bar for the work that runs once it has taken `PATIENCE` seconds."""

    def __init__(self) -> None:
        self._bar: TerminalBar | NotebookBar | None = None
        self._due = 0.0
        self._drawn = False
        self._awake, self._lock = threading.Event(), threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, stage: str) -> Progress:
        """Work begins; the callback that its bar follows."""
        bar = NotebookBar(stage) if in_notebook() else TerminalBar(stage)
        self._due, self._drawn, self._bar = time.monotonic() + PATIENCE, False, bar
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="nearly-progress", daemon=True)
            self._thread.start()
        if not self._awake.is_set():
            self._awake.set()
        return bar.update

    def end(self) -> None:
        """The work is over."""
        with self._lock:
            bar, self._bar = self._bar, None
            if bar is not None and self._drawn:
                bar.stop()

    def _watch(self) -> None:
        idle = 0
        while True:
            self._awake.wait()
            time.sleep(min(_LOOK, PATIENCE))
            with self._lock:
                self._look()
                idle = 0 if self._bar is not None else idle + 1
            if idle > _IDLE:
                idle = 0
                self._awake.clear()
                if self._bar is not None:  # work began just now
                    self._awake.set()

    def _look(self) -> None:
        if self._bar is None or time.monotonic() < self._due:
            return
        if self._drawn:
            self._bar.look()
        else:
            self._drawn = True
            self._bar.start()
