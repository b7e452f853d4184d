"""Node splitting: the rules, the graph it makes, and that no answer changes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.algorithms.questions import ask, same
from tests.zoo import zoo

import nearly
from nearly import InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import Task
from nearly.techniques.split_nodes import SplitNodes, largest_allowed, piece_sizes

small = pytest.mark.small
SUPPORTED = sorted(SplitNodes.guarantees)
BOTH = [nearly.SplitNodes(mda=3), nearly.SplitNodes(mda=1, update="pass")]


@small
def test_the_histogram_rule_gives_the_papers_numbers():
    few = np.arange(20)
    assert largest_allowed(np.append(few, 1181), "histogram") == 118
    assert largest_allowed(np.append(few, 255), "histogram") == 25
    assert largest_allowed(np.array([9, 10, 10, 1]), "histogram") == 10  # the fullest bucket is the last
    assert largest_allowed(np.array([1, 5, 5, 5, 9]), "histogram") == 5
    assert largest_allowed(np.array([0, 0, 3]), "histogram") == 1
    assert largest_allowed(np.append(np.full(999, 7), 500), "percentile") == 7
    assert largest_allowed(np.array([4, 2]), 3) == 3
    assert largest_allowed(np.empty(0, np.int64), "histogram") == 0


@small
def test_pieces_are_of_near_equal_size():
    degrees = np.arange(60)
    pieces = np.maximum(-(-degrees // 7), 1)
    sizes = piece_sizes(degrees, pieces)
    assert sizes.sum() == degrees.sum()
    assert sizes.max() <= 7
    for part in np.split(sizes, np.cumsum(pieces)[:-1]):
        assert part.max() - part.min() <= 1


@small
def test_copies_take_arcs_and_none_enter_them():
    g = zoo(True, "int")["kron-8"]
    moved = nearly.SplitNodes(mda=5).transform(g, Task("sssp"))
    made, copies = moved.graph, moved.copies
    made.validate()
    assert made.m == g.m
    assert made.out_degrees.max() <= 5
    assert made.in_degrees[copies.slot].max() == 0
    assert np.array_equal(made.in_degrees[: g.n], g.in_degrees)
    assert np.array_equal(copies.summed(made.out_degrees)[: g.n], g.out_degrees)
    assert np.array_equal(made.weights, g.weights[moved.arcs])
    assert moved.report["copies"] == copies.slot.size == made.n - g.n
    flat = zoo(False)["kron-8"]
    for algorithm in ("mst", "connected_components"):
        made = nearly.SplitNodes(mda=5).transform(flat, Task(algorithm)).graph
        assert not made.directed
        made.validate()


@small
def test_nothing_is_split_where_no_vertex_has_more():
    g = zoo()["path"]
    r = nearly.bfs(g, 0, approx=nearly.SplitNodes(mda=1))
    assert r.values.tolist() == list(range(7))
    assert nearly.SplitNodes(mda=1).transform(g, Task("bfs")).graph is g
    assert nearly.SplitNodes(mda=None).is_exact


@small
@pytest.mark.parametrize("update", ["atomic", "pass"])
def test_a_split_source_starts_everywhere(update):
    star = zoo(True, "int")["star"]
    split = nearly.SplitNodes(mda=5, update=update)
    assert nearly.bfs(star, 0, approx=split).values.tolist() == [0] + [1] * 69
    for policy in ("auto", "frontier", "topology"):
        assert np.array_equal(nearly.sssp(star, 0, approx=split, policy=policy).values, nearly.sssp(star, 0).values)


@pytest.mark.parametrize("algorithm", SUPPORTED)
def test_no_answer_changes_under_any_policy(algorithm):
    for directed in (True, False):
        g = zoo(directed, "int")["grid" if algorithm == "betweenness" else "kron-8"]
        expected = ask(algorithm, g)
        for policy in ("auto", *ALGORITHMS.get(algorithm).policies):
            for technique in BOTH:
                got = ask(algorithm, g, approx=technique, policy=policy)
                assert same(algorithm, expected, got), (directed, policy, technique)
                assert got.guarantee == "exact"
                assert got.certificate().ok


@pytest.mark.full
@pytest.mark.parametrize("algorithm", SUPPORTED)
def test_no_answer_changes_on_many_graphs(algorithm):
    rng = np.random.default_rng(4)
    for k in range(200):
        n = int(rng.integers(2, 60))
        src, dst = rng.integers(0, n, (2, int(rng.integers(1, 6 * n))))
        weights = [None, rng.integers(0, 20, src.size), rng.random(src.size)][k % 3]
        g = nearly.Graph.from_edges(src, dst, weights, n=n, directed=bool(k % 2))
        expected = ask(algorithm, g)
        for policy in ("auto", *ALGORITHMS.get(algorithm).policies):
            got = ask(algorithm, g, approx=BOTH[k // 2 % 2], policy=policy)
            assert same(algorithm, expected, got), (k, policy)
            assert got.certificate().ok


@pytest.mark.parametrize("update", ["atomic", "pass"])
def test_searches_of_a_large_graph_are_exact_with_one_and_two_threads(update):
    g = nearly.generate.rmat(17, 8, seed=3, weights="int")
    split = nearly.SplitNodes(mda=20, update=update)
    assert g.n > 100_000
    for algorithm in ("bfs", "sssp"):
        applied = ALGORITHMS.get(algorithm).apply(split, g)
        assert applied.map.copies.slot.size > 10_000
        expected = ask(algorithm, g).values
        for policy in ("auto", "frontier", "topology"):
            for threads in (1, 2):
                got = ask(algorithm, g, approx=applied, policy=policy, threads=threads)
                assert np.array_equal(got.values, expected), (algorithm, policy, threads)


@small
def test_splitting_composes_with_other_techniques():
    g = zoo(False, "int")["kron-8"]
    r = ask("sssp", g, approx=[nearly.SplitNodes(mda=4), nearly.PartialEdges(keep=0.5, select="lightest")])
    assert r.guarantee == "upper bound"
    assert r.certificate().ok
    r = ask("sssp", g, approx=[nearly.MergeSimilar(jaccard=0.4), nearly.SplitNodes(mda=4)])
    assert r.guarantee == "lower bound"
    assert r.certificate().ok
    for both in (
        [nearly.SplitNodes(mda=4), nearly.Coalesce(chunk=4)],
        [nearly.Coalesce(slack=2), nearly.SplitNodes(4)],
    ):
        for algorithm in ("sssp", "scc", "mst"):
            assert same(algorithm, ask(algorithm, g), ask(algorithm, g, approx=both)), (algorithm, both)
    with pytest.raises(InvalidArgumentError, match="put MergeSimilar first"):
        ask("sssp", g, approx=[nearly.SplitNodes(mda=4), nearly.MergeSimilar(jaccard=0.1)])
    with pytest.raises(InvalidArgumentError, match="a whole number, at least 1"):
        nearly.SplitNodes(mda=0)
