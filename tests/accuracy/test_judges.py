"""The one number: 0 for exact answers, large for cheap ones, never NaN, whatever the graph."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.zoo import graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.accuracy import inaccuracy, metrics
from nearly.engine.result import Result
from nearly.engine.technique import ALGORITHMS

small = pytest.mark.small
SEARCHES = ("bfs", "sssp")
PER_VERTEX = (
    *SEARCHES,
    "betweenness",
    "clustering_coefficient",
    "coloring",
    "connected_components",
    "kcore",
    "label_propagation",
    "maximal_independent_set",
    "pagerank",
    "scc",
    "triangle_count",
)
PARTITIONS = ("scc", "connected_components")
BEST_IS_ONE = ("ari", "pair f1", "nmi", "top-100 overlap", "kendall tau", "overlap")


def made(algorithm, values, **fields):
    entry = ALGORITHMS.find(algorithm)
    result = (entry.result if entry else Result)(np.asarray(values), **fields)
    result.algorithm = algorithm
    return result


def run(name, g, **options):
    return getattr(nearly, name)(g, *((0,) if name in SEARCHES else ()), **options)


def is_perfect(exact, approx, g):
    assert inaccuracy(exact, approx, g) == pytest.approx(0.0, abs=1e-12)
    for name, value in metrics(exact, approx, g).items():
        if "modularity" not in name and name != "conflicts":
            assert value == pytest.approx(float(name in BEST_IS_ONE), abs=1e-12), (exact.algorithm, name)


@pytest.mark.parametrize("algorithm", [*PER_VERTEX, "mst"])
def test_exact_results_are_perfect(algorithm):
    for directed in (True, False):
        for g in zoo(directed, "int", duplicates="first").values():
            if g.n or algorithm not in SEARCHES:  # a search needs a source
                exact = run(algorithm, g)
                is_perfect(exact, exact, g)
                is_perfect(exact, run(algorithm, g, threads=1), g)


@pytest.mark.parametrize("algorithm", [*PER_VERTEX, "mst", "louvain", "topk_betweenness", "something new"])
def test_degenerate_answers_are_numbers(algorithm):
    """No NaN and no infinity on graphs of nothing, whatever is compared (warnings are errors here)."""
    for n in (0, 1, 3):
        g = Graph.from_edges([], [], n=n)
        choices = [np.zeros(n, np.int64), np.arange(n), np.full(n, -1)]
        if algorithm == "mst":
            choices = [np.empty(0, np.int64)]
        if algorithm in ("sssp", "pagerank"):
            choices = [c.astype(float) for c in choices]
        if algorithm == "sssp":
            choices.append(np.full(n, np.inf))
        for exact in choices:
            for approx in choices:
                pair = made(algorithm, exact), made(algorithm, approx)
                assert 0.0 <= inaccuracy(*pair, g) < math.inf
                assert all(math.isfinite(value) for value in metrics(*pair, g).values())
            if algorithm != "coloring":  # where vertices without a colour are no exact answer
                is_perfect(pair[0], pair[0], g)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(directed=False))
def test_cut_short_is_no_better_than_exact(g):
    for algorithm in SEARCHES:
        exact, short = run(algorithm, g), run(algorithm, g, max_rounds=1)
        found = inaccuracy(exact, short, g)
        finite = np.isfinite(exact.values) & (exact.values >= 0)
        apart = finite != (np.isfinite(short.values) & (short.values >= 0))
        assert found == pytest.approx(apart.mean())  # levels once reached are right
        assert metrics(exact, short, g)["unreached"] == apart.sum()


def test_searches_by_hand():
    g = Graph.from_edges([0, 1, 2], [1, 2, 3])
    for algorithm, gone in (("bfs", -1), ("sssp", math.inf)):
        exact = made(algorithm, [0, 1, 2, gone])
        assert inaccuracy(exact, made(algorithm, [0, 1, 3, gone]), g) == 0.125
        assert inaccuracy(exact, made(algorithm, [0, 9, 2, gone]), g) == 0.25  # at most 1 each
        assert inaccuracy(exact, made(algorithm, [0, 1, 2, 3]), g) == 0.25
        assert inaccuracy(exact, made(algorithm, [0, gone, gone, gone]), g) == 0.5
        found = metrics(exact, made(algorithm, [0, 9, gone, gone]), g)
        assert found["max relative error"] == 8.0
        assert found["mean relative error"] == 2.25
        assert found["unreached"] == 1.0


@pytest.fixture(scope="module")
def kron():
    g = nearly.generate.rmat(scale=10, edge_factor=8, seed=1)
    return nearly.generate.with_weights(g, seed=2) if not g.weighted else g


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_unreached_vertices_do_not_pay(kron, algorithm):
    hub = int(np.argmax(kron.out_degrees))
    exact = getattr(nearly, algorithm)(kron, hub)
    none = np.full(kron.n, -1 if algorithm == "bfs" else np.inf, exact.values.dtype)
    reached = np.mean(np.isfinite(exact.values) & (exact.values >= 0))
    assert reached > 0.5
    assert inaccuracy(exact, made(algorithm, none), kron) == pytest.approx(reached)


@pytest.mark.parametrize("algorithm", PARTITIONS)
def test_pieces_do_not_pay(kron, algorithm):
    exact = run(algorithm, kron)
    alone = made(algorithm, np.arange(kron.n))
    together = made(algorithm, np.zeros(kron.n, np.int64))
    assert exact.count > kron.n // 20
    assert inaccuracy(exact, alone, kron) == 1.0
    assert inaccuracy(exact, together, kron) > 0.05
    assert metrics(exact, alone, kron)["parts"] == kron.n - exact.count
    assert metrics(exact, together, kron)["parts"] == 1 - exact.count


@pytest.mark.parametrize("algorithm", ["pagerank", "betweenness", "kcore", "clustering_coefficient", "triangle_count"])
def test_zeros_and_constants_do_not_pay(kron, algorithm):
    exact = run(algorithm, kron)
    assert inaccuracy(exact, made(algorithm, np.zeros(kron.n)), kron) == 1.0
    mean = np.full(kron.n, exact.values.mean())
    if algorithm != "triangle_count":  # its total alone is asked for
        assert inaccuracy(exact, made(algorithm, mean), kron) > 0.3
    else:
        assert metrics(exact, made(algorithm, mean), kron)["l1"] > 0.3 * exact.values.sum()


def test_a_forest_that_does_not_span_does_not_pay(kron):
    exact = nearly.mst(kron)
    light = exact.edges[np.argsort(kron.weights[exact.edges], kind="stable")]
    half = light[: light.size // 2]
    assert inaccuracy(exact, made("mst", [], edges=np.empty(0, np.int64)), kron) == 1.0
    assert inaccuracy(exact, made("mst", half, edges=half), kron) == pytest.approx(0.5, abs=0.01)
    found = metrics(exact, made("mst", half, edges=half), kron)
    assert found["weight"] < -0.5
    assert found["missing trees"] == light.size - half.size
    anything = nearly.mst(kron, weights=False)  # spans, at random: judged by the true weights
    assert metrics(exact, anything, kron)["missing trees"] == 0
    expected = kron.weights[anything.edges].sum(dtype=float) / exact.weight - 1
    assert inaccuracy(exact, anything, kron) == pytest.approx(expected)
    assert expected > 0.5


@pytest.mark.parametrize("algorithm", ["label_propagation", "louvain"])
def test_no_communities_do_not_pay(algorithm):
    g = nearly.generate.planted_partition(8, 40, 0.4, 0.01, seed=1)
    truth = made(algorithm, np.arange(g.n) // 40 * 40)
    for cheap in (np.arange(g.n), np.zeros(g.n, np.int64)):
        assert inaccuracy(truth, made(algorithm, cheap), g) >= 1.0
        assert metrics(truth, made(algorithm, cheap), g)["nmi"] < 0.6
    assert inaccuracy(made(algorithm, np.zeros(g.n)), truth, g) == 0.0  # better than exact is not worse
    merged = made(algorithm, np.arange(g.n) // 80 * 80)
    before, after = (nearly.accuracy.modularity(g, r) for r in (truth, merged))
    assert inaccuracy(truth, merged, g) == pytest.approx(1 - after / before)
    assert metrics(truth, merged, g)["parts"] == -4


@small
def test_colorings_by_hand():
    g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], directed=False)
    exact = made("coloring", [0, 1, 0, 1])
    assert inaccuracy(exact, made("coloring", [1, 0, 1, 0]), g) == 0.0
    assert inaccuracy(exact, made("coloring", [0, 1, 0, 2]), g) == 0.5
    assert inaccuracy(exact, made("coloring", [0, 0, 0, 0]), g) == 1.0
    assert inaccuracy(exact, made("coloring", [-1, -1, -1, -1]), g) == 1.0
    assert inaccuracy(exact, made("coloring", [0, 1, 0, -1]), g) == 0.25
    assert metrics(exact, made("coloring", [0, 1, 2, -1]), g) == {"colors": 1.0, "uncolored": 1.0, "conflicts": 0.0}


def test_independent_sets_by_hand():
    g = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    exact = made("maximal_independent_set", np.array([True, False, True, False]))
    all_of_them, none = (made("maximal_independent_set", np.full(4, x)) for x in (True, False))
    assert inaccuracy(exact, all_of_them, g) == inaccuracy(exact, none, g) == 1.0
    assert metrics(exact, all_of_them, g) == {"size": 2.0, "conflicts": 1.0}
    assert metrics(exact, exact, g) == {"size": 0.0, "conflicts": 0.0}


def test_ranks_and_totals_by_hand():
    g = Graph.from_edges([0, 1, 2], [1, 2, 0])
    exact, off = made("pagerank", [0.5, 0.25, 0.25]), made("pagerank", [0.25, 0.25, 0.25])
    assert inaccuracy(exact, off, g) == 0.25
    assert metrics(exact, off, g)["global difference"] == 0.25
    assert "global difference" not in metrics(made("betweenness", [1, 0, 0]), made("betweenness", [1, 0, 0]), g)
    counts = made("triangle_count", [1, 1, 1], total=1)
    assert inaccuracy(counts, made("triangle_count", [2, 2, 2], total=2), g) == 1.0
    assert inaccuracy(counts, made("triangle_count", [2, 2, 2]), g) == 1.0  # the total follows from the values
    assert inaccuracy(made("topk_betweenness", [0, 1]), made("topk_betweenness", [1, 2]), g) == 0.5
    first = made("topk_betweenness", [0.9, 0.5], vertices=np.array([2, 0]))
    assert inaccuracy(first, made("topk_betweenness", [0.9, 0.5], vertices=np.array([2, 1])), g) == 0.5
    assert inaccuracy(made("something new", [1, 1, 2]), made("something new", [1, 1, 0]), g) == 0.5


def test_what_cannot_be_compared():
    g = Graph.from_edges([0, 1], [1, 2])
    for judge in (inaccuracy, metrics):
        with pytest.raises(InvalidArgumentError, match="one algorithm"):
            judge(nearly.bfs(g, 0), nearly.sssp(g, 0), g)
        with pytest.raises(InvalidArgumentError, match="one algorithm"):
            judge(nearly.mst(g), nearly.bfs(g, 0), g)
        with pytest.raises(InvalidArgumentError, match="as many values"):
            judge(made("scc", [0, 1, 2]), made("scc", [0, 1]), g)
        with pytest.raises(InvalidArgumentError, match="per vertex"):
            judge(made("louvain", [0, 1]), made("louvain", [0, 1]), g)
        with pytest.raises(InvalidArgumentError, match="two results"):
            judge([0, 1, 2], [0, 1, 2], g)
