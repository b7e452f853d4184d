"""Similarity of pairs, and the vertices most similar to one, against NetworkX."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError

small = pytest.mark.small
NAMES = ("jaccard", "common_neighbors", "adamic_adar", "resource_allocation")
THEIRS = {
    "jaccard": nx.jaccard_coefficient,
    "adamic_adar": nx.adamic_adar_index,
    "resource_allocation": nx.resource_allocation_index,
}


def simple(g):
    made = as_networkx(g).to_undirected()
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def expected(name, oracle, pairs):
    if name == "common_neighbors":
        return [len(nx.common_neighbors(oracle, u, v)) for u, v in pairs]
    return [score for _, _, score in THEIRS[name](oracle, pairs)]


def check(g, pairs):
    oracle = simple(g)
    for name in NAMES:
        r = getattr(nearly, name)(g, pairs)
        assert np.allclose(r.values, expected(name, oracle, pairs), rtol=1e-12, atol=0), name
        assert r.certificate().ok
        all_arcs = getattr(nearly, name)(g)
        ends = list(zip(g.arc_sources().tolist(), g.targets.tolist()))
        apart = [i for i, (u, v) in enumerate(ends) if u != v]
        assert np.allclose(all_arcs.values[apart], expected(name, oracle, [ends[i] for i in apart]), rtol=1e-12)


@small
@pytest.mark.parametrize("directed", [True, False])
def test_pairs_of_the_zoo(directed):
    rng = np.random.default_rng(1)
    for g in zoo(directed).values():
        pairs = rng.integers(0, g.n, (30, 2)) if g.n > 1 else np.empty((0, 2), np.int64)
        check(g, [tuple(pair) for pair in pairs.tolist() if pair[0] != pair[1]])


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_pairs_of_random_graphs(g, data):
    ends = st.integers(0, g.n - 1)
    check(g, [pair for pair in data.draw(st.lists(st.tuples(ends, ends))) if pair[0] != pair[1]])


@small
def test_a_vertex_and_itself():
    g = zoo(False)["star"]
    assert nearly.jaccard(g, [[0, 0], [1, 1], [1, 2]]).values.tolist() == [1.0, 1.0, 1.0]
    assert nearly.common_neighbors(g, [[0, 0], [1, 1]]).values.tolist() == [69, 1]
    assert nearly.adamic_adar(g, [[0, 0], [1, 1]]).values.tolist() == [0.0, 1 / math.log(69)]
    assert nearly.jaccard(zoo()["edgeless"], [[0, 0], [0, 1]]).values.tolist() == [0.0, 0.0]


@small
def test_long_rows_are_searched_and_parallel_edges_count_once():
    rng = np.random.default_rng(3)
    hub = rng.choice(np.arange(3, 5000), 2000, replace=False)
    few = np.concatenate([hub[:20], np.arange(3, 40), hub[:3]])
    src = np.concatenate([np.zeros(hub.size, np.int64), np.ones(few.size, np.int64), [0, 1]])
    dst = np.concatenate([hub, few, [0, 0]])
    g = Graph.from_edges(src, dst, n=5000, directed=False, duplicates="keep")
    plain = Graph.from_edges(src[:-2], dst[:-2], n=5000, directed=False)
    common = np.intersect1d(hub, few).size
    for pair in ([0, 1], [1, 0]):
        assert nearly.common_neighbors(g, [pair]).values.tolist() == [common]
        assert nearly.jaccard(plain, [pair]).values[0] == common / np.union1d(hub, few).size
    assert nearly.common_neighbors(g, [[0, 1]]).certificate().ok


def test_threads_change_nothing():
    g = nearly.generate.rmat(14, 16, seed=1, directed=False)
    for name in NAMES:
        one, two = (getattr(nearly, name)(g, threads=k).values for k in (1, 2))
        assert np.array_equal(one, two)
    assert int(nearly.common_neighbors(g).values.sum()) == 6 * nearly.triangle_count(g).total


@small
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([0, 1], "pairs must hold two vertices in each row"),
        ([[0.5, 1]], "pairs must hold two vertices in each row"),
        ([[0, 1, 2]], "pairs must hold two vertices in each row"),
        ([[0, 7]], "pairs holds 7, which is no vertex of this graph of 7"),
        ([[-1, 0]], "pairs holds -1"),
    ],
)
def test_bad_pairs(pairs, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.jaccard(zoo()["path"], pairs)


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_similar_vertices(g, data):
    v, k = data.draw(st.integers(0, g.n - 1)), data.draw(st.integers(1, 5))
    r, oracle = nearly.similar(g, v, k), simple(g)
    scores = {w: next(s for _, _, s in nx.jaccard_coefficient(oracle, [(v, w)])) for w in range(g.n) if w != v}
    assert np.allclose(r.values, [scores.get(w, 0) for w in range(g.n)])
    best = sorted((w for w in scores if scores[w] > 0), key=lambda w: (-scores[w], w))[:k]
    assert r.vertices.tolist() == best
    assert r.scores.tolist() == [r.values[w] for w in best]
    assert r.certificate().ok


@small
def test_similar_says_what_it_takes():
    with pytest.raises(InvalidArgumentError, match="k must be a whole number of at least 1"):
        nearly.similar(zoo()["path"], 0, 0)
