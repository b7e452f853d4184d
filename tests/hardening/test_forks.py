"""Children made by fork: they work, with serial kernels, also where another thread was computing or compiling."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numba
import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or numba.config.DISABLE_JIT, reason="there is no fork, or nothing that a fork would break"
)

COMMON = """
    import os, sys, threading, time
    import numpy as np
    from numba import prange
    from nearly.base.atomics import going
    from nearly.base.jit import parallel_kernel
    from nearly.base.threads import current, kernel_threads

    @parallel_kernel
    def squares(stop, out):
        for i in prange(out.size):
            out[i] = i * i
            while going(stop):
                pass

    def once():
        out = np.zeros(100, np.int64)
        with kernel_threads(2):
            squares(np.ones(1, np.uint32), out)
        return int(out.sum())

    def child(work):
        pid = os.fork()
        if pid == 0:
            ok = False
            try:
                ok = bool(work())
            finally:
                os._exit(0 if ok else 1)
        for _ in range(1200):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status
            time.sleep(0.05)
        os.kill(pid, 9)
        return "hangs"

    wanted = once()
    assert wanted == sum(i * i for i in range(100))
"""
CASES = {
    "after use": "print(child(lambda: once() == wanted and current.forked))",
    "a child of a child": "print(child(lambda: child(lambda: once() == wanted) == 0))",
    "inside a block": "with kernel_threads(2):\n    print(child(lambda: once() == wanted))\nassert once() == wanted",
    "while another thread computes": """
        stop = np.zeros(1, np.uint32)
        def long():
            with kernel_threads(2):
                squares(stop, np.zeros(4, np.int64))
        other = threading.Thread(target=long)
        other.start()
        while not current.depth:
            time.sleep(0.01)
        print(child(lambda: once() == wanted))
        stop[0] = 1
        other.join()
        assert once() == wanted and not current.forked
    """,
    "while another thread compiles": """
        from numba.core.caching import NullCache
        from nearly.base.jit import kernel
        begun = threading.Event()
        from nearly.base import jit
        before = jit.compiling.begin
        jit.compiling.begin = lambda: (begun.set(), time.sleep(0.5), before())
        @kernel
        def fresh(x):
            return x + 1
        fresh._cache = NullCache()  # else it would be found there the next time
        other = threading.Thread(target=fresh, args=(1.5,))
        other.start()
        assert begun.wait(100)
        @kernel
        def mine(x):
            return x * 2
        mine._cache = NullCache()
        print(child(lambda: mine(21) == 42))
        other.join()
        assert fresh(1.5) == 2.5
    """,
    "a pool of processes": """
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        import nearly
        g = nearly.generate.rmat(13, 8, seed=1)
        here = nearly.bfs(g, 0, threads=2).values.sum()
        def levels(source):
            return nearly.bfs(g, source, threads=2).values.sum()
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
            assert list(pool.map(levels, [0, 0])) == [here, here]
        print(0)
    """,
}


@pytest.mark.parametrize("case", CASES)
def test_a_forked_child_works(case):
    program = textwrap.dedent(COMMON) + textwrap.dedent(CASES[case])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr
