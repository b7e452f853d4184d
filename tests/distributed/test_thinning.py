"""A share of the arcs on parts: the arcs that one machine chooses for the same seed, and so the same answers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.distributed.lockstep import answer, told
from tests.zoo import zoo

import nearly
import nearly.distributed as nd
from nearly.distributed.thinning import thinning_of

KINDS = [(True, None), (False, None), (True, "int"), (False, "float")]
CHOICES = [("random", 0.5), ("heaviest", 0.3), ("lightest", 0.7)]


def asked(name: str, g: nearly.Graph, technique: nearly.PartialEdges, seed: int) -> dict:
    weighted = g.weighted and name in ("pagerank", "sssp", "label_propagation")
    rank = {"damping": 0.85, "leak": False, "tol": 1e-12, "max_error": None, "arcs": g.m}
    spread = {"explore": 8, "seed": seed}
    own = {"pagerank": rank, "label_propagation": spread, "bfs": {"source": 0}, "sssp": {"source": 0}}.get(name, {})
    thinned = thinning_of(technique, name, seed, weighted)
    return {**own, "weighted": weighted, "max_rounds": 100, "thinned": thinned}


@pytest.mark.small
@pytest.mark.parametrize(("directed", "weights"), KINDS)
@pytest.mark.parametrize("name", ["bfs", "sssp", "connected_components", "triangle_count", "label_propagation"])
def test_answers_are_those_of_one_machine(name, directed, weights):
    for k, (title, g) in enumerate(zoo(directed, weights).items()):
        if not g.n:
            continue
        select, keep = CHOICES[k % 3]
        technique, source = nearly.PartialEdges(keep=keep, select=select, redraw=False), {}
        if name in ("bfs", "sssp"):
            source = {"source": 0}
        right = getattr(nearly, name)(g, approx=technique, seed=k, **source)
        values, facts = answer(g, 1 + k % 4, name, asked(name, g, technique, k))
        assert np.array_equal(values, right.values), title
        assert all(getattr(right, key) == facts[key] for key in ("total", "count") if key in facts)


@pytest.mark.parametrize(("directed", "weights"), KINDS)
def test_ranks_and_their_bound(directed, weights):
    """The ranks are those of the chosen arcs, and the bound is about all of them."""
    for k, (title, g) in enumerate(zoo(directed, weights).items()):
        if not g.n:
            continue
        technique = nearly.PartialEdges(keep=0.6, select=CHOICES[k % 3][0])
        right, exact = nearly.pagerank(g, approx=technique, seed=k, tol=1e-13), nearly.pagerank(g, tol=1e-14).values
        arguments = asked("pagerank", g, technique, k)
        values, _ = answer(g, 3, "pagerank", arguments)
        assert np.abs(values - right.values).sum() <= 1e-10, title
        bound = told(g, 3, "rank_residual", {**arguments, "thinned": None}, values).facts["bound"]
        assert np.abs(values - exact).sum() <= bound + 1e-12
        assert bound <= right.bound * (1 + 1e-6) + 1e-9


def test_on_a_cluster(client):
    g = nearly.generate.rmat(7, 6, seed=3, weights="int")
    dg, half = nd.from_graph(g, client, parts=3), nearly.PartialEdges(keep=0.5, redraw=False)
    for name, more in (("sssp", {"source": 1}), ("triangle_count", {}), ("connected_components", {})):
        right = getattr(nearly, name)(g, approx=half, seed=2, **more)
        r = getattr(nd, name)(dg, approx=half, seed=2, **more)
        assert np.array_equal(r.values.compute(), right.values)
        assert (r.guarantee, r.techniques) == (right.guarantee, (half,))
    r, exact = nd.pagerank(dg, approx=half, seed=2), nearly.pagerank(g, tol=1e-13).values
    assert np.abs(r.values.compute() - exact).sum() <= r.error == r.bound
    assert r.guarantee == "certified"
    parents = nd.bfs(dg, 1, approx=half, seed=2).parents.compute()
    assert np.array_equal(parents, nearly.bfs(g, 1, approx=half, seed=2).parents)


def test_what_does_not_work_says_so(client):
    dg = nd.from_graph(nearly.generate.rmat(5, 4, seed=3), client, parts=2)
    for call, why in (
        (lambda: nd.bfs(dg, 0, approx=nearly.PartialEdges()), "redraw=False"),
        (lambda: nd.pagerank(dg, approx=nearly.PartialEdges(redraw=True)), "redraw=False"),
        (lambda: nd.pagerank(dg, approx=nearly.Coalesce()), "one PartialEdges"),
        (lambda: nd.pagerank(dg, approx=nearly.PartialEdges(), max_error=0.1), "leave out approx"),
        (lambda: nd.pagerank(dg, approx="nonsense"), "nonsense"),
    ):
        with pytest.raises(nearly.InvalidArgumentError, match=why):
            call()
    assert nd.pagerank(dg, approx=nearly.PartialEdges(keep=1.0)).guarantee == "exact"
