"""The planner: which candidate answers a question, and what happens when it does not keep its word.

Exact is a candidate like any other. An estimator is chosen only if PAYS times its predicted time is below exact's, and
it gives up where its work overtakes that; then the exact run answers. With a time limit and no error, exact is
chosen where it is predicted to end in time, else the estimator that promises the smallest error; an algorithm without
an estimator ends its rounds when the time is over, if cut rounds mean anything (`deadline`), else the caller is told
that nothing useful can be had in that time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nearly.budget.deadline import until_deadline
from nearly.budget.estimator import PAYS, Estimator, Prediction, estimators_of
from nearly.budget.plans import Candidate, Plan
from nearly.budget.question import Question
from nearly.engine.algorithm import ALGORITHMS, Algorithm, Options
from nearly.engine.budget import LEVELS, Budget, checked_budget
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.trace import Trace
from nearly.graph.csr import Graph

_SURE = 0.7  # of the time left: what an exact run may be predicted to take, to be begun
_AT_ONCE = 200e-6  # seconds: what exact may take so that weighing anything would take longer
_NO_ESTIMATOR = "exact is the only way to answer this"


def plan(
    graph: Graph,
    algorithm: str,
    *args: Any,
    max_error: float | None = None,
    max_seconds: float | None = None,
    confidence: float = 0.99,
    allow: str = "statistical",
    **arguments: Any,
) -> Plan:
    """How a question would be answered within a budget, without answering it.

    Parameters
    ----------
    graph : Graph
        The graph.
    algorithm : str
        The name of the algorithm, such as "betweenness".
    *args, **arguments
        Its own arguments, and the common ones.
    max_error, max_seconds, confidence, allow
        The budget, as algorithms take it; at least one of the first two.

    Returns
    -------
    Plan
        The candidates with predicted seconds and error, the choice, and why; prints as a table.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> nearly.plan(g, "bfs", 0, max_error=0.1).choice
    'exact'
    """
    entry = ALGORITHMS.get(algorithm)
    options = entry.options({**arguments, "confidence": confidence, "allow": allow})
    own = {name: value for name, value in arguments.items() if name not in options._fields}
    limits = (max_error, max_seconds) if (max_error, max_seconds) != (None, None) else (1e-9, None)
    budget = checked_budget(*limits, confidence, allow)
    assert budget is not None
    question = Question.of(entry, graph, args, own, options, budget)
    made: list[Plan] = []

    def weigh() -> Result:
        made.append(_weigh(question, question.begin())[0])
        return Result(None)

    entry.measured(question.begin(), weigh, options.threads)
    return made[0]


def answer(
    entry: Algorithm, graph: Graph, args: tuple[Any, ...], keywords: dict[str, Any], options: Options, budget: Budget
) -> Result:
    """The answer of a call with a budget."""
    question = Question.of(entry, graph, args, keywords, options, budget)
    run = question.begin()
    result = entry.measured(run, lambda: _answered(question, run), options.threads)
    if result._certify is None:  # estimators may have checks of their own
        entry.certify(result, graph)
    return result


def _answered(question: Question, run: Run) -> Result:
    chosen, candidate = _weigh(question, run)
    result = None
    if candidate is not None:
        result = candidate.answer(run)
        if result is None:
            chosen = replace(chosen, fell_back=f"{candidate.name} would have taken longer")
    if result is None:
        run.trace = Trace()
        result = until_deadline(question, run)
    result.plan = chosen
    return result


def _weigh(question: Question, run: Run) -> tuple[Plan, Estimator | None]:
    """The plan, and the estimator that was chosen; None for exact."""
    exact = question.exact_seconds
    weighed: list[tuple[Estimator, Prediction | None, str]] = []
    if exact < _AT_ONCE and exact < _SURE * question.budget.seconds_left:
        return _plan(question, exact, [], None, "it takes no time"), None
    for kind in estimators_of(question.entry.name):
        one = kind(question)
        refused = one.refuses()
        if refused is None and not question.budget.allows(kind.level):
            refused = f"allow={question.budget.allow!r} excludes it"
        weighed.append((one, None if refused else one.predict(run), refused or ""))
    best, why = _chosen(question.budget, exact, weighed)
    return _plan(question, exact, weighed, best, why), best


def _chosen(
    budget: Budget, exact: float, weighed: list[tuple[Estimator, Prediction | None, str]]
) -> tuple[Estimator | None, str]:
    usable = [(one, told) for one, told, _ in weighed if told is not None]
    if not usable:
        return None, next((refused for _, _, refused in weighed if refused), _NO_ESTIMATOR)
    if budget.max_error is None:
        if exact <= _SURE * budget.seconds_left:
            return None, "there is time for it"
        best, _ = min(usable, key=lambda pair: (LEVELS.index(pair[0].level), pair[1].error))
        return best, "there is no time for exact"
    best, told = min(usable, key=lambda pair: pair[1].seconds)
    if PAYS * told.seconds < exact:
        return best, f"it takes a {exact / max(told.seconds, 1e-9):.3g}th of exact's time"
    if exact > budget.seconds_left and told.seconds < float("inf"):
        return best, "there is no time for exact"
    return None, f"{best.name} would save too little or nothing"


def _plan(
    question: Question,
    exact: float,
    weighed: list[tuple[Estimator, Prediction | None, str]],
    best: Estimator | None,
    why: str,
) -> Plan:
    rows = [Candidate("exact", "exact", exact, 0.0, why if best is None else "slower", best is None)]
    for one, told, refused in weighed:
        said = refused if told is None else told.why
        seconds, error = (None, None) if told is None else (told.seconds, told.error)
        rows.append(Candidate(one.name, one.level, seconds, error, said, one is best))
    rows.sort(key=lambda row: not row.chosen)
    return Plan(question.entry.name, question.budget, tuple(rows), rows[0].name, why)
