"""Every function of the backend against NetworkX itself, over the registry: a new one is covered the day it comes."""

from __future__ import annotations

import inspect
import math
import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from nearly.adapters.networkx.dispatch import functions

RANDOM = {  # answers differ from seed to seed, so what is checked is that they are answers
    "asyn_lpa_communities",
    "fast_label_propagation_communities",
    "leiden_communities",
    "leiden_partitions",
    "louvain_communities",
    "louvain_partitions",
    "maximal_independent_set",
}
ORACLES = {  # NetworkX's own answer is rarely not the shortest (seen with float weights)
    "all_pairs_bellman_ford_path_length": "all_pairs_dijkstra_path_length",
    "bellman_ford_path_length": "dijkstra_path_length",
    "single_source_bellman_ford_path_length": "single_source_dijkstra_path_length",
}
NO_MATCH = object()


@pytest.fixture(autouse=True)
def no_warning_of_kept_conversions():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def graphs(directed: bool) -> Iterator[nx.Graph]:
    """Small graphs with isolated nodes, loops and ties; labels in order, shuffled, and names."""
    rng = random.Random(7)
    for n, m in ((0, 0), (1, 0), (2, 1), (8, 10), (30, 70), (40, 30)):
        for kind in ("ordered", "shuffled", "names"):
            nodes: list = list(range(n)) if kind != "names" else [f"n{i}" for i in range(n)]
            if kind != "ordered":
                rng.shuffle(nodes)
            G = (nx.DiGraph if directed else nx.Graph)(kind=kind)
            G.add_nodes_from((node, {"size": 1, "community": i % 3}) for i, node in enumerate(nodes))
            for _ in range(m):
                u, v = rng.choice(nodes), rng.choice(nodes)
                data = {"weight": rng.choice([1, 2, 3, 5]), "length": rng.choice([0.1, 0.5, 0.7])}
                G.add_edge(u, v, **(data if rng.random() < 0.8 else {"color": "red"}))
            yield G
    G = nx.path_graph(6, create_using=nx.DiGraph if directed else nx.Graph)
    yield G


def found(name: str) -> Callable[..., object]:
    """NetworkX's function with all its decorators, wherever it lives."""
    inner = nx.utils.backends._registered_algorithms[name].orig_func
    return getattr(sys.modules[inner.__module__], inner.__name__)


def top_nodes(G: nx.Graph) -> list:
    """One side of the nodes, if there are two; else any half."""
    if nx.is_bipartite(G):
        return [node for node, side in nx.bipartite.color(G).items() if side]
    return list(G)[::2]


UNWEIGHTED = {  # weights are refused, or are left to another test
    "clustering", "wiener_index", "degree_assortativity_coefficient", "degree_pearson_correlation_coefficient",
}  # fmt: skip


def arguments(name: str, G: nx.Graph) -> dict:
    """What the function needs beside the graph."""
    parameters = functions()[name].signature.parameters
    needed = {p.name for p in parameters.values() if p.default is inspect.Parameter.empty} - {"G"}
    rng, nodes = random.Random(5), list(G) or [0]
    one, other = rng.choice(nodes), rng.choice(nodes)
    known = {
        "source": one,
        "target": other,
        "sources": list({one, other}),
        "targets": nodes[::2],
        "n": one,
        "u": one,
        "v": other,
        "S": list({one, other}),
        "center_nodes": list({one, other}),
        "nodes": top_nodes(G) if name.startswith(("bipartite", "is_bipartite")) else nodes[::3],
        "communities": [set(nodes[::2]), set(nodes[1::2])],
        "partition": [set(nodes[::2]), set(nodes[1::2])],
        "minimum": len(nodes) % 2 == 0,
        "normalized": name not in ("rich_club_coefficient",),
        "distance": 2,
        "k": 3 if name == "k_truss" else 2,
        "ebunch": [pair for pair in zip(nodes, nodes[::-1]) if pair[0] != pair[1]] + [*pairwise(nodes)],
    }
    needed |= {"ebunch"} & parameters.keys()
    if name == "rich_club_coefficient":
        needed.add("normalized")
    if "weight" in parameters and parameters["weight"].default is None and name not in UNWEIGHTED:
        known["weight"] = rng.choice([None, "weight"])
        needed.add("weight")
    return {key: known[key] for key in needed if key in known}


