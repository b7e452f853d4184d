"""Eigenvector, Katz and HITS centralities against dense linear algebra and NetworkX, their proofs, and their limits."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.budget.asking import ask
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError

small = pytest.mark.small
CASES = [(directed, weights) for directed in (True, False) for weights in (None, "int", "float", "zero")]


def matrix(g):
    """The adjacency matrix, parallel arcs added up."""
    A = np.zeros((g.n, g.n))
    np.add.at(A, (g.arc_sources(), g.targets), 1.0 if g.weights is None else g.weights.astype(np.float64))
    return A


def power_limit(M):
    """Where (M + I)^k 1 points for k = 2^44, by squaring: what power iteration goes to, if it ever ends."""
    P = M + np.eye(M.shape[0]) * (M.max(initial=0.0) or 1.0)
    for _ in range(44):
        P = P @ P
        P /= P.max()
    x = P @ np.ones(M.shape[0])
    return x / np.linalg.norm(x)


def top_of(S):
    """The part of the vector of ones in the eigenspace of a symmetric matrix's largest eigenvalue, of norm 1."""
    values, vectors = np.linalg.eigh(S)
    top = vectors[:, values >= values[-1] - 1e-9 * max(abs(values[-1]), 1e-300)]
    x = top @ (top.T @ np.ones(S.shape[0]))
    return x / np.linalg.norm(x)


def check_eigenvector(g, **asked):
    r = nearly.eigenvector(g, **asked)
    A = matrix(g).T
    assert np.linalg.norm(r.values) == pytest.approx(1)
    assert (r.values >= 0).all()
    assert r.certificate().ok
    if r.guarantee == "exact":
        assert np.linalg.norm(A @ r.values - r.eigenvalue * r.values) <= 1e-9 * max(r.eigenvalue, 1)
        assert r.eigenvalue == pytest.approx(np.abs(np.linalg.eigvals(A)).max(), abs=1e-2 if g.directed else 1e-8)
    return r


@small
@pytest.mark.parametrize(("directed", "weights"), CASES)
def test_eigenvectors_of_the_zoo(directed, weights):
    for name, g in zoo(directed, weights).items():
        if g.n:
            r = check_eigenvector(g)
            wanted = power_limit(matrix(g).T) if directed else top_of(matrix(g))
            assert r.values == pytest.approx(wanted, abs=1e-6), name
            assert r.guarantee == "exact", name


@small
@settings(max_examples=50)
@given(graphs(directed=False, weights="int"))
def test_eigenvectors_of_any_undirected_graph(g):
    check_eigenvector(g)


@small
@settings(max_examples=50)
@given(graphs(directed=True, weights="float"))
def test_eigenvectors_of_any_directed_graph(g):
    check_eigenvector(g)


@small
def test_eigenvector_is_networkx_s():
    for g in (zoo(False)["kron-8"], zoo(True)["kron-8"], zoo(False)["grid"], zoo(False, "int")["clique"]):
        theirs = nx.eigenvector_centrality(as_networkx(g), 10_000, 1e-12, weight="weight")
        assert nearly.eigenvector(g).values == pytest.approx(list(theirs.values()), abs=1e-8)


@small
def test_an_eigenvector_cut_short_says_so():
    g = zoo(False)["grid"]
    r = nearly.eigenvector(g, max_rounds=3)
    assert r.guarantee == "heuristic"
    assert r.residual > 1e-3
    assert r.certificate().ok
    r.residual /= 2
    assert not r.certificate().ok


@small
def test_long_paths_of_a_graph_without_cycles():
    g = Graph.from_edges([0, 1, 1, 2, 3, 5], [1, 2, 3, 4, 4, 4], [1, 2, 3, 1, 1, 9])
    assert nearly.eigenvector(g).values.tolist() == [0, 0, 0, 0, 1, 0]
    assert nearly.eigenvector(g).eigenvalue == 0
    loop = Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 0], [1, 1, 1, 0])  # the cycle has an arc of weight 0
    assert nearly.eigenvector(loop).values.tolist() == [0, 0, 0, 1]


def katz_oracle(g, alpha, beta=1.0):
    return np.linalg.solve(np.eye(g.n) - alpha * matrix(g).T, np.ones(g.n) * beta)


def check_katz(r, wanted):
    wanted = wanted / np.linalg.norm(wanted) if r.problem.normalized else wanted
    off = np.linalg.norm(r.values - wanted)
    assert off <= r.bound + 1e-14 * np.linalg.norm(wanted)
    assert r.error == r.bound
    assert r.certificate().ok
    assert r.certificate().bound == pytest.approx(r.bound, rel=0.5, abs=1e-13)


@small
@pytest.mark.parametrize(("directed", "weights"), CASES)
def test_katz_of_the_zoo(directed, weights):
    for name, g in zoo(directed, weights).items():
        if g.n:
            r = nearly.katz(g)
            check_katz(r, katz_oracle(g, r.alpha))
            assert r.guarantee == "exact", name
            assert r.bound < 1e-8


