"""Checks of users' arguments: what passes comes back in its own type, what does not is told what is allowed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from nearly import InvalidArgumentError
from nearly.base import arguments as a

pytestmark = pytest.mark.small


@pytest.mark.parametrize(
    ("check", "value", "expected"),
    [
        (lambda v: a.flag("x", v), np.True_, True),
        (lambda v: a.choice("x", v, ("a", "b")), "b", "b"),
        (lambda v: a.choice("x", v, ("a", None)), None, None),
        (lambda v: a.whole_number("x", v), np.int64(3), 3),
        (lambda v: a.whole_number("x", v, or_none=True), None, None),
        (lambda v: a.number("x", v, 0, 1), np.float32(0.5), 0.5),
        (lambda v: a.number("x", v, 0, 1), Fraction(1, 4), 0.25),
        (lambda v: a.number("x", v, words=("auto",)), "auto", "auto"),
        (lambda v: a.vertex("x", v, 5), np.uint8(4), 4),
    ],
)
def test_what_passes_comes_back_in_its_own_type(check, value, expected):
    got = check(value)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: a.flag("loops", 1), "loops must be True or False, not 1"),
        (lambda: a.choice("norm", "l3", ("l1", "max")), "norm must be one of l1, max; not 'l3'"),
        (lambda: a.choice("norm", ["l1"], ("l1", "max")), "norm must be one of l1, max; not"),
        (lambda: a.whole_number("k", 0), "k must be a whole number of at least 1, not 0"),
        (lambda: a.whole_number("k", True), "k must be a whole number of at least 1, not True"),
        (lambda: a.whole_number("k", 2.0, 0, 9), "k must be a whole number from 0 to 9, not 2.0"),
        (
            lambda: a.whole_number("k", -1, or_none=True),
            "k must be a whole number of at least 1, or None; not -1",
        ),
        (lambda: a.number("tol", math.nan, 0), "tol must be a number of at least 0, not nan"),
        (lambda: a.number("tol", "1", 0), "tol must be a number of at least 0, not '1'"),
        (
            lambda: a.number("d", 1, 0, 1, below=True),
            "d must be a number from 0 up to but not including 1, not 1",
        ),
        (
            lambda: a.number("d", 0, 0, above=True, words=("auto",)),
            "d must be 'auto' or a number above 0, not 0",
        ),
        (lambda: a.number("d", 10**400), "d must be a number, not 1000"),
        (lambda: a.vertex("source", 1.0, 3), "source must be a vertex number, not 1.0"),
        (lambda: a.vertex("source", 3, 3), r"source 3 is not a vertex of this graph \(0 to 2\)"),
        (lambda: a.vertex("source", 0, 0), "none: the graph has no vertices"),
        (
            lambda: a.vertices("sources", [0, 0], 3),
            "sources must name at least one vertex, each once, from 0 to 2",
        ),
        (lambda: a.vertices("sources", [[0]], 3, instead="None, or "), "sources must be None, or an array of"),
        (lambda: a.distribution("start", [1, -1], 2, normalise=True), "start must hold 2 finite numbers"),
        (lambda: a.distribution("start", "ab", 2, normalise=True), "start must hold 2 finite numbers"),
        (lambda: a.distribution("start", [0, 0], 2, normalise=True), "start must have a finite sum above 0"),
        (lambda: a.distribution("start", {7: 1}, 2, normalise=True), "start names 7, which is no vertex"),
    ],
)
def test_what_does_not_is_told_what_is_allowed(check, message):
    with pytest.raises(InvalidArgumentError, match=message):
        check()


def test_a_distribution_may_name_its_vertices_and_sums_to_one():
    assert a.distribution("p", {1: 3, 2: 1}, 3, normalise=True).tolist() == [0, 0.75, 0.25]
    assert a.distribution("p", [2, 2], 2, normalise=False).tolist() == [2, 2]
    assert a.distribution("p", [], 0, normalise=True).size == 0
