"""Merging similar vertices: groups against brute force, the contraction, and what each algorithm makes of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, graphs, zoo

import nearly
from nearly import Graph, MergeSimilar
from nearly.base.errors import InvalidArgumentError, MemoryBudgetError
from nearly.base.threads import kernel_threads
from nearly.engine.applied import apply
from nearly.engine.technique import Task
from nearly.techniques.merge_similar import band_rows, contracted, similar_groups

SUPPORTED = sorted(MergeSimilar.guarantees)


def run(algorithm: str, g: Graph, approx=None, **keywords):
    source = {"source": 0} if algorithm in ("bfs", "sssp") else {}
    return getattr(nearly, algorithm)(g, approx=approx, **source, **keywords)


def neighbours(g: Graph) -> tuple[list[set[int]], list[set[int]]]:
    out: list[set[int]] = [set() for _ in range(g.n)]
    into: list[set[int]] = [set() for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        out[u].add(v)
        into[v].add(u)
    return out, into


def jaccard(g: Graph, sides, a: int, b: int, plain: bool = False) -> float:
    """The smaller of the sides' Jaccard indices by sets; 0 where the two have nothing in common at all."""
    found, common = [], 0
    for side in sides if g.directed else sides[:1]:
        x, y = side[a] - ({a} if plain else {a, b}), side[b] - ({b} if plain else {a, b})
        common += len(x & y)
        found.append(len(x & y) / len(x | y) if x | y else 1.0)
    return min(found) if common else 0.0


def check_groups(g: Graph, group: np.ndarray, threshold: float, plain: bool = False) -> None:
    sides = neighbours(g)
    assert np.array_equal(group[group], group)
    for v in np.flatnonzero(group != np.arange(g.n)).tolist():
        assert jaccard(g, sides, int(group[v]), v, plain) >= threshold


def twins(k: int = 3) -> Graph:
    """Undirected with weights: a path 0-1-2-3, and k neighbours of each other at 5.. that all hang on 1 and 3."""
    pairs = [(0, 1, 2.0), (1, 2, 3.0), (2, 3, 1.0), (3, 4, 6.0)]
    clique = range(5, 5 + k)
    pairs += [(end, v, 4.0) for v in clique for end in (1, 3)]
    pairs += [(u, v, 1.5) for u, v in combinations(clique, 2)]
    src, dst, weights = zip(*pairs)
    return Graph.from_edges(src, dst, weights, directed=False)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8, 1.0])
def test_merged_pairs_reach_the_threshold_in_the_zoo(directed, threshold):
    for g in zoo(directed).values():
        for plain in (False, True):
            check_groups(g, similar_groups(g, threshold, 16, 1, plain), threshold, plain)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from([0.25, 0.5, 0.75, 1.0]), st.sampled_from([1, 5, 16]), st.integers(0, 9), st.booleans())
def test_merged_pairs_reach_the_threshold(g, threshold, hashes, seed, plain):
    check_groups(g, similar_groups(g, threshold, hashes, seed, plain), threshold, plain)


@settings(max_examples=60, deadline=None)
@given(graphs(directed=False))
def test_at_jaccard_one_all_twins_are_found(g):
    """Vertices of equal open or of equal closed neighbourhoods form classes that do not overlap."""
    sides = neighbours(g)
    same = np.array([[jaccard(g, sides, a, b) == 1 for b in range(g.n)] for a in range(g.n)], bool)
    np.fill_diagonal(same, True)
    group = similar_groups(g, 1.0, 16, 3)
    assert np.array_equal(group[:, None] == group[None, :], same)


def test_similar_pairs_are_mostly_found():
    """300 pairs that share 6 of 8 neighbours each: the bands find pairs at the threshold with probability 0.85."""
    rng, src, dst = np.random.default_rng(5), [], []
    for pair in range(300):
        ends = rng.choice(20_000, 8, replace=False) + 600
        src += [2 * pair] * 7 + [2 * pair + 1] * 7
        dst += [*ends[:7], *ends[1:]]
    g = Graph.from_edges(src, dst, directed=False)
    group = similar_groups(g, 0.75, 16, 1)
    assert (group[1:600:2] == np.arange(0, 600, 2)).mean() > 0.75
    assert (similar_groups(g, 0.8, 16, 1)[:600] == np.arange(600)).all()


def test_leaves_of_a_star_become_one_vertex():
    for directed in (True, False):
        for name in ("star", "inward star"):
            moved = MergeSimilar(1.0).transform(zoo(directed)[name], Task("bfs"))
            assert (moved.graph.n, moved.graph.m) == (2, 1 if directed else 2)
            assert moved.place.tolist() == [0] + [1] * 69
            assert moved.report == {"vertices merged": 68, "arcs": moved.graph.m}


