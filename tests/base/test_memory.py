"""The memory budget: the system is asked seldom for what is small, and always for what is large."""

from __future__ import annotations

import pytest

from nearly.base import memory
from nearly.base.errors import MemoryBudgetError

pytestmark = pytest.mark.small


@pytest.fixture
def system(monkeypatch):
    """A machine whose free memory and clock are set by the test, and that counts how often it is asked."""
    told = {"free": 16 << 30, "now": 100.0, "asked": 0}

    def free() -> int:
        told["asked"] += 1
        return told["free"]

    monkeypatch.delenv("NEARLY_MEMORY", raising=False)
    monkeypatch.setattr(memory, "_machine_free", free)
    monkeypatch.setattr(memory, "_group_free", lambda: 1 << 62)
    monkeypatch.setattr(memory, "_process_free", lambda: 1 << 62)
    monkeypatch.setattr(memory.time, "monotonic", lambda: told["now"])
    monkeypatch.setattr(memory._Seen, "when", 0.0)
    monkeypatch.setattr(memory._Seen, "free", 0)
    return told


def test_small_parts_of_what_was_free_are_not_asked_about_again(system):
    for _ in range(100):
        memory.require(100 << 20, "this")
    assert system["asked"] == 1
    system["now"] += 2
    memory.require(100 << 20, "this")
    assert system["asked"] == 2


def test_large_parts_are_always_asked_about(system):
    memory.require(8 << 30, "this")
    system["free"] = 4 << 30
    with pytest.raises(MemoryBudgetError, match=r"this needs about 8\.0 GiB, the budget is 4\.0 GiB"):
        memory.require(8 << 30, "this")


def test_what_is_set_holds_for_the_smallest_too(system, monkeypatch):
    memory.require(100 << 20, "this")
    monkeypatch.setenv("NEARLY_MEMORY", "1K")
    with pytest.raises(MemoryBudgetError):
        memory.require(2 << 10, "this")
    assert system["asked"] == 1
