"""Progress bars of commands, on standard error: nothing is drawn in the first second; see `base.progress_display`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from nearly.base.progress import Progress, following, silent
from nearly.base.progress_display import TerminalBar
from nearly.cli import output

PATIENCE = 1.0  # seconds before anything is drawn


@contextmanager
def bars(stage: str = "working") -> Iterator[Progress]:
    """A callback for the work in the block; the bar disappears when the block ends."""
    wanted = output.settings.progress
    if not (sys.stderr.isatty() if wanted is None else wanted):
        with following(silent, stage):
            yield silent
        return
    display = TerminalBar(stage, forced=bool(wanted))
    timer = threading.Timer(PATIENCE, display.start)
    timer.daemon = True
    timer.start()
    try:
        with following(display.update, stage):
            yield display.update
    finally:
        timer.cancel()
        display.stop()