def test_vertices_without_anything_in_common_stay_alone():
    g = Graph.from_edges([0, 3], [1, 3], n=6, directed=False)  # an edge, a self-loop, three vertices alone
    assert similar_groups(g, 0.01, 16, 1).tolist() == list(range(6))
    moved = MergeSimilar().transform(g, Task("bfs"))
    assert moved.graph is g
    assert moved.report["vertices merged"] == 0


def test_bands_find_what_is_at_the_threshold():
    for threshold in (0.05, 0.3, 0.5, 0.7, 0.9, 1.0):
        rows = band_rows(threshold, 16)
        assert rows == 1 or 1 - (1 - threshold**rows) ** (16 // rows) >= 0.85
    assert (band_rows(0.5, 16), band_rows(1.0, 16), band_rows(0.01, 1)) == (2, 16, 1)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([None, "int", "float"]), st.booleans())
def test_contraction(data, weights, summed):
    g = data.draw(graphs(weights=weights))
    group = np.array([data.draw(st.integers(0, v)) for v in range(g.n)], np.uint32)
    while not np.array_equal(group[group], group):
        group = group[group]
    moved = contracted(g, group, g.weighted, summed)
    if moved.graph is g:
        return
    leaders, members = np.unique(group), np.bincount(group, minlength=g.n)
    assert np.array_equal(leaders[moved.place], group)
    arcs = arcs_of(g)
    wanted: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for e, (u, v, w) in enumerate(arcs):
        if group[u] != group[v] or members[group[u]] == 1:
            wanted.setdefault((int(moved.place[u]), int(moved.place[v])), []).append((w, e))
    moved.graph.validate()
    got = arcs_of(moved.graph)
    assert [(u, v) for u, v, _ in got] == sorted(wanted)
    assert moved.arcs.tolist() == [min(wanted[u, v])[1] for u, v, _ in got]
    if summed or g.weighted:
        value = sum if summed else min
        assert [w for *_, w in got] == pytest.approx([value(w for w, _ in wanted[u, v]) for u, v, _ in got], rel=1e-6)
    assert moved.graph.weighted == (g.weighted or summed)
    assert moved.graph.directed == g.directed


def test_sums_that_need_room_get_it():
    g = Graph.from_edges([0, 0], [1, 2], [2**32 - 1] * 2, directed=False)
    merged = MergeSimilar().transform(g, Task("pagerank")).graph
    assert merged.weights.tolist() == [2.0**33 - 2] * 2


def test_weights_that_do_not_count_are_dropped():
    g = twins()
    assert not MergeSimilar(1.0).transform(g, Task("sssp", weighted=False)).graph.weighted
    counts = MergeSimilar(1.0).transform(g, Task("pagerank", weighted=False)).graph
    assert counts.weights.dtype == np.uint32
    assert counts.weights.max() == 3


@pytest.mark.parametrize("algorithm", SUPPORTED)
@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_every_algorithm_on_the_zoo(algorithm, weights):
    word = MergeSimilar.guarantees[algorithm]
    for directed in (True, False):
        for name, g in zoo(directed, weights).items():
            if g.n == 0 and algorithm in ("bfs", "sssp"):
                continue
            r = run(algorithm, g, MergeSimilar(0.4))
            assert r.guarantee in (word, "exact"), name
            certificate = r.certificate()
            assert certificate.ok, (name, certificate)
            if algorithm == "mst":
                assert r.values.size == nearly.mst(g).values.size
                continue
            assert r.values.shape == (g.n,)
            if algorithm in ("bfs", "sssp"):
                assert r.parents.shape == (g.n,)
                assert r.parents[0] == -1
            if algorithm in ("scc", "connected_components", "label_propagation"):
                firsts = {label: v for v, label in reversed(list(enumerate(r.values.tolist())))}
                assert all(label == v for label, v in firsts.items()), name


@settings(max_examples=60, deadline=None)
@given(graphs(weights="float"), st.sampled_from([0.2, 0.5, 1.0]), st.data())
def test_declared_bounds_hold(g, threshold, data):
    technique, source = MergeSimilar(threshold), data.draw(st.integers(0, g.n - 1))
    for search in (nearly.sssp, nearly.bfs):
        exact, low = search(g, source), search(g, source, approx=technique)
        e, a = (np.where(r.values < 0, np.inf, r.values) for r in (exact, low))
        assert (a <= e).all()
        assert low.values[source] == 0
    assert (nearly.scc(g, approx=technique).values <= nearly.scc(g).values).all()
    whole = nearly.connected_components(g, approx=technique)
    assert whole.guarantee == "exact"
    assert np.array_equal(whole.values, nearly.connected_components(g).values)
    exact, forest = nearly.mst(g), nearly.mst(g, approx=technique)
    assert forest.values.size == exact.values.size
    assert forest.weight >= exact.weight * (1 - 1e-9)
    rank = nearly.pagerank(g, approx=technique)
    assert np.abs(rank.values - nearly.pagerank(g, tol=1e-12).values).sum() <= rank.bound + 1e-9


