"""Budgets through NetworkX: answers in its own form, with a report; refusals where a budget is about one number."""

from __future__ import annotations

import networkx as nx
import pytest

from nearly.base.errors import InvalidArgumentError


@pytest.fixture
def G():
    made = nx.gnm_random_graph(60, 240, seed=1)
    made.__networkx_cache__ = None  # reuse of a conversion is a warning
    return made


def test_answers_within_a_budget_carry_a_report(G):
    scores = nx.betweenness_centrality(G, backend="nearly", max_error=0.05)
    right = nx.betweenness_centrality(G)
    assert list(scores) == list(right)
    assert scores.report.error <= 0.05
    assert max(abs(scores[v] - right[v]) for v in G) <= 0.05
    assert scores.report.plan.choice


def test_ranks_within_a_budget(G):
    ranks = nx.pagerank(G, backend="nearly", max_error=0.1)
    right = nx.pagerank(G, tol=1e-12)
    assert sum(abs(ranks[v] - right[v]) for v in G) <= ranks.report.error + 1e-9 <= 0.1
    named = nx.pagerank(G, backend="nearly", max_error=0.2, approx="partial-edges")
    assert named.report.error <= 0.2


def test_hops_within_a_budget(G):
    hops = nx.single_source_shortest_path_length(G, 0, backend="nearly", max_error=0.1)
    assert hops == nx.single_source_shortest_path_length(G, 0)
    assert hops.report.guarantee == "exact"


@pytest.mark.parametrize("name", ["average_clustering", "transitivity"])
def test_numbers_of_the_whole_take_a_budget(G, name):
    number = getattr(nx, name)(G, backend="nearly", max_error=0.2)
    assert isinstance(number, float)
    assert abs(number - getattr(nx, name)(G)) <= 0.2
    assert number.report.plan is not None


@pytest.mark.parametrize("name", ["triangles", "clustering"])
def test_values_of_each_node_refuse_one(G, name):
    with pytest.raises(InvalidArgumentError, match="a value for each node"):
        getattr(nx, name)(G, backend="nearly", max_error=0.1)


def test_a_budget_that_makes_no_sense_is_an_error(G):
    with pytest.raises(InvalidArgumentError, match="max_error"):
        nx.pagerank(G, backend="nearly", max_error=-1)
