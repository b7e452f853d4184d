"""A lock that lets one run of kernels go at a time, whichever threads it is spread over.

Some threading layers abort when two threads start parallel regions. A run may be done by a helper thread while the
thread that called for it waits (`base.aside`), and a callback of that run may ask for another run in the calling
thread. So the lock belongs to a run, not to a thread: threads that have the same `name` may enter it together, because
only one of them is ever awake.
"""

from __future__ import annotations

import threading
from typing import Any


class _Name(threading.local):
    """What the calling thread enters the lock as: itself, unless it helps another."""

    def __init__(self) -> None:
        self.value: Any = object()


class OneAtATime:
    """The lock; re-entrant for all threads of one name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: Any = None
        self._depth = 0

    def acquire(self) -> None:
        """Wait until no other run goes on."""
        me = mine.value
        if self._owner is not me:
            self._lock.acquire()
            self._owner = me
        self._depth += 1

    def release(self) -> None:
        """Leave; the last time lets others in."""
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            self._lock.release()

    @property
    def is_mine(self) -> bool:
        """Whether the calling thread's run is the one that goes on."""
        return self._owner is mine.value

    def forget_others(self) -> None:
        """In a forked child: threads that held the lock are gone with the parent."""
        if self._owner is not None and self._owner is not mine.value:
            self._lock, self._owner, self._depth = threading.Lock(), None, 0


mine = _Name()
