"""Changes of a graph whose effect on the answers is known: nothing else may change.

Vertices get other numbers, isolated ones are added, the graph is put beside itself, arcs are turned round, weights
are doubled, arcs are doubled, an undirected view is taken. Doubling is by powers of two, so that even sums of floats
stay the same but for the exponent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.campaign.differential import described
from tests.techniques.drawing import draw_graph, pick

import nearly
from nearly import Graph, NearlyError

BY_VERTEX = {
    "bfs": lambda g: nearly.bfs(g, 0).values,
    "sssp": lambda g: nearly.sssp(g, 0).values,
    "kcore": lambda g: nearly.kcore(g).values,
    "triangle_count": lambda g: nearly.triangle_count(g).values,
    "clustering_coefficient": lambda g: nearly.clustering_coefficient(g).values,
    "harmonic": lambda g: nearly.harmonic(g).values,
    "betweenness": lambda g: nearly.betweenness(g, normalized=False).values,
    "eccentricity": lambda g: nearly.eccentricity(g).values,
    "articulation_points": lambda g: nearly.articulation_points(g).values,
    "pagerank": lambda g: nearly.pagerank(g, tol=1e-12).values,
    "closeness": lambda g: nearly.closeness(g, wf_improved=False).values,
}
PARTS = {
    "connected_components": lambda g: nearly.connected_components(g).values,
    "scc": lambda g: nearly.scc(g).values,
}
NUMBERS = {
    "mst": lambda g: nearly.mst(g).weight,
    "triangles": lambda g: nearly.triangle_count(g).total,
    "diameter": lambda g: nearly.diameter(g).values,
    "degeneracy": nearly.degeneracy,
}
ASKED = {**BY_VERTEX, **PARTS, **NUMBERS}


def _edges(graph: Graph) -> tuple[np.ndarray, np.ndarray, Any]:
    weights = None if graph.weights is None else graph.weights
    return graph.arc_sources().astype(np.int64), graph.targets.astype(np.int64), weights


def _made(src: Any, dst: Any, weights: Any, n: int, like: Graph) -> Graph:
    """A graph of all these arcs; an undirected one's are there both ways already."""
    kind = {} if weights is None else {"weight_dtype": str(weights.dtype)}
    made = Graph.from_edges(src, dst, weights, n=n, duplicates="keep", **kind)
    return Graph._trusted(made.arrays, like.directed)


def relabelled(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """Other numbers for all vertices but 0, from which searches begin."""
    place = np.r_[0, 1 + rng.permutation(graph.n - 1)]
    src, dst, weights = _edges(graph)
    return _made(place[src], place[dst], weights, graph.n, graph), lambda values: values[place]


def with_lone_vertices(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """Some vertices more, without arcs."""
    return _made(*_edges(graph), graph.n + int(rng.integers(1, 4)), graph), lambda values: values[: graph.n]


def beside_itself(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """The graph twice, with nothing between."""
    src, dst, weights = _edges(graph)
    both = np.r_[src, src + graph.n], np.r_[dst, dst + graph.n], None if weights is None else np.r_[weights, weights]
    return _made(*both, 2 * graph.n, graph), lambda values: values[: graph.n]


def reversed_arcs(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """Every arc the other way."""
    src, dst, weights = _edges(graph)
    return _made(dst, src, weights, graph.n, graph), lambda values: values


def doubled_weights(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """Twice every weight."""
    src, dst, weights = _edges(graph)
    heavier = None if weights is None else (2 * weights.astype(np.float64)).astype(weights.dtype)
    return _made(src, dst, heavier, graph.n, graph), lambda values: values


def doubled_arcs(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """Every arc twice."""
    src, dst, weights = _edges(graph)
    both = np.r_[src, src], np.r_[dst, dst], None if weights is None else np.r_[weights, weights]
    return _made(*both, graph.n, graph), lambda values: values


def symmetrised(graph: Graph, rng: np.random.Generator) -> tuple[Graph, Callable[[Any], Any]]:
    """The undirected view."""
    return graph.symmetrized(), lambda values: values


SAME = lambda before: before  # noqa: E731
TWICE = lambda before: 2 * before  # noqa: E731
UNDIRECTED = ("kcore", "triangle_count", "clustering_coefficient", "articulation_points", "connected_components")
CHANGES: dict[Callable[..., Any], dict[str, Callable[[Any], Any]]] = {
    relabelled: dict.fromkeys(ASKED, SAME),
    with_lone_vertices: dict.fromkeys(set(ASKED) - {"pagerank", "closeness"}, SAME),
    beside_itself: {
        **dict.fromkeys((*set(BY_VERTEX) - {"pagerank"}, *PARTS, "diameter", "degeneracy"), SAME),
        "pagerank": lambda before: before / 2, "mst": TWICE, "triangles": TWICE,
    },
    reversed_arcs: dict.fromkeys((*UNDIRECTED, "scc", "mst", "degeneracy", "diameter", "betweenness"), SAME),
    doubled_weights: {
        **dict.fromkeys(set(ASKED) - {"sssp", "mst"}, SAME), "sssp": TWICE, "mst": TWICE,
    },
    doubled_arcs: dict.fromkeys(("bfs", "sssp", "scc", "mst", *UNDIRECTED, "diameter", "eccentricity"), SAME),
    symmetrised: dict.fromkeys((*UNDIRECTED, "mst", "triangles", "degeneracy"), SAME),
}  # fmt: skip


def check(number: int) -> dict[str, int]:
    """One graph, one change, all questions of which its effect is known."""
    rng = np.random.default_rng([number, 25])
    graph = draw_graph(rng)
    change = pick(rng, list(CHANGES))
    if change is doubled_arcs and not graph.directed:
        change = relabelled  # an undirected graph has no parallel arcs
    if change is doubled_weights and not graph.weighted:
        change = relabelled
    counts = {"graphs": 1, "compared": 0, "refused": 0}
    other, back = change(graph, rng)
    names = sorted(CHANGES[change])
    for name in (names[int(k)] for k in rng.choice(len(names), min(4, len(names)), replace=False)):
        try:
            before, after = ASKED[name](graph), ASKED[name](other)
        except NearlyError:
            counts["refused"] += 1
            continue
        counts["compared"] += 1
        wanted = CHANGES[change][name](before)
        got = after if name in NUMBERS else back(after)
        alike = _same_parts(got, wanted) if name in PARTS else np.allclose(got, wanted, rtol=1e-6, atol=1e-9)
        assert alike, f"{change.__name__}: {name} on {described(graph)}: {got}, wanted {wanted}"
    return counts


def _same_parts(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())
