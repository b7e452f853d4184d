"""The builder against SciPy and against plain Python, for every policy, narrow and wide types, one and two threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import nearly
from nearly import Graph, InvalidArgumentError, InvalidGraphError, MemoryBudgetError
from nearly.graph import build
from nearly.graph.edge_source import ArraySource, Chunk

pytestmark = pytest.mark.small


@pytest.fixture(scope="module", params=["kernels", "NumPy"], autouse=True)
def builder(request):
    """Everything here is built twice: by the kernels for large graphs, and by NumPy alone as small graphs are."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("SMALL", "TINY"):
            patch.setattr(build, limit, 0 if request.param == "kernels" else 1 << 17)
        yield request.param


def plain(edges, n, directed, duplicates, self_loops):
    """Rows as lists of (target, weight), the slow obvious way."""
    rows = [[] for _ in range(n)]
    for u, v, w in edges:
        if u == v and self_loops == "drop":
            continue
        rows[u].append((v, w))
        if not directed and u != v:
            rows[v].append((u, w))
    merged = []
    for row in rows:
        row.sort(key=lambda pair: pair[0])
        if duplicates == "keep":
            merged.append(row)
            continue
        best = {}
        for v, w in row:
            if v not in best:
                best[v] = w
            elif duplicates == "min":
                best[v] = min(best[v], w)
            elif duplicates == "sum":
                best[v] += w
        merged.append(list(best.items()))
    return merged


def rows_of(g):
    offsets, targets = g.offsets.astype(int), g.targets.tolist()
    weights = [None] * g.m if g.weights is None else g.weights.tolist()
    return [list(zip(targets[a:b], weights[a:b])) for a, b in pairwise(offsets)]


edge_lists = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 9)), max_size=60),
    )
)
policies = st.tuples(
    st.booleans(), st.sampled_from(["keep", "first", "min", "sum"]), st.sampled_from(["keep", "drop"]), st.booleans()
)


@settings(max_examples=150, deadline=None)
@given(edge_lists, policies)
def test_policies_equal_the_obvious_way(case, policy):
    n, edges = case
    directed, duplicates, self_loops, weighted = policy
    src, dst, w = (np.array([e[i] for e in edges], np.int64) for i in range(3))
    g = Graph.from_edges(
        src, dst, w if weighted else None, n=n, directed=directed, duplicates=duplicates, self_loops=self_loops
    )
    expected = plain(edges, n, directed, duplicates, self_loops)
    if not weighted:
        expected = [[(v, None) for v, _ in row] for row in expected]
    assert rows_of(g) == expected
    g.validate()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("skew", [1, 4])
def test_large_build_equals_scipy(threads, skew, monkeypatch):
    monkeypatch.setattr(build, "_BUCKET_ARCS", 1000)
    rng = np.random.default_rng(3)
    n, m = 20_000, 80_000
    src, dst = ((n * rng.random(m) ** skew).astype(np.uint32) for _ in range(2))
    w = rng.integers(1, 100, m)
    nearly.set_threads(threads)
    try:
        g = Graph.from_edges(src, dst, w, n=n, duplicates="sum")
    finally:
        nearly.set_threads(None)
    expected = sp.coo_array((w, (src, dst)), shape=(n, n)).tocsr()
    expected.sum_duplicates()
    assert np.array_equal(g.offsets, expected.indptr)
    assert np.array_equal(g.targets, expected.indices)
    assert np.array_equal(g.weights, expected.data)


def test_chunks_and_pieces_keep_the_input_order(monkeypatch):
    """`first` must mean first in the input, also across chunks, pieces and both directions of an edge."""
    monkeypatch.setattr("nearly.graph.edge_source.CHUNK", 64)
    rng = np.random.default_rng(5)
    src, dst = rng.integers(0, 30, (2, 1000))
    w = np.arange(1000)
    g = Graph.from_edges(src, dst, w, n=30, directed=False, duplicates="first")
    first = {}
    for u, v, x in zip(src.tolist(), dst.tolist(), w.tolist()):
        first.setdefault((min(u, v), max(u, v)), x)
    for u, v, x in zip(g.arc_sources().tolist(), g.targets.tolist(), g.weights.tolist()):
        assert first[min(u, v), max(u, v)] == x
    g.validate()


def test_wide_vertices_take_the_same_paths(monkeypatch):
    rng = np.random.default_rng(7)
    src, dst = rng.integers(0, 300, (2, 3000))
    w = rng.random(3000)
    narrow = Graph.from_edges(src, dst, w, n=300)
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 100)
    wide = Graph.from_edges(src, dst, w, n=300)
    assert (narrow.arrays.targets.dtype, wide.arrays.targets.dtype) == (np.uint32, np.uint64)
    assert wide == narrow
    assert wide.reverse == narrow.reverse
    assert wide.symmetrized() == narrow.symmetrized()
    wide.validate()
    assert np.array_equal(wide.in_degrees, narrow.in_degrees)


