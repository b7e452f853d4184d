"""Connected components against NetworkX and SciPy under every policy, metamorphic properties, certificate."""

from __future__ import annotations

import importlib

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components as scipy_components
from tests.algorithms.alterations import ISOLATED, doubled
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly.engine.operators.advance import POLICIES

small = pytest.mark.small
EVERY = ("auto", *POLICIES)


@pytest.fixture(scope="module", params=["as it is", "as if it were large"], autouse=True)
def size(request):
    """Everything here runs twice, so that small graphs meet the kernels for large ones too."""
    module = importlib.import_module("nearly.algorithms.connected_components")
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "as it is":
            patch.setattr(module, "_SMALL", 0)
        yield request.param


def oracle(g):
    labels = [0] * g.n
    for members in nx.connected_components(as_networkx(g).to_undirected()):
        for v in members:
            labels[v] = min(members)
    return labels


@small
@pytest.mark.parametrize("directed", [True, False])
def test_against_networkx(directed):
    for name, g in zoo(directed).items():
        r = nearly.connected_components(g)
        assert r.values.tolist() == oracle(g), name
        assert r.values.dtype == np.int32
        assert r.count == len(set(oracle(g)))
        assert r.guarantee == "exact"
        assert r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(EVERY))
def test_random_graphs(g, policy):
    assert nearly.connected_components(g, policy=policy).values.tolist() == oracle(g)


def differ(trials, seed):
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        n = int(rng.integers(1, 60))
        src, dst = rng.integers(0, n, (2, int(rng.integers(0, 2 * n))))
        g = nearly.Graph.from_edges(src, dst, n=n, directed=bool(rng.integers(2)))
        count, labels = scipy_components(g.to_scipy(), directed=True, connection="weak")
        r = nearly.connected_components(g)
        assert r.count == count
        _, first = np.unique(labels, return_index=True)
        assert r.values.tolist() == first[labels].tolist()


def test_against_scipy():
    differ(300, 1)


@pytest.mark.full
def test_against_scipy_at_length():
    differ(4000, 2)


@small
@settings(max_examples=30, deadline=None)
@given(graphs(), st.sampled_from(EVERY))
def test_two_copies_side_by_side(g, policy):
    labels = nearly.connected_components(g, policy=policy).values
    union = nearly.connected_components(doubled(g), policy=policy).values
    assert union.tolist() == [*labels, *(labels + g.n), *range(2 * g.n, 2 * g.n + ISOLATED)]


def test_threads_agree_on_a_large_grid():
    g = nearly.generate.grid(600, 500, delete=0.5, weights=None)
    one = nearly.connected_components(g, threads=1)
    assert one.certificate().ok
    assert 1 < one.count < g.n
    for _ in range(4):
        assert np.array_equal(nearly.connected_components(g, threads=2).values, one.values)
    assert np.array_equal(nearly.connected_components(g, policy="split").values, one.values)


@pytest.mark.parametrize("upwards", [True, False])
def test_edges_stored_once(upwards):
    """Many parts, numbers mixed; each edge from its smaller to its larger end, or from the larger."""
    rng = np.random.default_rng(3)
    part = np.sort(rng.integers(0, 40, 60_000)) ** 2 // 40
    ends = np.flatnonzero(np.diff(part, append=-1)) + 1
    begins = np.r_[0, ends[:-1]]
    which = rng.integers(0, begins.size, 300_000)
    mixed = rng.permutation(part.size)
    src, dst = mixed[rng.integers(begins[which], ends[which], (2, which.size))]
    low, high = np.minimum(src, dst), np.maximum(src, dst)
    g = nearly.Graph.from_edges(*((low, high) if upwards else (high, low)), n=part.size)
    _, labels = scipy_components(g.to_scipy(), directed=True, connection="weak")
    _, first = np.unique(labels, return_index=True)
    for threads in (1, 2, 2, 2, 2):
        assert np.array_equal(nearly.connected_components(g, threads=threads).values, first[labels])


@small
def test_max_rounds_gives_an_upper_bound():
    """A long path whose numbers jump about: labels follow those they point to, but do not get round all of it."""
    order = np.random.default_rng(1).permutation(60)
    g = nearly.Graph.from_edges(order[:-1], order[1:])
    r = nearly.connected_components(g, max_rounds=1)
    assert (r.rounds, r.guarantee) == (1, "upper bound")
    assert r.count == np.unique(r.values).size > 1
    assert r.certificate().ok
    r.values = np.arange(60)  # each on its own is no part too large
    assert r.certificate().ok
    r.values[0] = 3  # which is not its own label's
    r.values[3] = 5
    assert not r.certificate().ok
    r.values[:] = 99
    assert not r.certificate().ok


@small
def test_the_certificate_finds_wrong_labels():
    g = zoo()["disconnected"]
    r = nearly.connected_components(g)
    right = r.values.copy()
    for at, wrong in [(0, 3), (1, 1), (8, 7), (5, 6), (0, -1), (0, 99)]:
        r.values = right.copy()
        r.values[at] = wrong
        assert not r.certificate().ok, (at, wrong)
    merged, parted = right.copy(), np.arange(g.n)
    merged[merged == 5] = 0
    for wrong in (merged, parted, right[:-1]):
        r.values = wrong
        assert not r.certificate().ok
    r.values = right
    assert r.certificate().ok


@small
def test_wide_vertices(monkeypatch):
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 2)
    for g in (
        nearly.Graph.from_edges([0, 3, 5], [2, 4, 5], n=6),
        nearly.Graph.from_edges([0, 3], [2, 4], directed=False),
    ):
        assert g.arrays.targets.dtype == np.uint64
        r = nearly.connected_components(g)
        assert r.values.tolist() == oracle(g)
        assert r.certificate().ok


@small
def test_trace_has_the_phases(size):
    r = nearly.connected_components(zoo(directed=False)["grid"])
    assert r.rounds == (1 if size == "as it is" else 3)  # two first neighbours, then the rest
    assert r.trace.edges <= zoo(directed=False)["grid"].m
