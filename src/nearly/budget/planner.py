"""The planner: which candidate answers a question, and what happens when it does not keep its word.

Exact is a candidate like any other. An estimator is chosen only if PAYS times its predicted time is below exact's, and
it gives up where its work overtakes that; then the exact run answers. With a time limit and no error, exact is
chosen where it is predicted to end in time, else the estimator that promises the smallest error; an algorithm without
an estimator ends its rounds when the time is over, if cut rounds mean anything (`deadline`), else the caller is told
that nothing useful can be had in that time. A technique that the caller names is chosen wherever it keeps the budget
(`by_techniques`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isinf
from typing import Any

from nearly.base.aside import on_caller
from nearly.base.errors import InvalidArgumentError
from nearly.base.signatures import typed
from nearly.budget.by_techniques import ByTechniques, allowed_candidates, named_candidate
from nearly.budget.deadline import in_time, until_deadline
from nearly.budget.estimator import ESTIMATORS, PAYS, SURE, Estimator, Prediction, estimators_of
from nearly.budget.question import Question
from nearly.engine.algorithm import ALGORITHMS, Algorithm, Options
from nearly.engine.budget import LEVELS, Budget, checked_budget
from nearly.engine.plan import Candidate, Plan
from nearly.engine.result import Result
from nearly.engine.run import Run
from nearly.engine.trace import Trace
from nearly.engine.vertex_arguments import indexed
from nearly.graph.csr import Graph

_AT_ONCE = 200e-6  # seconds: what exact may take so that weighing anything would take longer
_NO_ESTIMATOR = "exact is the only way to answer this"


@typed
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
    budget = checked_budget(max_error, max_seconds, confidence, allow)
    if budget is None:
        raise InvalidArgumentError("a plan needs a budget: max_error, max_seconds, or both")
    question = Question.of(entry, graph, args, own, options, budget)
    made: list[Plan] = []
    run = question.begin()

    def weigh() -> Result:
        made.append(_weigh(question, run)[0])
        return Result(None)

    entry.measured(run, weigh, options.threads)
    return made[0]


def answer(
    entry: Algorithm, graph: Graph, args: tuple[Any, ...], keywords: dict[str, Any], options: Options, budget: Budget
) -> Result:
    """The answer of a call with a budget."""
    if _only_exact(entry, options, budget):
        return _exactly(entry, graph, args, keywords, options, budget)
    if budget.max_seconds is not None:
        options = options._replace(progress=on_caller(options.progress))
    question = Question.of(entry, graph, args, keywords, options, budget)

    def work() -> Result:
        run = question.begin()
        return entry.measured(run, lambda: _answered(question, run), options.threads)

    result = in_time(question, work)
    entry.certify(result, graph)
    return result


def _only_exact(entry: Algorithm, options: Options, budget: Budget) -> bool:
    """Whether there is nothing to weigh: no clock, no technique, no estimator."""
    if budget.max_seconds is not None or options.approx is not None or budget.allows("estimated"):
        return False
    return not estimators_of(entry.name)


def _exactly(
    entry: Algorithm, graph: Graph, args: tuple[Any, ...], keywords: dict[str, Any], options: Options, budget: Budget
) -> Result:
    """The exact answer, as fast as without a budget: its plan is made when it is read."""

    question = partial(Question.of, entry, graph, args, keywords, options, budget)
    args, keywords = indexed(entry.parameters, graph, args, keywords)
    try:
        result = entry.run(graph, args, keywords, options)
    except TypeError:
        question()  # arguments that do not fit are an error that lists those that do
        raise
    result.plan = partial(_exact_plan, question)  # type: ignore[assignment]
    return result


def _exact_plan(question: Callable[[], Question]) -> Plan:
    return _plan(question(), [], None, _NO_ESTIMATOR)


def answer_by(which: str, graph: Graph, *args: Any, **keywords: Any) -> Result | None:
    """The answer of one estimator, such as "pagerank/push", whatever the planner would choose; None if it gives up.

    For tests, and to compile what estimators need.
    """
    kind = ESTIMATORS.get(which)
    entry = ALGORITHMS.get(kind.algorithm)
    options = entry.options(keywords)
    own = {name: value for name, value in keywords.items() if name not in options._fields}
    budget = options.budget()
    assert budget is not None
    question = Question.of(entry, graph, args, own, options, budget)
    one, run = kind(question), question.begin()
    refused = one.refuses()
    if refused is not None:
        raise InvalidArgumentError(f"{which} cannot answer this: {refused}")
    made: list[Result | None] = []

    def body() -> Result:
        one.predict(run)
        made.append(one.answer(run))
        return made[0] if made[0] is not None else entry.result(None)

    entry.measured(run, body, options.threads)
    if made[0] is not None:
        entry.certify(made[0], graph)
    return made[0]


def _answered(question: Question, run: Run) -> Result:
    chosen, candidate = _at_once(question) or _weigh(question, run)
    result = None
    if candidate is not None:
        result = candidate.answer(run)
        chosen = chosen.renamed(candidate.name)  # a milder setting may have been needed
        if result is None:
            chosen = replace(chosen, fell_back=candidate.gave_up or f"{candidate.name} would have taken longer")
    if result is None:
        run.trace = Trace()
        result = until_deadline(question, run)
    result.plan = chosen
    return result


def _at_once(question: Question) -> tuple[Plan, None] | None:
    """The plan where an exact run is so short that weighing anything would take longer."""
    exact, kinds = question.exact_seconds, estimators_of(question.entry.name)
    if exact >= min(_AT_ONCE, SURE * question.budget.seconds_left) or question.options.approx is not None:
        return None
    if question.budget.max_seconds is not None and any(kind.is_exact_run for kind in kinds):
        return None
    for kind in kinds:
        kind(question).refuses()  # raises where the budget makes no sense, however small the graph is
    return _plan(question, [], None, "it takes no time"), None


def _weigh(question: Question, run: Run) -> tuple[Plan, Estimator | None]:
    """The plan, and the estimator that was chosen; None for exact."""
    exact = question.exact_seconds
    weighed: list[tuple[Estimator, Prediction | None, str]] = []
    for one in _candidates(question, run):
        refused = one.refuses()
        if refused is None and not isinstance(one, ByTechniques) and not question.budget.allows(one.level):
            refused = f"allow={question.budget.allow!r} excludes it"
        weighed.append((one, None if refused else one.predict(run), refused or ""))
    best, why = _chosen(question.budget, exact, weighed)
    return _plan(question, weighed, best, why), best


def _candidates(question: Question, run: Run) -> list[Estimator]:
    """All that may answer besides exact: the techniques that the caller names, or else whatever there is."""
    if question.options.approx is not None:
        return [named_candidate(question, run)]
    return [*(kind(question) for kind in estimators_of(question.entry.name)), *allowed_candidates(question, run)]


def _chosen(
    budget: Budget, exact: float, weighed: list[tuple[Estimator, Prediction | None, str]]
) -> tuple[Estimator | None, str]:
    usable = [(one, told) for one, told, _ in weighed if told is not None]
    if not usable:
        out = [f"{one.name} is out: {refused}" for one, _, refused in weighed]
        return None, _NO_ESTIMATOR if not out else out[0] if len(out) == 1 else "nothing else is worth trying here"
    if budget.max_seconds is not None:
        for one, _ in usable:
            if one.is_exact_run:
                return one, "it is the exact run, and has bounds if there is no time for it to end"
    if budget.max_error is None:
        if exact <= SURE * budget.seconds_left:
            return None, "there is time for it"
        best, _ = min(usable, key=lambda pair: (_rank(pair[0].level), pair[1].error))
        return best, "there is no time for exact"
    best, told = min(usable, key=lambda pair: pair[1].seconds)
    if isinstance(best, ByTechniques) and best.named:
        return (None, told.why) if isinf(told.seconds) else (best, "it was named, and keeps the error")
    if PAYS * told.seconds < exact:
        return best, f"it is predicted to be {exact / max(told.seconds, 1e-9):.3g} times as fast as exact"
    if exact > budget.seconds_left and not isinf(told.seconds):
        return best, "there is no time for exact"
    return None, f"{best.name} would save too little or nothing"


def _rank(level: str) -> int:
    """How strong a guarantee is, 0 for the strongest; bounds on one side stand with certified answers."""
    return LEVELS.index(level) if level in LEVELS else 0


def _plan(
    question: Question, weighed: list[tuple[Estimator, Prediction | None, str]], best: Estimator | None, why: str
) -> Plan:
    named = isinstance(best, ByTechniques) and best.named
    beaten = "another way was named" if named else "slower"
    rows = [Candidate("exact", "exact", question.exact_seconds, 0.0, why if best is None else beaten, best is None)]
    for one, told, refused in weighed:
        said = refused if told is None else told.why
        seconds, error = (None, None) if told is None else (told.seconds, told.error)
        rows.append(Candidate(one.name, one.level, seconds, error, said, one is best))
    rows.sort(key=lambda row: not row.chosen)
    return Plan(question.entry.name, question.budget, tuple(rows), rows[0].name, why)
