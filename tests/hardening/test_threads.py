"""Python threads, asyncio, and a process that is interrupted again and again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

import nearly
from nearly.base.threads import current

G = nearly.generate.rmat(7, 6, seed=2)


def ask(turn: int) -> np.ndarray:
    source = turn % 5
    return nearly.bfs(G, source, threads=1 + turn % 2).values if turn % 3 else nearly.pagerank(G).values


def test_several_threads_get_what_one_gets():
    wanted = [ask(turn) for turn in range(30)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(30)))
    assert all(np.array_equal(one, other) for one, other in zip(found, wanted, strict=True))
    assert (current.depth, current.serial) == (0, False)


def test_an_event_loop_stays_awake():
    async def all_of_them():
        return await asyncio.gather(*(asyncio.to_thread(ask, turn) for turn in range(6)))

    for one, other in zip(asyncio.run(all_of_them()), map(ask, range(6)), strict=True):
        assert np.array_equal(one, other)


def test_errors_leave_no_lock_behind():
    def stop(*_):
        raise LookupError

    for _ in range(3):
        with pytest.raises(LookupError):
            nearly.pagerank(G, progress=stop)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ask, 1).result(60) is not None


INTERRUPTED = """
    import faulthandler, threading, time
    import numpy as np
    from numba import prange
    from nearly.base.atomics import fetch_add, going
    from nearly.base.jit import parallel_kernel
    from nearly.base.threads import current, kernel_threads
    from nearly.engine.interruptible import launch, stop_flag
    faulthandler.enable()
    @parallel_kernel
    def spin(stop, out):
        for w in prange(out.size):
            while going(stop):
                fetch_add(out, w, np.uint64(1))
    def cell(stop, out):
        with kernel_threads(2):
            launch(spin, stop, out, stop=stop, work=1 << 40)
    def told(turn, out):  # a signal before the kernel runs might be seen outside of the block below
        while not out.any():
            time.sleep(0.001)
        print("cell", turn, flush=True)
    cell(np.ones(1, np.uint32), np.zeros(2, np.uint64))
    for turn in range(10):
        out = np.zeros(2, np.uint64)
        teller = threading.Thread(target=told, args=(turn, out))
        teller.start()
        try:
            cell(stop_flag(), out)
        except KeyboardInterrupt:
            print("interrupted", current.depth, flush=True)
        teller.join()
    cell(np.ones(1, np.uint32), np.zeros(2, np.uint64))
    print("done", flush=True)
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing to interrupt")
def test_a_notebook_that_is_interrupted_ten_times():
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(INTERRUPTED)], stdout=subprocess.PIPE, text=True)
    try:
        for turn in range(10):
            assert child.stdout.readline() == f"cell {turn}\n"
            os.kill(child.pid, signal.SIGINT)
            assert child.stdout.readline() == "interrupted 0\n"
        assert child.stdout.readline() == "done\n"
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.stdout.close()
