"""Sweeps: rows in the order of the values, other knobs untouched, bad values told before anything runs."""

from __future__ import annotations

import pytest

import nearly
from nearly.experiments.comparison import EXACT, SAME_ERROR


@pytest.fixture(scope="module")
def graph():
    return nearly.generate.rmat(8, 8, seed=1, weights="int")


def test_rows_follow_the_values(graph):
    values = [0.2, 0.9, 0.5, 1.0]
    found = nearly.sweep(graph, "sssp", nearly.PartialEdges(select="lightest"), "keep", values, repeat=1)
    assert (found[0].technique, found[0].knob) == (EXACT, None)
    assert [row.value for row in found[1:]] == values
    assert all(row.knob == "keep" and "select=lightest" in row.technique for row in found[1:])
    by_value = {row.value: row.inaccuracy for row in found[1:]}
    assert by_value[0.2] >= by_value[0.9] >= by_value[1.0] == 0


def test_pagerank_has_its_equal_error_rows(graph):
    found = nearly.sweep(graph, nearly.pagerank, "partial-edges", "keep", [0.3, 0.8], repeat=1)
    assert [(row.technique == SAME_ERROR, row.value) for row in found[1:]] == [
        (False, 0.3),
        (True, 0.3),
        (False, 0.8),
        (True, 0.8),
    ]


def test_a_knob_of_a_composition(graph):
    both = ["partial-edges:keep=0.5", nearly.ReducedExecution()]
    found = nearly.sweep(graph, "bfs", both, "rounds", [1, 2], repeat=1)
    assert [row.technique for row in found[1:]] == [
        "partial-edges:keep=0.5+reduced-execution:rounds=1",
        "partial-edges:keep=0.5+reduced-execution:rounds=2",
    ]


def test_budgets_are_a_knob_and_rows_of_their_own(graph):
    found = nearly.sweep(graph, "pagerank", None, "max-error", [0.5, 0.01], repeat=1, max_error=0.1)
    told = [(row.technique, row.knob, row.value) for row in found]
    turned = [("budget 0.5", "max_error", 0.5), ("budget 0.01", "max_error", 0.01)]
    assert told == [(EXACT, None, None), *turned, ("budget 0.1", None, None)]
    assert all(row.choice and row.inaccuracy <= row.bound <= float(row.technique.split()[1]) for row in found[1:])
    within = nearly.sweep(graph, "pagerank", "reduced-execution", "max_error", [0.1], repeat=1)
    assert within[1].technique == "reduced-execution within 0.1"
    assert within[1].bound <= 0.1


@pytest.mark.parametrize(
    ("technique", "knob", "values", "words"),
    [
        ("partial-edges", "keep", [0.5, 1.5], "above 0 and at most 1"),
        ("partial-edges", "keep", [float("nan")], "above 0 and at most 1"),
        ("partial-edges", "kept", [0.5], "its knobs are keep, select"),
        ("partial-edges", "keep", [], "at least one value"),
        ("round-weights", "base", [2], "does not apply to bfs"),
        (None, "keep", [0.5], "needs a technique"),
        (None, "max_error", [0.5, -1], "max_error must be"),
    ],
)
def test_bad_arguments(graph, technique, knob, values, words, monkeypatch):
    monkeypatch.setattr("nearly.experiments.sweep.measured", lambda *_: pytest.fail("it ran"))
    with pytest.raises(nearly.InvalidArgumentError, match=words):
        nearly.sweep(graph, "bfs", technique, knob, values)
