"""Leiden's communities: connected, about as good as planted ones and as Louvain's, and checked."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.zoo import as_networkx, graphs, zoo

import nearly
from nearly.algorithms.louvain.level import coarsened, first_level, numbered
from nearly.algorithms.louvain.phases import Asked, Climb
from nearly.algorithms.louvain.split import connect
from nearly.engine.run import Run

small = pytest.mark.small


def groups(values):
    return [set(np.flatnonzero(values == label).tolist()) for label in np.unique(values)]


def check(g):
    """Every community is connected, and modularity is what NetworkX computes."""
    r = nearly.leiden(g)
    plain = as_networkx(g.symmetrized())
    for group in groups(r.values):
        assert nx.is_connected(plain.subgraph(group))
    if plain.size(weight="weight"):
        assert r.modularity == pytest.approx(nx.community.modularity(plain, groups(r.values)), abs=1e-9)
    assert r.count == len(groups(r.values))
    assert r.refined
    assert r.certificate().ok
    assert "every community is connected" in r.certificate().claim
    return r


@small
@pytest.mark.parametrize("weights", [None, "int"])
def test_communities_of_the_zoo_are_connected(weights):
    for g in zoo(directed=False, weights=weights, duplicates="first").values():
        check(g)


@small
@settings(max_examples=40)
@given(graphs(directed=False))
def test_any_graph(g):
    check(g)


def test_planted_communities_are_found():
    g = nearly.generate.planted_partition(20, 50, 0.3, 0.005, seed=1)
    planted = np.repeat(np.arange(20), 50)
    r = check(g)
    assert nearly.accuracy.normalized_mutual_information(planted, r.values) > 0.95
    assert r.modularity >= nearly.accuracy.modularity(g, planted) - 0.01
    assert r.modularity >= nearly.louvain(g).modularity - 0.01


@small
def test_a_community_in_two_pieces_is_rejected_even_if_its_modularity_is_right():
    g = nearly.Graph.from_edges([0, 2, 4], [1, 3, 5], directed=False)
    r = nearly.leiden(g)
    r.values = np.array([0, 0, 0, 0, 4, 4], r.values.dtype)
    r.modularity = nearly.accuracy.modularity(g, r.values)
    r.refined = False
    assert not r.certificate().ok


@small
def test_resolution_and_bad_arguments():
    g = nearly.generate.planted_partition(4, 8, 0.9, 0.1, seed=2)
    assert nearly.leiden(g, resolution=8.0).count > nearly.leiden(g, resolution=0.1).count
    with pytest.raises(nearly.InvalidArgumentError, match="resolution must be"):
        nearly.leiden(g, resolution=-1)


def parts_left(g, label):
    """How many parts of each community are left when pairs whose merging does not lower modularity have merged.

    One part is a proof that the community is well connected (gamma-connected in Traag et al. 2019); more prove nothing.
    """
    inside = label[g.arc_sources()] == label[g.targets]
    near = [{} for _ in range(g.n)]
    for u, v in zip(g.arc_sources()[inside].tolist(), g.targets[inside].tolist()):
        near[u][v] = near[v][u] = 1.0
    weight, waiting, alive = g.out_degrees.astype(float).tolist(), list(range(g.n)), set(range(g.n))
    while waiting:
        v = waiting.pop()
        gains = {u: e - weight[u] * weight[v] / g.m for u, e in near[v].items()} if v in alive else {}
        u = max(gains, key=gains.get, default=None)
        if u is None or gains[u] < -1e-12:
            continue
        alive.remove(u)
        weight[v] += weight[u]
        near[v].pop(u)
        for x, e in near[u].items():
            if x != v:
                near[x].pop(u)
                near[x][v] = near[v][x] = near[v].get(x, 0.0) + e
                waiting.append(x)
        waiting.append(v)
    return np.unique(label[sorted(alive)], return_counts=True)[1]


def test_nearly_all_communities_are_well_connected():
    several, proved = 0, 0
    for seed in (1, 2, 3):
        for g in (
            nearly.generate.rmat(11, 8, seed=seed, directed=False),
            nearly.generate.smallworld(2000, 6, 0.1, seed=seed),
            nearly.generate.planted_partition(20, 40, 0.3, 0.01, seed=seed),
        ):
            label = np.asarray(nearly.leiden(g).values)
            sizes, left = np.unique(label, return_counts=True)[1], parts_left(g, label)
            several += int((sizes > 1).sum())
            proved += int((left[sizes > 1] == 1).sum())
    assert several > 100
    assert proved >= 0.98 * several


@small
def test_the_proof_of_being_well_connected_can_fail():
    g = nearly.Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    assert parts_left(g, np.array([0, 0, 0, 3, 3, 3])).tolist() == [1, 1]
    assert parts_left(g, np.zeros(6, int)).tolist() == [2]


def can_have_grown(g, community, part, resolution):
    """Whether a part can have come about as Leiden's refinement says, tried in all orders in which vertices may join.

    Every vertex that joins, and what it joins, is well connected with the community, and modularity does not fall.
    """
    plain, whole = as_networkx(g), len(community)
    total = sum(2.0 if u == v else 1.0 for u, v in zip(g.arc_sources().tolist(), g.targets.tolist()))
    strength = {v: float(plain.degree(v)) for v in community}
    assert whole >= len(part)

    def between(some, others):
        return sum(1.0 for u in some for v in others if plain.has_edge(u, v))

    def well_connected(some):
        rest = community - some
        mine, others = sum(strength[v] for v in some), sum(strength[v] for v in rest)
        return between(some, rest) >= resolution * mine * others / total - 1e-9

    grown = {frozenset([v]) for v in part if well_connected({v})}
    for _ in range(len(part) - 1):
        larger = set()
        for some in filter(well_connected, grown):
            for v in part - some:
                gain = between({v}, some) - resolution * strength[v] * sum(strength[u] for u in some) / total
                if well_connected({v}) and gain >= -1e-9:
                    larger.add(some | {v})
        grown = larger
    return bool(grown)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(directed=False), st.integers(1, 3), st.integers(0, 9), st.sampled_from([0.5, 1.0, 2.0]))
def test_parts_grow_only_where_they_are_well_connected(g, communities, seed, resolution):
    community = (np.arange(g.n) % communities).astype(np.uint32)
    climb = Climb(Run(g, seed=seed), first_level(g, False), Asked(resolution, 1e-6, True, False, False, False))
    assume(not climb.finished)
    part = climb._refined(*numbered(community))
    for members in groups(part):
        if 1 < len(members) <= 7:
            whole = set(np.flatnonzero(community == community[min(members)]).tolist())
            assert can_have_grown(g, whole, members, resolution)


@small
def test_the_search_for_a_way_to_grow_can_fail():
    g = nearly.Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    triangle, everything = {0, 1, 2}, set(range(6))
    assert can_have_grown(g, triangle, triangle, 1.0)
    assert not can_have_grown(g, everything, triangle, 1.0)  # two of them are tied too loosely to both triangles
    assert not can_have_grown(g, everything, {0, 3}, 1.0)  # no edge joins them
    assert not can_have_grown(g, triangle, triangle, 9.0)


def ended(g, ends):
    """A climb that has ended with the communities 0 to 3, and 4 and 5: in haste, on the given graph, or above it."""
    asked = Asked(1.0, 1e-6, True, False, False, False)
    climb = Climb(Run(g, seed=0), first_level(g, False), asked)
    label = np.array([0, 0, 0, 0, 4, 4], np.uint32)
    if ends == "in haste":
        climb.maps, climb.tops = [numbered(label)[0]], [np.arange(2, dtype=np.uint32)]
        return climb
    climb.climbs, climb.maps, climb.tops = 2, [], []
    climb.begin(climb.ground, label)
    if ends == "above":
        part, top = np.array([0, 0, 1, 1, 2, 2], np.uint32), np.array([0, 0, 1], np.uint32)
        climb.maps, climb.tops = [part], [top]
        climb.begin(coarsened(climb.run, climb.ground, part, 3, climb.tables), top)
    return climb


@small
@pytest.mark.parametrize("ends", ["in haste", "on the ground", "above"])
def test_what_is_not_connected_is_split_wherever_a_climb_ends(ends):
    g = nearly.Graph.from_edges([0, 2, 4], [1, 3, 5], directed=False)
    climb = ended(g, ends)
    connect(climb)
    label = climb.labels().astype(np.int64)
    assert sorted(map(sorted, groups(label))) == [[0, 1], [2, 3], [4, 5]]
    assert climb.modularity == pytest.approx(nearly.accuracy.modularity(g, label), abs=1e-12)


@small
def test_a_run_cut_short_gives_connected_communities():
    g = nearly.generate.smallworld(300, 4, 0.2, seed=3)
    full = nearly.leiden(g)
    for rounds in range(1, full.rounds, 3):
        r = nearly.leiden(g, max_rounds=rounds)
        assert (r.rounds, r.guarantee) == (rounds, "heuristic")
        assert r.certificate().ok
