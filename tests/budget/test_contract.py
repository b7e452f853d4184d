"""The contract of budgets, over all algorithms: what results carry, what is refused, what a plan tells."""

from __future__ import annotations

import inspect
import threading
import time

import numpy as np
import pytest
from tests.algorithms.questions import ask
from tests.zoo import zoo

import nearly
from nearly.base.errors import InvalidArgumentError, TimeBudgetError
from nearly.budget import planner
from nearly.budget.deadline import Deadline
from nearly.budget.estimator import ESTIMATORS, PAYS
from nearly.budget.question import Question
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.budget import Budget
from nearly.engine.interruptible import OutOfTime, _AlarmClock, launch, stop_flag
from nearly.engine.result import Result
from nearly.engine.traits import GUARANTEES

NAMES = ALGORITHMS.names()
small = pytest.mark.small


@small
@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_takes_a_budget_and_tells_its_error(name):
    takes = inspect.signature(getattr(nearly, name)).parameters
    assert {"max_error", "max_seconds", "confidence", "allow"} <= takes.keys()
    assert takes["confidence"].default == 0.99
    assert takes["max_error"].default is None
    g = zoo(directed=False, weights="int")["grid"]
    r = ask(name, g, max_error=0.2)
    assert r.guarantee in GUARANTEES
    assert r.error_kind in ("absolute", "relative")
    assert r.error_scope in ("aggregate", "each", "all")
    if r.guarantee in ("exact", "certified", "statistical"):
        assert 0 <= r.error <= 0.2
        assert 0.99 <= r.confidence <= 1
        assert len(r.interval) == 2
    assert r.plan.choice in str(r.plan)
    assert [one.name for one in r.plan.candidates if one.chosen] == [r.plan.choice]
    assert r.certificate().ok


@small
@pytest.mark.parametrize("name", NAMES)
def test_without_a_budget_nothing_is_planned(name):
    r = ask(name, zoo(directed=False, weights="int")["grid"])
    assert r.plan is None
    if r.guarantee == "exact":
        assert r.confidence == 1.0
        assert r.error == 0.0 or "bound" in r.fields
        assert r.error < 1e-6


