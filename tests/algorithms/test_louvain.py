"""Louvain: modularity by an independent sum, planted communities, connected parts, one answer for any thread count."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.zoo import arcs_of, as_networkx, graphs, zoo

import nearly
from nearly import Graph, InvalidArgumentError
from nearly.algorithms.louvain import level as level_module
from nearly.algorithms.louvain import small_levels
from nearly.algorithms.louvain.level import coarsened, first_level, numbered
from nearly.algorithms.louvain.order import ORDERS
from nearly.algorithms.louvain.phase_state import tables_of
from nearly.algorithms.louvain.phases import MOST_ROUNDS, Asked, Climb
from nearly.algorithms.louvain.split import split_apart
from nearly.engine.run import Run
from nearly.techniques.incomplete_coloring import incomplete_coloring

small = pytest.mark.small
PLAIN = numba.config.DISABLE_JIT
MODES = [
    {"turns": "all"},
    {"threshold_kind": "relative"},
    {"turns": "all", "threshold_kind": "relative", "tol": 1e-3},
    {"turns": "classes"},
]


MODE_WORDS = {"turns": "classes, all", "threshold_kind": "absolute, relative", "community_map": "vector, hash"}


def modularity(g, label, resolution=1.0, weighted=True):
    """The oracle: what is inside communities, less what the strengths would put there."""
    inside, strength, total = 0.0, defaultdict(float), 0.0
    for u, v, w in arcs_of(g.symmetrized()):
        w = (w if weighted else 1.0) * (2 if u == v else 1)
        total += w
        strength[label[u]] += w
        inside += w * (label[u] == label[v])
    return (inside - resolution * sum(s * s for s in strength.values()) / total) / total if total else 0.0


def is_canonical(label):
    return all(label[v] <= v and label[label[v]] == label[v] for v in range(len(label)))


def all_connected(g, label):
    plain = as_networkx(g.symmetrized())
    return all(nx.is_connected(plain.subgraph(np.flatnonzero(label == c).tolist())) for c in np.unique(label))


@small
@pytest.mark.parametrize("weights", [None, "int", "float", "zero"])
@pytest.mark.parametrize("directed", [True, False])
def test_against_a_count(directed, weights):
    for name, g in zoo(directed, weights).items():
        for refine in (False, True):
            one = nearly.louvain(g, refine=refine)
            assert one.guarantee == "exact", name
            assert one.modularity == pytest.approx(modularity(g, one.values.tolist()), abs=1e-12), name
            assert one.modularity >= modularity(g, list(range(g.n))) - 1e-12, name  # no worse than nothing
            assert is_canonical(one.values.tolist()), name
            assert one.count == len(set(one.values.tolist())), name
            assert one.certificate().ok, name
            assert not refine or all_connected(g, one.values), name


@small
@settings(max_examples=60, deadline=None)
@given(
    graphs(weights="float"),
    st.integers(0, 2**64 - 1),
    st.booleans(),
    st.sampled_from(ORDERS),
    st.sampled_from([0.5, 1, 2]),
)
def test_random_graphs(g, seed, refine, order, resolution):
    r = nearly.louvain(g, seed=seed, refine=refine, order=order, resolution=resolution)
    assert r.modularity == pytest.approx(modularity(g, r.values.tolist(), resolution), abs=1e-9)
    assert is_canonical(r.values.tolist())
    assert r.certificate().ok
    assert not refine or all_connected(g, r.values)
    parts = nearly.connected_components(g).values
    assert (parts[r.values] == parts).all()  # communities do not leave a component


@small
@settings(max_examples=10 if PLAIN else 40, deadline=None)
@given(graphs(weights="float"), st.integers(0, 9), st.booleans(), st.sampled_from(ORDERS), st.sampled_from(MODES))
def test_modes_of_grappolo_on_random_graphs(g, seed, refine, order, mode):
    options = {"seed": seed, "refine": refine, "order": order, **mode}
    r, hashed = nearly.louvain(g, **options), nearly.louvain(g, **options, community_map="hash")
    assert np.array_equal(r.values, hashed.values)
    assert r.modularity == hashed.modularity  # bit for bit
    assert [(row.frontier, row.edges, row.extra) for row in r.trace] == [
        (row.frontier, row.edges, row.extra) for row in hashed.trace
    ]
    assert r.modularity == pytest.approx(modularity(g, r.values.tolist()), abs=1e-9)
    assert r.modularity >= modularity(g, list(range(g.n))) - 1e-12
    assert r.guarantee == "exact"
    assert is_canonical(r.values.tolist())
    assert r.certificate().ok
    assert not refine or all_connected(g, r.values)
    assert r.rounds <= MOST_ROUNDS * r.phases


@small
def test_every_vertex_looks_around_in_every_round():
    g = zoo(False)["kron-8"]
    r, usual = nearly.louvain(g, turns="all"), nearly.louvain(g)
    rows = [row for row in r.trace if row.extra["phase"] == 1]
    assert {row.frontier for row in rows} == {int((g.out_degrees > 0).sum())}
    assert min(row.frontier for row in usual.trace if row.extra["phase"] == 1) < rows[0].frontier
    reached = [row.extra["reached"] for row in r.trace]
    after = [row.extra["modularity"] for row in r.trace if "modularity" in row.extra]
    assert len(after) == r.phases
    assert after == sorted(after)
    assert after[-1] == r.modularity == pytest.approx(modularity(g, r.values.tolist()), abs=1e-12)
    for k in range(1, len(rows)):  # the gain is what modularity rose by, not what moves promised
        assert rows[k].extra["gain"] == pytest.approx(reached[k] - reached[k - 1], abs=1e-12)
    for rounds in (
        {1, 2, 3} if PLAIN else {1, 2, 3, len(rows), len(rows) + 1} - {r.rounds}
    ):  # a phase ends with the best that it met
        cut = nearly.louvain(g, turns="all", max_rounds=rounds)
        assert cut.guarantee == "heuristic"
        assert cut.modularity == pytest.approx(max(reached[:rounds]), abs=1e-12)


@small
def test_two_vertices_never_swap_for_ever():
    pair = Graph.from_edges([0], [1], directed=False)
    assert nearly.louvain(pair, turns="all").values.tolist() == [0, 0]
    ring = Graph.from_edges(np.arange(12), (np.arange(12) + 1) % 12, directed=False)
    r = nearly.louvain(ring, turns="all", tol=0.0)
    assert r.rounds <= MOST_ROUNDS * r.phases
    assert r.modularity > 0.3


@small
def test_a_relative_threshold_is_a_share_of_what_is_there():
    g = zoo(False)["kron-8"]
    for turns in ("classes", "all"):
        r = nearly.louvain(g, turns=turns, threshold_kind="relative", tol=0.2)
        rows = [row.extra for row in r.trace if row.extra["phase"] == 1]
        for before, row in pairwise(rows[:-1]):
            assert abs(row["gain"]) > 0.2 * abs(before["reached"])
        if 1 < len(rows) < MOST_ROUNDS:
            assert abs(rows[-1]["gain"]) <= 0.2 * abs(rows[-2]["reached"])
    bare = Graph.from_edges([], [], n=3)
    assert nearly.louvain(bare, threshold_kind="relative", turns="all").values.tolist() == [0, 1, 2]


@small
def test_cliques_are_communities():
    k = 5
    src, dst = np.triu_indices(k, 1)
    ring = np.arange(6)
    src = np.concatenate([*(src + c * k for c in range(6)), ring * k])
    dst = np.concatenate([*(dst + c * k for c in range(6)), (ring + 1) % 6 * k])
    g = Graph.from_edges(src, dst, directed=False)
    for options in ({}, {"refine": True}, *({"order": order} for order in ORDERS), *MODES):
        assert nearly.louvain(g, **options).values.tolist() == np.repeat(ring * k, k).tolist(), options
    assert nearly.louvain(g, resolution=0.0).count == 1
    assert nearly.louvain(g, resolution=50.0).count == g.n


@small
def test_weights_decide():
    path = ([0, 1, 2, 3], [1, 2, 3, 4])
    g = Graph.from_edges(*path, [9, 9, 1, 9], directed=False)
    assert nearly.louvain(g).values.tolist() == [0, 0, 0, 3, 3]
    assert (
        nearly.louvain(g, weights=False).values.tolist()
        == nearly.louvain(Graph.from_edges(*path, directed=False)).values.tolist()
    )
    fine = Graph.from_edges(*path, np.array([9, 9, 1, 9]) * 2.0**-30, directed=False, weight_dtype="float64")
    assert nearly.louvain(fine).values.tolist() == [0, 0, 0, 3, 3]
    assert nearly.louvain(fine).modularity == pytest.approx(nearly.louvain(g).modularity, abs=1e-12)
    nothing = Graph.from_edges(*path, [0, 0, 0, 0], directed=False)
    assert nearly.louvain(nothing).values.tolist() == [0, 1, 2, 3, 4]
    assert nearly.louvain(nothing).modularity == 0.0
    loops = Graph.from_edges([0, 1, 0], [0, 1, 1], [50, 50, 1], directed=False)
    assert nearly.louvain(loops).values.tolist() == [0, 1]


@small
def test_what_is_refused():
    negative = Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], directed=False, negative="keep")
    with pytest.raises(InvalidArgumentError, match="louvain needs weights of at least 0, but the graph has -2"):
        nearly.louvain(negative)
    assert nearly.louvain(negative, weights=False).certificate().ok
    g = Graph.from_edges([0], [1], directed=False)
    for name in ("resolution", "tol"):
        for bad in (-1, float("nan"), float("inf"), "1", True):
            with pytest.raises(InvalidArgumentError, match=f"{name} must be a number of at least 0"):
                nearly.louvain(g, **{name: bad})
    with pytest.raises(InvalidArgumentError, match="order must be one of random, natural, degree, color; not 'size'"):
        nearly.louvain(g, order="size")
    for name, words in MODE_WORDS.items():
        with pytest.raises(InvalidArgumentError, match=f"{name} must be one of {words}; not 'other'"):
            nearly.louvain(g, **{name: "other"})
    with pytest.raises(InvalidArgumentError, match="refine must be True or False"):
        nearly.louvain(g, refine=1)


@small
def test_phases_nest_and_only_rise():
    g = zoo(False)["kron-8"]
    r = nearly.louvain(g)
    assert r.hierarchy[-1].tolist() == r.values.tolist()
    for finer, coarser in zip(r.hierarchy, r.hierarchy[1:]):
        assert (coarser[finer] == coarser).all()
    rows = [row.extra for row in r.trace]
    assert [row["phase"] for row in rows] == sorted(row["phase"] for row in rows)
    after = [row["modularity"] for row in rows if "modularity" in row]
    assert after == sorted(after)
    assert len(after) == r.phases
    last = [row["modularity"] for row in rows if "modularity" in row and row["climb"] == rows[-1]["climb"]]
    exact = [modularity(g, part.tolist()) for part in r.hierarchy]
    assert last[: len(exact)] == pytest.approx(exact, abs=1e-12)
    assert r.modularity == pytest.approx(exact[-1], abs=1e-12)


@small
def test_max_rounds():
    g = zoo(False)["kron-8"]
    full = nearly.louvain(g)
    for rounds in (1, 2, full.rounds - 1):
        r = nearly.louvain(g, max_rounds=rounds)
        assert (r.rounds, r.guarantee) == (rounds, "heuristic")
        assert r.modularity == pytest.approx(modularity(g, r.values.tolist()), abs=1e-12)
        assert r.certificate().ok
    assert nearly.louvain(g, tol=0.1).rounds < full.rounds


@small
def test_the_certificate_finds_wrong_claims():
    g = Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    for wrong in ([0, 0, 0, 0, 3, 3], [1, 1, 1, 3, 3, 3], [0, 0, 9, 3, 3, 3], [0, 0, 0]):
        r = nearly.louvain(g)
        assert r.certificate().ok
        r.values = np.array(wrong)
        assert not r.certificate().ok, wrong
    halves = Graph.from_edges([0, 2], [1, 3], directed=False)
    r = nearly.louvain(halves, refine=True)
    r.values = np.zeros(4, np.int32)
    r.modularity = modularity(halves, [0] * 4)
    assert not r.certificate().ok  # true modularity, but in two pieces


@small
@pytest.mark.parametrize("refine", [False, True])
def test_levels_in_one_call_or_phase_by_phase(refine, monkeypatch):
    """Rounds that are counted are played phase by phase, others not: the answer and the account are the same."""
    graphs = (zoo(False)["kron-8"], nearly.generate.smallworld(300, 4, 0.05, seed=2), zoo(False, "float")["kron-8"])
    for g in graphs:
        counted = nearly.louvain(g, refine=refine, max_rounds=10_000)
        for phases in (32, 1):  # one phase a call, then
            monkeypatch.setattr(small_levels, "PHASES", phases)
            r = nearly.louvain(g, refine=refine)
            assert np.array_equal(r.values, counted.values)
            assert (r.modularity, r.phases) == (counted.modularity, counted.phases)
            assert [part.tolist() for part in r.hierarchy] == [part.tolist() for part in counted.hierarchy]
            assert [(row.frontier, row.edges, row.extra) for row in r.trace] == [
                (row.frontier, row.edges, row.extra) for row in counted.trace
            ]


@small
def test_rows_that_find_no_room_get_it_in_a_second_pass(monkeypatch):
    g = zoo(False)["kron-8"]
    usual = nearly.louvain(g)
    monkeypatch.setattr(level_module, "AMPLE", 3)
    assert np.array_equal(nearly.louvain(g).values, usual.values)
    assert np.array_equal(nearly.louvain(g, order="degree").values, nearly.louvain(g, order="degree", threads=2).values)


@small
def test_a_coarse_graph_has_the_sums_of_the_fine_one():
    for weights in (None, "int", "float"):
        g = zoo(False, weights)["kron-8"]
        label = (np.arange(g.n) * 7 % 40).astype(np.uint32)
        level = first_level(g, g.weighted)
        number, count = numbered(label)
        assert (count, number.tolist()) == (40, label.tolist())
        tables = tables_of(g.n, label.dtype, 1, False)
        above = coarsened(Run(g), level, number, count, tables)
        rows, found = above.rows, np.diag(above.rows.loops)
        for c in range(count):
            found[c, rows.targets[rows.starts[c] : rows.ends[c]]] = rows.weights[rows.starts[c] : rows.ends[c]]
        expected = np.zeros((count, count))
        for u, v, w in arcs_of(g):
            expected[label[u], label[v]] += w * (2 if u == v else 1)
        assert found == pytest.approx(expected, rel=1e-9)
        assert rows.strength * above.unit == pytest.approx(expected.sum(1), rel=1e-9)
        assert above.modularity(above.ids, 1.0) == pytest.approx(level.modularity(label, 1.0), abs=1e-12)


@small
@settings(max_examples=40, deadline=None)
@given(graphs(directed=False), st.integers(1, 5), st.integers(0, 2), st.integers(0, 9))
def test_neighbours_never_share_a_color(g, colors, hashes, seed):
    turn, classes = incomplete_coloring(g, colors, hashes, seed)
    assert classes == colors + 1
    assert (turn <= colors).all()
    for u, v, _ in arcs_of(g):
        assert u == v or turn[u] != turn[v] or turn[u] == colors
    alone = np.flatnonzero(g.out_degrees == 0)
    assert (turn[alone] == 0).all()


@small
@settings(max_examples=40, deadline=None)
@given(graphs(), st.integers(1, 3))
def test_pieces_are_those_that_inner_edges_hold_together(g, parts):
    label = np.arange(g.n) % parts
    inner = [(u, v) for u, v, _ in arcs_of(g) if label[u] == label[v]]
    oracle = nx.Graph(inner)
    oracle.add_nodes_from(range(g.n))
    expected = np.empty(g.n, np.int64)
    for piece in nx.connected_components(oracle):
        expected[list(piece)] = min(piece)
    assert split_apart(g, label).tolist() == expected.tolist()


@small
@settings(max_examples=40, deadline=None)
@given(graphs(directed=False), st.integers(1, 3), st.integers(0, 9))
def test_refined_parts_are_connected_and_stay_inside(g, communities, seed):
    given_parts = (np.arange(g.n) % communities).astype(np.uint32)  # most of them in many pieces
    climb = Climb(Run(g, seed=seed), first_level(g, False), Asked(1.0, 1e-6, True, False, False, False))
    assume(not climb.finished)  # a graph without edges has nothing to refine
    part = climb._refined(*numbered(given_parts))
    assert all_connected(g, part)  # nothing is split afterwards here
    assert all(len(set(given_parts[part == p].tolist())) == 1 for p in set(part.tolist()))


def test_no_vertex_follows_the_one_before_it_along_a_long_graph():
    g = nearly.generate.smallworld(10_000, 8, 0.01, seed=1)
    assert nearly.louvain(g).modularity > 0.95  # in the order of their numbers one after the other: 0.78


def test_planted_communities_in_a_large_graph():
    g = nearly.generate.planted_partition(50, 5200, 0.004, 2e-6, seed=3)
    assert g.n >= 250_000
    truth = np.repeat(np.arange(50), 5200)
    first = nearly.louvain(g, threads=1)
    assert first.certificate().ok
    assert nearly.accuracy.normalized_mutual_information(truth, first.values) >= 0.95
    assert first.modularity >= nearly.accuracy.modularity(g, truth) - 0.02  # a serial one ends lower
    assert np.array_equal(nearly.louvain(g, threads=2).values, first.values)
    connected = nearly.louvain(g, refine=True)
    assert connected.certificate().ok
    assert connected.modularity >= first.modularity - 0.005


def test_as_good_as_a_serial_method():
    igraph = pytest.importorskip("igraph")
    for g in (nearly.generate.rmat(13, 8, seed=2, directed=False), nearly.generate.smallworld(4000, 6, 0.05, seed=1)):
        view = g.symmetrized()
        src, dst = view.arc_sources(), view.targets
        edges = np.column_stack([src, dst])[src < dst].astype(np.int64)
        other = igraph.Graph(n=g.n, edges=edges).community_multilevel()
        assert nearly.louvain(g).modularity >= nearly.accuracy.modularity(g, other.membership) - 0.01


@pytest.mark.parametrize("order", ORDERS)
def test_float_weights_give_one_answer_for_any_number_of_threads(order):
    g = nearly.generate.rmat(15, 8, seed=5, directed=False, weights="float")
    everyone = {"order": order, "turns": "all", "community_map": "hash"}
    for options in ({"order": order}, {"order": order, "refine": True}, everyone):
        one, two = (nearly.louvain(g, threads=k, **options) for k in (1, 2))
        assert np.array_equal(one.values, two.values)
        assert one.modularity == two.modularity
        assert [(r.frontier, r.edges) for r in one.trace] == [(r.frontier, r.edges) for r in two.trace]
        assert one.certificate().ok
