"""Kernels that can be interrupted, by Ctrl-C or by a deadline.

A compiled call does not see Ctrl-C until it returns. So a launch that may take long is done aside (`base.aside`):
kernels poll a stop flag whenever they take a new piece of work, and the main thread raises it. Short launches run at
once, without the hand-over. A deadline raises the same flag by an alarm clock, and ends a launch by `OutOfTime`.
"""

from __future__ import annotations

import math
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


_NAP = 3600.0  # seconds: a deadline may be later than the system can wait


class _AlarmClock:
    """Raises stop flags at their deadlines, from one thread that sleeps until the first of them."""

    def __init__(self) -> None:
        self._set: dict[object, tuple[float, np.ndarray]] = {}
        self._changed = threading.Condition()
        self._wakes = math.inf
        self._thread: threading.Thread | None = None

    def arm(self, deadline: float, stop: np.ndarray) -> object:
        """Raise the flag then, unless the name that is returned is disarmed before."""
        name = object()
        with self._changed:
            self._set[name] = deadline, stop
            if self._thread is None or not self._thread.is_alive():
                self._wakes, self._thread = -math.inf, threading.Thread(target=self._ring, daemon=True)
                self._thread.start()
            elif deadline < self._wakes:
                self._changed.notify()
        return name

    def disarm(self, name: object) -> bool:
        """Whether it has rung."""
        with self._changed:
            return self._set.pop(name, None) is None

    def _ring(self) -> None:
        with self._changed:
            while True:
                now = time.perf_counter()
                for name, (deadline, stop) in list(self._set.items()):
                    if deadline <= now:
                        stop[0] = 1
                        del self._set[name]
                self._wakes = min((deadline for deadline, _ in self._set.values()), default=math.inf)
                self._changed.wait(min(max(self._wakes - time.perf_counter(), 0.0), _NAP))


_alarm = _AlarmClock()


def launch(
    kernel: Callable[..., Any], *arguments: Any, stop: np.ndarray, work: int, deadline: float | None = None
) -> Any:
    """Call `kernel(*arguments)`; with more than a short `work` (in edges), stay interruptible through `stop`."""
    if deadline is not None:
        return _until(deadline, kernel, arguments, stop)
    if work < SHORT:
        return kernel(*arguments)
    return aside(partial(stoppable, kernel, arguments, stop))


def _until(deadline: float, kernel: Callable[..., Any], arguments: tuple[Any, ...], stop: np.ndarray) -> Any:
    """What the call returns, unless it takes until the deadline."""
    if time.perf_counter() > deadline:
        raise OutOfTime
    name, late = _alarm.arm(deadline, stop), False
    try:
        result = aside(partial(stoppable, kernel, arguments, stop))
    finally:
        late = _alarm.disarm(name)
        if late:
            stop[0] = 0
    if late:
        raise OutOfTime
    return result
