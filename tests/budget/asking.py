"""An estimator asked directly: on small graphs the planner would answer exactly before it weighs anything."""

from __future__ import annotations

from nearly.budget.planner import answer_by as ask

__all__ = ["ask"]
