"""Random compositions of techniques on random graphs: every word of a guarantee is kept, whatever is put together.

Exact is exact, bounds are on their side but for rounding, certified bounds hold, certificates accept the untouched
answer and reject one that breaks the claim, and every value is a number. Counted estimates have their own test of
being right on average (`tests/algorithms/test_every_trait`).
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.algorithms.alterations import tampered
from tests.algorithms.questions import ask, check_promise
from tests.techniques.drawing import Case, case
from tests.techniques.test_compositions import REFUSALS, allowed_words

from nearly import InvalidArgumentError, NearlyError
from nearly.accuracy import judges
from nearly.algorithms.pagerank import MOST_ROUNDS
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.traits import combined

CASES, ALL_CASES, CHUNK = 800, 200_000, 100  # each combination compiles kernels of its own


def check(drawn: Case) -> str | None:
    """The word of the answer, which holds; None where nothing can be asked or techniques exclude each other."""
    try:
        exact = ask(drawn.algorithm, drawn.graph, **drawn.arguments)
    except NearlyError:  # such as betweenness by weights of 0
        return None
    try:
        got = ask(drawn.algorithm, drawn.graph, approx=list(drawn.techniques), **drawn.arguments)
    except InvalidArgumentError as refusal:
        if re.search(REFUSALS, str(refusal)):
            return None
        raise
    asked = drawn.arguments
    words = allowed_words(drawn.algorithm, drawn.techniques, drawn.graph, asked["seed"], asked.get("weights"))
    words |= {combined([word, exact.guarantee]) for word in words}  # the rounds may not have sufficed
    if out_of_rounds(got):
        words |= {combined([word, "certified"]) for word in words}
    assert got.guarantee in words, f"{got.guarantee} is not in {words}"
    check_promise(drawn.algorithm, got.guarantee, exact, got)
    certificate = got.certificate()
    assert certificate.ok, certificate
    check_numbers(got, exact)
    for k, wrong in enumerate(broken(drawn, got, exact)):
        right, got.values = got.values, wrong
        assert not got.certificate().ok, f"the certificate accepts broken answer {k}: {wrong}"
        got.values = right
    return got.guarantee


def out_of_rounds(result):
    """Whether PageRank's own limit of rounds ended the run: transformed graphs take plain rounds, which may not do."""
    return result.algorithm == "pagerank" and result.rounds >= MOST_ROUNDS


def check_numbers(got, exact):
    """No value is unknown but where the definition says so."""
    if np.asarray(got.values).dtype.kind == "f":
        unknown = np.flatnonzero(np.isnan(got.values) & ~np.isnan(exact.values)).tolist()
        sources = getattr(got, "sources", None)  # one source alone says nothing of itself
        assert not unknown or (sources is not None and sources.tolist() == unknown)


def broken(drawn, got, exact):
    """Answers that are not what the word says."""
    judge = ALGORITHMS.get(drawn.algorithm).judge
    if got.guarantee == "exact" and (judge is not judges.COMMUNITIES or of_one_size(drawn.graph.weights)):
        yield from tampered(drawn.algorithm, drawn.graph, got.values)
    elif got.guarantee == "certified" and judge is judges.PATHS:
        wrong = got.values.copy()
        wrong[drawn.arguments["source"]] = 1
        yield wrong
    elif got.guarantee == "certified":
        yield got.values + (1.0 + got.bound)
    elif got.guarantee in ("upper bound", "lower bound") and judge is judges.PATHS:
        yield from past(got, exact)


def of_one_size(weights):
    """Whether each edge counts: one vertex more or less would not show in the modularity otherwise."""
    return weights is None or (weights.size > 0 and weights.min() > 0 and weights.max() < 1e4 * weights.min())


def past(got, exact):
    """Distances on the wrong side of the true ones, one at a time."""
    true = exact.values.astype(np.float64)
    finite = np.flatnonzero(np.isfinite(true) & (true > 0))
    for v in finite[:3]:
        wrong = got.values.copy()
        wrong[v] = true[v] / 2 if got.guarantee == "upper bound" else 2 * true[v] + 1
        yield wrong


@pytest.mark.small
def test_a_split_graph_that_needs_more_rounds():
    drawn = case(1_004_139)
    assert check(drawn) == "certified"  # damping 0.99, two vertices that hand all they have to each other


@pytest.mark.small
def test_arcs_left_out_by_weights_that_do_not_count():
    assert check(case(1_077_070)) == "upper bound"  # with weights, other arcs stay, and some are added


@pytest.mark.small
@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_compositions(first):
    check_all(range(first, first + CHUNK))


@pytest.mark.full
@pytest.mark.parametrize("first", range(CASES, ALL_CASES, 10 * CHUNK))
def test_many_random_compositions(first):
    check_all(range(first, first + 10 * CHUNK))


def check_all(numbers):
    for number in numbers:
        drawn = case(number)
        try:
            check(drawn)
        except Exception as error:
            raise AssertionError(f"{drawn}\n{type(error).__name__}: {error}") from error