@small
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"max_error": -1}, "max_error must be a number above 0"),
        ({"max_error": 0}, "max_error must be a number above 0"),
        ({"max_error": float("nan")}, "max_error must be a number above 0"),
        ({"max_error": "much"}, "max_error must be a number above 0"),
        ({"max_seconds": 0}, "max_seconds must be a number above 0"),
        ({"max_seconds": float("inf")}, "max_seconds must be a number above 0"),
        ({"max_error": 0.1, "confidence": 1.0}, "confidence must be a number above 0 up to but not including 1"),
        ({"max_error": 0.1, "confidence": 0}, "confidence must be a number above 0"),
        ({"max_error": 0.1, "allow": "anything"}, "allow must be one of certified, statistical, estimated, heuristic"),
        ({"max_error": 0.1, "wrong": 1}, "its arguments are"),
    ],
)
def test_budgets_that_make_no_sense(keywords, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.pagerank(zoo()["grid"], **keywords)


@small
@pytest.mark.parametrize("name", NAMES)
def test_a_time_limit_is_kept_or_refused_in_words(name):
    g = zoo(directed=False, weights="int")["kron-8"]
    said, plan = "", None
    try:
        plan = ask(name, g, max_seconds=1e-7).plan
    except TimeBudgetError as error:
        said = str(error)
    assert plan is not None or (name in said and "predicted to take" in said)


class Clock:
    """A clock of budgets: much time until the work has begun, none from then on; and work that ends only when told."""

    def __init__(self):
        self.begun, self.end = threading.Event(), threading.Event()

    def left(self, budget):
        return -100.0 if self.begun.is_set() else 100.0

    def work(self, run):
        """Hears of nothing, for longer than any test waits."""
        self.begun.set()
        self.end.wait(60)
        return Result(None)


@small
@pytest.mark.parametrize("name", NAMES)
def test_no_algorithm_is_waited_for_when_the_time_is_over(name, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(Budget, "seconds_left", property(clock.left))
    monkeypatch.setattr(Question, "exact", clock.work)
    monkeypatch.setattr(planner, "_weigh", lambda question, run: (planner._plan(question, [], None, ""), None))
    try:
        with pytest.raises(TimeBudgetError, match=f"nothing useful can be had of {name} within max_seconds=50"):
            ask(name, zoo(directed=False, weights="int")["grid"], max_seconds=50)
        assert not clock.end.is_set()
    finally:
        clock.end.set()
    assert clock.begun.is_set()


@small
def test_short_launches_hear_the_alarm_too():
    stop, polls = stop_flag(), 0

    def polling(stop):
        nonlocal polls
        while not stop[0]:
            polls += 1

    with pytest.raises(OutOfTime):
        launch(polling, stop, stop=stop, work=1, deadline=time.perf_counter() + 0.02)
    assert polls > 0
    assert stop[0] == 0
    assert launch(lambda: 7, stop=stop, work=1, deadline=time.perf_counter() + 100) == 7


@small
def test_the_alarm_clock_survives_the_latest_of_deadlines():
    clock, far, near = _AlarmClock(), stop_flag(), stop_flag()
    late = clock.arm(1e16, far)  # later than the system can wait
    soon = clock.arm(time.perf_counter() + 0.01, near)
    while not near[0]:
        assert clock._thread.is_alive()
        time.sleep(0.001)
    assert clock.disarm(soon)
    assert not clock.disarm(late)
    assert not far[0]


def test_names_of_vertices_are_understood_within_budgets(tmp_path):
    (tmp_path / "a.csv").write_text("ann,bob\nbob,cy\n")
    g = nearly.read(tmp_path / "a.csv", names=True)
    assert np.array_equal(nearly.bfs(g, "bob", max_error=0.1).values, nearly.bfs(g, "bob").values)


@small
def test_rounds_that_end_with_the_time_leave_bounds(monkeypatch):
    g = zoo(directed=False)["grid"]
    monkeypatch.setattr(Deadline, "stop", lambda self, run: len(run.trace) >= 3)
    monkeypatch.setattr(Question, "exact_seconds", 100.0)
    right = nearly.bfs(g, 0).values
    r = nearly.bfs(g, 0, max_seconds=50)
    reached = r.values >= 0
    assert r.guarantee == "upper bound"
    assert r.error == np.inf
    assert 0 < reached.sum() < g.n
    assert (r.values[reached] >= right[reached]).all()
    assert r.certificate().ok
    with pytest.raises(TimeBudgetError, match="an answer cut short would be worth nothing"):
        nearly.triangle_count(g, max_seconds=50, allow="certified")


@small
def test_a_plan_without_running():
    g = zoo()["kron-8"]
    made = nearly.plan(g, "betweenness", max_error=0.01)
    assert made.choice in {one.name for one in made.candidates}
    assert made.as_dict()["max_error"] == 0.01
    assert "betweenness within max_error=0.01" in str(made)
    with pytest.raises(InvalidArgumentError, match="no algorithm is called"):
        nearly.plan(g, "betweennes", max_error=0.01)
    with pytest.raises(InvalidArgumentError, match="a plan needs a budget"):
        nearly.plan(g, "betweenness")


def test_exact_is_chosen_where_estimates_do_not_pay():
    g = nearly.generate.rmat(12, 8, seed=1)
    made = nearly.plan(g, "pagerank", max_error=1e-7)
    exact = next(one for one in made.candidates if one.name == "exact")
    others = [one for one in made.candidates if one.name != "exact" and one.seconds is not None]
    assert others
    assert (made.choice == "exact") == all(PAYS * one.seconds >= exact.seconds for one in others)
    assert made.choice == "exact"


@small
def test_estimators_are_of_algorithms_that_exist():
    assert {one.algorithm for one in ESTIMATORS} <= set(NAMES)
    for one in ESTIMATORS:
        assert one.level in ("certified", "statistical", "estimated", "heuristic")
        assert one.name
        assert one.kind in ("absolute", "relative")


@small
def test_results_know_intervals_without_a_budget():
    g = zoo()["kron-8"]
    low, high = nearly.pagerank(g).interval
    assert (low <= high).all()
    assert (low >= 0).all()
    r = nearly.sssp(g, 0, approx=nearly.PartialEdges(keep=0.5))
    assert r.guarantee == "upper bound"
    assert (r.interval[1] == r.values).all()
    assert np.isneginf(r.interval[0]).all()
    assert r.error is None
    assert r.confidence is None
