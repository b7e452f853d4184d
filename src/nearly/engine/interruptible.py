"""Kernels that can be interrupted, by Ctrl-C or by a deadline.

A compiled call does not see Ctrl-C until it returns. So a launch that may take long is done aside (`base.aside`):
kernels poll a stop flag whenever they take a new piece of work, and the main thread raises it. Short launches run at
once, without the hand-over. A deadline raises the same flag by a timer, and ends a launch by `OutOfTime`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from nearly.base.aside import aside, stoppable

SHORT = 1 << 22  # edges that take some tens of milliseconds


def stop_flag() -> np.ndarray:
    """What a kernel polls: one element, 0 while it may go on."""
    return np.zeros(1, np.uint32)


class OutOfTime(Exception):
    """The deadline of a run has passed; caught by what set it."""


def launch(
    kernel: Callable[..., Any], *arguments: Any, stop: np.ndarray, work: int, deadline: float | None = None
) -> Any:
    """Call `kernel(*arguments)`; with more than a short `work` (in edges), stay interruptible through `stop`."""
    if deadline is not None and time.perf_counter() > deadline:
        raise OutOfTime
    if work < SHORT:
        return kernel(*arguments)
    call = partial(stoppable, kernel, arguments, stop)
    return aside(call if deadline is None else partial(_until, deadline, call, stop))


def _until(deadline: float, call: Callable[[], Any], stop: np.ndarray) -> Any:
    """What the call returns, unless it takes until the deadline."""
    late = threading.Event()

    def ring() -> None:
        late.set()
        stop[0] = 1

    alarm = threading.Timer(max(deadline - time.perf_counter(), 0.0), ring)
    alarm.daemon = True
    alarm.start()
    try:
        result = call()
    finally:
        alarm.cancel()
        alarm.join()
    if late.is_set():
        stop[0] = 0
        raise OutOfTime
    return result
