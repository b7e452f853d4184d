"""What parts do in rounds, without a cluster: the answers of one machine on the zoo, in 1, 2 and 5 parts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.distributed.lockstep import answer, prepared, told
from tests.zoo import zoo

import nearly
from nearly.distributed.part import parts_of

PARTS = (1, 2, 5)
KINDS = [(True, None), (False, None), (True, "int"), (False, "float")]


@pytest.mark.small
@pytest.mark.parametrize(("directed", "weights"), KINDS)
def test_parts_hold_the_graph(directed, weights):
    for name, g in zoo(directed, weights, "keep").items():
        for count in PARTS:
            parts = list(parts_of(g, count))
            assert sum(part.graph.m for part in parts) == g.m, name
            assert sum(part.size for part in parts) == g.n
            for part in parts:
                reads = np.setdiff1d(np.unique(part.graph.arrays.targets), np.arange(part.own.start, part.own.stop))
                assert np.array_equal(part.globals()[reads], part.ghosts)
                assert (np.diff(part.globals()) > 0).all()
                rows = part.globals()[part.graph.arc_rows()]
                heads = part.globals()[part.graph.arrays.targets]
                inside = (g.reverse.arc_rows() >= part.first) & (g.reverse.arc_rows() < part.first + part.size)
                assert np.array_equal(rows, g.reverse.arc_rows()[inside])
                assert np.array_equal(heads, g.reverse.arrays.targets[inside])


def test_parts_are_balanced_by_arcs():
    g = nearly.generate.rmat(10, 8, seed=1)
    sizes = [part.graph.m + part.size for part in parts_of(g, 4)]
    assert max(sizes) <= 1.1 * (g.m + g.n) / 4


@pytest.mark.small
@pytest.mark.parametrize(("directed", "weights"), KINDS)
@pytest.mark.parametrize("name", ["connected_components", "kcore", "triangle_count"])
def test_undirected_questions(name, directed, weights):
    for title, g in zoo(directed, weights).items():
        right = getattr(nearly, name)(g)
        for count in PARTS:
            values, facts = answer(g, count, name, {})
            assert np.array_equal(values, right.values), (title, count)
            assert values.dtype == right.values.dtype
            assert all(getattr(right, fact) == value for fact, value in facts.items())


@pytest.mark.parametrize(("directed", "weights"), KINDS)
def test_communities(directed, weights):
    for title, g in zoo(directed, weights).items():
        for seed, counts in ((1, PARTS), (2, (3,))):
            right = nearly.label_propagation(g, seed=seed)
            for count in counts:
                arguments = {"weighted": g.weighted, "explore": 8, "seed": seed, "max_rounds": 100}
                values, facts = answer(g, count, "label_propagation", arguments)
                assert np.array_equal(values, right.values), (title, count)
                assert facts["converged"] == (right.guarantee == "exact")
                assert facts["count"] == right.count


@pytest.mark.small
@pytest.mark.parametrize(("directed", "weights"), [*KINDS, (True, "zero")])
def test_distances(directed, weights):
    for title, g in zoo(directed, weights).items():
        for source in {0, g.n // 2} & set(range(g.n)):
            for name in ("bfs", "sssp"):
                right = getattr(nearly, name)(g, source)
                for count in PARTS:
                    asked = {"source": source, "weighted": g.weighted and name == "sssp"}
                    values, _ = answer(g, count, name, asked)
                    assert np.array_equal(values, right.values), (title, name, count)
                    assert values.dtype == right.values.dtype
                parents = told(g, 3, "parents", asked, values).values
                assert np.array_equal(parents, right.parents), (title, name)
                assert parents.dtype == right.parents.dtype


def test_long_graphs_take_few_exchanges():
    """After some levels of few vertices, many are settled between two exchanges; the levels are the same."""
    g = nearly.generate.grid(6, 500, seed=1)
    for source in (0, g.n // 2):
        right = nearly.bfs(g, source)
        run = told(g, 3, "bfs", {"source": source})
        assert np.array_equal(run.values, right.values)
        assert len(run.bytes) < right.values.max() / 4


def test_large_levels_are_pulled(monkeypatch):
    """Pushed or pulled, levels are the same; a frontier goes over the wire in a bit a vertex at most."""
    g = nearly.generate.rmat(10, 8, seed=2)
    right = nearly.bfs(g, 5).values
    run = told(g, 3, "bfs", {"source": 5})
    assert np.array_equal(run.values, right)
    assert max(run.bytes) <= run.boundary / 8 + 3 * 3
    monkeypatch.setattr("nearly.distributed.programs.levels._PUSHED", 0)
    for factor in (0, 15, 1 << 40):
        monkeypatch.setattr("nearly.distributed.programs.levels._PULL_WHEN", factor)
        assert np.array_equal(answer(g, 3, "bfs", {"source": 5})[0], right)


@pytest.mark.parametrize(("directed", "weights"), [(True, None), (False, "float")])
@pytest.mark.parametrize("leak", [False, True])
def test_ranks_and_their_bound(directed, weights, leak):
    """The bound is attacked after any number of rounds, so also right after past ranks were combined."""
    damping = 0.95
    for title, g in zoo(directed, weights).items():
        if not g.n:
            continue
        exact = nearly.pagerank(g, damping=damping, tol=1e-14, dangling="leak" if leak else "redistribute").values
        asked = {"damping": damping, "leak": leak, "weighted": g.weighted, "arcs": g.m, "max_error": None, "tol": 1e-10}
        for count, rounds in [(1, 1000), (3, 1000), *((2, k) for k in (1, 2, 6, 7, 13))]:
            values, facts = answer(g, count, "pagerank", {**asked, "max_rounds": rounds})
            error = np.abs(values - exact).sum()
            assert error <= facts["bound"] + 1e-12, (title, rounds)
            assert facts["converged"] or rounds < 1000
            if facts["converged"]:
                assert error <= 1e-10 / (1 - damping)


def test_combining_saves_rounds():
    """Ranks of a long cycle with a tail converge slowly; combined ones faster than the plain bound allows."""
    g = nearly.Graph.from_edges([*range(50), 3], [*range(1, 51), 0], n=52)
    asked = {"damping": 0.99, "leak": False, "weighted": False, "arcs": g.m, "max_error": 1e-3, "tol": 1e-12}
    _, facts = answer(g, 2, "pagerank", {**asked, "max_rounds": 400})
    assert facts["bound"] <= 1e-3


def test_large_graphs_go_by_tiles(monkeypatch):
    """Where tiles pay, ranks are the same."""
    from nearly.algorithms.shared import tiles

    monkeypatch.setattr(tiles, "_FAR", 16)
    g = nearly.generate.rmat(9, 3, seed=4)
    asked = {"damping": 0.85, "leak": False, "weighted": False, "arcs": g.m, "max_error": None, "tol": 1e-12}
    for part in prepared(g, 2, "pagerank", {"weighted": False}):
        assert tiles.tiles_of(part.push) is not None
    values, _ = answer(g, 2, "pagerank", {**asked, "max_rounds": 1000})
    assert np.abs(values - nearly.pagerank(g, tol=1e-14).values).sum() <= 1e-11