def test_more_rows_than_one_bucket_number_can_hold():
    n = (1 << 16) * 3 + 5
    g = Graph.from_edges([0, 1 << 16, n - 1], [n - 1, 1, 0], n=n)
    assert g.arc_sources().tolist() == [0, 1 << 16, n - 1]
    assert g.targets.tolist() == [n - 1, 1, 0]


@pytest.mark.parametrize(("n", "edges"), [(0, []), (1, []), (1, [(0, 0)]), (5, []), (2, [(1, 1), (1, 1)])])
def test_tiny_graphs(n, edges):
    src, dst = [e[0] for e in edges], [e[1] for e in edges]
    for directed in (True, False):
        g = Graph.from_edges(src, dst, n=n, directed=directed)
        g.validate()
        assert g.n == n
        assert g.m == len(set(edges))
        assert g.reverse.m == g.m


class Fickle:
    """A source that gives other edges the second time."""

    weight_dtype = None

    def __init__(self, *chunks):
        self.given = list(chunks)
        self.edges = 4

    def chunks(self):
        src, dst = self.given.pop(0)
        yield Chunk(np.array(src, np.uint32), np.array(dst, np.uint32), None)


@pytest.mark.parametrize("second", [([0, 0, 0, 0, 0], [1] * 5), ([0], [1]), ([0, 9], [1, 1])])
def test_a_source_that_changes_is_an_error_not_a_crash(second, monkeypatch):
    for limit in ("SMALL", "TINY"):  # small ones are read once
        monkeypatch.setattr(build, limit, 0)
    with pytest.raises(InvalidGraphError, match="second time"):
        build.from_source(Fickle(([0, 1], [1, 0]), second), n=2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (dict(src=[0], dst=[1, 2]), InvalidGraphError, "one length, not 1 and 2"),
        (dict(src=[-1], dst=[0]), InvalidGraphError, "negative vertex -1"),
        (dict(src=[0.5], dst=[0]), InvalidGraphError, "whole numbers, not float64"),
        (dict(src=[[0]], dst=[[0]]), InvalidGraphError, "one-dimensional"),
        (dict(src=[0], dst=[5], n=3), InvalidGraphError, "vertex 5 is out of range for n=3"),
        (dict(src=[0], dst=[1], n=-1), InvalidArgumentError, "at least 0"),
        (dict(src=[0], dst=[1], n=True), InvalidArgumentError, "whole number"),
        (dict(src=[0], dst=[1], weights=[1, 2]), InvalidGraphError, "edges' length 1"),
        (dict(src=[0], dst=[1], weights=[np.nan]), InvalidGraphError, "edge 0 is nan; pass nan='drop'"),
        (dict(src=[0], dst=[1], weights=[np.inf]), InvalidGraphError, "edge 0 is inf"),
        (dict(src=[0], dst=[1], weights=[-2.0]), InvalidGraphError, "negative weight -2.0; pass negative='keep'"),
        (dict(src=[0], dst=[1], weights=["x"]), InvalidGraphError, "weights must be numbers"),
        (dict(src=[0], dst=[1], weights=[1e300]), InvalidGraphError, "too large for float32"),
        (dict(src=[0], dst=[1], weights=[0.5], weight_dtype="uint32"), InvalidGraphError, "needs whole numbers"),
        (dict(src=[0], dst=[1], weights=[1], weight_dtype="int8"), InvalidArgumentError, "uint32, float32, float64"),
        (dict(src=[0], dst=[1], duplicates="last"), InvalidArgumentError, "keep, first, min, sum"),
        (dict(src=[0], dst=[1], self_loops="no"), InvalidArgumentError, "keep, drop"),
        (dict(src=[0], dst=[10**12]), MemoryBudgetError, "1000000000001 vertices .compact the ids"),
    ],
)
def test_bad_input_says_what_to_change(arguments, error, message, monkeypatch):
    monkeypatch.setenv("NEARLY_MEMORY", "1G")
    with pytest.raises(error, match=message):
        Graph.from_edges(**arguments)


def test_weights_take_the_smallest_type_that_holds_them():
    def kept(weights, **policies):
        return Graph.from_edges([0] * len(weights), range(len(weights)), weights, **policies).weights

    assert kept([1, 2]).dtype == np.uint32
    assert kept([1.0, 2.0]).dtype == np.float32
    assert kept([1.0, 2.0], weight_dtype="float64").dtype == np.float64
    assert kept([1, 2**40]).dtype == np.float64
    assert kept([-1, 2], negative="keep").dtype == np.float32
    assert kept([1.0, np.nan, 3.0], nan="drop").tolist() == [1.0, 3.0]
    assert kept([3.4028235e38]).tolist() == [float(np.finfo(np.float32).max)]
    summed = Graph.from_edges([0, 0], [0, 0], [2**32 - 1, 2**32 - 1], duplicates="sum").weights
    assert summed.tolist() == [2.0**33 - 2]


def test_the_budget_is_asked_before_the_arrays_are_made(monkeypatch):
    src = np.zeros(100_000, np.uint32)
    monkeypatch.setenv("NEARLY_MEMORY", "100K")
    with pytest.raises(MemoryBudgetError, match="a graph of 1 vertices and 100,000 arcs needs about"):
        build.from_source(ArraySource(src, src), n=1)