def answer(function, G: nx.Graph, backend: str, *arguments: object, **keywords: object) -> object:
    """The answer, or the kind of error; NO_MATCH where the backend hands over to NetworkX."""
    try:
        value = function(G, *arguments, backend=backend, **keywords)
        return list(value) if isinstance(value, Iterator) else value
    except NotImplementedError as error:
        return type(error) if isinstance(error, nx.NetworkXException) else NO_MATCH
    except Exception as error:
        return type(error)


def same(a: object, b: object, off: float = 1e-9) -> bool:
    """Equal, floats to rounding; numpy's scalars are never right."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.allclose(a, b, rtol=1e-9, atol=off)
    assert "numpy" not in type(b).__module__, type(b)
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=off) or (a != a and b != b)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key], off) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(same(*pair, off) for pair in zip(a, b))
    if isinstance(a, nx.Graph):
        return nx.utils.graphs_equal(a, b)
    return a == b


PRECISE = {  # by default NetworkX stops n times as far off as ours
    "pagerank": {"tol": 1e-13, "max_iter": 1000},
    "hits": {"tol": 1e-15},
}
ROUGH = {"hits": 1e-8}  # NetworkX's own tolerance


def has_several(G: nx.Graph) -> bool:
    """Whether several vectors belong to the largest singular value: NetworkX's answer is any of them then."""
    values = np.linalg.svd(nx.to_numpy_array(G), compute_uv=False) if len(G) > 1 else np.ones(1)
    return values.size > 1 and values[1] > values[0] * (1 - 1e-6)


@pytest.mark.parametrize("name", sorted(functions().keys() - RANDOM))
def test_answers_are_networkx_s(name):
    ran = 0
    for directed in (False, True):
        for G in graphs(directed):
            keywords = arguments(name, G)
            ours = answer(found(name), G, "nearly", **keywords)
            if ours is not NO_MATCH and not (name == "hits" and has_several(G)):
                ran += 1
                theirs = answer(found(ORACLES.get(name, name)), G, "networkx", **{**keywords, **PRECISE.get(name, {})})
                if name == "pagerank" and isinstance(ours, dict):
                    assert ours == pytest.approx(theirs, abs=1e-5)
                else:
                    assert same(theirs, ours, ROUGH.get(name, 1e-9)), (name, keywords, theirs, ours)
    assert ran >= 8, f"{name} ran on {ran} of the graphs only"


PATHS = [name for name in functions() if "dijkstra" in name]  # others compile their kernels once more for floats
WEIGHTED = sorted(n for n, f in functions().items() if "weight" in f.signature.parameters and n not in RANDOM)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in PATHS else pytest.mark.full) for n in WEIGHTED])
def test_weights_may_be_floats(name):
    for directed in (False, True):
        for G in graphs(directed):
            keywords = {**arguments(name, G), "weight": "length"}
            ours = answer(found(name), G, "nearly", **keywords)
            if ours is not NO_MATCH and not (name == "hits" and has_several(G)):
                theirs = answer(found(ORACLES.get(name, name)), G, "networkx", **{**keywords, **PRECISE.get(name, {})})
                close = name == "pagerank" and isinstance(ours, dict)
                assert (
                    ours == pytest.approx(theirs, abs=1e-5) if close else same(theirs, ours, ROUGH.get(name, 1e-9))
                ), (
                    name,
                    theirs,
                    ours,
                )


