"""How busy other programs keep the cores while something is measured.

Linux counts the time that each core works, whatever for; what this process and its children used is taken away. Where
the system does not say, nothing is known.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

BUSY = 0.1  # the share of the cores used by others from which on measured times are doubtful
_IDLE = (3, 4)  # the columns of /proc/stat that count idle time
_COLUMNS = 8  # those behind count time of guests a second time


class OtherPrograms:
    """What other programs use of the cores from when it is made; `share` says it."""

    def __init__(self) -> None:
        self._since, self._worked, self._own = time.monotonic(), _worked(), _own()

    def share(self) -> float | None:
        """The share of the cores' time that others used since; None where it is not known or too little time passed."""
        worked, elapsed = _worked(), time.monotonic() - self._since
        if worked is None or self._worked is None or elapsed < 0.2:
            return None
        others = worked - self._worked - (_own() - self._own)
        return min(max(others / (elapsed * len(_cores())), 0.0), 1.0)


def _cores() -> set[int]:
    try:
        return os.sched_getaffinity(0)
    except AttributeError:
        return set(range(os.cpu_count() or 1))


def _own() -> float:
    return sum(os.times()[:4])


def _worked() -> float | None:
    """Seconds for which the cores that this process may use have worked since the system began."""
    with suppress(OSError, ValueError, AttributeError), open("/proc/stat", encoding="ascii") as file:
        wanted = {f"cpu{core}" for core in _cores()}
        lines = [line.split() for line in file if line.split(" ", 1)[0] in wanted]
        ticks = sum(
            int(number)
            for _, *numbers in lines
            for column, number in enumerate(numbers[:_COLUMNS])
            if column not in _IDLE
        )
        return ticks / os.sysconf("SC_CLK_TCK") if lines else None
    return None
