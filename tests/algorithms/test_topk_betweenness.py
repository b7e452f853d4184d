"""Top-k betweenness: both methods against exact values, orders, rules to stop, bounds that hold as often as said."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module

import networkx as nx
import numba
import numpy as np
import pytest
from tests.zoo import as_networkx, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.accuracy import top_k_overlap
from nearly.algorithms.betweenness import sources as summing
from nearly.algorithms.betweenness.pairs.bounds import Look
from nearly.algorithms.topk_betweenness.by_paths import certain, separated
from nearly.algorithms.topk_betweenness.order import ORDERS, Order, by_forest, renumbering
from nearly.algorithms.topk_betweenness.stop import FEWEST, State, Stop
from nearly.engine.run import Run

PLAIN = numba.config.DISABLE_JIT
small = pytest.mark.small


def hubs(directed=False, scale=8):
    return nearly.generate.rmat(5 if PLAIN else scale, 4, seed=2, directed=directed)


@small
@pytest.mark.parametrize(("weights", "work"), [(None, summing.WORK), (None, -1), ("int", -1)])
@pytest.mark.parametrize("directed", [True, False])
def test_all_sources_give_the_exact_top(monkeypatch, directed, weights, work):
    monkeypatch.setattr(summing, "WORK", work)
    for i, (name, g) in enumerate(zoo(directed, weights, duplicates="first").items()):
        if g.n > (40 if PLAIN else 200):
            continue
        other = nx.betweenness_centrality(as_networkx(g), weight=None if weights is None else "weight")
        wanted = np.array([other[v] for v in range(g.n)])
        r = nearly.topk_betweenness(g, 5, order=ORDERS[i % 6], weights=weights is not None)
        assert np.allclose(r.values, wanted, rtol=1e-10, atol=1e-13), name
        assert r.vertices.size == min(5, g.n)
        assert np.array_equal(r.scores, r.values[r.vertices])
        assert (np.diff(r.scores) <= 0).all()
        assert top_k_overlap(wanted, r.values, 5) == 1, name
        assert (r.guarantee, r.interrupted) == ("exact", False)
        assert sorted(r.sources.tolist()) == list(range(g.n))
        assert r.certificate().ok, name


@small
def test_ties_go_to_the_smaller_number():
    g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], directed=False)
    assert nearly.topk_betweenness(g, 3).vertices.tolist() == [2, 1, 3]
    assert nearly.topk_betweenness(g, 99).vertices.tolist() == [2, 1, 3, 0, 4]


@small
@pytest.mark.parametrize("method", ["brandes", "sampling"])
def test_graphs_with_next_to_nothing_in_them(method):
    for g in (Graph.from_edges([], [], n=n) for n in range(4)):
        r = nearly.topk_betweenness(g, 2, method=method, error=0.2)
        assert (r.values == 0).all()
        assert r.vertices.tolist() == list(range(min(2, g.n)))
        assert r.certificate().ok


@small
def test_orders():
    g = Graph.from_edges([0, 0, 0, 1, 1, 2, 5], [1, 2, 3, 2, 3, 3, 0], n=7)  # out-degrees 3, 2, 1, 0, 0, 1, 0
    lists = {order: Order(g, order, 1).list.tolist() for order in ORDERS}
    assert lists["descending"] == [0, 1, 2, 5, 3, 4, 6]
    assert lists["ascending"] == [3, 4, 6, 2, 5, 1, 0]
    assert lists["dynrr"] == [0, 3, 1, 4, 2, 6, 5]
    assert lists["rrr"] == [0, 2, 1, 5, 3, 4, 6]  # from the classes 2-3 and 1 in turn
    assert sorted(lists["random"]) == list(range(7))
    assert lists["random"] == Order(g, "random", 1).list.tolist() != Order(g, "random", 3).list.tolist()
    dyn, scores = Order(g, "dyn", 1), np.array([3.0, 0, 2, 1, 0, 5, 0])
    assert [dyn.next(0, 3, scores).tolist(), dyn.next(3, 2, scores).tolist()] == [[1, 4, 6], [2, 3]]
    assert dyn.next(5, 9, scores).tolist() == [0, 5]
    both = Order(hubs(), "dynrr", 1)
    first = both.next(0, 4, np.zeros(hubs().n))
    assert first.tolist() == both.list[:4].tolist()
    assert both.next(hubs().n // 2, 1, -np.arange(hubs().n)).tolist() == [hubs().n - 1]


@small
def test_renumbering_changes_nothing_but_rounding():
    road = nearly.generate.grid(10, 10, seed=1)
    shuffled = road.relabel(np.random.default_rng(1).permutation(100))
    dense = nearly.generate.random(100, 1500, seed=1)
    star = Graph.from_edges(np.full(99, 50), np.delete(np.arange(100), 50), directed=False)
    graphs = {"degree": star, "forest": shuffled, "close": road, "dense": dense, "empty": Graph.from_edges([], [], n=3)}
    kinds = {"degree": True, "forest": True, "close": False, "dense": False, "empty": False}
    for name, g in graphs.items():
        place = renumbering(g)
        assert (place is not None) is kinds[name]
        assert place is None or sorted(place.tolist()) == list(range(g.n))
        one, two, three = (nearly.topk_betweenness(g, 5, order="dyn", renumber=how) for how in ("auto", False, True))
        assert np.allclose(one.values, two.values, rtol=1e-12)
        assert np.allclose(three.values, two.values, rtol=1e-12)


@small
def test_renumbering_can_be_asked_for_where_it_would_not_pay(monkeypatch):
    asked = []
    module = import_module("nearly.algorithms.topk_betweenness.by_sources")
    monkeypatch.setattr(module, "by_forest", lambda g: asked.append(g) or by_forest(g))
    for directed in (True, False):
        for name, g in zoo(directed).items():
            if g.n <= (20 if PLAIN else 100):
                ask, before = partial(nearly.topk_betweenness, g, 3, order="rrr", stop=0.5), len(asked)
                plain, usual, forced = (ask(renumber=how) for how in (False, "auto", True))
                assert len(asked) == before + bool(g.n)  # so few sources are not worth it, unless it is asked for
                assert np.allclose(forced.values, plain.values, rtol=1e-12), name
                assert np.array_equal(usual.values, plain.values)
                assert np.array_equal(forced.sources, plain.sources)  # ties go by the given numbers
                assert forced.certificate().ok


def contributed(g, sources):
    """What these sources alone contribute, over all pairs of vertices."""
    plain, total = as_networkx(g), np.zeros(g.n)
    for s in sources.tolist():
        one = nx.betweenness_centrality_subset(plain, [s], list(range(g.n)), normalized=False)
        total += np.array([one[v] for v in range(g.n)])
    return total * (1 if g.directed else 2) / max((g.n - 1) * (g.n - 2), 1)


@small
@pytest.mark.parametrize("order", [order for order in ORDERS if order != "random"])
def test_only_random_sources_are_scaled(order):
    for directed in (True, False):
        for name, g in zoo(directed, duplicates="first").items():
            if 2 < g.n <= (20 if PLAIN else 100):
                exact = nearly.betweenness(g).values
                r = nearly.topk_betweenness(g, 3, order=order, stop=0.5)
                assert np.allclose(r.values, contributed(g, r.sources), rtol=1e-10, atol=1e-13), name
                assert (r.values <= exact * (1 + 1e-12) + 1e-15).all()
                assert r.guarantee == ("heuristic" if r.used < g.n else "exact")
                assert r.certificate().ok, name


@small
def test_one_source_at_a_time_is_chosen_by_all_scores_before_it():
    g = hubs(scale=7)
    single = {s: summing.dependencies(g, [s]) for s in range(g.n)}
    for order in ("dyn", "dynrr"):
        r = nearly.topk_betweenness(g, 5, order=order, batch=1, stop=0.4)
        assert [step.frontier for step in r.trace] == [1] * r.used
        scores, left = np.zeros(g.n), set(range(g.n))
        robin = Order(g, order, 1).list[: int(np.ceil(0.05 * g.n))].tolist() if order == "dynrr" else []
        for i, source in enumerate(r.sources.tolist()):
            least = min(scores[v] for v in left)
            assert source == robin[i] if i < len(robin) else scores[source] <= least * (1 + 1e-9)
            left.remove(source)
            scores += single[source]
        assert np.allclose(r.values, scores / ((g.n - 1) * (g.n - 2)), rtol=1e-10)
        assert r.certificate().ok
    every = nearly.topk_betweenness(g, 5, order="dyn", batch=1)
    assert np.allclose(every.values, nearly.betweenness(g).values, rtol=1e-10)
    assert every.guarantee == "exact"
    three = nearly.topk_betweenness(g, 5, order="random", batch=3, stop=0.5)
    assert {step.frontier for step in three.trace[:-1]} == {3}
    assert np.allclose(three.values, nearly.betweenness(g, sources=three.sources).values, rtol=1e-10)


@small
def test_rules_to_stop():
    g, n = hubs(), hubs().n
    exact = nearly.betweenness(g).values
    tenth = nearly.topk_betweenness(g, 5, order="random", stop=0.25)
    assert (tenth.used, tenth.guarantee, tenth.stopped) == (n // 4, "estimated", "share=0.25")
    assert np.allclose(tenth.values, nearly.betweenness(g, sources=tenth.sources).values, rtol=1e-12)
    assert tenth.certificate().ok
    assert np.abs(tenth.values - exact).max() <= tenth.certificate().bound <= 1
    assert nearly.topk_betweenness(g, 5, stop="share=0.25").guarantee == "heuristic"
    stable = nearly.topk_betweenness(g, 5, order="random", stop="stable=0.8")
    assert stable.stopped == "stable=0.8" or stable.guarantee == "exact"
    assert stable.stability >= 0.8
    assert nearly.topk_betweenness(g, 5, stop="seconds=1e-9").rounds == 1
    assert nearly.topk_betweenness(g, 5, stop="seconds=1e-9+share=0.5").used >= n // 2
    assert nearly.topk_betweenness(g, 5, stop="seconds=1e-9,share=0.5").rounds == 1
    limited = nearly.topk_betweenness(g, 5, order="random", max_rounds=2)
    assert (limited.rounds, limited.stopped, limited.guarantee) == (2, "max_rounds=2", "estimated")


@small
def test_rules_look_at_what_was_done():
    rule = Stop("share=0.1+stable=0.9", "brandes")
    assert rule.met(State(0.2, 0.95, FEWEST)) == "share=0.1+stable=0.9"
    assert not rule.met(State(0.05, 0.95, FEWEST))
    assert not rule.met(State(0.2, 0.85, FEWEST))
    assert not rule.met(State(0.2, 0.95, FEWEST - 1))
    assert Stop("separated", "sampling").met(State(0, 0, 1, separated=True)) == "separated"
    assert not Stop("separated", "sampling").met(State(0, 1, 99))
    assert [Stop(s, "brandes").sources(10) for s in (None, 0.3, "share=0.5,share=0.21", "share=0.1+stable=1")] == [
        10, 3, 3, 10,
    ]  # fmt: skip


@small
def test_the_trace_tells_who_led():
    g = hubs()
    r = nearly.topk_betweenness(g, 5, order="random")
    assert r.history.shape == (r.rounds, 5)
    assert sorted(r.history[-1]) == sorted(r.vertices)
    assert sum(step.frontier for step in r.trace) == g.n
    done = np.array([step.extra["sources"] for step in r.trace])
    for i, step in enumerate(r.trace):
        half = np.flatnonzero(done <= done[i] / 2)
        if half.size and i > r.rounds // 2:
            same = np.intersect1d(r.history[half[-1]], r.history[i]).size / 5
            assert step.extra["stability"] == same


def interrupting(after):
    def progress(stage, done, total):
        calls.append((stage, done, total))
        if len(calls) == after:
            raise KeyboardInterrupt

    calls = []
    return progress, calls


@small
@pytest.mark.parametrize("method", ["brandes", "sampling"])
def test_an_interrupt_returns_the_best_so_far(method):
    g = hubs()
    progress, calls = interrupting(3)
    r = nearly.topk_betweenness(g, 5, order="random", method=method, progress=progress)
    word = "estimated" if method == "brandes" else "statistical"
    assert (r.interrupted, r.stopped, r.rounds, r.guarantee) == (True, "interrupted", 3, word)
    assert calls[-1][0].startswith("topk_betweenness: top 5 ")
    assert calls[-1][1] == (r.used if method == "brandes" else r.samples) < calls[-1][2]
    assert r.certificate().ok
    if method == "sampling":
        assert 0.01 < r.bound <= 1
        assert np.abs(r.values - nearly.betweenness(g).values).max() <= r.bound


@small
@pytest.mark.parametrize("method", ["brandes", "sampling"])
def test_an_interrupt_before_the_first_batch_is_one(method, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "launch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        nearly.topk_betweenness(hubs(), 5, method=method)


@pytest.mark.parametrize(
    "options",
    [
        {"stop": 0.01},
        {"stop": 0.003, "order": "dyn", "batch": 1, "renumber": True},
        {"order": "random", "stop": 0.01},
        {"method": "sampling", "error": 0.02},
    ],
)
def test_any_number_of_threads_gives_the_same_bits(options):
    g = nearly.generate.rmat(scale=14, edge_factor=8, seed=3)
    one, two = (nearly.topk_betweenness(g, 20, threads=t, **options) for t in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.history, two.history)
    other = nearly.topk_betweenness(g, 20, seed=2, **options)
    assert np.array_equal(one.values, other.values) is (
        "stop" in options and options.get("order") != "random"
    )  # nothing is random there


@small
def test_separation():
    def look(*means):
        return Look(1000, 0, np.array(means), np.full(len(means), 0.05), 0.0)

    top = np.array([0, 1])
    assert separated(look(0.9, 0.8, 0.1, 0.0), top)
    assert not separated(look(0.9, 0.5, 0.48, 0.0), top)
    assert not separated(look(0.5, 0.5, 0.5, 0.0), top)
    assert separated(look(0.005, 0.005), top)
    lower, upper = np.array([0.8, 0.3, 0.1, 0.0]), np.array([0.9, 0.5, 0.4, 0.2])
    assert certain(lower, upper, np.array([0, 1])).tolist() == [True, False]
    assert certain(lower, upper, np.array([0, 1, 2])).tolist() == [True, True, False]
    star = Graph.from_edges(np.zeros(9, int), np.arange(1, 10), directed=False)
    r = nearly.topk_betweenness(star, 1, method="sampling", error=0.01, stop="separated")
    assert (r.stopped, r.separated, r.certain.tolist(), r.vertices.tolist()) == ("separated", True, [True], [0])


def how_often_wrong(graphs, runs, **options):
    """Of so many seeded runs, those in which the error exceeds its bound, or any interval misses the truth."""
    beyond = missed = 0
    for seed in range(runs):
        g, exact = graphs[seed % len(graphs)]
        r = nearly.topk_betweenness(g, 3, method="sampling", seed=seed, **options)
        beyond += np.abs(r.values - exact).max() > r.bound
        missed += bool((r.lower > exact + 1e-12).any() or (r.upper < exact - 1e-12).any())
    return beyond, missed


def graphs_with_truth(count, n):
    made = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        src, dst = rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n)
        g = Graph.from_edges(src, dst, n=n, directed=bool(seed % 2))
        made.append((g, nearly.betweenness(g).values))
    return made


def test_the_error_exceeds_its_bound_no_more_often_than_allowed():
    beyond, missed = how_often_wrong(graphs_with_truth(8, 30), 200, error=0.08, confidence=0.8)
    assert beyond <= 0.2 * 200
    assert missed <= 0.2 * 200


@pytest.mark.full
@pytest.mark.parametrize(("error", "confidence"), [(0.1, 0.5), (0.03, 0.9), (0.02, 0.99)])
def test_the_error_exceeds_its_bound_no_more_often_than_allowed_in_many_runs(error, confidence):
    beyond, missed = how_often_wrong(graphs_with_truth(20, 60), 600, error=error, confidence=confidence)
    assert max(beyond, missed) <= (1 - confidence) * 600


@small
@pytest.mark.parametrize("directed", [True, False])
def test_sampling_keeps_its_word(directed):
    g = hubs(directed)
    exact = nearly.betweenness(g).values
    r = nearly.topk_betweenness(g, 5, method="sampling", error=0.05, confidence=0.95)
    assert r.error == r.bound <= 0.05
    assert (r.guarantee, 0.05, r.confidence, r.stopped) == ("statistical", 0.05, 0.95, "error=0.05")
    assert np.abs(r.values - exact).max() <= 0.05
    assert (r.lower <= exact + 1e-12).all()
    assert (exact <= r.upper + 1e-12).all()
    assert np.array_equal(r.scores, r.values[r.vertices])
    assert r.certificate().ok
    r.values = r.values + 0.2
    assert not r.certificate().ok


@small
def test_the_certificate_finds_a_wrong_top():
    g = hubs()
    r = nearly.topk_betweenness(g, 5)
    assert r.certificate().ok
    r.vertices = r.vertices[::-1]
    assert not r.certificate().ok


@small
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be a whole number"),
        ({"k": True}, "k must be a whole number"),
        ({"k": 2.5}, "k must be a whole number"),
        ({"order": "best"}, "order must be one of dynrr"),
        ({"method": "guess"}, "method must be one of brandes, sampling"),
        ({"error": 0}, "error must be a number from 0.0001 to 0.5"),
        ({"error": "small"}, "error must be"),
        ({"confidence": 1.0}, "confidence must be a number above 0 up to but not including 1"),
        ({"confidence": 0.3}, "confidence must be a number from 0.5 to 0.999999999"),
        ({"renumber": 1}, "renumber must be True or False"),
        ({"renumber": "never"}, "renumber must be True or False, or 'auto'; not 'never'"),
        ({"batch": 0}, "batch must be a whole number of at least 1, or None"),
        ({"weights": 1}, "weights must be True or False"),
        ({"stop": "share=2"}, "stop must be None, a share"),
        ({"stop": 0}, "stop must be None, a share"),
        ({"stop": "share"}, "stop must be None, a share"),
        ({"stop": "stable=x"}, "stop must be None, a share"),
        ({"stop": "soon"}, "stop must be None, a share"),
        ({"stop": [0.1]}, r"stop must be a number or a text or None, not \[0.1\]"),
        ({"stop": True}, "stop must be None, a share"),
        ({"stop": "separated"}, "belongs to method 'sampling'"),
        ({"stop": 0.1, "method": "sampling"}, "belongs to method 'brandes'"),
    ],
)
def test_bad_arguments(options, message):
    g = Graph.from_edges([0, 1], [1, 2], weights=[1, 2])
    with pytest.raises(InvalidArgumentError, match=message):
        nearly.topk_betweenness(g, **options)


def test_on_the_command_line(tmp_path, capsys):
    from nearly.__main__ import main

    file = tmp_path / "star.txt"
    file.write_text("".join(f"7 {v}\n" for v in range(10, 20)))
    with pytest.raises(SystemExit) as done:
        main(["run", "topk-betweenness", str(file), "--undirected", "--k", "2", "--json", "--verify"])
    assert done.value.code in (0, None)
    document = json.loads(capsys.readouterr().out)
    assert document["top"][0] == {"vertex": 7, "score": 1.0}
    assert [row["vertex"] for row in document["top"]] == [7, 10]
    assert document["guarantee"] == "exact"
