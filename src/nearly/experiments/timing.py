"""Timing for experiments: contestants in one process, warmed up, interleaved, the median of several runs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any


def interleaved(contestants: dict[str, Callable[[], Any]], repeat: int = 5, limit: float = 30.0) -> dict[str, float]:
    """Median seconds of each contestant; one whose warm-up takes over `limit` seconds is not run again."""
    warm: dict[str, float] = {}
    for name, call in contestants.items():
        call()  # compiles
        since = time.perf_counter()
        call()
        warm[name] = time.perf_counter() - since
    runs: dict[str, list[float]] = {name: [seconds] for name, seconds in warm.items()}
    for _ in range(repeat - 1):
        for name, call in contestants.items():
            if warm[name] <= limit:
                since = time.perf_counter()
                call()
                runs[name].append(time.perf_counter() - since)
    return {name: statistics.median(taken) for name, taken in runs.items()}
