"""A call that compiles for long says so, once, where a person or a callback hears it."""

from __future__ import annotations

import io
import sys

import pytest

from nearly.base import compiling as module
from nearly.base.compiling import Compiling


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])
    return now


def start(compiling, task, progress=None):
    """As a public function does when it begins."""
    compiling.task, compiling.progress, compiling.spent = task, progress, 0.0


def compile_for(compiling, clock, seconds):
    compiling.begin()
    clock[0] += seconds
    compiling.look()
    compiling.end()


@pytest.mark.parametrize(("kind", "said"), [(Terminal, "compiling louvain, once ...\n"), (io.StringIO, "")])
def test_a_terminal_is_told_once(clock, monkeypatch, kind, said):
    monkeypatch.setattr(sys, "stderr", kind())
    compiling = Compiling()
    start(compiling, "louvain")
    compile_for(compiling, clock, 0.7)
    assert sys.stderr.getvalue() == ""
    compile_for(compiling, clock, 0.7)
    start(compiling, "louvain")
    compile_for(compiling, clock, 5)
    assert sys.stderr.getvalue() == said


def test_progress_hears_it_instead(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    heard = []
    compiling = Compiling()
    start(compiling, "bfs", lambda *told: heard.append(told))
    compile_for(compiling, clock, 1.5)
    assert heard == [("compiling bfs, once", 0, None)]
    assert sys.stderr.getvalue() == ""


def test_short_compilations_are_not_worth_a_word(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    compiling = Compiling()
    for _ in range(5):
        start(compiling, "bfs")
        compile_for(compiling, clock, 0.9)
    assert sys.stderr.getvalue() == ""
