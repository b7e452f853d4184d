"""Label propagation: stable labels by an independent count, planted communities, one answer for any thread count."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError

small = pytest.mark.small


def restless(g, label, weighted=True):
    """The oracle: vertices whose label does not weigh most among their neighbours."""
    found = []
    rows = defaultdict(lambda: defaultdict(float))
    for u, v, w in arcs_of(g.symmetrized()):
        if u != v:
            rows[u][label[v]] += w if weighted else 1.0
    for u, sums in rows.items():
        if sums.get(label[u], 0.0) < max(sums.values()) * (1 - 1e-12):
            found.append(u)
    return found


def is_canonical(label):
    return all(label[v] <= v and label[label[v]] == label[v] for v in range(len(label)))


@small
@pytest.mark.parametrize("weights", [None, "int", "float", "zero"])
@pytest.mark.parametrize("directed", [True, False])
def test_against_a_count(directed, weights):
    for name, g in zoo(directed, weights).items():
        for seed in (1, 2):
            one = nearly.label_propagation(g, seed=seed)
            assert one.guarantee == "exact", name
            assert restless(g, one.values.tolist()) == [], name
            assert is_canonical(one.values.tolist())
            assert one.count == len(set(one.values.tolist()))
            assert one.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(weights="int"), st.integers(0, 2**64 - 1), st.booleans())
def test_random_graphs(g, seed, weights):
    r = nearly.label_propagation(g, seed=seed, weights=weights, explore=seed % 3)
    label = r.values.tolist()
    assert is_canonical(label)
    assert r.certificate().ok
    if r.guarantee == "exact":
        assert restless(g, label, weights) == []
    parts = nearly.connected_components(g).values
    assert (parts[r.values] == parts).all()  # labels do not leave a component


@small
def test_cliques_are_communities():
    for name in ("clique", "edgeless"):
        g = zoo(False)[name]
        assert nearly.label_propagation(g).count == (1 if name == "clique" else 5)
    k = 5
    src, dst = np.triu_indices(k, 1)
    ring = [(c * k, ((c + 1) % 6) * k) for c in range(6)]
    src = np.concatenate([src + c * k for c in range(6)] + [[a for a, _ in ring]])
    dst = np.concatenate([dst + c * k for c in range(6)] + [[b for _, b in ring]])
    r = nearly.label_propagation(Graph.from_edges(src, dst, directed=False))
    assert r.values.tolist() == np.repeat(np.arange(6) * k, k).tolist()


@small
def test_weights_decide():
    g = Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 4, 4], [9, 9, 1, 9, 1], directed=False)
    assert nearly.label_propagation(g).values.tolist() == [0, 0, 0, 3, 3]
    negative = Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], directed=False, negative="keep")
    with pytest.raises(
        InvalidArgumentError, match="label_propagation needs weights of at least 0, but the graph has -2"
    ):
        nearly.label_propagation(negative)
    assert nearly.label_propagation(negative, weights=False).certificate().ok
    for explore in (-1, 1.5, True, None):
        with pytest.raises(InvalidArgumentError, match="explore must be a whole number of at least 0"):
            nearly.label_propagation(g, explore=explore)


@small
def test_disjoint_copies_and_isolated_vertices():
    g = zoo(False)["kron-8"]
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    more = Graph.from_edges(src, dst, n=g.n + 2, directed=False)
    values = nearly.label_propagation(g).values.tolist()
    assert nearly.label_propagation(more).values.tolist() == [*values, g.n, g.n + 1]


@small
def test_max_rounds():
    g = zoo(False)["kron-8"]
    r = nearly.label_propagation(g, max_rounds=1)
    assert (r.rounds, r.guarantee) == (1, "heuristic")
    assert r.certificate().ok
    assert r.trace[0].extra["changed"] > 0


@small
def test_the_certificate_finds_restless_vertices_and_wrong_names():
    g = Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    r = nearly.label_propagation(g)
    assert r.values.tolist() == [0, 0, 0, 3, 3, 3]
    for wrong in ([0, 0, 0, 0, 3, 3], [1, 1, 1, 3, 3, 3], [0, 0, 0, 4, 4, 4], [0, 0, 9, 3, 3, 3]):
        r.values = np.array(wrong)
        assert not r.certificate().ok, wrong


def test_planted_communities_in_a_large_graph():
    g = nearly.generate.planted_partition(50, 5200, 0.004, 2e-6, seed=3)
    assert g.n >= 250_000
    first = nearly.label_propagation(g, threads=1)
    assert first.certificate().ok
    for _ in range(2):
        again = nearly.label_propagation(g, threads=2)
        assert np.array_equal(again.values, first.values)
    truth = np.repeat(np.arange(50), 5200)
    for c in range(50):  # nearly all of a planted community have one label, and no other community has it
        members = first.values[truth == c]
        commonest = np.bincount(members).argmax()
        assert (members == commonest).mean() > 0.99
        assert (first.values[truth != c] == commonest).mean() < 0.01
