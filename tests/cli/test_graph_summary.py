"""The facts of `nearly info`, against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import graphs, zoo

from nearly.cli import graph_summary as module
from nearly.cli.graph_summary import count_self_loops, distribution, summary

pytestmark = pytest.mark.small


@pytest.mark.parametrize("name", zoo())
@pytest.mark.parametrize("chunk", [1, 3, 1 << 22])
def test_self_loops_whatever_the_chunk(name, chunk, monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", chunk)
    g = zoo()[name]
    if g.m > 500 and chunk == 1:
        pytest.skip("slow and no different")
    assert count_self_loops(g) == int((g.arc_sources() == g.targets).sum())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_percentiles_cover_their_share(values):
    degrees = np.array(values, np.uint64)
    found = distribution(degrees)
    for q in module.PERCENTILES:
        limit = found[f"p{q}"]
        assert (degrees <= limit).mean() >= q / 100
        assert limit == 0 or (degrees <= limit - 1).mean() < q / 100
    assert (found["min"], found["max"]) == (min(values), max(values))


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_isolated_vertices(g):
    touched = np.zeros(g.n, bool)
    touched[g.arc_sources()] = True
    touched[g.targets] = True
    facts = summary(g)
    assert facts["isolated_vertices"] == int((~touched).sum())
    assert (facts["vertices"], facts["arcs"], facts["directed"]) == (g.n, g.m, g.directed)
