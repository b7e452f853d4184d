"""Wrong answers that once were called exact: overflow, whole weights at their limit, NaN, counts, certificates."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly import Graph, InvalidGraphError, ReducedExecution

pytestmark = pytest.mark.small
HUGE = Graph.from_edges([0, 1], [1, 2], [1.7e308] * 2, weight_dtype="float64")


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: nearly.sssp(g, 0), nearly.louvain, nearly.leiden, nearly.pagerank, nearly.mst, nearly.eigenvector,
        nearly.katz, nearly.hits, nearly.label_propagation, lambda g: nearly.betweenness(g, weights=True),
        lambda g: nearly.distances(g, [(0, 2)]), lambda g: nearly.closeness(g, weights=True),
        lambda g: nearly.harmonic(g, weights=True), lambda g: nearly.DistanceIndex(g),
    ],
)  # fmt: skip
def test_weights_whose_sums_overflow_are_refused(ask):
    with pytest.raises(InvalidGraphError, match="multiply all"):
        ask(HUGE)


def test_tiny_weights_are_refused_where_they_are_divided_by():
    g = Graph.from_edges([0, 1], [1, 2], [1e-310] * 2, weight_dtype="float64")
    assert nearly.sssp(g, 0).values.tolist() == [0, 1e-310, 2e-310]
    with pytest.raises(InvalidGraphError, match="multiply all"):
        nearly.pagerank(g)


def test_the_largest_whole_weight_is_a_weight():
    most = 2**32 - 1
    r = nearly.sssp(Graph.from_edges([0, 1], [1, 2], [most] * 2), 0)
    assert r.values.tolist() == [0, most, 2 * most]
    assert r.certificate().ok


def test_one_source_says_nothing_of_itself_but_that_is_no_nan():
    g = nearly.generate.grid(3, 3)
    for r in (nearly.betweenness(g, approx=ReducedExecution(rounds=1)), nearly.betweenness(g, sources=1)):
        assert np.isfinite(r.values).all()
        assert r.guarantee == "heuristic"
    assert nearly.betweenness(g, sources=2).guarantee == "estimated"


def test_the_count_of_components_is_that_of_their_labels():
    g = Graph.from_edges([1, 1, 1, 1], [1, 0, 2, 2])
    r = nearly.connected_components(g, approx=ReducedExecution(rounds=1))
    assert r.count == np.unique(r.values).size


def test_overwritten_values_fail_the_certificate():
    r = nearly.betweenness(nearly.generate.grid(3, 3), approx=nearly.SplitNodes(mda=2))
    assert r.certificate().ok
    r.values[:] = 0.5
    assert not r.certificate().ok
