"""Strong components against NetworkX and SciPy under every policy and both direct ways; metamorphic; certificate."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components as scipy_components
from tests.algorithms.alterations import ISOLATED, doubled
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly.algorithms import scc as module
from nearly.algorithms.scc.forward_backward import _all_in_one
from nearly.engine.operators.advance import POLICIES
from nearly.engine.run import Run

small = pytest.mark.small
EVERY = ("auto", *POLICIES)


def oracle(g):
    labels = [0] * g.n
    for members in nx.strongly_connected_components(as_networkx(g).to_directed()):
        for v in members:
            labels[v] = min(members)
    return labels


@small
@pytest.mark.parametrize("directed", [True, False])
def test_against_networkx(directed):
    for name, g in zoo(directed).items():
        r = nearly.scc(g)
        assert r.values.tolist() == oracle(g), name
        assert r.count == len(set(oracle(g)))
        assert (r.guarantee, r.values.dtype) == ("exact", np.int32)
        assert r.certificate().ok


@small
@settings(max_examples=60, deadline=None)
@given(graphs(directed=True), st.sampled_from(EVERY))
def test_random_graphs(g, policy):
    assert nearly.scc(g, policy=policy).values.tolist() == oracle(g)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(directed=True), st.integers(0, 40))
def test_the_giant_component_first(g, passes):
    """The searches over bitmaps, taken on small graphs too, finished or given up after some passes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_NEAR", -1)
        patch.setattr(module, "_PASSES", passes)
        r = nearly.scc(g)
    assert r.values.tolist() == oracle(g)
    assert r.rounds == (2 if g.m else 1)


def differ(trials, seed):
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        n = int(rng.integers(1, 60))
        src, dst = rng.integers(0, n, (2, int(rng.integers(0, 3 * n))))
        g = nearly.Graph.from_edges(src, dst, n=n)
        count, labels = scipy_components(g.to_scipy(), directed=True, connection="strong")
        _, first = np.unique(labels, return_index=True)
        for policy in ("auto", "frontier"):
            r = nearly.scc(g, policy=policy)
            assert r.count == count
            assert r.values.tolist() == first[labels].tolist()


def test_against_scipy():
    differ(200, 1)


@pytest.mark.full
def test_against_scipy_at_length():
    differ(3000, 2)


@small
@settings(max_examples=30, deadline=None)
@given(graphs(directed=True), st.integers(0, 2**32 - 1), st.sampled_from(EVERY))
def test_metamorphic(g, seed, policy):
    labels = nearly.scc(g, policy=policy, seed=seed).values
    assert np.array_equal(nearly.scc(g.reverse, policy=policy).values, labels)
    union = nearly.scc(doubled(g), policy=policy).values
    assert union.tolist() == [*labels, *(labels + g.n), *range(2 * g.n, 2 * g.n + ISOLATED)]


def test_threads_agree_on_a_large_grid():
    both = nearly.generate.grid(600, 500, delete=0.1, weights=None)
    keep = np.random.default_rng(1).random(both.m) < 0.8
    g = nearly.Graph.from_edges(both.arc_sources()[keep], both.targets[keep], n=both.n)
    one = nearly.scc(g, threads=1)
    assert one.certificate().ok
    assert 1 < one.count < g.n
    for _ in range(4):
        assert np.array_equal(nearly.scc(g, threads=2).values, one.values)
    for policy in ("frontier", "split"):
        assert np.array_equal(nearly.scc(g, policy=policy).values, one.values)


@small
@pytest.mark.parametrize("policy", EVERY)
def test_max_rounds_gives_an_upper_bound(policy):
    g = zoo()["two SCCs in a chain"]
    exact = nearly.scc(g).values
    for most in range(1, 8):
        r = nearly.scc(g, policy=policy, max_rounds=most)
        assert r.rounds <= most
        assert (r.values >= exact).all()
        assert r.certificate().ok
        assert (r.guarantee == "exact") <= np.array_equal(r.values, exact)
    assert nearly.scc(g, policy=policy, max_rounds=1).guarantee == "upper bound"


def test_a_cut_short_run_does_not_depend_on_threads():
    g = nearly.generate.rmat(scale=14, edge_factor=2, seed=5)
    for policy in ("topology", "frontier"):
        for most in (2, 4, 7):
            runs = [nearly.scc(g, policy=policy, max_rounds=most, threads=t).values for t in (1, 2, 2)]
            assert all(np.array_equal(runs[0], other) for other in runs[1:])


@small
def test_the_certificate_finds_wrong_labels():
    g = zoo()["two SCCs in a chain"]  # {0, 1, 2} -> {3, 4, 5}, {6}
    r = nearly.scc(g)
    assert r.values.tolist() == [0, 0, 0, 3, 3, 3, 6]
    for wrong in (
        [0, 0, 0, 0, 0, 0, 6],  # not strongly connected
        [0, 0, 0, 3, 4, 5, 6],  # parts on a cycle
        [0, 0, 0, 3, 3, 3, 0],  # an isolated vertex taken in
        [0, 1, 0, 3, 3, 3, 6],
        [1, 1, 1, 3, 3, 3, 6],  # not the smallest member
        [-1, 0, 0, 3, 3, 3, 6],
        [0, 0, 0, 3, 3, 3],
    ):
        r.values = np.array(wrong)
        assert not r.certificate().ok, wrong


@small
def test_wide_vertices(monkeypatch):
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 2)
    g = nearly.Graph.from_edges([0, 1, 2, 3, 4], [1, 0, 3, 4, 2], n=6)
    assert g.arrays.targets.dtype == np.uint64
    r = nearly.scc(g)
    assert r.values.tolist() == [0, 0, 2, 2, 2, 5]
    assert r.certificate().ok


@small
def test_rounds_that_a_technique_counts_read_what_was_there_before_them():
    """Else their number, by which shares of arcs may grow, would depend on the threads."""
    g = nearly.generate.rmat(6, 4, seed=1)
    run, member = Run(g, name="scc", source=g), np.arange(g.n, dtype=np.uint32)
    together = _all_in_one(run, member)
    assert together.lowest_before is together.lowest
    run.techniques = (nearly.PartialEdges(keep=0.4, redraw=True, growth=1.2),)
    apart = _all_in_one(run, member)
    assert apart.lowest_before is not apart.lowest
    assert apart.left_before is not apart.left
