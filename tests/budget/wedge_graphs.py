"""Graphs on which wedges are drawn, and estimators asked without the planner."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.stats import binomtest

from nearly import Graph
from nearly.budget.estimator import ESTIMATORS
from nearly.budget.question import Question
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.budget import checked_budget


def _of(made: nx.Graph) -> Graph:
    return Graph.from_networkx(nx.convert_node_labels_to_integers(made))


def many_edges() -> Graph:
    """Loops and parallel edges, kept."""
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 60, 1500), rng.integers(0, 60, 1500) ** 2 // 60
    return Graph.from_edges(src, dst, n=70, directed=False, duplicates="keep")


GRAPHS: dict[str, Graph] = {
    "barbell": _of(nx.barbell_graph(20, 30)),
    "long path with a clique": _of(nx.lollipop_graph(30, 400)),
    "dust": _of(nx.disjoint_union(nx.gnp_random_graph(60, 0.5, seed=1), nx.empty_graph(900))),
    "equal degrees": _of(nx.watts_strogatz_graph(500, 10, 0.0)),
    "hubs": _of(nx.powerlaw_cluster_graph(1500, 8, 0.6, seed=2)),
    "loops and parallel edges": many_edges(),
    "dense": _of(nx.gnp_random_graph(300, 0.7, seed=4)),
}
STAR = _of(nx.star_graph(300))
TINY = [Graph.from_edges([], [], n=n) for n in (0, 1, 2)] + [Graph.from_edges([0], [1], directed=False)]


def one_triangle_in_a_forest(size: int = 60_000) -> Graph:
    """A random tree, and one edge that closes a triangle."""
    rng = np.random.default_rng(5)
    parent = (rng.random(size - 1) * np.arange(1, size)).astype(np.int64)
    child = np.arange(1, size)
    last = size - 1
    grandparent = parent[parent[last - 1] - 1]
    return Graph.from_edges(np.append(parent, grandparent), np.append(child, last), n=size, directed=False)


def estimate(which: str, graph: Graph, *, patient: bool = True, **keywords: Any) -> Any:
    """The answer of an estimator, which does not give up for exact if `patient`."""
    name = which.partition("/")[0]
    entry = ALGORITHMS.get(name)
    options = entry.options(keywords)
    own = {key: value for key, value in keywords.items() if key not in options._fields}
    budget = checked_budget(options.max_error, options.max_seconds, options.confidence, options.allow)
    assert budget is not None
    question = Question.of(entry, graph, (), own, options, budget)
    if patient:
        question.__dict__["exact_seconds"] = 1e9
    one, run, made = ESTIMATORS.get(which)(question), question.begin(), []

    def body() -> Any:
        made.append(one.answer(run))
        return made[0] if made[0] is not None else entry.result(None)

    assert one.refuses() is None
    entry.measured(run, body, options.threads)
    return made[0]


def assert_rare(missed: list[bool], doubt: float) -> None:
    """Fail where so many misses do not agree with a probability of at most `doubt`."""
    assert binomtest(sum(missed), len(missed), doubt, "greater").pvalue > 1e-4, f"{sum(missed)} of {len(missed)}"


class Clock:
    """The seconds left of budgets: a second for so many questions, then none."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def __get__(self, budget: Any, owner: Any = None) -> float:
        self.left -= 1
        return 1.0 if self.left >= 0 else 0.0


def stop_after(patch: pytest.MonkeyPatch, questions: int) -> None:
    """Let the time be over after so many looks at the clock."""
    patch.setattr("nearly.engine.budget.Budget.seconds_left", Clock(questions))
