"""How long work tells where it is: a callback `progress(stage, done, total)`; `total` is None where unknown.

Callbacks may raise to stop the work: the exception passes through unchanged. Where a person watches (a terminal, a
notebook) and no callback is given, work of more than a second shows a bar by itself (`base.progress_display`):
`set_progress(False)` or NEARLY_PROGRESS=0 turns that off, and 1 turns it on everywhere. Only the outermost work shows
one; what it calls has none of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[str, int, int | None], None]


def silent(stage: str, done: int, total: int | None) -> None:
    """Say nothing."""


class Automatic:
    """Whether bars show themselves, and the outermost work that has one.

    on : whether work shows a bar where no callback is given; None until it is found out, once.
    """

    def __init__(self) -> None:
        self.on: bool | None = None
        self._busy = False
        self._display: Any = None

    def begin(self, stage: str) -> Progress | None:
        """The callback of work that begins; None where it has no bar of its own. `end` follows unless it is None."""
        if self.on is None:
            self.on = _wanted()
        if self._busy or not self.on:
            return None
        if self._display is None:
            from nearly.base.progress_display import Watcher

            self._display = Watcher()
        self._busy = True
        return self._display.begin(stage)

    def end(self) -> None:
        """The work is over."""
        self._display.end()
        self._busy = False

    @contextmanager
    def following(self, progress: Progress | None, stage: str) -> Iterator[Progress]:
        """The callback to tell in the block: the given one, or that of a bar; nothing within it has another bar."""
        told = self.begin(stage) if progress is None else None
        was, self._busy = self._busy, True
        try:
            yield progress or told or silent
        finally:
            self._busy = was
            if told is not None:
                self.end()


automatic = Automatic()
following = automatic.following


def set_progress(on: bool | None) -> None:
    """Whether long work shows a bar in terminals and notebooks; None is as by default, where a person watches.

    Parameters
    ----------
    on : bool or None
        True for bars everywhere, False for none. `NEARLY_PROGRESS=0` does the same from outside.

    Examples
    --------
    >>> import nearly
    >>> nearly.set_progress(False)
    >>> nearly.set_progress(None)
    """
    from nearly.base.arguments import flag

    automatic.on = None if on is None else flag("on", on)


def _wanted() -> bool:
    said = os.environ.get("NEARLY_PROGRESS", "")
    return said not in ("0", "no", "off", "false") if said else watched()


def watched() -> bool:
    """Whether a person reads what is shown: a terminal, or a notebook."""
    return in_notebook() or bool(sys.stderr is not None and sys.stderr.isatty())


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    return running is not None and getattr(running, "kernel", None) is not None
