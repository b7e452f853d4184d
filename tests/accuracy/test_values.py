"""Norms, relative errors and rankings: hand-made cases, brute force, SciPy's Kendall tau."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from nearly import InvalidArgumentError, accuracy
from nearly.engine.result import Result

INF, NAN = np.inf, np.nan
NORMS = (accuracy.l1, accuracy.l2, accuracy.linf, accuracy.relative_l1)
ERRORS = (accuracy.mean_relative_error, accuracy.p95_relative_error, accuracy.max_relative_error)

numbers = st.floats(-1e6, 1e6)


def pairs_of(item):
    return st.lists(st.tuples(item, item), max_size=30)


@settings(max_examples=100, deadline=None)
@given(pairs_of(numbers))
def test_norms_are_those_of_the_difference(pairs):
    exact, approx = [p[0] for p in pairs], [p[1] for p in pairs]
    gaps = [abs(a - b) for a, b in pairs]
    assert accuracy.l1(exact, approx) == pytest.approx(sum(gaps))
    assert accuracy.l2(exact, approx) == pytest.approx(sum(g * g for g in gaps) ** 0.5)
    assert accuracy.linf(exact, approx) == max(gaps, default=0.0)
    for norm in NORMS:
        assert norm(exact, exact) == 0.0
    for norm in NORMS[:3]:
        assert norm(exact, approx) == norm(approx, exact)


def test_norms_of_extreme_values():
    assert accuracy.l2([1e200, 0], [0, 1e200]) == pytest.approx(2**0.5 * 1e200)  # its square does not fit
    assert accuracy.l2([3e-200], [0]) == 3e-200
    assert accuracy.l1([INF, 1], [INF, 3]) == 2.0
    for norm in NORMS:
        assert norm([], []) == 0.0
        assert norm([INF], [INF]) == 0.0
        assert norm([1.0, NAN], [1.0, 2.0]) == INF
        assert norm([1.0, 2.0], [1.0, NAN]) == INF
    assert accuracy.relative_l1([0, 0], [0, 0]) == 0.0
    assert accuracy.relative_l1([0, 0], [3, 0]) == 1.0
    assert accuracy.relative_l1([-2, 2], [0, 2]) == 0.5
    assert accuracy.l1([True, False], [False, False]) == 1.0
    assert accuracy.l1(np.array([0], np.uint32), np.array([2], np.uint32)) == 2.0  # no wrapping round


@pytest.mark.parametrize(
    ("exact", "approx", "expected"),
    [
        ([0, 2, 4, -1], [0, 3, -1, -1], [0, 0.5, 1, 0]),
        ([0, 2, -1], [0, 2, 7], [0, 0, 1]),
        ([0.0, 2.0, INF], [0.0, INF, INF], [0, 1, 0]),
        ([0.0, 1.0], [5.0, 1.0], [1, 0]),
        ([0.0, 1.0], [0.0, 4.0], [0, 3]),
        ([-1, -1], [-1, -1], [0, 0]),
        ([INF, 1.0], [NAN, NAN], [1, 1]),
        ([0, 5], [0.0, 4.0], [0, 0.2]),
        ([], [], []),
    ],
)
def test_relative_errors(exact, approx, expected):
    found = accuracy.relative_errors(np.array(exact), np.array(approx))
    assert found.tolist() == pytest.approx(expected)
    assert accuracy.max_relative_error(exact, approx) == pytest.approx(max(expected, default=0))
    assert accuracy.mean_relative_error(exact, approx) == pytest.approx(np.mean(expected) if expected else 0)


def test_p95_leaves_five_of_a_hundred_out():
    exact = np.ones(100)
    approx = exact + np.concatenate([np.full(94, 0.1), np.full(6, 9.0)])
    assert accuracy.p95_relative_error(exact, approx) == pytest.approx(9.0)
    approx[94] = 1.2
    assert accuracy.p95_relative_error(exact, approx) == pytest.approx(9.0)
    approx[95] = 1.2
    assert accuracy.p95_relative_error(exact, approx) == pytest.approx(0.2)


levels = st.one_of(st.just(-1), st.integers(0, 9))


@settings(max_examples=100, deadline=None)
@given(pairs_of(levels))
def test_levels_and_distances_are_judged_alike(pairs):
    exact, approx = (np.array([p[i] for p in pairs], np.int32) for i in (0, 1))
    lengths = [np.where(v < 0, INF, v.astype(float)) for v in (exact, approx)]
    assert accuracy.relative_errors(exact, approx).tolist() == accuracy.relative_errors(*lengths).tolist()
    apart = sum((a < 0) != (b < 0) for a, b in pairs)
    assert accuracy.reachability_mismatches(exact, approx) == apart == accuracy.reachability_mismatches(*lengths)
    for error in ERRORS:
        assert error(exact, exact) == 0.0
        assert 0.0 <= error(exact, approx) < INF


scores = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(scores, st.integers(1, 9))
def test_top_k_overlap_is_that_with_the_best_exact_choice(pairs, k):
    exact, approx = [p[0] for p in pairs], [p[1] for p in pairs]
    n, kept = len(pairs), min(k, len(pairs))
    listed = set(sorted(range(n), key=lambda v: (-approx[v], v))[:kept])
    greatest = sum(sorted(exact, reverse=True)[:kept])
    choices = (c for c in combinations(range(n), kept) if sum(exact[v] for v in c) == greatest)
    assert accuracy.top_k_overlap(exact, approx, k) == max(len(listed & set(c)) for c in choices) / kept
    assert accuracy.top_k_overlap(exact, exact, k) == 1.0


def test_top_k_overlap_misses_the_hub():
    exact = np.zeros(50)
    exact[49] = 1.0
    assert accuracy.top_k_overlap(exact, np.zeros(50), 10) == 0.9
    assert accuracy.top_k_overlap(exact, np.where(exact, NAN, 1.0), 10) == 0.9  # what is not a number comes last
    assert accuracy.top_k_overlap([], [], 10) == 1.0


@settings(max_examples=100, deadline=None)
@given(scores)
def test_kendall_tau_is_scipys(pairs):
    exact, approx = [p[0] for p in pairs], [p[1] for p in pairs]
    found = accuracy.kendall_tau(exact, approx)
    flat = [len(set(side)) == 1 for side in (exact, approx)]
    expected = float(all(flat)) if any(flat) else kendalltau(exact, approx).statistic
    assert found == pytest.approx(expected, abs=1e-12)
    assert found == pytest.approx(accuracy.kendall_tau(approx, exact))
    assert accuracy.kendall_tau(exact, exact) == pytest.approx(1.0)


def test_kendall_tau_looks_at_the_top():
    exact = np.concatenate([np.arange(100.0), [200.0, 201.0, 202.0]])
    approx = np.concatenate([np.arange(100.0)[::-1], [200.0, 201.0, 202.0]])
    assert accuracy.kendall_tau(exact, approx, top=3) == 1.0
    assert accuracy.kendall_tau(exact, approx) < 0
    assert accuracy.kendall_tau(exact, np.full(103, NAN)) == 0.0
    assert accuracy.kendall_tau([], []) == accuracy.kendall_tau([1], [2]) == 1.0


@pytest.mark.parametrize("measure", [*NORMS, *ERRORS, accuracy.pair_f1, accuracy.kendall_tau])
def test_what_does_not_belong_together(measure):
    with pytest.raises(InvalidArgumentError, match="as many values"):
        measure([1, 2], [1, 2, 3])
    with pytest.raises(InvalidArgumentError, match="real numbers"):
        measure(["a"], ["b"])
    with pytest.raises(InvalidArgumentError, match="one dimension"):
        measure([[1.0]], [[1.0]])
    one, other = Result(np.ones(2)), Result(np.ones(2))
    one.algorithm, other.algorithm = "bfs", "sssp"
    with pytest.raises(InvalidArgumentError, match="one algorithm"):
        measure(one, other)


def test_bad_arguments():
    with pytest.raises(InvalidArgumentError, match="k must be"):
        accuracy.top_k_overlap([1], [1], 0)
    with pytest.raises(InvalidArgumentError, match="top must be"):
        accuracy.kendall_tau([1], [1], top=1)
