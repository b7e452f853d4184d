"""Budgets: error in, answer out. The caller says how far off an answer may be; the planner chooses how to get it.

`nearly.pagerank(g, max_error=0.05)` comes here. A question (`question`) has candidates: the exact run, the estimators
registered for the algorithm (`estimators/`, one module each), and techniques where the caller names or allows them.
Each candidate predicts its seconds and its error; `planner` chooses the cheapest that keeps the budget and runs it, and
goes back to exact where a candidate gives up. What was weighed is the result's `.plan`
(`nearly.engine.plan`).

question    what is asked, of what, with which budget
estimator   the protocol of estimators and their registry
planner     predict, choose, run, go back
rates       nanoseconds a visit: what predictions are made of
deadline    exact runs that end when the time is over
stopping    rules by which sampling may stop, and the bounds that hold then
"""

from __future__ import annotations

from nearly.budget.planner import answer, plan
from nearly.engine.plan import Candidate, Plan

__all__ = ["Candidate", "Plan", "answer", "plan"]
