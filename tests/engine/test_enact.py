"""The loop: limits, progress, compile time, Ctrl-C, and large-diameter graphs in few calls."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.base.threads import kernel_threads
from nearly.engine.run import Did, Run

pytestmark = pytest.mark.small


def test_enact_stops_at_convergence_and_at_the_limit():
    run = Run(Graph([0], []), max_rounds=5)
    left = iter([3, 2, 1])
    assert run.enact(lambda: [Did(next(left, 0), 10)] if len(run.trace) < 3 else None)
    assert [r.frontier for r in run.trace] == [3, 2, 1]
    assert run.trace.edges == 30
    assert not run.enact(lambda: [Did(1, 1)])
    assert len(run.trace) == 5


def test_progress_is_told_and_may_stop_the_run():
    g = nearly.generate.grid(30, 30, seed=1)
    nearly.bfs(g, 0)  # compiles, which would be told too where it takes long
    told = []
    nearly.bfs(g, 0, progress=lambda *what: told.append(what))
    assert told
    assert all(stage == "bfs" for stage, _, _ in told)

    class Enough(Exception):
        pass

    def stop(stage, done, total):
        raise Enough

    with pytest.raises(Enough):
        nearly.bfs(g, 0, progress=stop)
    with kernel_threads():  # the lock was given back
        pass


def test_small_frontiers_share_a_call():
    """A long path is thousands of rounds; they must not be thousands of calls."""
    n = 20_000
    g = Graph.from_edges(np.arange(n - 1), np.arange(1, n))
    calls = []
    r = nearly.bfs(g, 0, progress=lambda *what: calls.append(what))
    assert r.values[-1] == n - 1
    assert r.rounds == n
    assert len(calls) <= n // 1000


INTERRUPTED = """
    import numpy as np, time, signal, threading, os, sys
    from numba import prange
    from nearly.base.atomics import going
    from nearly.base.jit import parallel_kernel
    from nearly.base.threads import kernel_threads
    from nearly.engine.interruptible import launch, stop_flag
    @parallel_kernel
    def spin(stop, workers, out):
        for w in prange(workers):
            x = 0.0
            while going(stop):
                for i in range(1000):
                    x += i
            out[w] = x
    stop, out = stop_flag(), np.zeros(2)
    with kernel_threads() as workers:
        stop[0] = 1
        spin(stop, workers, out)
        stop[0] = 0
        print("ready", flush=True)
        try:
            launch(spin, stop, workers, out, stop=stop, work=1 << 40)
        except KeyboardInterrupt:
            print("interrupted", stop[0], flush=True)
"""


def test_ctrl_c_reaches_a_running_kernel():
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        assert child.stdout.readline().strip() == "ready"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out.split() == ["interrupted", "0"]
