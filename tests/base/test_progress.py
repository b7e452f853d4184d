"""Bars that show themselves: for the outermost work, once it lasts, where a person watches and none are turned off."""

from __future__ import annotations

import io
import sys
import time

import pytest

import nearly
from nearly.base import progress as module
from nearly.base import progress_display
from nearly.base.progress import Automatic, silent

pytestmark = pytest.mark.small


class Recorder:
    """A bar that only takes notes."""

    made: list[Recorder]

    def __init__(self, stage):
        self.did = [stage]
        Recorder.made.append(self)

    def start(self):
        self.did.append("start")

    def stop(self):
        self.did.append("stop")

    def look(self):
        pass

    def update(self, stage, done, total):
        self.did.append((stage, done, total))


@pytest.fixture
def bars(monkeypatch):
    Recorder.made = []
    monkeypatch.setattr(progress_display, "TerminalBar", Recorder)
    monkeypatch.setattr(progress_display, "PATIENCE", 0.02)
    automatic = Automatic()
    automatic.on = True
    return automatic


def test_work_that_lasts_has_a_bar_and_what_it_calls_has_none(bars):
    with bars.following(None, "outer") as tell, bars.following(None, "inner") as inner:
        tell("outer", 1, 2)
        assert inner is silent
        time.sleep(0.3)
    (bar,) = Recorder.made
    assert bar.did == ["outer", ("outer", 1, 2), "start", "stop"]
    with bars.following(None, "again"):
        pass
    assert Recorder.made[1].did == ["again"]  # over before anything was drawn


def test_a_callback_is_told_instead(bars):
    heard = []
    with bars.following(lambda *told: heard.append(told), "mine") as tell:
        tell("mine", 1, None)
        assert bars.begin("within") is None
    assert heard == [("mine", 1, None)]
    assert Recorder.made == []
    assert bars.begin("after") is not None
    bars.end()


def test_algorithms_show_bars_and_leave_none_behind_after_errors(bars, monkeypatch):
    monkeypatch.setattr("nearly.engine.algorithm.automatic", bars)
    g = nearly.Graph.from_edges([0, 1], [1, 2])
    nearly.bfs(g, 0)
    with pytest.raises(nearly.InvalidArgumentError):
        nearly.pagerank(g, damping=2)
    nearly.bfs(g, 0, progress=silent)
    nearly.bfs(g, 0)
    assert [bar.did[0] for bar in Recorder.made] == ["bfs", "pagerank", "bfs"]
    assert any(told[0] == "bfs" for told in Recorder.made[0].did if isinstance(told, tuple))


@pytest.mark.parametrize(
    ("said", "terminal", "on"), [("", True, True), ("", False, False), ("0", True, False), ("1", False, True)]
)
def test_surroundings_and_settings_decide(monkeypatch, said, terminal, on):
    monkeypatch.setenv("NEARLY_PROGRESS", said)
    stream = io.StringIO()
    stream.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", stream)
    automatic = Automatic()
    automatic.begin("x")
    assert automatic.on is on


def test_set_progress(monkeypatch):
    monkeypatch.setattr(module, "automatic", Automatic())
    nearly.set_progress(False)
    assert module.automatic.begin("x") is None
    with pytest.raises(nearly.InvalidArgumentError):
        nearly.set_progress("yes")
