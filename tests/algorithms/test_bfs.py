"""BFS against NetworkX under every policy, its parents, its certificate, its trace, and searches cut short."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly.engine.operators.advance import POLICIES

pytestmark = pytest.mark.small
EVERY = ("auto", *POLICIES)


def oracle(g, source):
    levels = nx.single_source_shortest_path_length(as_networkx(g), source)
    return [levels.get(v, -1) for v in range(g.n)]


@pytest.mark.parametrize("directed", [True, False])
def test_against_networkx(directed):
    for name, g in zoo(directed).items():
        for source in {0, g.n // 2, g.n - 1} & set(range(g.n)):
            r = nearly.bfs(g, source)
            assert r.values.tolist() == oracle(g, source), (name, source)
            assert r.certificate().ok


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(EVERY), st.data())
def test_random_graphs(g, policy, data):
    source = data.draw(st.integers(0, g.n - 1))
    r = nearly.bfs(g, source, policy=policy)
    assert r.values.tolist() == oracle(g, source)
    arcs = set(zip(g.arc_sources().tolist(), g.targets.tolist()))
    for v, p in enumerate(r.parents.tolist()):
        nearer = [u for u, t in arcs if t == v and r.values[u] == r.values[v] - 1 >= 0]
        assert p == (min(nearer) if nearer else -1)


def test_max_rounds_gives_an_upper_bound():
    g = zoo()["path"]
    r = nearly.bfs(g, 0, max_rounds=2)
    assert r.values.tolist() == [0, 1, 2, -1, -1, -1, -1]
    assert (r.rounds, r.guarantee) == (2, "upper bound")
    assert r.certificate().ok


def test_the_certificate_finds_a_wrong_level():
    r = nearly.bfs(zoo()["path"], 0)
    r.values = r.values.copy()
    for wrong in (2, 9):
        r.values[3] = wrong
        assert not r.certificate().ok
    r.values[3] = 3
    assert r.certificate().ok


def test_the_trace_counts_rounds_and_edges():
    r = nearly.bfs(zoo()["star"], 0)
    assert [row.frontier for row in r.trace] == [1, 69]
    assert r.trace.edges == 69
    assert r.rounds == 2
    assert np.isfinite([row.milliseconds for row in r.trace]).all()


@pytest.mark.parametrize("policy", EVERY)
def test_a_search_cut_short_has_reached_just_so_many_hops(policy):
    g = zoo(directed=False)["kron-8"]
    exact = nearly.bfs(g, 3).values
    for rounds in (1, 2, 3):
        r = nearly.bfs(g, 3, policy=policy, max_rounds=rounds)
        assert r.values.tolist() == np.where(exact <= rounds, exact, -1).tolist()


def test_later_searches_of_a_directed_graph_know_its_reverse():
    """The first search that pulls makes it; what is kept for the next ones must not show in the levels."""
    rng = np.random.default_rng(4)
    g = nearly.Graph.from_edges(rng.integers(0, 300, 20_000), rng.integers(0, 300, 20_000), n=320)
    expected = {source: nearly.bfs(g, source, policy="topology").values.tolist() for source in (0, 7, 310)}
    for source in (7, 0, 310, 7, 0):
        assert nearly.bfs(g, source).values.tolist() == expected[source]
    assert "_reverse" in g.__dict__


def test_a_search_within_the_progress_of_another_has_memory_of_its_own():
    g = nearly.generate.grid(30, 30, seed=1)
    inner = []
    outer = nearly.bfs(g, 0, progress=lambda *told: inner.append(nearly.bfs(g, 899).values.tolist()))
    assert outer.values.tolist() == nearly.bfs(g, 0).values.tolist()
    assert inner
    assert inner[0] == nearly.bfs(g, 899).values.tolist()


def test_what_is_no_index_takes_the_long_way_and_is_refused():
    g = nearly.Graph.from_edges([0, 1], [1, 2])
    for source in (True, 3, -1, 1.0, None):
        with pytest.raises(nearly.InvalidArgumentError):
            nearly.bfs(g, source)
    with pytest.raises(TypeError):
        nearly.bfs(g)
    assert nearly.bfs(g, np.int64(1)).values.tolist() == [-1, 0, 1]
