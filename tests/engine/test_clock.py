"""Time spent compiling is counted once."""

from __future__ import annotations

from types import SimpleNamespace

from nearly.engine import timing as clock


def test_loading_during_a_compilation_counts_once(monkeypatch):
    """A kernel that is compiled may load others it calls: results whose seconds were counted twice came out as 0."""
    now, loaded = [10.0], [3.0]
    monkeypatch.setattr(clock, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(clock, "cache_seconds", lambda: loaded[0])
    listener = clock._Outermost()
    listener.on_start(None)
    listener.on_start(None)
    now[0], loaded[0] = 14.0, 5.0
    listener.on_end(None)
    assert listener.seconds == 0
    now[0] = 16.0
    listener.on_end(None)
    assert listener.seconds + (loaded[0] - 3.0) == 16.0 - 10.0
