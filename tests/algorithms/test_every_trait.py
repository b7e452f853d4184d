"""What algorithms state of themselves is true: each change is made on small random graphs, and the answers compared.

Guarantees of techniques follow from these traits (`nearly.engine.traits`), so a wrong one is a broken promise.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.algorithms.questions import BUILT_IN, ask, ordered, same

import nearly
from nearly import Graph
from nearly.accuracy import judges
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.traits import CHANGES

pytestmark = pytest.mark.small
GRAPHS, DRAWS = 24, 300


def outcome_of(name, change):
    return getattr(ALGORITHMS.get(name).traits, change)


STATED = [(name, change) for name in BUILT_IN for change in CHANGES if outcome_of(name, change) is not None]
ESTIMATED = [(name, change) for name, change in STATED if outcome_of(name, change) == "estimated"]


def stating(change):
    """The algorithms that state an outcome of this change; those that estimate have a test of their own."""
    return pytest.mark.parametrize("algorithm", [a for a, c in STATED if c == change and (a, c) not in ESTIMATED])


def some_graphs(most=14):
    """Small random graphs with weights from 0 on, directed and not; ties, loops and lone vertices included."""
    for seed in range(GRAPHS):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, most))
        src, dst = rng.integers(0, n, (2, int(rng.integers(1, 4 * n))))
        yield rng, Graph.from_edges(src, dst, rng.integers(0, 9, src.size), n=n, directed=bool(seed % 2))


def columns(g):
    """Each edge once: its ends and weight."""
    src, dst, weights = g.arc_sources().astype(np.int64), g.targets.astype(np.int64), g.weights.astype(np.int64)
    once = np.full(g.m, True) if g.directed else src <= dst
    return src[once], dst[once], weights[once]


def graph_of(g, src, dst, weights, directed=None):
    return Graph.from_edges(src, dst, weights, n=g.n, directed=g.directed if directed is None else directed)


def check(name, outcome, g, other, **asked):
    """Compare the answer on the other graph with that on the given one; None where nothing is said of the two."""
    exact, got = ask(name, g, **asked), ask(name, other, **asked)
    compare(name, outcome, exact, got)
    assert got.certificate().ok
    return exact, got


def compare(name, outcome, exact, got):
    true, ours = ordered(name, exact), ordered(name, got)
    if outcome == "same":
        assert true.tolist() == ours.tolist() if ours.size == 1 else same(name, exact, got)
    elif outcome == "up":
        assert (ours >= true).all()
    elif outcome == "down":
        assert (ours <= true).all()
    else:
        assert outcome == "any"
        assert np.isfinite(ours).all()


def begin(name, g):
    """The source, so that it is the same on both graphs."""
    return {"source": int(np.argmax(g.out_degrees))} if "source" in ALGORITHMS.get(name).parameters else {}


@stating("fewer_arcs")
def test_fewer_arcs(algorithm):
    traits = ALGORITHMS.get(algorithm).traits
    for rng, g in some_graphs():
        arcs = columns(g)
        stay = rng.random(arcs[0].size) < 0.6
        part = graph_of(g, *(column[stay] for column in arcs))
        if (
            ALGORITHMS.get(algorithm).judge is judges.FORESTS
        ):  # a forest of part of the arcs is completed on all of them
            part = graph_of(g, *spanning(rng, g))
        check(algorithm, traits.fewer_arcs, g, part, **begin(algorithm, g))
        if traits.one_way and not g.directed:  # an arc goes, the one back stays
            stay = rng.random(g.m) < 0.6
            part = graph_of(g, g.arc_sources()[stay], g.targets[stay], g.weights[stay], directed=True)
            check(algorithm, traits.fewer_arcs, g, part, **begin(algorithm, g))


def spanning(rng, g):
    """Arcs that hold the components together, whatever they weigh, and some more."""
    stay = rng.random(g.m) < 0.3
    stay[nearly.mst(g, weights=False).edges] = True
    return g.arc_sources()[stay].astype(np.int64), g.targets[stay].astype(np.int64), g.weights[stay]


@stating("heavier")
def test_heavier(algorithm):
    for rng, g in some_graphs():
        src, dst, weights = columns(g)
        heavier = graph_of(g, src, dst, weights + rng.integers(0, 4, weights.size))
        check(algorithm, outcome_of(algorithm, "heavier"), g, heavier, **begin(algorithm, g))


@stating("reweighted")
def test_reweighted(algorithm):
    """Answers on weights that went up and down; a forest is weighed by the weights it had."""
    outcome = outcome_of(algorithm, "reweighted")
    for rng, g in some_graphs():
        src, dst, weights = columns(g)
        other = graph_of(g, src, dst, rng.integers(0, 9, weights.size))
        exact, got = ask(algorithm, g, **begin(algorithm, g)), ask(algorithm, other, **begin(algorithm, g))
        if ALGORITHMS.get(algorithm).judge is judges.FORESTS:
            got.weight = float(g.weights[got.edges].sum(dtype=np.float64)) if same_arcs(g, other) else exact.weight
            compare(algorithm, outcome, exact, got)
        else:
            assert outcome == "any"


def same_arcs(g, other):
    """Whether arcs have the same numbers in both."""
    return np.array_equal(g.offsets, other.offsets) and np.array_equal(g.targets, other.targets)


def with_paths_of_two(rng, g, across=False):
    """Ends and weights of some pairs of arcs u - v - w: u -> v -> w, or whatever their directions."""
    src, dst, weights = columns(g.symmetrized() if across else g)
    if not g.directed and not across:
        src, dst, weights = np.r_[src, dst], np.r_[dst, src], np.r_[weights, weights]
    first, second = np.nonzero(dst[:, None] == src)
    some = rng.random(first.size) < 0.2
    return src[first[some]], dst[second[some]], weights[first[some]], weights[second[some]]


@pytest.mark.parametrize(
    ("algorithm", "change"), [(a, c) for a, c in STATED if c in ("two_hop", "short_cuts", "across")]
)
def test_added_arcs(algorithm, change):
    outcome = outcome_of(algorithm, change)
    for rng, g in some_graphs():
        src, dst, weights = columns(g)
        u, w, first, second = with_paths_of_two(rng, g, across=change == "across")
        total = rng.integers(0, 20, first.size) if change == "short_cuts" else first + second
        more = graph_of(g, np.r_[src, u], np.r_[dst, w], np.r_[weights, total])
        check(algorithm, outcome, g, more, **begin(algorithm, g))


@stating("merged")
def test_merged(algorithm):
    outcome = outcome_of(algorithm, "merged")
    for _, g in some_graphs():
        exact, got = ask(algorithm, g), ask(algorithm, g, approx="merge-similar:jaccard=0.2")
        compare(algorithm, outcome, exact, got)


@stating("cut_short")
def test_cut_short(algorithm):
    outcome = outcome_of(algorithm, "cut_short")
    for _, g in some_graphs(most=40):
        exact = ask(algorithm, g)
        for rounds in (1, 2, 3):
            compare(algorithm, outcome, exact, ask(algorithm, g, approx=nearly.ReducedExecution(rounds=rounds)))


@pytest.mark.parametrize("algorithm", BUILT_IN)
def test_a_limit_on_the_rounds_leaves_an_answer_whose_word_is_true(algorithm):
    for _, g in some_graphs(most=40):
        exact = ask(algorithm, g)
        for rounds in (1, 2, 3):
            got = ask(algorithm, g, max_rounds=rounds)
            assert got.rounds <= rounds
            assert got.certificate().ok
            outcome = {"exact": "same", "upper bound": "up", "lower bound": "down"}.get(got.guarantee)
            if outcome:
                compare(algorithm, outcome, exact, got)


def triangles_of_part(g, draw):
    """What triangle_count makes of a graph of part of the edges, as its certificate describes it."""
    return ask("triangle_count", g, approx="partial-edges:keep=0.7", seed=draw).values


def scores_of_some_sources(g, draw):
    return ask("betweenness", g, approx="reduced-execution:rounds=3", seed=draw).values


ESTIMATES = {("triangle_count", "fewer_arcs"): triangles_of_part, ("betweenness", "cut_short"): scores_of_some_sources}


@pytest.mark.parametrize(("algorithm", "change"), ESTIMATED)
def test_an_estimate_is_right_on_average(algorithm, change):
    rng = np.random.default_rng(4)
    src, dst = rng.integers(0, 12, (2, 50))
    g = Graph.from_edges(src, dst, n=12, directed=False)
    exact, estimate = ask(algorithm, g).values, ESTIMATES[algorithm, change]
    drawn = np.array([estimate(g, draw) for draw in range(DRAWS)], np.float64)
    allowed = 5 * drawn.std(axis=0) / np.sqrt(DRAWS) + 0.5 * (exact.dtype.kind == "i")  # counts are rounded
    assert drawn.std() > 0
    assert (np.abs(drawn.mean(axis=0) - exact) <= allowed + 1e-12).all()


def test_every_stated_change_is_tested():
    assert set(ESTIMATES) == set(ESTIMATED)
    tested = {
        "fewer_arcs",
        "heavier",
        "reweighted",
        "two_hop",
        "short_cuts",
        "across",
        "merged",
        "cut_short",
        "renumbered",
    }
    assert tested == set(CHANGES), "renumbered is tested with every algorithm; write a test for a new change"
    for name in BUILT_IN:  # test_every_algorithm renumbers; where it cannot compare, nothing may be promised
        assert ALGORITHMS.get(name).traits.renumbered in (None, "same")
