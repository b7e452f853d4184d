"""How long work tells where it is: a callback `progress(stage, done, total)`; `total` is None where unknown.

Callbacks may raise to stop the work: the exception passes through unchanged.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]


def silent(stage: str, done: int, total: int | None) -> None:
    """The default: say nothing."""
