"""Random walks: they follow arcs, end where none leaves, have node2vec's probabilities, and go by the seed alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from tests.walks.node2vec import factors
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.base.threads import current

small = pytest.mark.small
BIASES = [(1, 1), (0.25, 4), (4, 0.25), (0.01, 1), (1, 1000), (1000, 0.5), (100, 100)]


def check(g, walks, starts):
    """Walks are paths of the graph that end only where they must."""
    arcs = set(zip(g.arc_sources().tolist(), g.targets.tolist()))
    assert walks[:, 0].tolist() == starts
    for row in walks.tolist():
        for u, v in pairwise(row):
            assert (u, v) in arcs or (v == -1 and (u == -1 or not g.out_degrees[u])), row


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (0.25, 4), (0.01, 0.5)])
def test_walks_of_the_zoo_are_paths(directed, p, q):
    for weights in (None, "int", "float"):
        for g in zoo(directed, weights).values():
            walks = nearly.random_walks(g, 6, 2, p, q)
            assert walks.shape == (2 * g.n, 6)
            assert walks.dtype == np.int64
            check(g, walks, [*range(g.n)] * 2)


@small
@settings(max_examples=40)
@given(graphs(), st.integers(1, 5), st.sampled_from(BIASES), st.integers(0, 2**64 - 1))
def test_any_graph(g, length, bias, seed):
    starts = [0, g.n - 1, 0]
    check(g, nearly.random_walks(g, length, 2, *bias, start=starts, seed=seed), starts * 2)


def off(counts, shares):
    """Pearson's statistic, and what it stays below in all but one of a million cases; rare outcomes are one."""
    expected = shares * counts.sum()
    rare = expected < 5
    seen = [*counts[~rare], *([counts[rare].sum()] if rare.any() else [])]
    wanted = [*expected[~rare], *([expected[rare].sum()] if rare.any() else [])]
    parts = [(a - b) ** 2 / b for a, b in zip(seen, wanted) if b > 0]
    return sum(parts), chi2.ppf(1 - 1e-6, max(len(parts) - 1, 1))


@pytest.mark.parametrize(("p", "q"), BIASES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_steps_have_the_probabilities_asked_for(p, q, directed, weights):
    rng = np.random.default_rng(3)
    src, dst = np.nonzero(rng.random((7, 7)) < 0.45)
    drawn = {None: None, "int": rng.integers(0, 5, src.size), "float": rng.random(src.size)}[weights]
    g = Graph.from_edges(src, dst, drawn, n=7, directed=directed)
    plain = as_networkx(g)
    walks = nearly.random_walks(g, 6, 30_000, p, q, seed=5)
    steps = np.stack([walks[:, :-2], walks[:, 1:-1], walks[:, 2:]], axis=-1).reshape(-1, 3)
    steps = steps[(steps >= 0).all(axis=1)]
    tested = 0
    for t, v in np.unique(steps[:, :2], axis=0).tolist():
        here = steps[(steps[:, 0] == t) & (steps[:, 1] == v), 2]
        counts = np.bincount(here, minlength=g.n)
        wanted = np.zeros(g.n)
        for x, amount in factors(plain, t, v, p, q).items():
            wanted[x] = amount
        assert (wanted[counts > 0] > 0).all()
        if counts.sum() > 1000:
            statistic, limit = off(counts, wanted / wanted.sum())
            assert statistic < limit, (t, v, counts.tolist(), wanted.tolist())
            tested += 1
    assert tested > 5


def test_first_steps_go_by_weight():
    g = Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4], [1, 0, 5, 2.5], n=5)
    for weights, wanted in ((True, [0, 1, 0, 5, 2.5]), (False, [0, 1, 1, 1, 1])):
        seen = nearly.random_walks(g, 2, 100_000, start=[0], weights=weights)[:, 1]
        statistic, limit = off(np.bincount(seen, minlength=5), np.array(wanted) / sum(wanted))
        assert statistic < limit


def test_threads_and_number_of_walks_change_nothing(monkeypatch):
    monkeypatch.setattr(current, "small_in_parallel", True)
    g = nearly.generate.rmat(10, 8, seed=1, weights="float")
    one, two = (nearly.random_walks(g, 20, 3, 0.5, 2, threads=k, seed=9) for k in (1, 2))
    assert np.array_equal(one, two)
    assert np.array_equal(nearly.random_walks(g, 20, 1, 0.5, 2, seed=9), one[: g.n])
    assert not np.array_equal(nearly.random_walks(g, 20, 3, 0.5, 2, seed=10), one)
    assert not np.array_equal(one[: g.n], one[g.n : 2 * g.n])


@small
def test_arcs_of_weight_zero_are_no_way():
    g = Graph.from_edges([0, 0, 1], [1, 2, 0], [0, 0, 1])
    assert nearly.random_walks(g, 3).tolist() == [[0, -1, -1], [1, 0, -1], [2, -1, -1]]


@small
def test_parallel_arcs_count_each():
    g = Graph.from_edges([0, 0, 0, 0, 1], [1, 1, 1, 2, 0], n=3, duplicates="keep")
    seen = nearly.random_walks(g, 2, 400, start=[0])[:, 1]
    assert 0.65 < (seen == 1).mean() < 0.85
    back = nearly.random_walks(g, 3, 400, 0.1, 1, start=[0])  # 0 -> 1 -> 0 is the only way from 1
    assert set(back[back[:, 1] == 1, 2].tolist()) == {0}


@small
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"length": 0}, "length must be a whole number of at least 1"),
        ({"length": 3, "per_vertex": 0}, "per_vertex must be"),
        ({"length": 3, "p": 0}, "p must be a number above 0"),
        ({"length": 3, "q": -1}, "q must be a number above 0"),
        ({"length": 3, "start": [9]}, "start 9 is not a vertex"),
        ({"length": 3, "start": [-1]}, "start -1 is not a vertex"),
        ({"length": 3, "start": 0}, "start must be an array of vertices"),
        ({"length": 3, "weights": 1}, "weights must be True or False"),
        ({"length": 3, "seed": -1}, "seed must be"),
        ({"length": 3, "threads": 0}, "threads must be"),
    ],
)
def test_bad_arguments(keywords, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.random_walks(zoo()["path"], **keywords)


@small
def test_what_cannot_be_walked():
    with pytest.raises(InvalidArgumentError, match=r"random_walks needs a nearly\.Graph"):
        nearly.random_walks({}, 3)
    g = Graph.from_edges([0], [1], [-1.0], negative="keep")
    with pytest.raises(InvalidArgumentError, match="weights of at least 0"):
        nearly.random_walks(g, 3)
    assert nearly.random_walks(g, 2, weights=False).tolist() == [[0, 1], [1, -1]]
