"""An estimator asked directly: on small graphs the planner would answer exactly before it weighs anything."""

from __future__ import annotations

from typing import Any

from nearly import Graph
from nearly.budget.estimator import ESTIMATORS
from nearly.budget.question import Question
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.budget import checked_budget


def ask(which: str, graph: Graph, *args: Any, **keywords: Any) -> Any:
    """The answer of an estimator, such as "pagerank/push", to a call with a budget; None where it gives up."""
    entry = ALGORITHMS.get(which.partition("/")[0])
    options = entry.options(keywords)
    own = {name: value for name, value in keywords.items() if name not in options._fields}
    budget = checked_budget(options.max_error, options.max_seconds, options.confidence, options.allow)
    assert budget is not None
    question = Question.of(entry, graph, args, own, options, budget)
    one = ESTIMATORS.get(which)(question)
    refused = one.refuses()
    assert refused is None, refused
    run = question.begin()

    def body() -> Any:
        one.predict(run)
        made.append(one.answer(run))
        return made[0] if made[0] is not None else entry.result(None)

    made: list[Any] = []
    entry.measured(run, body, options.threads)
    if made[0] is not None and made[0]._certify is None:
        entry.certify(made[0], graph)
    return made[0]
