"""What holds for every algorithm, taken from the registry: a new one is tested here the day it is registered.

Files of single algorithms hold what is particular to them: an oracle, special cases, large graphs.
"""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
import pytest
from tests.algorithms.alterations import permutation_of, same_parts, tampered
from tests.algorithms.questions import BUILT_IN, alike, ask, goes_by_weights, needs_vertex, same
from tests.zoo import zoo

import nearly
from nearly import DeviceUnavailableError, Graph, InvalidArgumentError
from nearly.accuracy import judges
from nearly.base.arguments import is_number
from nearly.engine.algorithm import ALGORITHMS

small = pytest.mark.small
every_algorithm = pytest.mark.parametrize("algorithm", BUILT_IN)
both_kinds = pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
PLAIN = numba.config.DISABLE_JIT
TINY = ("empty", "one vertex", "edgeless", "self-loops", "parallel edges")
PRECISE = {  # so that answers reached in different ways can be compared
    "pagerank": {"tol": 1e-12},
    "eigenvector": {"tol": 1e-14},
    "hits": {"tol": 1e-14},
    "katz": {"tol": 1e-13},
}
SOME_PAIRS = {"pairs": np.random.default_rng(1).integers(0, 1 << 17, (5000, 2))}
FEWER = {  # what a large graph allows
    "adamic_adar": SOME_PAIRS,
    "betweenness": {"sources": 12},
    "center": {"max_rounds": 20},
    "closeness": {"max_rounds": 1},
    "diameter": {"max_rounds": 20},
    "distance_statistics": {"max_rounds": 1},
    "distances": {"pairs": np.random.default_rng(1).integers(0, 1 << 17, (500, 2))},
    "common_neighbors": SOME_PAIRS,
    "harmonic": {"max_rounds": 1},
    "jaccard": SOME_PAIRS,
    "resource_allocation": SOME_PAIRS,
    "eccentricity": {"max_rounds": 20},
    "periphery": {"max_rounds": 20},
    "radius": {"max_rounds": 20},
    "topk_betweenness": {"k": 5, "stop": 5e-5},
    "topk_closeness": {"max_rounds": 1},
}
CHOSEN = (
    judges.COLORS,
    judges.MEMBERS,
    judges.COMMUNITIES,
    judges.SIDES,
)  # one of many right answers, by vertex number and seed


def graphs_for(algorithm, directed):
    """The zoo, with weights where the algorithm goes by them; without what takes long uncompiled."""
    for name, g in zoo(directed, "int" if goes_by_weights(algorithm) else None).items():
        slow = PLAIN and ALGORITHMS.get(algorithm).all_sources and g.n > 100
        if not slow and (g.n or not needs_vertex(algorithm)):
            yield name, g


def kind(result):
    """The type of the values, an array's or a number's."""
    return np.asarray(result.values).dtype.kind


@small
@both_kinds
@pytest.mark.usefixtures("parallel_with_bounds_checks")
@pytest.mark.parametrize(
    ("algorithm", "policy"), [(name, p) for name in BUILT_IN for p in ALGORITHMS.get(name).policies]
)
def test_every_policy_gives_the_answer_of_auto(algorithm, policy, directed):
    more = PRECISE.get(algorithm, {})
    for name, g in graphs_for(algorithm, directed):
        expected = ask(algorithm, g, **more)
        for threads in (1,) if PLAIN else (1, 2):
            got = ask(algorithm, g, policy=policy, threads=threads, threshold=3, **more)
            assert same(algorithm, expected, got), (name, threads)
            assert (got.guarantee, kind(got)) == (expected.guarantee, kind(expected))
            assert got.certificate().ok, (name, threads)


@cache
def large(measures, scale):
    """Large enough for lost updates to show, and skewed; with weights for algorithms that measure lengths."""
    return nearly.generate.rmat(scale, 8, seed=3, weights="int" if measures == "lengths" else None)


def swift(algorithm):
    """The policies that are quick on a large graph."""
    return ["auto", *(policy for policy in ("frontier", "split") if policy in ALGORITHMS.get(algorithm).policies)]


@pytest.mark.parametrize(("algorithm", "policy"), [(name, policy) for name in BUILT_IN for policy in swift(name)])
def test_one_and_two_threads_give_the_same_bits(algorithm, policy):
    entry = ALGORITHMS.get(algorithm)
    g = large(entry.traits.measures, 15 if entry.judge is judges.COMMUNITIES else 17)
    one, *others = (ask(algorithm, g, threads=k, policy=policy, **FEWER.get(algorithm, {})) for k in (1, 2, 2))
    for two in others:
        assert np.asarray(one.values).tobytes() == np.asarray(two.values).tobytes()
        assert one.guarantee == two.guarantee
    assert two.certificate().ok


def sized(algorithm, g):
    """How many values there are."""
    return {"vertex": (g.n,), "arc": (g.m,), "rank": (min(10, g.n),)}[ALGORITHMS.get(algorithm).result.per]


def along_arcs(g, values, place=None):
    """Values of arcs in the order of the arcs' ends, under new numbers of vertices."""
    src, dst = g.arc_sources().astype(np.int64), g.targets.astype(np.int64)
    if place is not None:
        src, dst = place[src], place[dst]
    return values[np.lexsort((dst, src))]


@small
@both_kinds
@every_algorithm
@pytest.mark.parametrize("weights", [None, "int"])
def test_graphs_with_next_to_nothing_in_them(algorithm, directed, weights):
    graphs = zoo(directed, weights)
    for name in TINY:
        g = graphs[name]
        if needs_vertex(algorithm) and not g.n:
            with pytest.raises(InvalidArgumentError, match="the graph has no vertices"):
                ask(algorithm, g)
            continue
        r = ask(algorithm, g)
        if ALGORITHMS.get(algorithm).judge is judges.FORESTS:
            assert r.values.size == g.n - nearly.connected_components(g).count
        else:
            assert np.shape(r.values) == (() if is_number(r.values) else sized(algorithm, g)), name
        assert kind(r) != "f" or not np.isnan(r.values).any()
        assert (r.guarantee, r.algorithm) == ("exact", algorithm)
        assert r.certificate().ok, name
        assert type(r) is ALGORITHMS.get(algorithm).result


