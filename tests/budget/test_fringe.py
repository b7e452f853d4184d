"""What hangs from a graph in trees: its part of betweenness is exact, and only the rest is left to samples."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from tests.budget.pair_graphs import star
from tests.zoo import zoo

import nearly
from nearly import Graph
from nearly.algorithms.betweenness.pairs import fringe, kernels
from nearly.algorithms.betweenness.pairs.sampler import PairSampler
from nearly.algorithms.betweenness.pairs.shares import UNIT
from nearly.engine.run import Run

PLAIN = numba.config.DISABLE_JIT
small = pytest.mark.small


def bushy(n: int, seed: int) -> Graph:
    """A core of a few cycles, trees that hang from it, a tree apart, leaves of leaves, dust."""
    rng = np.random.default_rng(seed)
    core = max(4, n // 4)
    src = [*range(core), *rng.integers(0, core, core // 2)]
    dst = [*((i + 1) % core for i in range(core)), *rng.integers(0, core, core // 2)]
    for v in range(core, n - 8):
        src.append(v)
        dst.append(int(rng.integers(0, v) if rng.random() < 0.5 else rng.integers(0, core)))
    src += [n - 8, n - 7, n - 6, n - 6, n - 4]  # and n - 2, n - 1 alone
    dst += [n - 7, n - 6, n - 5, n - 4, n - 3]
    return Graph.from_edges(src, dst, n=n, directed=False, duplicates="keep")


def all_pairs(g: Graph) -> np.ndarray:
    """The mean shares by the pairs of anchors of all ordered pairs, and what is known."""
    sampler = PairSampler(Run(g))
    ways, memory = sampler._places
    web = kernels.web_of(memory, np.uint64(0))
    rows, turned = kernels.Rows(ways.offsets, ways.targets), kernels.Rows(ways.in_offsets, ways.in_targets)
    first, second = (kernels.ball_of(memory, np.uint64(0), np.uint64(side)) for side in (0, 1))
    stamp, anchors = kernels.FIRST, ways.anchors
    for s in range(g.n):
        for t in range(g.n):
            source, target = np.uint64(anchors[s]), np.uint64(anchors[t])
            if source != target:
                _, stamp = kernels.sample(rows, turned, first, second, web, source, target, np.uint64(stamp))
    return web.sums / UNIT / (g.n * (g.n - 1)) + sampler.known


def graphs(most: int) -> dict[str, Graph]:
    made = {f"bushy {seed}": bushy(min(60, most), seed) for seed in range(4)}
    return made | {"star": star(20)} | {k: g for k, g in zoo(False, duplicates="keep").items() if 2 < g.n <= most}


@small
def test_known_and_sampled_shares_add_up_to_betweenness(monkeypatch):
    monkeypatch.setattr(fringe, "_FEWEST", 1 << 40)  # look, however few leaves there are
    seen = 0
    for name, g in graphs(16 if PLAIN else 80).items():
        wanted = nearly.betweenness(g).values * ((g.n - 2) / g.n)
        if fringe.find_fringe(Run(g)).anchors.size:
            assert np.allclose(all_pairs(g), wanted, rtol=0, atol=1e-8), name
            seen += 1
    assert seen > 5


@small
def test_vertices_that_are_not_in_trees_are_their_own_anchors():
    g = Graph.from_edges([0, 1, 2, 2, 3, 5, 5, 7], [1, 2, 0, 3, 4, 5, 6, 8], n=9, directed=False, duplicates="keep")
    found = fringe.find_fringe(Run(g))
    assert found.anchors[:6].tolist() == [0, 1, 2, 2, 2, 5]
    assert found.anchors[6] == 5  # a loop keeps its vertex in the core
    assert found.anchors[7] == found.anchors[8]
    assert found.known[3] * 72 == pytest.approx(2 * 3)  # between 4 and the triangle
    assert found.known[2] * 72 == pytest.approx(2 * 2 * 2)
    assert fringe.find_fringe(Run(g)) is found  # kept with the graph


@small
def test_directed_graphs_and_those_of_few_leaves_have_none():
    ring = Graph.from_edges(np.arange(40), (np.arange(40) + 1) % 40, directed=False)
    for g in (ring, Graph.from_edges([0, 1], [1, 2])):
        assert PairSampler(Run(g)).known == 0.0


def test_leaves_of_hubs_take_fewer_samples_and_stay_within_the_error(monkeypatch):
    rng = np.random.default_rng(3)
    n, hubs = 3000, 8
    core = nearly.generate.random(300, 1500, seed=1, directed=False)
    src = np.r_[core.arc_sources(), np.arange(300, n)]
    dst = np.r_[core.targets, rng.integers(0, hubs, n - 300)]
    g, again = (Graph.from_edges(src, dst, n=n, directed=False) for _ in range(2))
    exact, with_trees = nearly.betweenness(g), nearly.betweenness(g, max_error=0.03)
    monkeypatch.setattr(fringe, "_FEWEST", 0)  # never
    without = nearly.betweenness(again, max_error=0.03)
    for r in (with_trees, without):
        assert r.guarantee == "statistical"
        assert np.abs(r.values - exact.values).max() <= r.error <= 0.03
    assert with_trees.samples < 0.8 * without.samples


def test_a_star_needs_no_luck():
    """Every pair of leaves passes the middle: all is known."""
    r = nearly.budget.planner.answer_by("betweenness/paths", star(500), max_error=0.05)
    assert r.values[0] == pytest.approx(1.0)
    assert not r.values[1:].any()
