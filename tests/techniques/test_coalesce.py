"""Coalescing: the paper's worked example, the order of a forest, copies and how they are merged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.algorithms.questions import ask, check_promise, same
from tests.zoo import graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import Task, from_spec
from nearly.engine.transform.graph_map import NO_ARC
from nearly.graph.bfs_order import forest_order
from nearly.techniques.coalesce import Coalesce

small = pytest.mark.small
SUPPORTED = sorted(Coalesce.guarantees)


def paper_graph():
    """Figure 1's graph as the text tells it, with labels for which rows ascend.

    0 has seven children, 1 has five and an arc to 0, 2 and 3 share one; 4 and 5 have none. 0 reaches the last two
    children of 1 over its own.
    """
    arcs = [(0, v) for v in range(6, 13)] + [(1, v) for v in (0, 13, 14, 15, 16, 17)]
    arcs += [(2, 0), (2, 18), (2, 19), (3, 0), (3, 19), (7, 16), (9, 17)]
    return nearly.Graph.from_edges(*zip(*arcs), n=20)


def rows_of(g):
    return {u: row.tolist() for u, row in enumerate(np.split(g.targets, g.offsets[1:-1])) if row.size}


@small
def test_the_papers_example():
    g = paper_graph()
    moved = nearly.Coalesce(chunk=8, threshold=0.6).transform(g, Task("bfs"))
    place = moved.place
    assert sorted(place[:6].tolist()) == [0, 1, 2, 3, 4, 5]
    assert sorted(place[6:].tolist()) == list(range(8, 22))
    assert place[6:13].tolist() == [8, 12, 14, 16, 18, 20, 21]  # the children of 0
    assert moved.graph.n == 24  # holes: 6, 7, 22, 23
    copies = moved.copies
    assert (copies.slot.tolist(), copies.of.tolist()) == ([6], [0])
    rows = rows_of(moved.graph)
    assert rows[0] == [8, 12, 14]
    assert rows[6] == [16, 17, 18, 19, 20, 21]
    added = moved.graph.targets[moved.arcs == NO_ARC]
    assert added.tolist() == [17, 19]
    assert moved.report == {
        "levels": 2, "holes": 4, "threshold": 0.6, "replicas": 1, "filled holes": 1, "arcs added": 2,
    }  # fmt: skip
    assert nearly.Coalesce(chunk=8, threshold=0.67).transform(g, Task("bfs")).copies is None  # connectedness is 4 / 6


def plain_forest_order(g, chunk, slack):
    """The same order, as the text says it."""
    rows = rows_of(g)
    reached, roots = set(), []
    for s in sorted(range(g.n), key=lambda v: (-int(g.out_degrees[v]), v)):
        if s not in reached:
            roots.append(s)
            todo = [s]
            while todo:
                u = todo.pop()
                if u not in reached:
                    reached.add(u)
                    todo += rows.get(u, [])
    levels, seen = [roots], set(roots)
    while levels[-1]:
        levels.append(sorted({v for u in levels[-1] for v in rows.get(u, [])} - seen))
        seen |= set(levels[-1])
    place, parents, at = {}, [], 0
    for depth, level in enumerate(levels[:-1]):
        order = roots
        if depth:
            order, left = [], set(level)
            while left:
                for u in parents:
                    fresh = [v for v in rows.get(u, []) if v in left]
                    if fresh:
                        order.append(fresh[0])
                        left.remove(fresh[0])
        for i, v in enumerate(order):
            place[v] = at + i // (chunk - slack) * chunk + i % (chunk - slack)
        at += -(-len(order) // (chunk - slack)) * chunk
        parents = order
    return [place[v] for v in range(g.n)], at


def test_the_order_of_a_forest_is_the_one_described():
    @settings(max_examples=60, deadline=None)
    @given(graphs())
    def check(g):
        for chunk, slack in ((1, 0), (4, 0), (5, 2)):
            order = forest_order(g, chunk, slack)
            assert (order.place.tolist(), order.size) == plain_forest_order(g, chunk, slack)

    check()
    g = zoo()["kron-8"]
    assert g.relabel(forest_order(g).place).m == g.m


@pytest.mark.parametrize("algorithm", SUPPORTED)
def test_renumbering_alone_changes_nothing(algorithm):
    for directed in (True, False):
        for weights in (None, "int"):
            for name in ("kron-8", "grid"):
                g = zoo(directed, weights)[name]
                expected, got = ask(algorithm, g), ask(algorithm, g, approx=nearly.Coalesce(replicate=False, slack=3))
                assert same(algorithm, expected, got), (name, directed, weights)
                assert got.guarantee == expected.guarantee
                assert got.certificate().ok


@small
def test_the_word_depends_on_the_knobs():
    for algorithm, word in Coalesce.guarantees.items():
        assert nearly.Coalesce().guarantee(algorithm) == word
        assert nearly.Coalesce(replicate=False, confluence="mean").guarantee(algorithm) == "exact"
    mean = nearly.Coalesce(confluence="mean")
    said = {algorithm: mean.guarantee(algorithm) for algorithm in SUPPORTED}
    assert said == {
        "bfs": "heuristic", "sssp": "certified", "pagerank": "certified", "betweenness": "heuristic",
        "scc": "heuristic", "mst": "upper bound", "connected_components": "exact",
    }  # fmt: skip
    assert nearly.Coalesce(confluence="min").guarantee("sssp") == "exact"
    g = paper_graph()
    with pytest.raises(InvalidArgumentError, match="does not apply to betweenness; it applies to bfs, connected"):
        nearly.betweenness(g, approx=nearly.Coalesce(confluence="max"))
    with pytest.raises(InvalidArgumentError, match="slack must be below chunk"):
        nearly.Coalesce(chunk=4, slack=4)
    with pytest.raises(InvalidArgumentError, match="by confluence='auto' each round only"):
        nearly.pagerank(g, approx=nearly.Coalesce(chunk=8, threshold=0.6, confluence="mean"), policy="frontier")


MANY = "coalesce:chunk=8,slack=3,threshold=0.2"


@pytest.mark.parametrize("algorithm", SUPPORTED)
def test_the_exactness_matrix_with_many_copies_under_every_policy(algorithm):
    for directed in (True, False):
        g = zoo(directed, "int")["kron-8"]
        expected = ask(algorithm, g)
        assert ALGORITHMS.get(algorithm).apply(MANY, g).map.report["replicas"] > 20
        policies = ALGORITHMS.get(algorithm).policies if algorithm != "betweenness" else ("topology",)
        for policy in ("auto", *policies):
            got = ask(algorithm, g, approx=MANY, policy=policy)
            assert got.guarantee == Coalesce.guarantees[algorithm]
            assert got.certificate().ok
            if got.guarantee == "exact":
                assert same(algorithm, expected, got), (directed, policy)
            elif algorithm == "bfs":
                assert np.array_equal(got.values < 0, expected.values < 0)
                assert (got.values <= expected.values).all()
            elif algorithm == "pagerank":
                assert np.abs(got.values - expected.values).sum() <= got.bound + 1e-9
                assert got.bound < 0.5


@pytest.mark.parametrize("every", ["2", "7", "end"])
def test_shortest_paths_stay_exact_however_seldom_copies_are_merged(every):
    for directed in (True, False):
        g = zoo(directed, "int")["kron-8"]
        for policy in ("auto", "topology"):
            got = ask("sssp", g, approx=f"{MANY},every={every}", policy=policy)
            assert np.array_equal(got.values, ask("sssp", g).values)
            assert got.guarantee == "exact"
        ranks = ask("pagerank", g, approx=f"{MANY},every={every}")
        assert np.allclose(ranks.values, ask("pagerank", g, approx=MANY).values, rtol=1e-5)


@pytest.mark.parametrize("rule", ["mean", "max", "sum", np.median], ids=["mean", "max", "sum", "median"])
def test_other_rules_come_to_an_end_and_promise_nothing(rule):
    g = zoo(True, "int")["kron-8"]
    knobs = {"chunk": 8, "slack": 3, "threshold": 0.2, "confluence": rule}
    for algorithm in ("bfs", "sssp"):
        for policy in ("auto", "topology"):
            got = ask(algorithm, g, approx=nearly.Coalesce(**knobs), policy=policy)
            assert got.guarantee == ("heuristic" if algorithm == "bfs" else "certified")
            assert got.certificate().ok
            check_promise(algorithm, got.guarantee, ask(algorithm, g), got)
            assert got.rounds < 1100
    if rule == "mean":
        ranks = ask("pagerank", g, approx=nearly.Coalesce(**knobs))
        assert ranks.guarantee == "certified"
        assert np.allclose(ranks.values, ask("pagerank", g, approx=MANY).values, rtol=1e-4)


MEAN = f"{MANY},confluence=mean"


@pytest.mark.parametrize("algorithm", ["betweenness", "scc", "mst"])
@pytest.mark.parametrize("policy", ["auto", "topology", "frontier"])
def test_means_come_to_an_end_and_change_answers_where_there_are_copies(algorithm, policy):
    changed = False
    for directed in (True, False):
        for weights in ("int", "float", None):
            g = zoo(directed, weights)["kron-8"]
            exact, got = ask(algorithm, g), ask(algorithm, g, approx=MEAN, policy=policy)
            assert got.guarantee == from_spec(MEAN).guarantee(algorithm)
            assert got.certificate().ok
            check_promise(algorithm, got.guarantee, exact, got)
            changed |= not same(algorithm, ask(algorithm, g, approx=MANY, policy=policy), got)
    assert changed or (algorithm, policy) == ("scc", "topology")  # where all vertices spread their ranks each round


@small
def test_the_mean_of_dependencies():
    """Paths from 1 lead through 0, whose arcs are shared by a copy: the sum is right, the mean is half of it."""
    g = Graph.from_edges([1, *[0] * 6, *range(2, 8)], [0, *range(2, 8), *[8] * 6], n=9)
    knobs = {"chunk": 4, "slack": 2, "threshold": 0.3}
    moved = ALGORITHMS.get("betweenness").apply(nearly.Coalesce(**knobs, confluence="mean"), g).map
    copies = int(np.count_nonzero(moved.copies.of == moved.place[0])) if moved.copies is not None else 0
    assert copies > 0
    auto, mean = (
        nearly.betweenness(g, sources=[1], normalized=False, approx=nearly.Coalesce(**knobs, confluence=rule)).values
        for rule in ("auto", "mean")
    )
    assert auto[0] > 0
    assert mean[0] == pytest.approx(auto[0] / (1 + copies))


@small
def test_a_forest_by_means_of_offers():
    """0 has edges of weight 1 and 9 and its copy others; the tree picks an edge that is not its lightest."""
    g = zoo(False, "int")["kron-8"]
    exact, got = nearly.mst(g), nearly.mst(g, approx=MEAN)
    assert got.weight > exact.weight
    assert got.weight - exact.weight <= got.certificate().bound


@small
def test_strong_components_by_means_are_parts_of_their_own_number():
    g = zoo(True, None)["kron-8"]
    exact, got = nearly.scc(g), nearly.scc(g, approx=MEAN)
    assert got.count != exact.count
    assert np.array_equal(got.values[got.values], got.values)


@small
def test_an_unweighted_graph_has_added_arcs_that_count_two_for_lengths():
    g = paper_graph()
    knobs = nearly.Coalesce(chunk=8, threshold=0.6)
    assert nearly.sssp(g, 0, approx=knobs).values[16] == 2
    assert nearly.bfs(g, 0, approx=knobs).values[16] == 1
    moved = knobs.transform(g, Task("sssp", weighted=False))
    assert moved.graph.weights[moved.arcs == NO_ARC].tolist() == [2, 2]
    assert np.array_equal(nearly.mst(g, approx=knobs).edges, nearly.mst(g).edges)


@small
def test_the_threshold_is_chosen_by_degrees_and_space_stays_small():
    road, web = nearly.generate.grid(60, 60, seed=1), nearly.generate.rmat(9, 16, seed=1)
    for g, threshold in ((road, 0.4), (web, 0.6)):
        moved = nearly.Coalesce().transform(g, Task("bfs"))
        assert moved.report["threshold"] == threshold
        assert moved.extra_space <= 0.08
