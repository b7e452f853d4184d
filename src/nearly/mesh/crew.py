"""Python threads that share the calls of serial kernels, which hold no GIL.

For work that falls into pieces which no thread has to wait for, and of which each takes long beside a call from Python.
Nothing is compiled for it, and threads that get less of a core than others take fewer pieces.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


def in_turns(workers: int, count: int, work: Callable[[int, int], Any]) -> list[Any]:
    """What `work(piece, worker)` returns for each of `count` pieces, each done by one of so many threads.

    The calling thread is one of them. What any of them raises, Ctrl-C included, ends them all, and is raised here.
    """
    made: list[Any] = [None] * count
    failed: list[BaseException] = []
    pieces = iter(range(count))

    def go(worker: int) -> None:
        try:
            for piece in pieces:
                made[piece] = work(piece, worker)
                if failed:
                    return
        except BaseException as error:
            failed.append(error)

    others = [threading.Thread(target=go, args=(worker,)) for worker in range(1, min(workers, count))]
    for thread in others:
        thread.start()
    try:
        go(0)
    finally:
        _join(others, failed)
    if failed:
        raise failed[0]
    return made


def _join(threads: list[threading.Thread], failed: list[BaseException]) -> None:
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except BaseException as error:
                failed.append(error)


def in_shares(workers: int, size: int, work: Callable[[int, int], Any]) -> list[Any]:
    """What `work(low, high)` returns for each thread's share of the numbers below `size`."""
    return in_turns(workers, workers, lambda k, _: work(k * size // workers, (k + 1) * size // workers))
