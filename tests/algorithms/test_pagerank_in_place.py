"""PageRank's rounds in place: the right ranks, in fewer rounds than plain ones, whatever happens on the way."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.algorithms.pagerank import in_place, layout
from nearly.algorithms.pagerank.in_place import InPlace
from nearly.algorithms.pagerank.in_place_kernels import AT, BEFORE, CHECK, HELD, WAIT
from nearly.algorithms.pagerank.problem import Problem, RankGoal
from nearly.algorithms.shared import tiles
from nearly.engine.run import Run

pytestmark = pytest.mark.small


def solved(g, damping, teleport, leak, weights):
    """The ranks by solving the equations."""
    matrix = np.zeros((g.n, g.n))
    np.add.at(matrix, (g.targets.astype(int), g.arc_sources().astype(int)), g.weights if weights else 1.0)
    totals = matrix.sum(0)
    matrix = np.divide(matrix, totals, out=np.zeros_like(matrix), where=totals > 0)
    if not leak:
        matrix[:, totals == 0] = teleport[:, None]
    ranks = np.linalg.solve(np.eye(g.n) - damping * matrix, (1 - damping) * teleport)
    return ranks if leak else ranks / ranks.sum()


@pytest.mark.parametrize("seed", range(24))
def test_the_equations_are_solved(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    src, dst = np.floor(n * rng.random((2, int(rng.integers(0, 5 * n)))) ** rng.choice([1, 3])).astype(int)
    weighted, leak = bool(seed % 2), bool(seed % 3 == 0)
    g = Graph.from_edges(src, dst, rng.integers(0, 9, src.size), n=n, directed=bool(seed % 5))
    teleport = rng.random(n) if seed % 4 == 0 else np.ones(n)
    damping = float(rng.choice([0.5, 0.85, 0.99]))
    got = nearly.pagerank(
        g, damping=damping, tol=1e-13, dangling="leak" if leak else "redistribute", weights=weighted,
        personalization=teleport if seed % 4 == 0 else None,
    )  # fmt: skip
    right = solved(g, damping, teleport / teleport.sum(), leak, weighted)
    assert np.abs(got.values - right).sum() < 1e-10 / (1 - damping)
    assert got.certificate().ok


def test_fewer_rounds_than_plain_ones():
    for g in (nearly.generate.grid(40, 40, seed=1, weights=None), nearly.generate.rmat(10, 8, seed=1)):
        for tol in (1e-4, 1e-8):
            ours, plain = nearly.pagerank(g, tol=tol), nearly.pagerank(g, tol=tol, policy="topology")
            assert ours.rounds < plain.rounds
            assert np.abs(ours.values - plain.values).sum() < 20 * tol


def test_float32_starts_again_from_a_base(monkeypatch):
    monkeypatch.setattr(in_place, "SINGLE", 0)
    monkeypatch.setattr(layout, "SMALL", 0)
    g = nearly.generate.rmat(9, 8, seed=3)
    for leak in ("redistribute", "leak"):
        got = nearly.pagerank(g, tol=1e-11, dangling=leak)
        assert got.guarantee == "exact"
        assert got.certificate().ok
        assert np.abs(got.values - nearly.pagerank(g, tol=1e-13, dangling=leak, policy="topology").values).sum() < 1e-9


@pytest.mark.parametrize("leak", [False, True])
def test_ranks_may_be_asked_for_right_after_a_base_was_made(leak):
    g = Graph.from_edges([0, 1, 2, 2, 3], [1, 2, 0, 4, 4], n=6)  # 4 and 5 are dangling
    goal = RankGoal(Problem(g, 0.85, np.full(1, 1 / g.n), leak, None), np.full(g.n, 1 / g.n), 1e-10, "l1")
    run = Run(g)
    run.max_rounds = 20
    rounds = InPlace(run, goal)
    rounds.step()
    before = goal.problem.normalise(rounds.values())
    rounds._rebase()
    assert np.array_equal(rounds.values(), before)


def test_plain_sweeps_finish_what_does_not_end(monkeypatch):
    monkeypatch.setattr(in_place, "_ENOUGH", 2)
    monkeypatch.setattr(in_place, "_ROUNDS", 1)
    g = nearly.generate.grid(8, 9, seed=1, weights=None)
    got = nearly.pagerank(g, tol=1e-10)
    assert got.rounds > 20
    assert got.guarantee == "exact"
    assert got.certificate().ok


def test_a_combination_without_gain_is_taken_back():
    g = nearly.generate.rmat(7, 4, seed=1)
    goal = RankGoal(Problem(g, 0.85, np.full(1, 1 / g.n), False, None), np.full(g.n, 1 / g.n), 1e-10, "l1")
    run = Run(g)
    run.max_rounds = 1000
    rounds = InPlace(run, goal)
    before = rounds.flow.past[0].copy()
    rounds.flow.past[1], rounds.marks[AT] = before[::-1], 1  # as if it had been a combination
    rounds.marks[CHECK], rounds.numbers[BEFORE] = 1, 0.0
    rounds.run.max_rounds = 1
    rounds.step()
    assert (rounds.marks[AT], rounds.marks[HELD], rounds.marks[WAIT]) == (0, 1, 10)
    assert np.array_equal(rounds.flow.past[0], before)
    assert rounds.numbers[0] == pytest.approx(before.sum())  # dangling vertices are 0


def test_pieces_depend_on_the_graph_alone():
    g = nearly.generate.rmat(14, 8, seed=1)
    found = layout_for(g)
    assert found.phases == layout.PHASES
    assert (found.cuts[0], found.cuts[-1]) == (0, g.n)
    for policy in ("auto", "topology"):
        one, two = (nearly.pagerank(g, threads=k, policy=policy).values for k in (1, 2))
        assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 30, 31, 33, 512])
def test_lanes_take_turns(count):
    in_lanes = getattr(layout.in_lanes, "py_func", layout.in_lanes)
    turns = [int(in_lanes(np.uint64(k), np.uint64(count), np.uint64(4))) for k in range(count)]
    assert sorted(turns) == list(range(count))
    length = -(-count // 4)
    if length > 1:
        assert turns[1] == -(-count // length)  # the second of a lane comes after the first of each
    assert all(turns[k] < turns[k + 1] for k in range(count - 1) if (k + 1) % length)


def test_arcs_that_ascend_are_followed_in_one_round():
    g = Graph.from_edges(np.arange(300), np.arange(1, 301))
    order = layout_for(g).order[:300].astype(int)
    assert order[1:].tolist() == list(range(1, 300))
    assert nearly.pagerank(g, tol=1e-8, dangling="leak").rounds <= 2


def layout_for(g):
    problem = Problem(g, 0.85, np.full(1, 1 / g.n), False, None)
    return layout.layout_of(problem, problem.inverse(np.float32))


@pytest.mark.parametrize("small", [0, layout.SMALL])
def test_without_room_for_arcs_in_another_order(small, monkeypatch):
    monkeypatch.setattr(layout, "SMALL", small)
    monkeypatch.setattr(layout, "_PIECE", 200)
    g = nearly.generate.random(600, 1500, seed=1)  # many are dangling
    expected = nearly.pagerank(g, tol=1e-12).values
    monkeypatch.setattr(layout, "memory_budget", lambda: 100)
    g = Graph(g.offsets, g.targets)
    assert layout_for(g).targets is g.reverse.rows[1]
    r = nearly.pagerank(g, tol=1e-12)
    assert np.abs(r.values - expected).sum() < 1e-11
    assert r.certificate().ok


@pytest.mark.parametrize("seed", range(6))
def test_a_piece_has_its_vertices_in_order_and_the_dangling_ones_last(seed, monkeypatch):
    monkeypatch.setattr(layout, "SMALL", 0)
    monkeypatch.setattr(layout, "_PIECE", 200)
    monkeypatch.setattr(tiles, "_NEAR", -1.0 if seed % 2 else 2.0)  # all of them are near, or none
    g = nearly.generate.random(600, 1500, seed=seed, directed=bool(seed % 3))
    found = layout_for(g)
    assert layout_for(g) is found
    assert found.cuts.size - 1 >= 8
    for low, end, high in zip(found.cuts[:-1].tolist(), found.ends.tolist(), found.cuts[1:].tolist()):
        order = found.order[low:high].astype(int)
        assert sorted(order) == list(range(low, high))
        assert (g.out_degrees[order[: end - low]] > 0).all()
        assert (g.out_degrees[order[end - low :]] == 0).all()
        assert (np.diff(g.in_degrees[order[: end - low]].astype(int)) >= 0).all()  # fewer than a window
        arcs = slice(int(found.offsets[low]), int(found.offsets[high]))
        sources = np.concatenate([g.reverse.neighbors(v) for v in order]).astype(int)
        assert found.sizes[low:high].tolist() == np.minimum(g.in_degrees[order], 255).tolist()
        read = found.targets[arcs].astype(int)
        inside = (sources >= low) & (sources < high) & bool(seed % 2)
        assert np.array_equal(read, sources + g.n * inside)