@small
@settings(max_examples=60)
@given(graphs(weights="int"), st.sampled_from([0.1, 0.6, 0.95]), st.booleans(), st.data())
def test_katz_of_any_graph(g, share, normalized, data):
    """Up to close to the alpha that does not converge any more, far beyond where alpha times the norm is below 1."""
    radius = np.abs(np.linalg.eigvals(matrix(g))).max(initial=0.0)
    alpha = share / radius if radius > 1e-3 else share
    beta = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=g.n, max_size=g.n)))
    if not beta.sum():
        beta = 1.5
    for max_error in (None, 0.1):
        r = nearly.katz(g, alpha=alpha, beta=beta, normalized=normalized)
        if max_error:
            r = ask("katz/rounds", g, alpha=alpha, beta=beta, normalized=normalized, max_error=max_error)
            assert r.error <= max_error
        assert r.guarantee in ("exact", "certified")
        check_katz(r, katz_oracle(g, alpha, beta))


@small
def test_katz_is_networkx_s():
    g = zoo(True, "int")["kron-8"]
    theirs = nx.katz_centrality(as_networkx(g), 0.002, 2.0, 10_000, 1e-13, weight="weight")
    assert nearly.katz(g, alpha=0.002, beta=2.0).values == pytest.approx(list(theirs.values()), abs=1e-10)
    theirs = nx.katz_centrality(as_networkx(g), 0.01, dict.fromkeys(range(g.n), 1), 10_000, 1e-13)
    assert nearly.katz(g, alpha=0.01, weights=False).values == pytest.approx(list(theirs.values()), abs=1e-10)


@small
def test_an_alpha_that_does_not_converge_is_named():
    g = zoo(False)["clique"]
    for beta in (1.0, {0: 1}):
        with pytest.raises(InvalidArgumentError, match=r"alpha=0.25.*about 0\.2 here"):
            nearly.katz(g, alpha=0.25, beta=beta)
    r = nearly.katz(g, alpha=0.25, max_rounds=3)
    assert r.guarantee == "heuristic"
    assert r.certificate().ok
    assert nearly.katz(g, alpha=0.199).guarantee in ("exact", "certified")


@small
def test_katz_cut_short_is_certified():
    g = zoo(True)["kron-8"]
    r = nearly.katz(g, alpha=0.02, max_rounds=4)
    assert r.guarantee == "certified"
    assert 1e-6 < r.bound < 1
    check_katz(r, katz_oracle(g, 0.02))
    r.bound /= 4
    assert not r.certificate().ok


@small
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"alpha": -1}, "alpha must be"),
        ({"beta": 0}, "beta must be a number above 0"),
        ({"beta": [1, 2]}, "beta must hold"),
        ({"tol": 0}, "tol must be"),
        ({"normalized": 1}, "normalized must be"),
    ],
)
def test_bad_arguments_of_katz(keywords, message):
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.katz(zoo()["path"], **keywords)


def check_hits(g):
    r, A = nearly.hits(g), matrix(g)
    assert r.certificate().ok
    assert r.authorities is r.values
    assert r.values.sum() == pytest.approx(1)
    assert r.hubs.sum() == pytest.approx(1)
    if r.guarantee == "exact" and A.any():
        x = r.values / np.linalg.norm(r.values)
        assert np.linalg.norm(A.T @ (A @ x) - r.eigenvalue * x) <= 1e-9 * r.eigenvalue
        assert r.eigenvalue == pytest.approx(np.linalg.norm(A, 2) ** 2, rel=1e-6)
        assert r.hubs == pytest.approx(A @ x / (A @ x).sum(), abs=1e-12)
    return r


@small
@pytest.mark.parametrize(("directed", "weights"), CASES)
def test_hubs_and_authorities_of_the_zoo(directed, weights):
    for name, g in zoo(directed, weights).items():
        if g.n:
            wanted = top_of(matrix(g).T @ matrix(g))
            assert check_hits(g).values == pytest.approx(wanted / wanted.sum(), abs=1e-6), name


@small
@settings(max_examples=50)
@given(graphs(weights="int"))
def test_hubs_and_authorities_of_any_graph(g):
    check_hits(g)


@small
def test_hits_is_networkx_s():
    for g in (zoo(True)["kron-8"], zoo(False, "int")["kron-8"]):
        hubs, authorities = nx.hits(as_networkx(g), tol=1e-14)
        r = nearly.hits(g)
        assert r.hubs == pytest.approx(list(hubs.values()), abs=1e-9)
        assert r.authorities == pytest.approx(list(authorities.values()), abs=1e-9)


@small
def test_hubs_that_are_not_right_are_rejected():
    r = nearly.hits(zoo()["kron-8"])
    r.hubs = r.hubs[::-1].copy()
    assert not r.certificate().ok


@pytest.mark.parametrize("name", ["eigenvector", "hits"])
def test_within_an_error_that_is_estimated(name):
    g = nearly.generate.rmat(12, 8, seed=1)
    exact = getattr(nearly, name)(g)
    r = ask(f"{name}/rounds", g, max_error=0.01, allow="estimated")
    assert r.guarantee == "estimated"
    assert r.error <= 0.011
    assert r.confidence is None
    assert r.rounds < exact.rounds
    assert np.linalg.norm(r.values - exact.values) <= 0.02 * np.linalg.norm(exact.values)
    assert r.certificate().ok


def test_large_graphs_are_multiplied_in_tiles():
    g = nearly.generate.rmat(17, 8, seed=2, directed=False)
    same = {"eigenvector": {}, "hits": {}, "katz": {"alpha": 0.0005}}
    for name, keywords in same.items():
        a, b = (getattr(nearly, name)(g, policy=policy, **keywords) for policy in ("auto", "topology"))
        assert np.abs(a.values - b.values).max() < 1e-8
        assert a.certificate().ok