@pytest.mark.parametrize("name", sorted(RANDOM))
def test_random_answers_are_answers(name):
    for G in graphs(directed=False):
        G.remove_edges_from(list(nx.selfloop_edges(G)))
        ours = answer(found(name), G, "nearly", seed=3)
        if ours is NO_MATCH:
            continue
        assert ours == answer(found(name), G, "nearly", seed=3)
        if name == "maximal_independent_set":
            assert not G.subgraph(ours).number_of_edges()
            assert nx.is_dominating_set(G, ours)
        else:
            for partition in ours if name.endswith("partitions") else [ours]:
                assert nx.community.is_partition(G, partition)


def test_louvain_is_about_as_good():
    G = nx.planted_partition_graph(6, 20, 0.6, 0.02, seed=1)
    ours = nx.community.louvain_communities(G, seed=1, backend="nearly")
    theirs = nx.community.louvain_communities(G, seed=1)
    assert nx.community.modularity(G, ours) >= nx.community.modularity(G, theirs) - 0.01
    first = nx.community.louvain_communities(G, seed=1, max_level=1, backend="nearly")
    assert len(first) >= len(ours)


def test_independent_sets_keep_what_is_asked_for():
    G = nx.cycle_graph(9)
    assert set(nx.maximal_independent_set(G, [2, 5], seed=1, backend="nearly")) >= {2, 5}
    with pytest.raises(nx.NetworkXUnfeasible):
        nx.maximal_independent_set(G, [2, 3], backend="nearly")


def test_sampled_betweenness_draws_networkx_s_sources():
    G = nx.gnm_random_graph(60, 150, seed=2)
    keywords = {"k": 7, "seed": 4}
    for function in (nx.betweenness_centrality, nx.edge_betweenness_centrality):
        assert function(G, backend="nearly", **keywords) == pytest.approx(function(G, **keywords))


def test_cutoffs_and_limits():
    G = nx.gnm_random_graph(50, 80, seed=3)
    nx.set_edge_attributes(G, {e: i % 7 for i, e in enumerate(G.edges)}, "weight")
    for limit in (-1, 0, 1, 2.5, 3):
        for name in ("single_source_shortest_path_length", "single_source_shortest_path"):
            assert getattr(nx, name)(G, 0, limit, backend="nearly") == getattr(nx, name)(G, 0, limit)
        assert list(nx.bfs_edges(G, 0, depth_limit=limit, backend="nearly")) == list(
            nx.bfs_edges(G, 0, depth_limit=limit)
        )
    for cutoff in (0, 3, 5.5):
        for name in ("single_source_dijkstra_path_length", "single_source_dijkstra"):
            ours = getattr(nx, name)(G, 0, cutoff=cutoff, backend="nearly")
            assert ours == getattr(nx, name)(G, 0, cutoff=cutoff)


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_of_parallel_edges_the_lightest_counts(kind):
    G = kind([(0, 1, {"weight": 5}), (0, 1, {"weight": 2}), (1, 2, {}), (0, 2, {"weight": 4}), (2, 3, {"weight": 0.5})])
    assert nx.dijkstra_path(G, 0, 2, backend="nearly") == [0, 1, 2]
    ours = nx.single_source_dijkstra_path_length(G, 0, backend="nearly")
    assert ours == nx.single_source_dijkstra_path_length(G, 0) == {0: 0, 1: 2, 2: 3, 3: 3.5}


@pytest.mark.parametrize(
    "name", ["eccentricity", "harmonic_centrality", "triangles", "clustering", "average_clustering"]
)
@pytest.mark.parametrize("nodes", [2, [2, 0, 2, 99], (), 99, [[1]]], ids=str)
def test_one_node_or_some(name, nodes):
    G = nx.lollipop_graph(4, 3)
    ours, theirs = (answer(found(name), G, backend, nodes) for backend in ("nearly", "networkx"))
    assert ours is NO_MATCH or same(theirs, ours), (theirs, ours)
