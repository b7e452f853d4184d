"""Time spent compiling is counted once."""

from __future__ import annotations

from types import SimpleNamespace

from nearly.base import jit, kernel_cache


def test_loading_during_a_compilation_counts_once(monkeypatch):
    """A kernel that is compiled may load others it calls: results whose seconds were counted twice came out as 0."""
    now, spent = [10.0], kernel_cache.Spent()
    spent.loading = 3.0
    monkeypatch.setattr(jit, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(jit, "spent", spent)
    listener = jit._Outermost()
    listener.on_start(None)
    listener.on_start(None)
    now[0], spent.loading = 14.0, 5.0
    listener.on_end(None)
    assert spent.compiling == 0
    now[0] = 16.0
    listener.on_end(None)
    assert spent.seconds - 3.0 == 16.0 - 10.0
