"""Degrees made alike: the paper's example, buckets and warps, the automatic thresholds, and what stays exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.questions import ask, same
from tests.zoo import arcs_of, graphs

import nearly
from nearly import Graph, NormalizeDegrees
from nearly.engine.technique import Task
from nearly.techniques.normalize_degrees import automatic_thresholds, bucket_order, buckets_of, needs_of

small = pytest.mark.small
EXACT = ("sssp", "scc", "mst", "connected_components")


def figure_6() -> Graph:
    """A (vertex 0) has seven arcs, I (vertex 8) four; G (6) and K (10) are among the 2-hop neighbours of I."""
    from_a = [(0, v) for v in range(1, 8)]
    from_i = [(8, v) for v in (7, 9, 11, 12)]
    return Graph.from_edges(*zip(*from_a, *from_i, (7, 6), (9, 10)))


@small
def test_the_papers_example_is_filled_from_four_to_six_of_seven():
    g = figure_6()
    moved = NormalizeDegrees(similarity=0.5).transform(g, Task("bfs"))
    new = {(int(u), int(v)) for u, v, _ in arcs_of(moved.graph)}
    back = np.argsort(moved.place)
    added = {(int(back[u]), int(back[v])) for u, v in new} - {(u, v) for u, v, _ in arcs_of(g)}
    assert added == {(8, 6), (8, 10)}
    assert moved.graph.out_degrees[moved.place[8]] == 6
    assert moved.report == {"arcs added": 2, "vertices filled": 1, "vertices partly filled": 0, "similarity": 0.5}
    assert moved.place[[0, 8]].tolist() == [0, 1]  # one bucket, one warp
    strict = NormalizeDegrees(similarity=0.4).transform(g, Task("bfs"))
    assert strict.report["arcs added"] == 0  # I lacks 3 / 7


@small
def test_too_few_candidates_fill_partly():
    g = Graph.from_edges(*zip(*[(0, v) for v in range(1, 8)], *[(8, v) for v in (7, 9, 11, 12)], (7, 6)))
    moved = NormalizeDegrees(similarity=0.5).transform(g, Task("bfs"))
    assert (moved.report["arcs added"], moved.report["vertices partly filled"]) == (1, 1)


@small
def test_buckets_and_warps():
    degrees = np.array([0, 1, 2, 3, 4, 7, 8, 1023, 1024])
    assert buckets_of(degrees).tolist() == [0, 1, 2, 2, 3, 3, 4, 10, 11]
    assert bucket_order(degrees).tolist() == [8, 7, 6, 4, 5, 2, 3, 1, 0]
    needs = needs_of(np.array([10, 8, 20, 17, 0]), np.array([0, 1, 2, 3, 4]), 0.85, 2)
    assert needs.missing.tolist() == [0, 1, 0, 0, 0]  # warps (10, 8), (20, 17), (0)
    assert needs.lack.round(2).tolist() == [0, 0.2, 0, 0.15, 1.0]


@small
def test_automatic_thresholds_stay_low_where_the_paper_says_and_within_the_space():
    rng = np.random.default_rng(3)
    for degrees in (rng.integers(0, 200, 5000), rng.poisson(40, 5000), rng.zipf(1.7, 5000).clip(0, 3000)):
        needs = needs_of(degrees, bucket_order(degrees), 0.85, 32)
        chosen = automatic_thresholds(degrees, needs, arcs=1)
        assert chosen.max() <= 0.4
        bucket = buckets_of(degrees)
        for b in np.unique(bucket[degrees > 0]).tolist():
            mine = degrees[bucket == b]
            low = mine.mean() < 8 or 2**b - 1 - mine.mean() < mine.mean() - 2 ** (b - 1)
            assert chosen[b] <= (0.3 if low else 0.4)
            filled = (bucket == b) & (needs.lack < chosen[b])
            assert needs.missing[filled].sum() <= 0.02 * mine.sum()


def test_no_similarity_only_reorders():
    g = nearly.generate.rmat(8, 8, seed=1, weights="int")
    for algorithm in NormalizeDegrees.guarantees:
        exact, got = ask(algorithm, g), ask(algorithm, g, approx=NormalizeDegrees(similarity=0))
        assert same(algorithm, exact, got)
        assert got.guarantee == exact.guarantee
        assert got.certificate().ok
    assert not NormalizeDegrees(similarity=0).is_exact  # it does something, unlike None
    assert NormalizeDegrees(similarity=None).is_exact


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([None, "int"]), st.sampled_from(["auto", "topology"]))
def test_distances_components_and_forests_never_change(data, weights, policy):
    g = data.draw(graphs(weights=weights))
    much = NormalizeDegrees(similarity=1.0, fill=1.0, warp=8)
    for algorithm in EXACT:
        exact, got = ask(algorithm, g, policy=policy), ask(algorithm, g, policy=policy, approx=much)
        assert got.guarantee == "exact"
        assert same(algorithm, exact, got)
        assert got.certificate().ok


def test_distances_by_fractions_stay_to_rounding():
    g = nearly.generate.rmat(9, 8, seed=4, weights="float")
    got = ask("sssp", g, approx=NormalizeDegrees(similarity=0.8, fill=1.0))
    assert np.allclose(got.values, ask("sssp", g).values, rtol=1e-6)
    assert got.certificate().ok


def test_it_composes_with_rounded_weights_either_way():
    """Levels know the true length of given arcs only; an added one counts as its level does."""
    both = [NormalizeDegrees(similarity=0.8, fill=1.0), nearly.RoundWeights(levels=4)]
    for g in (nearly.generate.rmat(8, 8, seed=4, weights="int"), nearly.generate.rmat(8, 8, seed=4)):
        for techniques in (both, both[::-1]):
            got, exact = ask("sssp", g, approx=techniques), ask("sssp", g)
            assert got.guarantee == "heuristic" or np.array_equal(got.values, exact.values)
            assert (got.values >= exact.values).all()
            assert np.array_equal(np.isfinite(got.values), np.isfinite(exact.values))
            assert got.certificate().ok


def test_a_function_that_weighs_makes_distances_lower_bounds():
    g = nearly.generate.rmat(7, 6, seed=2, weights="int")
    light = NormalizeDegrees(similarity=0.8, fill=1.0, weight=np.minimum)
    got, exact = ask("sssp", g, approx=light), ask("sssp", g)
    assert got.guarantee == "lower bound"
    assert (got.values <= exact.values).all()
    assert (got.values < exact.values).any()
    assert got.certificate().ok
    forest = ask("mst", g, approx=light)
    assert (forest.guarantee, forest.weight) == ("exact", ask("mst", g).weight)


def test_edge_values_of_betweenness_come_back_to_given_arcs():
    g = nearly.generate.rmat(7, 6, seed=2, directed=False)
    exact = nearly.betweenness(g, edges=True)
    got = nearly.betweenness(g, edges=True, approx=NormalizeDegrees(similarity=0))
    assert np.allclose(got.edge_values, exact.edge_values)
    more = nearly.betweenness(g, edges=True, approx=NormalizeDegrees(similarity=0.8))
    assert more.edge_values.shape == (g.m,)


@pytest.mark.parametrize("directed", [True, False])
def test_the_default_takes_no_more_space_than_the_paper(directed):
    for g in (
        nearly.generate.rmat(13, 16, seed=1, directed=directed),
        nearly.generate.random(5000, 80_000, seed=1, directed=directed),
        nearly.generate.grid(60, 60, seed=1),
    ):
        moved = NormalizeDegrees().transform(g, Task("pagerank"))
        assert moved.extra_space <= 0.023
        assert all(value < 0.4 + 1e-9 for name, value in moved.report.items() if name.startswith("similarity"))
