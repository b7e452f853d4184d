"""Memory is estimated before it is allocated.

The budget is `NEARLY_MEMORY` (bytes, or with a suffix K, M, G, T), else what the machine, the control group and the
limits of the process (`ulimit -v`, `ulimit -d`) leave free. `require` is called with an estimate before every
allocation whose size a user or a file decides. To ask the system costs as much as a small run, so what is a small part
of what was free a moment ago is let through without asking again.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from nearly.base.errors import InvalidArgumentError, MemoryBudgetError

_NOTHING = 1 << 20  # bytes that are not worth asking the system
_SMALL_PART, _MOMENT = 16, 1.0  # of what was free; seconds
_RESERVE = 256 << 20  # bytes of a process's limit that threads, their heaps and the compiler get
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class _Seen:
    """What was free when the system was last asked, and when that was."""

    free, when = 0, -_MOMENT


def memory_budget() -> int:
    """Bytes that new allocations may take."""
    wanted = os.environ.get("NEARLY_MEMORY", "").strip()
    if wanted:
        return parsed_bytes("NEARLY_MEMORY", wanted)
    _Seen.free, _Seen.when = min(_machine_free(), _group_free(), _process_free()), time.monotonic()
    return _Seen.free


def parsed_bytes(name: str, text: str) -> int:
    """`8G` or `500MB` as bytes; `name` is the setting an error speaks of."""
    wanted = text.upper().removesuffix("IB").removesuffix("B")
    number, unit = (wanted[:-1], _UNITS[wanted[-1]]) if wanted[-1:] in _UNITS else (wanted, 1)
    try:
        return int(float(number) * unit)
    except (ValueError, OverflowError):
        raise InvalidArgumentError(f"{name} must be a size such as 8G or 500M, not {text!r}") from None


def require(nbytes: int, what: str) -> None:
    """Raise `MemoryBudgetError` if `what` would take more than the budget."""
    if "NEARLY_MEMORY" not in os.environ:
        recently = time.monotonic() - _Seen.when < _MOMENT
        if nbytes < _NOTHING or (recently and nbytes < _Seen.free // _SMALL_PART):
            return
    budget = memory_budget()
    if nbytes > budget:
        raise MemoryBudgetError(
            f"{what} needs about {human_bytes(nbytes)}, the budget is {human_bytes(budget)}; "
            "use a smaller input, free memory, or raise NEARLY_MEMORY"
        )


def refused(what: str) -> MemoryBudgetError:
    """The error for memory that was announced, or is too little to be, and that the system did not give."""
    return MemoryBudgetError(
        f"the system has no more memory for {what}; use a smaller input, free memory, or raise the process's limits"
    )


def human_bytes(nbytes: float) -> str:
    """`1536` -> `1.5 KiB`."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if nbytes < 1024 or unit == "PiB":
            return f"{nbytes:.0f} {unit}" if unit == "B" else f"{nbytes:.1f} {unit}"
        nbytes /= 1024
    raise AssertionError("unreachable")


def _machine_free() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30


def _group_free() -> int:
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return max(0, int(limit) - used) if limit != "max" else 1 << 62
    except (OSError, ValueError):
        return 1 << 62


def _process_free() -> int:
    """What limits of this process leave of its address space and of its data."""
    try:
        import resource
    except ImportError:  # no such limits on this system
        return 1 << 62
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    if all(limit == resource.RLIM_INFINITY for limit in limits):
        return 1 << 62
    try:
        pages = [int(word) for word in Path("/proc/self/statm").read_text().split()]
        used = [count * os.sysconf("SC_PAGE_SIZE") for count in (pages[0], pages[5])]
    except (OSError, ValueError, IndexError):
        used = [0, 0]
    free = (limit - size for limit, size in zip(limits, used) if limit != resource.RLIM_INFINITY)
    return max(0, min(free) - _RESERVE)
