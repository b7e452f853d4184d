"""Generators refuse bad arguments by name and absurd sizes before any work, and load no compiler to be looked at."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from nearly import InvalidArgumentError, MemoryBudgetError, generate

pytestmark = pytest.mark.small
NAN, INF = float("nan"), float("inf")
BAD = [
    (lambda: generate.rmat(0), "scale must be a whole number from 1 to 60, not 0"),
    (lambda: generate.rmat(61), "scale"),
    (lambda: generate.rmat(True), "scale .* not True"),
    (lambda: generate.rmat(8.0), "scale"),
    (lambda: generate.rmat(8, -1), "edge_factor"),
    (lambda: generate.rmat(8, seed=-1), r"seed must be a whole number from 0 to 2\*\*64 - 1, not -1"),
    (lambda: generate.rmat(8, seed=2**64), "seed"),
    (lambda: generate.rmat(8, seed=None), "seed"),
    (lambda: generate.rmat(8, params="graph501"), "params must be 'graph500', 'gtgraph' or four probabilities"),
    (lambda: generate.rmat(8, params=(0.5, 0.5, 0.5, 0.5)), "sum to 1"),
    (lambda: generate.rmat(8, params=(0.5, 0.5)), "four probabilities"),
    (lambda: generate.rmat(8, params=(1.5, -0.5, 0, 0)), "from 0 to 1, not 1.5"),
    (lambda: generate.rmat(8, params=(NAN, 0.5, 0.5, 0)), "not nan"),
    (lambda: generate.rmat(8, params=7), "params"),
    (lambda: generate.rmat(8, directed=1), "directed must be True or False, not 1"),
    (lambda: generate.rmat(8, permute=None), "permute"),
    (lambda: generate.rmat(8, simple="yes"), "simple"),
    (lambda: generate.rmat(8, weights="double"), "weights must be one of None, int, float; not 'double'"),
    (lambda: generate.rmat(8, weights="distance"), "weights"),
    (lambda: generate.random(0, 0), "n must be a whole number from 1 to"),
    (lambda: generate.random(2**33, 0), r"from 1 to 2\*\*32"),
    (lambda: generate.random(10, 91), "m for a graph of 10 vertices must be a whole number from 0 to 90, not 91"),
    (lambda: generate.random(10, 46, directed=False), "from 0 to 45"),
    (lambda: generate.random(10, -1, simple=False), "m must"),
    (lambda: generate.random(10, 2.5), "m for"),
    (lambda: generate.grid(0, 5), "rows"),
    (lambda: generate.grid(5, "5"), "cols"),
    (lambda: generate.grid(5, 5, delete=1.1), "delete must be a number from 0 to 1, not 1.1"),
    (lambda: generate.grid(5, 5, delete=NAN), "delete"),
    (lambda: generate.grid(5, 5, delete=True), "delete"),
    (lambda: generate.smallworld(2, 2, 0), "n must be a whole number from 3"),
    (lambda: generate.smallworld(10, 10, 0), "k must be a whole number from 2 to 9, not 10"),
    (lambda: generate.smallworld(10, 3, 0), "k must be even"),
    (lambda: generate.smallworld(10, 2, -0.1), "p must"),
    (lambda: generate.smallworld(10, 2, INF), "p must"),
    (lambda: generate.smallworld(10, 2, 10**400), "p must"),
    (lambda: generate.geometric(0, 0.1), "n must"),
    (lambda: generate.geometric(10, -0.1), "radius must be a number from 0 to 1.5"),
    (lambda: generate.geometric(10, NAN), "radius"),
    (lambda: generate.geometric_points(10, "1"), "seed"),
    (lambda: generate.planted_partition(0, 5, 0.1, 0.1), "communities"),
    (lambda: generate.planted_partition(5, 0, 0.1, 0.1), "size"),
    (lambda: generate.planted_partition(2**20, 2**20, 0, 0), r"communities \* size must be .* to 2\*\*32"),
    (lambda: generate.planted_partition(5, 5, 2, 0.1), "p_in"),
    (lambda: generate.planted_partition(5, 5, 0.1, "0.1"), "p_out"),
    (lambda: generate.planted_labels(5, 1.5), "size"),
    (lambda: generate.with_weights(generate.grid(2, 2), "double"), "kind"),
    (lambda: generate.with_weights(generate.grid(2, 2), low=-1), "low must be a whole number from 0"),
    (lambda: generate.with_weights(generate.grid(2, 2), high=2**32), r"high .* 2\*\*32 - 1"),
    (lambda: generate.with_weights(generate.grid(2, 2), low=0.5), "low must be a whole number"),
    (lambda: generate.with_weights(generate.grid(2, 2), low=9, high=8), "low must not be above high"),
    (lambda: generate.with_weights(generate.grid(2, 2), "float", high=INF), "high"),
    (lambda: generate.with_weights(generate.grid(2, 2), "float", low=NAN), "low"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(InvalidArgumentError, match=words):
        call()


def test_numpy_numbers_are_welcome():
    assert generate.random(np.int64(10), np.uint8(20), np.uint64(1)) == generate.random(10, 20)
    assert generate.smallworld(np.int32(10), 2, np.float32(0.5)).m == 20


@pytest.mark.parametrize(
    "call",
    [
        lambda: generate.rmat(scale=40),
        lambda: generate.rmat(60, 2**32),
        lambda: generate.random(2**32, 2**50),
        lambda: generate.random(10, 2**60, simple=False),
        lambda: generate.grid(2**32, 2**32),
        lambda: generate.smallworld(2**31, 2**20, 0.1),
        lambda: generate.geometric(2**32, 0.5),
        lambda: generate.planted_partition(2**16, 2**16, 1, 1),
    ],
)
def test_absurd_sizes_are_refused_before_any_work(call):
    with pytest.raises(MemoryBudgetError, match="needs about"):
        call()


def test_the_budget_counts(monkeypatch):
    g = generate.random(1000, 100_000, simple=False)
    monkeypatch.setenv("NEARLY_MEMORY", "300K")
    for call in (
        lambda: generate.with_weights(g),
        lambda: generate.planted_labels(100, 1000),
        lambda: generate.geometric_points(100_000),
        lambda: generate.rmat(12),
    ):
        with pytest.raises(MemoryBudgetError):
            call()
    assert generate.rmat(6).n == 64


def test_looking_at_the_generators_loads_no_compiler():
    check = "import sys, nearly; nearly.generate.rmat.__doc__; assert not {'numba', 'scipy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], env=os.environ, check=True)
