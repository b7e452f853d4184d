"""Truss numbers against NetworkX's trusses and a plain peeling, and the certificate."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph

small = pytest.mark.small


def oracle(g):
    """By edge, the largest k whose truss by NetworkX has it."""
    made = as_networkx(g).to_undirected()
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    number = {frozenset(e): 2 for e in made.edges}
    k = 3
    while made.number_of_edges():
        made = nx.k_truss(made, k)
        number.update({frozenset(e): k for e in made.edges})
        k += 1
    return number


def check(g):
    r, number = nearly.ktruss(g), oracle(g)
    ends = zip(g.arc_sources().tolist(), g.targets.tolist())
    assert r.values.tolist() == [0 if u == v else number[frozenset((u, v))] for u, v in ends]
    assert r.largest == max(number.values(), default=0)
    assert r.certificate().ok
    return r


@small
@pytest.mark.parametrize("directed", [True, False])
def test_trusses_of_the_zoo(directed):
    for g in zoo(directed).values():
        check(g)


@small
@settings(max_examples=60, deadline=None)
@given(graphs())
def test_trusses_of_random_graphs(g):
    check(g)


@small
def test_dense_parts_of_many_kinds():
    rng = np.random.default_rng(5)
    for n, p in ((30, 0.5), (60, 0.2), (25, 0.9)):
        src, dst = np.nonzero(np.triu(rng.random((n, n)) < p, 1))
        hub = np.full(n - 1, 0), np.arange(1, n)
        check(Graph.from_edges(np.append(src, hub[0]), np.append(dst, hub[1]), n=n, directed=False))


@small
def test_the_certificate_needs_the_order_of_peeling():
    r = check(zoo(False)["kron-8"])
    right = r.values
    r.values = np.where(right == right.max(), right - 1, right)  # a truss still, but not the largest
    assert not r.certificate().ok
    r.values = right
    r.removal = r.removal.max() - r.removal
    assert not r.certificate().ok


def test_a_large_graph_has_the_trusses_of_plain_peeling():
    g = nearly.generate.rmat(13, 12, seed=2, directed=False)
    r = nearly.ktruss(g)
    assert r.certificate().ok
    for k in (5, 12, r.largest):
        stay = nearly.subgraph(g, np.arange(g.n))
        while True:  # what NetworkX does, on arrays
            counts = nearly.common_neighbors(stay).values
            gone = counts < k - 2
            if not gone.any():
                break
            stay = nearly.remove_edges(stay, stay.arc_sources()[gone], stay.targets[gone])
        assert stay.m == np.count_nonzero(r.values >= k)
        assert stay.m > 0
