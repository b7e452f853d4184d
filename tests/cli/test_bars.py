"""Progress is drawn on standard error, late, and only on a terminal."""

from __future__ import annotations

import time

import pytest

from nearly.base.progress import silent
from nearly.cli import output
from nearly.cli import progress_bars as module
from nearly.cli.progress_bars import bars


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(output, "settings", output.Settings())
    monkeypatch.setattr(module, "PATIENCE", 0.05)


def test_nothing_without_a_terminal(capsys):
    with bars() as progress:
        assert progress is silent
    assert capsys.readouterr() == ("", "")


def test_forced_bars_show_stages(capsys):
    output.settings.progress = True
    with bars("starting") as progress:
        progress("counting", 1, 10)
        time.sleep(0.3)
        progress("placing", 5, None)
        time.sleep(0.3)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "counting" in printed.err
    assert "placing" in printed.err


def test_what_follows_a_colon_does_not_begin_a_new_bar(capsys):
    output.settings.progress = True
    with bars("starting") as progress:
        time.sleep(0.1)
        display = progress.__self__
        progress("measuring: this", 1, 10)
        task = display._task
        progress("measuring: that", 2, 10)
        assert display._task == task
        time.sleep(0.3)
        progress("drawing", 0, None)
        assert display._task != task
    assert "measuring: that" in capsys.readouterr().err


def test_work_that_never_reports_is_seen_alive(capsys):
    output.settings.progress = True
    with bars("compiling"):
        time.sleep(0.3)
    assert "compiling" in capsys.readouterr().err


def test_short_work_draws_nothing(capsys, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 60)
    output.settings.progress = True
    with bars() as progress:
        progress("counting", 1, 10)
    assert capsys.readouterr().err == ""


def test_switched_off(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    output.settings.progress = False
    with bars() as progress:
        assert progress is silent


def test_errors_pass_through(capsys):
    output.settings.progress = True
    with pytest.raises(ValueError, match="stop"), bars():
        raise ValueError("stop")
