"""What tests of several estimators share."""

from __future__ import annotations

import pytest

from nearly.budget import pairs
from nearly.budget.estimators.betweenness import BetweennessByPairs
from nearly.budget.estimators.topk_betweenness import TopkByPairs


@pytest.fixture
def always(monkeypatch):
    """Let pairs be sampled where exact is faster."""
    for one in (BetweennessByPairs, TopkByPairs):
        monkeypatch.setattr(one, "_slower", lambda self, look: False)
    monkeypatch.setattr(pairs, "PAYS", 0.0)
    monkeypatch.setattr(pairs, "PILOT", 1e9)
    monkeypatch.setattr("nearly.budget.planner.PAYS", 0.0)
    monkeypatch.setattr("nearly.budget.planner._AT_ONCE", 0.0)
