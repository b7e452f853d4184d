"""The closest vertices against the closeness of all."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.zoo import graphs, zoo

import nearly

small = pytest.mark.small


def check(g, k, improved):
    values = nearly.closeness(g, wf_improved=improved).values
    r = nearly.topk_closeness(g, k, wf_improved=improved)
    wanted = np.sort(values)[::-1][:k]
    assert np.allclose(r.scores, wanted, rtol=1e-12)
    assert np.allclose(values[r.vertices], r.scores, rtol=1e-12)
    assert np.unique(r.vertices).size == r.vertices.size == min(k, g.n)
    assert r.guarantee == "exact"
    assert r.certificate().ok


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("improved", [True, False])
def test_the_zoo(directed, improved):
    for g in zoo(directed).values():
        if g.n < 100:
            for k in (1, 4, 100):
                check(g, k, improved)


@small
@settings(max_examples=60)
@given(graphs(), st.integers(1, 6), st.booleans())
def test_any_graph(g, k, improved):
    check(g, k, improved)


@pytest.mark.parametrize("directed", [True, False])
def test_most_searches_are_cut(directed):
    g = nearly.generate.rmat(12, 12, seed=1, directed=directed)
    check(g, 10, True)
    one, two = (nearly.topk_closeness(g, 10, threads=k) for k in (1, 2))
    assert one.vertices.tolist() == two.vertices.tolist()
    assert one.scores.tobytes() == two.scores.tobytes()
    assert one.finished == two.finished < g.n / 4


@pytest.fixture
def waves(monkeypatch):
    """Every graph is taken for a long one, and waves are small."""
    import nearly.algorithms.topk_closeness  # noqa: F401

    module = sys.modules["nearly.algorithms.topk_closeness"]
    monkeypatch.setattr(module, "_LONG", 0)
    monkeypatch.setattr(module, "_WAVE", 3)
    monkeypatch.setattr(module, "_PAYS", -100)


@small
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("improved", [True, False])
def test_waves_in_the_zoo(waves, directed, improved):
    for g in zoo(directed).values():
        if g.n < 100:
            for k in (1, 4, 100):
                check(g, k, improved)


@small
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs(), st.integers(1, 6), st.booleans())
def test_waves_on_any_graph(waves, g, k, improved):
    check(g, k, improved)


@pytest.mark.parametrize("directed", [True, False])
def test_waves_leave_few_vertices_of_a_long_graph(directed):
    g = nearly.generate.grid(60, 50, seed=1)
    if directed:  # every edge one way, and most of them back
        src, dst = g.arc_sources(), g.targets
        kept = (src < dst) | (np.random.default_rng(1).random(g.m) < 0.9)
        g = nearly.Graph.from_edges(src[kept], dst[kept], n=g.n)
    check(g, 10, True)
    one, two = (nearly.topk_closeness(g, 10, threads=k) for k in (1, 2))
    assert one.vertices.tolist() == two.vertices.tolist()
    assert one.scores.tobytes() == two.scores.tobytes()
    assert one.finished == two.finished < (g.n / 2 if directed else g.n / 4)
