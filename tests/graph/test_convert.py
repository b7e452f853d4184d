"""SciPy matrices and NetworkX graphs, there and back."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.file_help import arcs, assert_same, sample_graphs

from nearly import Graph, InvalidArgumentError, InvalidGraphError, MissingDependencyError

pytestmark = pytest.mark.small


@pytest.mark.parametrize(
    "make", [scipy.sparse.csr_array, scipy.sparse.coo_matrix, scipy.sparse.csc_array, scipy.sparse.lil_array]
)
def test_from_every_kind_of_matrix(make):
    dense = np.array([[0, 2, 0], [0, 0, 3], [1, 0, 4]])
    g = Graph.from_scipy(make(dense))
    assert g.directed
    assert arcs(g) == [(0, 1, 2), (1, 2, 3), (2, 0, 1), (2, 2, 4)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.booleans())
def test_scipy_round_trip(seed, weighted):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 15))
    weights = rng.integers(2, 99, 25) if weighted else None
    g = Graph.from_edges(*rng.integers(0, n, (2, 25)), weights, n=n, directed=bool(rng.integers(2)))
    matrix = g.to_scipy()
    assert isinstance(matrix, scipy.sparse.csr_array)
    assert matrix.has_canonical_format
    again = Graph.from_scipy(matrix, directed=g.directed)
    assert_same(again, g)
    assert np.array_equal(Graph.from_scipy(matrix.tocoo()).to_scipy().toarray(), matrix.toarray())


def test_when_values_are_weights():
    ones = scipy.sparse.csr_array(np.eye(3))
    assert Graph.from_scipy(ones).weights is None
    assert Graph.from_scipy(ones, weighted=True).weights.tolist() == [1, 1, 1]
    assert Graph.from_scipy(ones.astype(bool)).weights is None
    assert Graph.from_scipy(ones.astype(bool), weighted=True).weights.tolist() == [1, 1, 1]
    assert Graph.from_scipy(ones * 2, weighted=False).weights is None
    assert Graph.from_scipy(ones * 0.5).weights.dtype == np.float32


def test_duplicates_are_summed_and_zeros_are_arcs():
    matrix = scipy.sparse.coo_array(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert arcs(Graph.from_scipy(matrix)) == [(0, 1, 3), (1, 0, 0)]
    assert matrix.nnz == 3, "the caller's matrix is not touched"


def test_an_undirected_matrix():
    matrix = scipy.sparse.csr_array([[0, 5, 0], [0, 0, 6], [0, 7, 0]])
    assert arcs(Graph.from_scipy(matrix, directed=False)) == [(0, 1, 5), (1, 0, 5), (1, 2, 6), (2, 1, 6)]


def test_the_matrix_is_a_copy():
    g = Graph.from_edges([0], [1], [5])
    g.to_scipy().data[0] = 9
    assert g.weights.tolist() == [5]


@pytest.mark.parametrize(
    ("matrix", "error", "words"),
    [
        (scipy.sparse.csr_array((2, 3)), InvalidGraphError, r"square matrix, not one of shape \(2, 3\)"),
        (np.eye(2), InvalidArgumentError, "expected a SciPy sparse matrix, not ndarray"),
        (scipy.sparse.csr_array([[0, -1], [0, 0]]), InvalidGraphError, "use Graph.from_edges with negative='keep'"),
        (scipy.sparse.csr_array([[0, np.nan], [0, 0]]), InvalidGraphError, "use Graph.from_edges with nan='drop'"),
        (scipy.sparse.csr_array([[0, 1j], [0, 0]]), InvalidGraphError, "must be numbers"),
    ],
)
def test_bad_matrices(matrix, error, words):
    with pytest.raises(error, match=words):
        Graph.from_scipy(matrix)


@pytest.mark.parametrize(
    "name", [n for n in sample_graphs() if "ids" not in n and "names" not in n and "parallel" not in n]
)
def test_networkx_round_trip(name):
    g = sample_graphs()[name]
    there = g.to_networkx()
    assert type(there) is (nx.DiGraph if g.directed else nx.Graph)
    assert list(there) == list(range(g.n))
    if "negative" in name:
        with pytest.raises(InvalidGraphError, match="negative"):
            Graph.from_networkx(there)
        return
    again = Graph.from_networkx(there)
    assert again.ids is None
    if (
        g.weighted and g.weights.dtype == np.float64
    ):  # real weights become float32 unless `from_edges` is told otherwise
        g = Graph(g.offsets, g.targets, g.weights.astype(np.float32), directed=g.directed)
    assert arcs(again) == arcs(g)
    assert again.directed == g.directed


def test_labels():
    for labels, kind in [
        ([5, 3, 9], "i"),
        (["b", "a", "c"], "U"),
        ([(0, 1), (1, 1), "x"], "O"),
        ([2**70, 1, 2], "O"),
        ([1.5, 2, 3], "O"),
    ]:
        graph = nx.DiGraph()
        graph.add_nodes_from(labels)
        graph.add_edge(labels[0], labels[2])
        g = Graph.from_networkx(graph)
        assert g.ids.dtype.kind == kind
        assert g.ids.tolist() == labels
        assert arcs(g) == [(labels[0], labels[2])]
    assert Graph.from_networkx(nx.grid_2d_graph(2, 2)).ids.tolist() == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert Graph.from_networkx(nx.path_graph(3)).ids is None
    backwards = nx.DiGraph()
    backwards.add_nodes_from([2, 1, 0])
    assert Graph.from_networkx(backwards).ids.tolist() == [2, 1, 0]


def test_weights_of_networkx():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=2.5, cost=7)
    graph.add_edge(1, 2, cost=8)
    assert arcs(Graph.from_networkx(graph)) == [(0, 1, 2.5), (1, 0, 2.5), (1, 2, 1), (2, 1, 1)]
    assert Graph.from_networkx(graph, weight="cost").weights.tolist() == [7, 7, 8, 8]
    assert Graph.from_networkx(graph, weight="none").weights is None
    assert Graph.from_networkx(graph, weight=None).weights is None
    graph.add_edge(0, 2, weight="heavy")
    with pytest.raises(InvalidGraphError, match=r"attribute 'weight' must hold numbers; pass weight=None"):
        Graph.from_networkx(graph)


def test_parallel_edges_are_merged_to_the_lightest():
    multi = nx.MultiDiGraph()
    multi.add_weighted_edges_from([(0, 1, 5), (0, 1, 3), (1, 1, 2)])
    assert arcs(Graph.from_networkx(multi)) == [(0, 1, 3), (1, 1, 2)]
    assert arcs(Graph.from_networkx(nx.MultiGraph(multi))) == [(0, 1, 3), (1, 0, 3), (1, 1, 2)]
    g = Graph.from_edges([0, 0, 1], [1, 1, 1], [5, 3, 2], duplicates="keep")
    assert sorted(g.to_networkx().edges(data="weight")) == [(0, 1, 3), (1, 1, 2)]


def test_what_is_no_networkx_graph():
    with pytest.raises(InvalidArgumentError, match="expected a NetworkX graph, not dict"):
        Graph.from_networkx({0: [1]})


def test_without_networkx(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'nearly\[networkx\]'"):
        Graph.from_edges([0], [1]).to_networkx()
