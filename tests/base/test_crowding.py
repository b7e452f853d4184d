"""Busy machines: how many threads a run takes, and when it goes on with one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from nearly.base import threads
from nearly.base.threads import Crowding, kernel_threads, waited


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
def test_a_run_takes_all_cores_and_knows_whether_it_was_told(monkeypatch):
    monkeypatch.setattr(threads, "available_threads", lambda: 2)
    with kernel_threads() as count:
        assert (count, threads.current.told) == (2, False)
    for told in (lambda: threads.set_threads(2), lambda: monkeypatch.setenv("NEARLY_THREADS", "2")):
        told()
        with kernel_threads() as count:
            assert (count, threads.current.told) == (2, True)
        threads.set_threads(None)
    with kernel_threads(2) as count:
        assert (count, threads.current.told) == (2, True)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
@pytest.mark.parametrize(("share", "told"), [(0.5, False), (0.5, True), (0.01, False)])
def test_a_run_that_waits_for_cores_half_of_its_time_goes_on_with_one_thread(monkeypatch, share, told):
    clock, waiting, seen = [0.0], [0.0], []
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(threads, "waited", lambda: waiting[0])
    monkeypatch.setattr(threads.current, "threads", 2)

    def kernel():
        seen.append(numba.get_num_threads())
        clock[0] += 0.01
        waiting[0] += 0.01 * share

    crowding = Crowding()
    with kernel_threads(2):
        monkeypatch.setattr(threads.current, "told", told)
        for _ in range(100):
            crowding.run(kernel, ())
    if share < 0.1 or told:
        assert set(seen) == {2}
    else:
        assert seen[:2] == [2, 2]
        alone = [i for i, count in enumerate(seen) if count == 1]
        assert alone[0] == 2
        assert 2 in seen[3:], "it tries again"
        assert len(alone) > 60


@pytest.mark.skipif(not Path("/proc/thread-self/schedstat").exists(), reason="the system does not say")
def test_a_thread_that_sleeps_does_not_wait_for_a_core_and_one_that_shares_it_does():
    before = waited()
    time.sleep(0.02)
    assert waited() - before < 0.01
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        since, before = time.perf_counter(), waited()
        while waited() == before and time.perf_counter() < since + 20:
            pass
        assert waited() > before
    finally:
        other.kill()
        other.wait()
        os.sched_setaffinity(0, cores)
