"""Kernels that can be interrupted.

A compiled call does not see Ctrl-C until it returns. So a launch that may take long runs in one worker
thread (kernels hold no GIL) while the calling thread waits; on Ctrl-C it raises the stop flag that
kernels poll whenever they take a new piece of work, waits for them to leave, and raises as usual.
Short launches run at once, without the hand-over. `kernel_threads` lets one launch run at a time. A deadline ends a
launch in the same way, by `OutOfTime`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from nearly.base.threads import current

SHORT = 1 << 22  # edges that take some tens of milliseconds
_worker: ThreadPoolExecutor | None = None


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
    if work < SHORT or threading.current_thread() is not threading.main_thread():
        return kernel(*arguments)
    threads = None
    if not current.serial:
        import numba

        threads = numba.get_num_threads()

    def there() -> Any:
        if threads is not None:
            numba.set_num_threads(threads)  # numba counts threads per calling thread
        return kernel(*arguments)

    future = _executor().submit(there)
    try:
        return _wait(future, deadline)
    except BaseException:
        stop[0] = 1
        future.exception()
        stop[0] = 0
        raise


def _wait(future: Future[Any], deadline: float | None) -> Any:
    while True:
        left = 0.1 if deadline is None else min(0.1, max(deadline - time.perf_counter(), 0.0))
        try:
            return future.result(timeout=left)
        except TimeoutError:
            if future.done():
                return future.result()
            if deadline is not None and time.perf_counter() > deadline:
                raise OutOfTime from None


def _executor() -> ThreadPoolExecutor:
    global _worker
    if _worker is None:
        _worker = ThreadPoolExecutor(1, thread_name_prefix="nearly-kernels")
    return _worker
