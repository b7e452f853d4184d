"""What holds for every technique and every algorithm it supports, taken from the registry."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.questions import ask, check_promise, goes_by_weights, needs_vertex, same
from tests.techniques.settings import SETTINGS
from tests.zoo import graphs, zoo

import nearly
from nearly import InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.applied import check_supported
from nearly.engine.knob import NEVER
from nearly.engine.technique import TECHNIQUES, Task, from_spec
from nearly.engine.traits import GUARANTEES, combined

small = pytest.mark.small
PLAIN = numba.config.DISABLE_JIT
PAIRS = [(cls.name, algorithm) for cls in TECHNIQUES for algorithm in cls.guarantees]


@small
@pytest.mark.parametrize("technique", SETTINGS)
def test_an_algorithm_it_does_not_support_is_refused_by_name(technique):
    for knobs in SETTINGS[technique]:
        made = from_spec(technique + knobs)
        for algorithm in set(ALGORITHMS.names()) - set(made.guarantees):
            assert made.guarantee(algorithm) is None
            with pytest.raises(InvalidArgumentError, match=f"does not apply to {algorithm}"):
                check_supported([made], algorithm)


def exact_version(name):
    cls = TECHNIQUES.get(name)
    return cls(**{knob.name: knob.exact for knob in cls.dials.values() if knob.exact is not NEVER})


def weighted_zoo(algorithm):
    """The zoo with every kind of weights; real ones, and none where arcs have a direction, if the algorithm reads them.

    Each type of weights is compiled again. Techniques that read them meet real ones with the algorithms that do.
    """
    more = [(True, None), (True, "float"), (False, "float")] if goes_by_weights(algorithm) else []
    for directed, weights in [(False, None), (True, "int"), (False, "int"), *more]:
        for name, g in zoo(directed, weights).items():
            one_kind = (directed, weights) == (True, "int") and algorithm != "betweenness"  # from all sources
            slow = PLAIN and g.n > 100 and not one_kind
            if not slow and (g.n or not needs_vertex(algorithm)):
                yield f"{name}, directed={directed}, weights={weights}", g


@small
def test_the_matrix_speaks_of_algorithms_that_exist_in_words_that_exist():
    for cls in TECHNIQUES:
        assert set(cls.guarantees) <= set(ALGORITHMS.names())
        assert set(cls.guarantees.values()) <= set(GUARANTEES)
        assert cls.summary.endswith(".")
        assert cls.reference
        for knob in cls.dials.values():
            assert knob.meaning
            knob.checked(knob.default)
            if knob.exact is not NEVER:
                knob.checked(knob.exact)
    assert set(SETTINGS) == {cls.name for cls in TECHNIQUES}, "say in settings.py how a new technique is tested"


@small
@pytest.mark.parametrize(("technique", "algorithm"), PAIRS)
def test_exact_knobs_give_the_exact_answer(technique, algorithm):
    exact = exact_version(technique)
    assert exact.is_exact
    for name, g in weighted_zoo(algorithm):
        expected, got = ask(algorithm, g), ask(algorithm, g, approx=exact)
        assert same(algorithm, expected, got), name
        assert got.guarantee == expected.guarantee
        assert got.techniques == (exact,)


@small
@pytest.mark.parametrize(("technique", "algorithm"), PAIRS)
def test_tiny_graphs_get_an_answer_of_the_right_length_whose_claim_holds(technique, algorithm):
    for knobs in SETTINGS[technique]:
        for name, g in weighted_zoo(algorithm):
            r = ask(algorithm, g, approx=technique + knobs)
            if algorithm != "mst":
                assert np.shape(r.values) == np.shape(ask(algorithm, g).values), (name, knobs)
            assert r.guarantee in ("exact", from_spec(technique + knobs).guarantee(algorithm)), (name, knobs)
            assert r.certificate().ok, (name, knobs, r.certificate())


@pytest.mark.parametrize(
    ("technique", "algorithm"),
    [(t, a) for t, a in PAIRS if TECHNIQUES.get(t).guarantees[a] not in ("estimated", "heuristic")],
)
def test_a_declared_bound_is_never_violated(technique, algorithm):
    @settings(max_examples=60, deadline=None)
    @given(graphs(weights="int"), st.sampled_from(SETTINGS[technique]), st.integers(0, 3))
    def check(g, knobs, seed):
        got = ask(algorithm, g, approx=technique + knobs, seed=seed)
        check_promise(algorithm, got.guarantee, ask(algorithm, g, seed=seed), got)
        assert got.certificate().ok

    check()


@pytest.mark.full
@pytest.mark.parametrize(("technique", "algorithm"), PAIRS)
def test_a_declared_bound_is_never_violated_on_thousands_of_graphs(technique, algorithm):
    rng = np.random.default_rng(5)
    for k in range(2000):
        n = int(rng.integers(2, 60))
        src, dst = rng.integers(0, n, (2, int(rng.integers(1, 4 * n))))
        g = nearly.Graph.from_edges(src, dst, rng.integers(1, 20, src.size), n=n, directed=bool(k % 2))
        knobs = SETTINGS[technique][k % len(SETTINGS[technique])]
        got = ask(algorithm, g, approx=technique + knobs, seed=k)
        check_promise(algorithm, got.guarantee, ask(algorithm, g, seed=k), got)
        assert got.certificate().ok


@pytest.fixture(
    scope="module", params=[True, pytest.param(False, marks=pytest.mark.full)], ids=["directed", "undirected"]
)
def large(request):
    return nearly.generate.rmat(17, 8, seed=3, directed=request.param, weights="int")


@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [  # the last knobs do most; the others are for the full tier
        pytest.param(technique + knobs, algorithm, marks=() if knobs is SETTINGS[technique][-1] else pytest.mark.full)
        for technique, algorithm in PAIRS
        for knobs in SETTINGS[technique]
    ],
)
def test_the_same_seed_gives_the_same_answer_with_one_and_two_threads(spec, algorithm, large):
    few = {"betweenness": {"sources": 4}, "distances": {"pairs": [(0, 1), (2, 500), (7, 900)]}}
    more = few.get(algorithm, {})
    for policy in ("auto", "topology"):
        if policy == "topology" and policy not in ALGORITHMS.get(algorithm).policies:
            continue
        same = {"approx": spec, "seed": 7, "policy": policy, **more}
        one, two = (ask(algorithm, large, threads=k, **same) for k in (1, 2))
        assert np.array_equal(one.values, two.values, equal_nan=np.asarray(one.values).dtype.kind == "f"), policy
        if from_spec(spec).in_rounds(Task(algorithm)):
            assert one.rounds == two.rounds  # else a fixed point may be reached in any number of rounds


@small
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("partial-edges:keep=0", "above 0 and at most 1"),
        ("partial-edges:keep=1.5", "above 0 and at most 1"),
        ("partial-edges:keep=nan", "above 0 and at most 1"),
        ("partial-edges:select=best", "'random', 'heaviest' or 'lightest'"),
        ("partial-edges:share=0.5", "its knobs are keep, select"),
        ("reduced-execution:rounds=0", "a whole number, at least 1, or None"),
        ("reduced-execution:changed=1", "at least 0 and below 1"),
        ("round-weights:base=1", "above 1"),
        ("round-weights:levels=2.5", "a whole number, at least 1"),
        ("merge-similar:jaccard=2", "at most 1"),
        ("magic", "no technique is called 'magic'"),
    ],
)
def test_bad_knobs_name_the_allowed_range(spec, message):
    with pytest.raises(InvalidArgumentError, match=message):
        from_spec(spec)


@small
def test_what_approx_may_be():
    g = nearly.Graph.from_edges([0, 1], [1, 2])
    for bad in (3, object(), nearly.PartialEdges, [3]):
        with pytest.raises(InvalidArgumentError, match="technique"):
            nearly.bfs(g, 0, approx=bad)
    with pytest.raises(InvalidArgumentError, match="RoundWeights does not apply to bfs; it applies to mst, sssp"):
        nearly.bfs(g, 0, approx=nearly.RoundWeights())
    with pytest.raises(InvalidArgumentError, match="its knobs are keep, select"):
        nearly.PartialEdges(share=0.5)
    assert nearly.bfs(g, 0, approx=[]).guarantee == "exact"
    assert nearly.bfs(g, 0, approx="partial_edges:keep=1").values.tolist() == [0, 1, 2]


@small
def test_a_technique_is_a_value():
    a, b = nearly.PartialEdges(0.5), nearly.PartialEdges(keep=0.5)
    assert (a, hash(a)) == (b, hash(b))
    assert a != nearly.PartialEdges()
    assert from_spec(a.spec) == a
    assert repr(a) == "PartialEdges(keep=0.5, select='random', growth=1.0, redraw='auto')"
    with pytest.raises(AttributeError, match="make a new PartialEdges"):
        a.keep = 0.7


@small
def test_words_combine_to_the_weaker():
    assert combined([]) == combined(["exact", "exact"]) == "exact"
    assert combined(["exact", "upper bound", "upper bound"]) == "upper bound"
    assert combined(["upper bound", "lower bound"]) == "heuristic"
    assert combined(["certified", "heuristic"]) == "certified"


@small
def test_techniques_compose_in_order_and_come_back_in_the_inputs_order():
    g = nearly.generate.rmat(7, 6, seed=2, weights="int", directed=False)
    both = [nearly.PartialEdges(keep=0.6, select="lightest"), nearly.RoundWeights(levels=50), nearly.ReducedExecution()]
    r = ask("sssp", g, approx=both)
    assert r.guarantee == "upper bound"
    assert r.certificate().ok
    assert r.preprocess_seconds > 0
    exact = ask("sssp", g)
    assert (r.values >= exact.values).all()
    merged = nearly.Graph.from_edges([0, 0, 0, 4, 4], [1, 2, 3, 1, 5], directed=False)  # 1 and 5 are not alike
    kept = [nearly.MergeSimilar(jaccard=1.0), nearly.PartialEdges(keep=0.999, select="heaviest")]
    ranks = nearly.pagerank(merged, approx=kept).values  # the merged 2 and 3 still count twice for 0
    assert np.allclose(ranks, nearly.pagerank(merged).values, atol=1e-6)
    forest = nearly.mst(g, approx=both[:2])
    assert forest.certificate().ok
    assert forest.weight <= 1.2 * nearly.mst(g).weight


def test_a_misspelled_knob_is_named():
    with pytest.raises(InvalidArgumentError, match="no knob 'kep'; did you mean 'keep'"):
        nearly.PartialEdges(kep=0.5)
    with pytest.raises(InvalidArgumentError, match="did you mean 'keep'"):
        nearly.bfs(nearly.Graph.from_edges([0], [1]), 0, approx="partial-edges:kep=0.5")
    with pytest.raises(InvalidArgumentError, match="its knobs are"):
        nearly.PartialEdges(zzz=1)