def test_certificates_see_wrong_bounds():
    g = twins()
    for algorithm, spoil in (("sssp", 50), ("bfs", 5)):
        r = run(algorithm, g, MergeSimilar())
        assert r.guarantee == "lower bound"
        assert r.certificate()
        r.values[2] += spoil
        assert not r.certificate()
    cycle = Graph.from_edges([0, 1, 2, 3, 0, 1], [1, 0, 0, 0, 2, 3])
    r = nearly.scc(cycle, approx=MergeSimilar(0.2))
    assert r.guarantee == "lower bound"
    assert r.certificate()
    r.values[:] = np.arange(4)
    assert not r.certificate()


def test_cut_short_as_well_promises_nothing():
    g = zoo(False)["kron-8"]
    for algorithm in ("bfs", "sssp", "scc"):
        r = run(algorithm, g, MergeSimilar(), max_rounds=1, policy="frontier")
        assert r.guarantee in ("heuristic", "lower bound")
        assert r.certificate()


def test_ranks_of_a_star_are_exact():
    for directed in (True, False):
        g = zoo(directed)["inward star"]
        exact, merged = nearly.pagerank(g, tol=1e-12), nearly.pagerank(g, tol=1e-12, approx=MergeSimilar(1.0))
        assert np.abs(exact.values - merged.values).sum() < 1e-6
        assert merged.guarantee == "certified"
        assert merged.bound < 1e-6
        assert merged.certificate()


def test_distances_to_true_twins_are_exact():
    g, technique = twins(), MergeSimilar(1.0)
    assert apply([technique], g, g, Task("sssp")).map.graph.n == g.n - 2
    exact = nearly.sssp(g, 0)
    assert np.array_equal(nearly.sssp(g, 0, approx=technique).values, exact.values)
    inside = nearly.sssp(g, 6, approx=technique).values
    assert (inside[5:8] == 0).all()
    assert np.array_equal(inside[:5], nearly.sssp(g, 6).values[:5])


def test_betweenness_with_sources_inside_groups():
    g = zoo(False)["kron-8"]
    for sources in (None, 16, [1, 2, 3]):
        for weights in (False, True):
            r = nearly.betweenness(
                twins(9) if weights else g, sources=sources if not weights else None, weights=weights, edges=True,
                approx=MergeSimilar(0.3),
            )  # fmt: skip
            assert r.guarantee == "heuristic"
            assert r.certificate().bound >= 0
            assert np.isfinite(r.values).all()
            assert np.isfinite(r.edge_values).all()


@pytest.mark.parametrize("directed", [True, False])
def test_threads_do_not_show_in_the_groups(directed):
    g = nearly.generate.rmat(17, 8, seed=2, directed=directed)
    with kernel_threads(1):
        one = similar_groups(g, 0.5, 16, 4)
    with kernel_threads(2):
        two, other = similar_groups(g, 0.5, 16, 4), similar_groups(g, 0.5, 16, 5)
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    joined = np.flatnonzero(one != np.arange(g.n))
    assert joined.size > 1000
    rows = np.split(g.targets.astype(np.int64), g.offsets[1:-1].astype(np.int64))
    for a, b in zip(joined[:3000].tolist(), one[joined[:3000]].tolist()):
        x, y = (set(rows[v].tolist()) - {a, b} for v in (a, b))
        assert not x | y or len(x & y) / len(x | y) >= 0.5


@pytest.mark.parametrize("bad", [0, -0.1, 1.5, float("nan"), True, "half"])
def test_a_bad_threshold_names_the_range(bad):
    with pytest.raises(InvalidArgumentError, match="above 0 and at most 1, or None"):
        MergeSimilar(jaccard=bad)


def test_other_bad_arguments():
    for bad in (0, 2.5, 257, None):
        with pytest.raises(InvalidArgumentError, match="at least 1 and at most 256"):
            MergeSimilar(hashes=bad)
    with pytest.raises(InvalidArgumentError, match="applies to betweenness"):
        nearly.kcore(twins(), approx=MergeSimilar())
    g = Graph.from_edges([0, 0], [1, 2], [-1.0, 5.0], directed=False, negative="keep")
    with pytest.raises(InvalidArgumentError, match="at least 0"):
        nearly.pagerank(g, approx=MergeSimilar())


def test_memory_is_asked_for_first(monkeypatch):
    g = zoo()["star"]
    monkeypatch.setenv("NEARLY_MEMORY", "4K")
    with pytest.raises(MemoryBudgetError, match="signatures"):
        MergeSimilar(hashes=256).transform(g, Task("bfs"))
