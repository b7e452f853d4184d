"""How many threads kernels use: `set_threads`, else `NEARLY_THREADS`, else the cores this process may run on.

Never more than the affinity mask allows: oversubscribed parallel regions cost 25 times more. For the same reason a run
that is not told how many threads to use goes on with one where others crowd it.

A forked child of a process that has started the threading layer has none of its threads, and GNU OpenMP ends a child
that enters a parallel region. So such a child runs all kernels in their serial form, on one thread, from then on.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from nearly.base.arguments import whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.one_at_a_time import OneAtATime

_SMALL = 1 << 16
_chosen: int | None = None
_one_at_a_time = OneAtATime()


def available_threads() -> int:
    """The cores this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def set_threads(k: int | None) -> None:
    """Use `k` threads in all kernels from now on; None goes back to the default."""
    global _chosen
    _chosen = None if k is None else checked_threads(k)


def get_threads() -> int:
    """The number of threads the next kernel will use."""
    if _chosen is not None:
        return _chosen
    wanted = os.environ.get("NEARLY_THREADS")
    if not wanted:
        return available_threads()
    if not wanted.isdigit():
        raise InvalidArgumentError(f"NEARLY_THREADS must be a whole number of at least 1, not {wanted!r}")
    return checked_threads(int(wanted))


def checked_threads(k: int) -> int:
    """`k`, limited to what the process may run on."""
    return min(whole_number("threads", k), available_threads())


class _Waiting(threading.local):
    """Where the system says how long the calling thread has waited for a core; None where it does not."""

    def __init__(self) -> None:
        self.process, self.file = os.getpid(), None
        with suppress(OSError):
            self.file = open("/proc/thread-self/schedstat", "rb", buffering=0)  # noqa: SIM115


_waiting = _Waiting()


def waited() -> float:
    """The seconds for which the calling thread could have run but had no core; 0 where the system does not say."""
    if _waiting.process != os.getpid():  # a forked child would read of its parent
        _waiting.__init__()  # type: ignore[misc]
    if _waiting.file is None:
        return 0.0
    try:
        return int(os.pread(_waiting.file.fileno(), 64, 0).split()[1]) * 1e-9
    except (OSError, ValueError, IndexError):
        return 0.0


class Crowding:
    """Whether other programs keep the cores busy, as seen from how long parallel kernels wait for a core.

    The threads of a parallel region wait for one another. Where they share cores with other programs, a region takes
    as long as the thread that was stopped last, and a short one many times as long as its work. So a run counts its
    regions' time on the clock, and how much of it the calling thread could have run but had no core. If that is more
    than SHARE, it goes on with one thread for a while, then tries again; the while doubles as long as nothing
    changes. A run that was told how many threads to use keeps them.
    """

    SHARE = 0.2
    WINDOW = 0.016  # seconds on the clock that are enough to judge by: a few slices of the system's scheduler
    LONG = 0.05  # seconds; regions that last so long lose little
    FIRST, LAST = 0.05, 2.0  # seconds with one thread

    def __init__(self) -> None:
        self.until = self._clock = self._waited = 0.0
        self._while = self.FIRST

    def run(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a parallel kernel, on one thread while the cores are busy."""
        if current.told:
            return kernel(*arguments)
        since, before = time.perf_counter(), waited()
        if since < self.until:
            return _on_one_thread(kernel, arguments)
        result = kernel(*arguments)
        now = time.perf_counter()
        if now - since < self.LONG:
            self._clock += now - since
            self._waited += waited() - before
            if self._clock > self.WINDOW:
                self._judge(now)
        return result

    def _judge(self, now: float) -> None:
        if self._waited > self.SHARE * self._clock:
            self.until = now + self._while
            self._while = min(2 * self._while, self.LAST)
        else:
            self._while = self.FIRST
        self._clock = self._waited = 0.0


def _on_one_thread(kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return kernel(*arguments)
    finally:
        numba.set_num_threads(threads)


class Current:
    """What the kernels that run now may use; `kernel_threads` says so.

    serial : whether kernels run in their serial form. The work of the outermost block decides, not the number of
        threads: the compiler may order sums otherwise in the two forms, and an answer must not depend on the threads.
    small_in_parallel : whether a number of threads that is asked for counts on small inputs too. Tests say so.
    told : whether it was said how many threads to use.
    forked : whether this process was forked from one that had threads; it has none, and gets none.
    """

    serial = False
    forked = False
    told = False
    small_in_parallel = False
    threads = 1
    depth = 0


current, crowding = Current(), Crowding()


class kernel_threads:
    """Run the kernels inside the block on `k` threads (default: `get_threads()`), then put numba back as it was.

    Little `work` (in edges) gets one thread: waking others would take longer. The block gets the number of threads. One
    block runs at a time; others wait. The threading layer is not touched for little work.
    """

    def __init__(self, k: int | None = None, work: int = _SMALL) -> None:
        self.serial = work < _SMALL and not (k is not None and current.small_in_parallel)
        self.told = k is not None
        if k is not None:
            self.wanted = checked_threads(k)
        elif work < _SMALL:
            self.wanted = 1
        else:
            self.wanted = get_threads()
            self.told = _chosen is not None or bool(os.environ.get("NEARLY_THREADS"))

    def __enter__(self) -> int:
        _one_at_a_time.acquire()
        if current.depth == 0:
            current.serial, current.told = self.serial or current.forked, self.told
        current.depth += 1
        if current.serial:
            return 1
        import numba

        self.before = numba.get_num_threads()
        threads = current.threads = min(self.wanted, numba.config.NUMBA_NUM_THREADS)
        if threads != self.before:  # setting takes longer than a tiny kernel
            numba.set_num_threads(threads)
        return threads

    def __exit__(self, *error: object) -> None:
        try:
            current.depth -= 1
            if not current.serial:
                import numba

                current.threads = self.before
                if numba.get_num_threads() != self.before:
                    numba.set_num_threads(self.before)
            if current.depth == 0:
                current.serial = current.forked
        finally:
            _one_at_a_time.release()


def _in_child() -> None:
    """After a fork: other threads are gone, with what they were doing, and so is the threading layer."""
    if not _one_at_a_time.is_mine:
        current.depth, current.serial = 0, False
    _one_at_a_time.forget_others()
    parallel = sys.modules.get("numba.np.ufunc.parallel")
    if current.forked or (parallel is not None and parallel._is_initialized):
        current.forked = current.serial = True
        current.threads = 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