@small
@both_kinds
@every_algorithm
def test_renumbered_vertices_take_their_answer_along(algorithm, directed):
    judge, more = ALGORITHMS.get(algorithm).judge, PRECISE.get(algorithm, {})
    for seed, (name, g) in enumerate(graphs_for(algorithm, directed)):
        place = permutation_of(g, seed)
        moved = g.relabel(place)
        from_source = {"source": int(np.argmax(g.out_degrees))} if needs_vertex(algorithm) else {}
        there = {key: int(place[v]) for key, v in from_source.items()}
        before, after = ask(algorithm, g, **from_source, **more), ask(algorithm, moved, **there, **more)
        assert after.certificate().ok, name
        if judge is judges.FORESTS:
            assert after.weight == pytest.approx(before.weight)
            assert after.values.size == before.values.size
        elif ALGORITHMS.get(algorithm).result.per == "arc":
            there, here = along_arcs(moved, after.values), along_arcs(g, before.values, place)
            assert same_parts(there, here) if judge is judges.ARC_PARTS else alike(algorithm, there, here), name
        elif judge is judges.PARTS:
            assert same_parts(after.values[place], before.values), name
            assert after.count == before.count
        elif is_number(before.values):
            assert after.values == pytest.approx(before.values), name
        elif ALGORITHMS.get(algorithm).result.per == "rank":
            assert alike(algorithm, after.values, before.values), name
        elif judge not in CHOSEN:
            assert alike(algorithm, after.values[place], before.values), name


@small
@both_kinds
@every_algorithm
def test_the_certificate_accepts_an_answer_and_rejects_others(algorithm, directed):
    tried = 0
    for name, g in graphs_for(algorithm, directed):
        if name in TINY or (PLAIN and g.n > 100):
            continue
        r = ask(algorithm, g)
        right = r.values
        for k, wrong in enumerate(tampered(algorithm, g, right)):
            r.values = wrong
            assert not r.certificate().ok, (name, k)
            tried += 1
        r.values = right
        assert r.certificate().ok, name
    assert tried > 3


@small
@every_algorithm
def test_bad_common_arguments_name_what_is_allowed(algorithm):
    g, entry = zoo()["path"], ALGORITHMS.get(algorithm)
    wholes = [(name, bad) for name in ("threads", "max_rounds", "threshold") for bad in (0, -1, 1.5, "2", True)]
    for name, bad in wholes:
        with pytest.raises(InvalidArgumentError, match=f"{name} must be a whole number of at least 1.* not {bad!r}"):
            ask(algorithm, g, **{name: bad})
    for bad in (-1, 2**64, 1.5, None, "1", True):
        with pytest.raises(InvalidArgumentError, match=r"seed must be a whole number from 0 to 2\*\*64 - 1[;,] not"):
            ask(algorithm, g, seed=bad)
    for bad in ("magic", None, 3):
        allowed = f"{algorithm} supports the policies auto, {', '.join(entry.policies)}; not {bad!r}"
        with pytest.raises(InvalidArgumentError, match=allowed):
            ask(algorithm, g, policy=bad)
    with pytest.raises(DeviceUnavailableError, match="device must be 'cpu' or 'cuda', not 'tpu'"):
        ask(algorithm, g, device="tpu")
    if entry.devices == ("cpu",):
        with pytest.raises(
            DeviceUnavailableError, match=f"{algorithm} has no form for device 'cuda'; use device='cpu'"
        ):
            ask(algorithm, g, device="cuda")
    with pytest.raises(InvalidArgumentError, match="technique"):
        ask(algorithm, g, approx=3)
    with pytest.raises(TypeError, match="colour"):
        ask(algorithm, g, colour="red")
    for bad in ({}, None, np.eye(3)):
        with pytest.raises(InvalidArgumentError, match=rf"{algorithm} needs a nearly\.Graph, not {type(bad).__name__}"):
            getattr(nearly, algorithm)(bad)


@small
@pytest.mark.parametrize("algorithm", [name for name in BUILT_IN if needs_vertex(name)])
@pytest.mark.parametrize("source", [-1, 7, 1.5, None, "0", True])
def test_bad_sources(algorithm, source):
    with pytest.raises(InvalidArgumentError, match="source"):
        ask(algorithm, zoo()["path"], source=source)


@small
@pytest.mark.parametrize("algorithm", [name for name in BUILT_IN if "weights" in ALGORITHMS.get(name).parameters])
def test_weights_are_used_or_not(algorithm):
    g = Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 2, 3])
    for bad in (1, None, "yes"):
        with pytest.raises(InvalidArgumentError, match="weights must be True or False"):
            ask(algorithm, g, weights=bad)
    bare = Graph.from_edges([0, 1, 0], [1, 2, 2])
    assert same(algorithm, ask(algorithm, g, weights=False), ask(algorithm, bare))
    assert same(algorithm, ask(algorithm, bare, weights=True), ask(algorithm, bare, weights=False))


@every_algorithm
def test_many_vertices_without_arcs(algorithm):
    """What is cut by arcs alone would have a piece for each vertex here, or none."""
    for arcs in (0, 3):
        g = Graph.from_edges(np.arange(arcs), np.arange(arcs) + 1, n=70_000)
        r = ask(algorithm, g)
        assert r.certificate().ok
