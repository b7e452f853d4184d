"""Several techniques at once, drawn from the registry: what they promise together is the meeting of what each does."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.algorithms.questions import BUILT_IN, ask, check_promise
from tests.techniques.settings import SETTINGS

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.technique import from_spec
from nearly.engine.traits import combined

SPECS = [technique + knobs for technique, all_knobs in SETTINGS.items() for knobs in all_knobs]
FEW, MANY = 60, 2000
REFUSALS = "make different rounds|put MergeSimilar first|by one rule|knows no copies of vertices|merges copies by"


def compositions(count, seed):
    """Pairs and triples of techniques, each with an algorithm that all of them apply to, the algorithms in turn."""
    rng, found = np.random.default_rng(seed), {}
    open_to = {name: [spec for spec in SPECS if from_spec(spec).guarantee(name)] for name in BUILT_IN}
    names = [name for name in BUILT_IN if len(open_to[name]) > 1]
    for k in range(4 * count):  # some algorithms have fewer compositions than that
        name = names[k % len(names)]
        specs = rng.choice(open_to[name], int(rng.integers(2, 4)))
        found[name, tuple(specs.tolist())] = None
    return list(found)[:count]


def some_graphs():
    """A random graph, a skewed one and a grid, directed and not, with few weights and with many."""
    rng = np.random.default_rng(7)
    hubs = np.floor(25 * rng.random((2, 70)) ** 2).astype(int)
    cell = np.arange(24).reshape(4, 6)
    grid = np.stack([np.r_[cell[:, :-1].ravel(), cell[:-1].ravel()], np.r_[cell[:, 1:].ravel(), cell[1:].ravel()]])
    for k, (src, dst) in enumerate((rng.integers(0, 20, (2, 60)), hubs, grid, hubs)):
        yield Graph.from_edges(src, dst, rng.integers(1, (4, 100)[k % 2], src.size), n=26, directed=k < 2)


def allowed_words(algorithm, techniques, g, seed, weights=None):
    """The meeting of the single guarantees; one that only stops rounds counts where it did stop them."""
    changing = [technique for technique in techniques if not technique.is_exact]
    always = [t.guarantee(algorithm) for t in changing if not t.only_stops]
    stopped = [t.guarantee(algorithm) for t in changing if t.only_stops]
    words = {combined(always), combined([*always, *stopped])}
    entry = ALGORITHMS.get(algorithm)
    if (
        "upper bound" in words
        and not entry.traits.completed
        and entry.apply(techniques, g, seed=seed, weights=weights).map.adds
    ):
        return {"heuristic" if word == "upper bound" else word for word in words}  # no given arc is seen to attain it
    return words


def check_answer(algorithm, techniques, g, **how):
    """The word is the meeting of the single ones and is kept, the certificate holds, and every value is a number."""
    got, exact = ask(algorithm, g, approx=techniques, **how), ask(algorithm, g, **how)
    assert got.guarantee in allowed_words(algorithm, techniques, g, how.get("seed", 1))
    check_promise(algorithm, got.guarantee, exact, got)
    assert got.certificate().ok, got.certificate()
    if np.asarray(got.values).dtype.kind == "f":
        unknown = np.flatnonzero(np.isnan(got.values) & ~np.isnan(exact.values)).tolist()
        sources = getattr(got, "sources", None)  # one source alone says nothing of itself
        assert not unknown or (sources is not None and sources.tolist() == unknown)


def check(algorithm, specs):
    techniques = [from_spec(spec) for spec in specs]
    for seed, g in enumerate(some_graphs()):
        try:
            check_answer(algorithm, techniques, g, seed=seed)
        except InvalidArgumentError as refusal:
            if re.search(REFUSALS, str(refusal)):
                return
            raise


@pytest.mark.small
@pytest.mark.parametrize(
    ("algorithm", "specs"), compositions(FEW, 1), ids=lambda x: x if isinstance(x, str) else "+".join(x)
)
def test_a_few_compositions(algorithm, specs):
    check(algorithm, specs)


@pytest.mark.full
@pytest.mark.parametrize(
    ("algorithm", "specs"), compositions(MANY, 2), ids=lambda x: x if isinstance(x, str) else "+".join(x)
)
def test_many_compositions(algorithm, specs):
    check(algorithm, specs)


@pytest.mark.small
@pytest.mark.parametrize("specs", [[":levels=3", ""], ["", ":levels=3"], [":levels=9", ":levels=3"], [":levels=3"] * 2])
def test_weights_rounded_twice(specs):
    """The search level by level goes by what the last rounding made of the weights."""
    techniques = [from_spec(f"round-weights{spec}") for spec in specs]
    for g in some_graphs():
        check_answer("sssp", techniques, g)
    check_answer("sssp", techniques[:1] * 2, g)  # one object twice


@pytest.mark.small
def test_weights_just_above_a_power_are_rounded_up():
    g = Graph.from_edges([0, 1], [1, 2], [2 * (1 + 1e-12), 4 * (1 + 1e-10)], weight_dtype="float64")
    check_answer("sssp", [nearly.RoundWeights()], g)


@pytest.mark.small
def test_a_fixed_rate_of_extrapolation_leads_to_ranks():
    g = Graph.from_edges([3, 0, 0], [0, 2, 0], n=4)
    check_answer("pagerank", [nearly.Extrapolate(rate=0.99)], g, tol=1e-3)


@pytest.mark.small
def test_copies_and_arcs_across_them():
    src = [3, 0, 3, 2, 0, 3, 3, 1, 3, 1, 2, 3, 3, 0, 3, 1, 3]
    dst = [2, 2, 3, 0, 0, 3, 3, 3, 1, 2, 2, 2, 1, 0, 0, 2, 0]
    copied = nearly.Coalesce(chunk=4, slack=1, threshold=0.3)
    across = nearly.ClusterLocality(threshold=0.3, margin=0.3, max_added=0.2, paths="any")
    check_answer("betweenness", [copied, across], Graph.from_edges(src, dst, n=4))


@pytest.mark.small
def test_a_weight_just_above_a_power_in_float64():
    """A distance was too short, and its certificate failed."""
    g = Graph.from_edges([0, 1, 0], [1, 2, 2], [2 * (1 + 5e-10), 1, 3], weight_dtype="float64")
    check_answer("sssp", [nearly.RoundWeights(base=2)], g)


@pytest.mark.small
def test_rounding_by_powers_ends_what_levels_promise():
    """Levels of an earlier rounding stayed behind: the search ended before it had reached what it could."""
    g = Graph.from_edges([0, 1, 2], [1, 2, 3], [1, 3, 3])
    got = nearly.sssp(g, 0, approx=[nearly.RoundWeights(levels=3), nearly.RoundWeights(base=2)])
    assert np.isfinite(got.values).all()
    assert got.certificate().ok


@pytest.mark.small
def test_frozen_vertices_stop_by_the_norm_asked_for():
    """The sum of changes was compared with the largest one that is allowed, times n."""
    g = nearly.generate.rmat(10, 4, seed=1)
    frozen = nearly.FreezeEdges(by="vertices", c=1e-300)
    exact, got = nearly.pagerank(g, tol=1e-9), nearly.pagerank(g, tol=1e-6, norm="max", approx=frozen)
    assert np.abs(exact.values - got.values).max() < 1e-5


@pytest.mark.small
def test_a_fixed_rate_is_watched():
    g = Graph.from_edges([0, 1, 2], [1, 2, 0])
    got = nearly.pagerank(g, personalization=[0.5, 0.3, 0.2], approx=nearly.Extrapolate(rate=0.8))
    exact = nearly.pagerank(g, personalization=[0.5, 0.3, 0.2])
    assert np.abs(got.values - exact.values).sum() < 1e-6


@pytest.mark.small
def test_a_mean_that_stops_when_it_looks_settled_is_no_estimate():
    """A star of 10 and 30 isolated vertices: sources of no dependencies look settled, and the mean was biased."""
    g = Graph.from_edges([0] * 9, list(range(1, 10)), n=40, directed=False)
    settled = nearly.betweenness(g, approx=nearly.ReducedExecution(residual=0.2))
    assert settled.guarantee in ("heuristic", "exact")
    assert settled.certificate().bound is None or settled.guarantee == "exact"
    counted = nearly.betweenness(g, approx=nearly.ReducedExecution(residual=0, changed=0, rounds=10))
    assert counted.guarantee == "estimated"


@pytest.mark.small
@pytest.mark.parametrize("name", ["bfs", "sssp"])
def test_infinity_is_no_upper_bound_where_nothing_was_left_out(name):
    g = Graph.from_edges([0, 1, 2], [1, 2, 3], [1.0, 2.5, 3])
    approx = nearly.RoundWeights() if name == "sssp" else nearly.Coalesce()
    got = getattr(nearly, name)(g, 0, approx=approx)
    got.guarantee = "upper bound"
    assert got.certificate().ok
    got.values = np.array([*got.values[:3], np.inf if name == "sssp" else -1])
    got.__dict__.pop("_certificate", None)
    assert not got.certificate().ok
    cut = getattr(nearly, name)(g, 0, max_rounds=1)
    assert cut.partial
    assert cut.certificate().ok
    assert "vertices that can be reached have none but infinity" in cut.certificate().claim
