"""Busy machines: how many threads a run takes, and when it goes on with one."""

from __future__ import annotations

import os
import time

import numba
import pytest

from nearly.base import threads
from nearly.base.threads import Crowding, free_cores, kernel_threads


@pytest.fixture
def load(monkeypatch, tmp_path):
    """What the system says of its load."""

    def say(text):
        path = tmp_path / "loadavg"
        path.write_text(text)
        file = os.open(path, os.O_RDONLY)
        monkeypatch.setattr(threads, "_load_file", lambda: file)
        monkeypatch.setattr(os, "cpu_count", lambda: 4)

    return say


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("0.1 0.1 0.1 1/100 9", 4),
        ("0.1 0.1 0.1 3/100 9", 2),
        ("9 9 9 40/100 9", 1),
        ("0 0 0 0/1 9", 4),
        ("", 4),
        ("no numbers here at/all", 4),
    ],
)
def test_cores_that_others_want_are_not_free(load, text, free):
    load(text)
    assert free_cores() == free


def test_a_run_takes_the_free_cores_unless_told(load, monkeypatch):
    monkeypatch.setattr(threads, "available_threads", lambda: 2)
    load("9 9 9 9/100 9")
    with kernel_threads() as count:
        assert count == 1
        assert not threads.current.serial  # the parallel form, which is compiled already, on one thread
    if numba.config.NUMBA_NUM_THREADS > 1:
        for told in (lambda: threads.set_threads(2), lambda: monkeypatch.setenv("NEARLY_THREADS", "2")):
            told()
            with kernel_threads() as count:
                assert count == 2
            threads.set_threads(None)
        with kernel_threads(2) as count:
            assert count == 2


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
@pytest.mark.parametrize(("used", "told"), [(0.5, False), (0.5, True), (1.0, False)])
def test_a_run_that_gets_half_of_its_processor_time_goes_on_with_one_thread(monkeypatch, used, told):
    clock, processor, seen = [0.0], [0.0], []
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(time, "process_time", lambda: processor[0])
    monkeypatch.setattr(threads.current, "threads", 2)

    def kernel():
        seen.append(numba.get_num_threads())
        clock[0] += 0.003
        processor[0] += 0.003 * used * 2

    crowding = Crowding()
    with kernel_threads(2):
        monkeypatch.setattr(threads.current, "told", told)
        for _ in range(100):
            crowding.run(kernel, ())
    if used == 1.0 or told:
        assert set(seen) == {2}
    else:
        assert seen[:4] == [2, 2, 2, 2]
        alone = [i for i, count in enumerate(seen) if count == 1]
        assert alone[0] == 4, "not by the first window that is short of time"
        assert 2 in seen[5:], "it tries again"
        assert len(alone) > 80
