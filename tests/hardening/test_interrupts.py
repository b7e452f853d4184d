"""Ctrl-C: work that a helper does is left at once, whatever it does, and its callbacks run in the caller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numba
import numpy as np
import pytest

import nearly
from nearly.base import aside as helping
from nearly.base.aside import aside, left_behind, look, on_caller, stoppable
from nearly.base.threads import kernel_threads


@pytest.fixture(autouse=True)
def a_signal_that_interrupts():
    def interrupted(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupted)
    yield
    signal.signal(signal.SIGUSR1, before)


def interrupt_soon(begun: threading.Event) -> threading.Thread:
    def go():
        begun.wait(60)
        os.kill(os.getpid(), signal.SIGUSR1)

    thread = threading.Thread(target=go)
    thread.start()
    return thread


def test_work_that_does_not_look_is_left_behind_and_ends_at_its_next_look():
    begun, free, ended = threading.Event(), threading.Event(), []

    def deaf():
        with kernel_threads(1):
            begun.set()
            free.wait(60)
            try:
                look()
            except KeyboardInterrupt:
                ended.append("interrupted")
                raise

    thread = interrupt_soon(begun)
    with pytest.raises(KeyboardInterrupt):
        aside(deaf)
    assert not ended, "the caller came back first"
    assert left_behind()
    free.set()
    thread.join()
    with kernel_threads(1):  # waits for the lock that the helper had
        assert ended == ["interrupted"]
    for errand in helping._behind:
        errand.done.wait(60)
    assert not left_behind()
    assert aside(lambda: 5) == 5


def test_a_kernel_that_polls_ends_and_what_its_caller_makes_of_it_is_the_answer():
    begun, stop, done = threading.Event(), np.zeros(1, np.uint32), []

    def polling():
        begun.set()
        while stop[0] == 0:
            time.sleep(0.001)
        return "unused"

    def work():
        try:
            stoppable(polling, (), stop)
        except KeyboardInterrupt:
            done.append(int(stop[0]))
            return "best so far"

    thread = interrupt_soon(begun)
    assert aside(work) == "best so far"
    thread.join()
    assert done == [0], "the flag is ready for the next kernel"


def test_callbacks_run_in_the_calling_thread_may_call_back_and_may_raise():
    main, seen = threading.current_thread(), []

    def told(value):
        seen.append((threading.current_thread() is main, value))
        with kernel_threads(1):  # another run, while the first one waits
            pass
        if value == 2:
            raise ValueError("enough")
        return 10 * value

    def work():
        assert threading.current_thread() is not main
        with kernel_threads(1):
            return [on_caller(told)(value) for value in (1, 2)]

    with pytest.raises(ValueError, match="enough"):
        aside(work)
    assert seen == [(True, 1), (True, 2)]
    assert on_caller(None) is None
    assert on_caller(told)(3) == 30


def test_a_long_run_hears_its_progress_in_the_calling_thread(monkeypatch):
    monkeypatch.setattr("nearly.engine.algorithm.SHORT", 1)
    threads, g = set(), nearly.Graph.from_edges([0, 1, 2], [1, 2, 0])
    nearly.pagerank(g, progress=lambda *_: threads.add(threading.current_thread()))
    assert threads == {threading.main_thread()}

    def enough(*_):
        raise LookupError

    with pytest.raises(LookupError):
        nearly.pagerank(g, progress=enough)


def test_work_of_an_import_stays_in_its_thread(tmp_path, monkeypatch):
    """The main thread holds the locks of what it imports; a helper that needs one would wait for ever."""
    (tmp_path / "works_while_imported.py").write_text(
        "import threading\nfrom nearly.base.aside import aside\nwhere = aside(threading.current_thread)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import works_while_imported

    assert works_while_imported.where is threading.main_thread()
    assert aside(threading.current_thread) is not threading.main_thread()


COMPILING = """
    import os, signal, threading, time
    from nearly.base import jit
    from nearly.base.aside import left_behind

    @jit.kernel
    def slow(x):
        return x + 1

    compile_ = slow.compile.args[0]
    hold = threading.Event()
    def held(signature):
        os.kill(os.getpid(), signal.SIGINT)
        hold.wait(100)
        return compile_(signature)
    slow.compile = jit.partial(jit._compile_aside, held)
    try:
        slow(1)
    except KeyboardInterrupt:
        print("left", left_behind())
    hold.set()
    slow.compile = jit.partial(jit._compile_aside, compile_)
    print(slow(1))
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing compiles")
def test_ctrl_c_does_not_wait_for_the_compiler():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(COMPILING)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.split("\n")[:2] == ["left True", "2"], done.stderr
    assert done.returncode == 0


def test_sigterm_ends_a_command_without_leftovers(tmp_path):
    """The part file is there while the command writes, and gone when it was asked to end."""
    program = textwrap.dedent("""
        import os, sys
        import nearly.graph.io.npz_arrays as arrays
        before = arrays._write_array
        def told(*args):
            before(*args)
            os.kill(os.getpid(), 15)
        arrays._write_array = told
        from nearly.cli.main import main
        main(["generate", "grid", "--rows", "9", "--cols", "9", "--output", sys.argv[1]])
    """)
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "g.npz")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 143, done.stderr
    assert not list(tmp_path.iterdir())


def test_an_interrupted_command_does_not_wait_for_the_interpreter_to_be_taken_down():
    program = textwrap.dedent("""
        import atexit, sys
        import nearly
        from nearly.cli import main
        def interrupted(*_, **__):
            raise KeyboardInterrupt
        nearly.read = interrupted
        atexit.register(print, "taken down")
        sys.argv = ["nearly", "info", "g.npz"]
        main.main()
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")
