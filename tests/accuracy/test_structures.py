"""Partitions against counting every pair, modularity against NetworkX, forests by hand."""

from __future__ import annotations

from itertools import combinations
from math import log

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError, accuracy

small = pytest.mark.small
partitions = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=16)


def pair_counts(one, other):
    """Pairs together in both, in the first only, in the second only, in neither."""
    counts = {(x, y): 0 for x in (True, False) for y in (True, False)}
    for u, v in combinations(range(len(one)), 2):
        counts[one[u] == one[v], other[u] == other[v]] += 1
    return counts[True, True], counts[True, False], counts[False, True], counts[False, False]


def entropy(labels):
    shares = [labels.count(x) / len(labels) for x in set(labels)]
    return -sum(p * log(p) for p in shares)


@settings(max_examples=200, deadline=None)
@given(partitions, st.sampled_from([1, -3, 7_000_000_000]))
def test_partitions_by_brute_force(pairs, stretch):
    one, other = [p[0] for p in pairs], [p[1] for p in pairs]
    both, first, second, neither = pair_counts(one, other)
    named = [label * stretch for label in other]  # labels are names: any will do
    f1 = 2 * both / (2 * both + first + second) if both + first + second else 1.0
    assert accuracy.pair_f1(one, named) == pytest.approx(f1)
    below = (both + second) * (second + neither) + (both + first) * (first + neither)
    rand = 2 * (both * neither - first * second) / below if below else 1.0
    assert accuracy.adjusted_rand(one, named) == pytest.approx(rand)
    assert accuracy.part_count_difference(one, named) == len(set(other)) - len(set(one))
    if pairs:
        known = entropy(one) + entropy(other)
        shared = known - entropy(list(zip(one, other)))
        nmi = accuracy.normalized_mutual_information(one, named)
        assert nmi == pytest.approx(2 * shared / known if known else 1.0, abs=1e-12)
    for measure in (accuracy.pair_f1, accuracy.adjusted_rand, accuracy.normalized_mutual_information):
        assert measure(one, named) == pytest.approx(measure(named, one))
        assert measure(one, one) == pytest.approx(1.0)


def test_partitions_both_ways_of_counting():
    """Few parts are counted in a table, many by sorting; labels of a large graph must not overflow."""
    rng = np.random.default_rng(1)
    n = 50_000
    for parts in (3, 200, 40_000):
        one, other = rng.integers(0, parts, n), rng.integers(0, parts, n)
        pairs = np.unique(np.stack([one, other]), axis=1, return_counts=True)[1]
        sizes = [np.unique(x, return_counts=True)[1] for x in (one, other)]
        joint, first, second = (sum(c * (c - 1) // 2 for c in counts.tolist()) for counts in (pairs, *sizes))
        assert accuracy.pair_f1(one.astype(np.int32), other.astype(np.uint64)) == 2 * joint / (first + second)
        assert abs(accuracy.adjusted_rand(one, other)) < 0.01
    alone, together = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
    assert accuracy.pair_f1(together, alone) == accuracy.adjusted_rand(together, alone) == 0.0
    assert accuracy.normalized_mutual_information(together, alone) == 0.0


def networkx_modularity(g, labels, resolution, weight="weight"):
    parts = [{v for v in range(g.n) if labels[v] == label} for label in set(labels)]
    return nx.community.modularity(as_networkx(g.symmetrized()), parts, weight=weight, resolution=resolution)


@small
@settings(max_examples=100, deadline=None)
@given(st.one_of(graphs(weights="int"), graphs(), graphs(weights="float")), st.data())
def test_modularity_is_networkxs(g, data):
    labels = data.draw(st.lists(st.integers(-1, 3), min_size=g.n, max_size=g.n))
    resolution = data.draw(st.sampled_from([1.0, 0.5, 2.0]))
    for weights in (True, False):
        found = accuracy.modularity(g, labels, resolution, weights=weights)
        if g.m and (not weights or g.weights is None or g.weights.any()):
            expected = networkx_modularity(g, labels, resolution, "weight" if weights else None)
            assert found == pytest.approx(expected, abs=1e-6)
        else:
            assert found == 0.0


@small
@pytest.mark.parametrize("weights", [None, "int", "zero"])
def test_modularity_on_the_zoo(weights):
    for name, g in zoo(False, weights, duplicates="first").items():
        result = nearly.label_propagation(g)
        total = g.m if g.weights is None else g.weights.sum()
        expected = networkx_modularity(g, result.values.tolist(), 1.0) if total else 0.0
        assert accuracy.modularity(g, result) == pytest.approx(expected, abs=1e-9), name


def test_modularity_refuses_what_does_not_fit():
    g = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(InvalidArgumentError, match="per vertex"):
        accuracy.modularity(g, [0, 1])
    with pytest.raises(InvalidArgumentError, match="resolution"):
        accuracy.modularity(g, [0, 1, 1], resolution=np.nan)


def test_forests_by_hand():
    g = Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [1, 2, 3, 10], directed=False)
    arc = {(u, v): e for e, (u, v) in enumerate(zip(g.arc_sources().tolist(), g.targets.tolist()))}
    exact = nearly.mst(g)
    heavier = np.array([arc[0, 1], arc[1, 2], arc[0, 3]])
    assert accuracy.weight_excess(exact, heavier, g) == pytest.approx(13 / 6 - 1)
    assert accuracy.missing_trees(exact, heavier, g) == 0
    assert accuracy.missing_trees(exact, heavier[:1], g) == 2
    assert accuracy.missing_trees(exact, [arc[0, 1], arc[1, 0], arc[0, 1]], g) == 2  # one edge, three times
    assert accuracy.weight_excess(exact, nearly.mst(g, weights=False)) == -0.5  # each believed by its own word
    for bad in ([g.m], [-1], [0.5]):
        with pytest.raises(InvalidArgumentError, match="indices"):
            accuracy.missing_trees(exact, bad, g)


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_missing_trees_are_components_too_many(g, data):
    chosen = data.draw(st.lists(st.integers(0, g.m - 1), max_size=g.n)) if g.m else []
    arcs = list(zip(g.arc_sources().tolist(), g.targets.tolist()))
    whole, part = nx.empty_graph(g.n), nx.empty_graph(g.n)
    whole.add_edges_from(arcs)
    part.add_edges_from(arcs[e] for e in chosen)
    expected = nx.number_connected_components(part) - nx.number_connected_components(whole)
    assert accuracy.missing_trees(nearly.mst(g), chosen, g) == expected


def test_forests_without_weight():
    g = Graph.from_edges([0, 1, 0], [1, 2, 2], [0, 0, 7], directed=False)
    exact = nearly.mst(g)
    assert exact.weight == 0
    assert accuracy.weight_excess(exact, exact, g) == 0.0
    arcs = list(zip(g.arc_sources().tolist(), g.targets.tolist()))
    assert accuracy.weight_excess(exact, [arcs.index((0, 1)), arcs.index((0, 2))], g) == 1.0


@small
def test_conflicts():
    g = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 2], directed=False)
    assert accuracy.conflicts(g, [0, 1, 2]) == 0.0
    assert accuracy.conflicts(g, [5, 5, 1]) == pytest.approx(1 / 3)
    assert accuracy.conflicts(g, [5, 5, 5]) == 1.0
    assert accuracy.conflicts(g, [-1, -1, 5]) == 0.0
    assert accuracy.conflicts(Graph.from_edges([], [], n=2), [0, 0]) == 0.0
