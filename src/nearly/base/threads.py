"""How many threads kernels use: `set_threads`, else `NEARLY_THREADS`, else the cores this process may run on.

Never more than the affinity mask allows: oversubscribed parallel regions cost 25 times more.
"""

from __future__ import annotations

import os
import threading

from nearly.base.arguments import whole_number
from nearly.base.errors import InvalidArgumentError

_SMALL = 1 << 16
_chosen: int | None = None
_one_at_a_time = threading.RLock()  # some threading layers abort when two threads start parallel regions


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


class Current:
    """What the kernels that run now may use; `kernel_threads` says so.

    serial : whether kernels run in their serial form. It is decided by the outermost block: inside a parallel one, a
        block of one thread runs the parallel form on one thread, which is compiled already.
    """

    serial = False
    depth = 0


current = Current()


class kernel_threads:
    """Run the kernels inside the block on `k` threads (default: `get_threads()`), then put numba back as it was.

    Where `k` is left open, little `work` (in edges) gets one thread: waking others would take longer. The block gets
    the number of threads. One block runs at a time; others wait. The threading layer is not touched for one thread.
    """

    def __init__(self, k: int | None = None, work: int = _SMALL) -> None:
        self.wanted = checked_threads(k) if k is not None else 1 if work < _SMALL else get_threads()

    def __enter__(self) -> int:
        _one_at_a_time.acquire()
        if current.depth == 0:
            current.serial = self.wanted == 1
        current.depth += 1
        if current.serial:
            return 1
        import numba

        self.before = numba.get_num_threads()
        threads = min(self.wanted, numba.config.NUMBA_NUM_THREADS)
        if threads != self.before:  # setting takes longer than a tiny kernel
            numba.set_num_threads(threads)
        return threads

    def __exit__(self, *error: object) -> None:
        try:
            current.depth -= 1
            if not current.serial:
                import numba

                if numba.get_num_threads() != self.before:
                    numba.set_num_threads(self.before)
            if current.depth == 0:
                current.serial = False
        finally:
            _one_at_a_time.release()
