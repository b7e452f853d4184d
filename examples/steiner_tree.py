"""A 2-approximate Steiner tree on a road-like graph, from one shortest-path run per terminal: where preprocessing pays.

Kou, Markowsky and Berman's method (1981): shortest paths from every terminal, a minimum spanning tree of the terminals
by those distances, and the graph's paths in place of the tree's edges. Every terminal needs a whole search, so a
transform of the graph that makes a search a little faster is paid back after enough terminals: the break-even count.

    python examples/steiner_tree.py --side 300 --terminals 24
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import nearly
from nearly.engine.algorithm import ALGORITHMS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="?", help="a graph file with weights; a lattice if left out")
    parser.add_argument("--side", type=int, default=300, help="rows and columns of the lattice")
    parser.add_argument("--terminals", type=int, default=24)
    parser.add_argument("--technique", default="coalesce:replicate=false", help="what to transform the graph by")
    parser.add_argument("--policy", default="frontier")
    parser.add_argument("--shuffle", action="store_true", help="take a file's vertices in random order, too")
    chosen = parser.parse_args()
    graph = nearly.read(chosen.graph) if chosen.graph else nearly.generate.grid(chosen.side, chosen.side, seed=1)
    graph = graph.symmetrized()
    if chosen.shuffle or not chosen.graph:
        graph = shuffled(graph)
    terminals = np.random.default_rng(1).choice(graph.n, chosen.terminals, replace=False)
    applied = ALGORITHMS.get("sssp").apply(chosen.technique, graph)
    ways = {"exact": None, chosen.technique: applied}
    searches: dict[str, list] = {name: [] for name in ways}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for terminal in [terminals[0], *terminals]:  # the first compiles; in turns, so that noise meets all alike
        for name, approx in ways.items():
            since = time.perf_counter()
            searches[name].append(nearly.sssp(graph, int(terminal), approx=approx, policy=chosen.policy))
            seconds[name].append(time.perf_counter() - since)
    typical = {name: float(np.median(taken[1:])) for name, taken in seconds.items()}
    for name in ways:
        edges, weight = steiner_tree(graph, terminals, searches[name][1:])
        print(f"{name}: {weight:,.0f} in {len(edges):,} edges, {1000 * typical[name]:.1f} ms a terminal")
    gain = typical["exact"] - typical[chosen.technique]
    print(f"transforming took {applied.built:.2f} s; a search gains {1000 * gain:.2f} ms")
    print(
        f"break-even after {applied.built / gain:,.0f} terminals"
        if gain > 0
        else "no break-even: it is not faster here"
    )


def shuffled(graph: nearly.Graph) -> nearly.Graph:
    """The graph with its vertices in random order, as an unsorted file would have them."""
    return graph.relabel(np.random.default_rng(0).permutation(graph.n))


def steiner_tree(graph: nearly.Graph, terminals: np.ndarray, searches: list) -> tuple[set[tuple[int, int]], float]:
    """Edges that join all terminals, at most twice as heavy as need be, and their weight."""
    k = terminals.size
    first, second = np.triu_indices(k, 1)
    apart = np.array([searches[i].values[terminals[j]] for i, j in zip(first, second)])
    known = np.isfinite(apart)
    between = nearly.Graph.from_edges(first[known], second[known], weights=apart[known], n=k, directed=False)
    tree = nearly.mst(between).edges
    sources, targets = between.arc_sources()[tree], between.targets[tree]
    found: set[tuple[int, int]] = set()
    for i, j in zip(sources, targets):
        parents, v = searches[i].parents, int(terminals[j])
        while parents[v] >= 0:
            found.add((int(parents[v]), v) if parents[v] < v else (v, int(parents[v])))
            v = int(parents[v])
    ends = np.array(sorted(found), np.int64).reshape(-1, 2)
    chosen = nearly.Graph.from_edges(ends[:, 0], ends[:, 1], weights=weights_of(graph, ends), n=graph.n, directed=False)
    forest = nearly.mst(chosen)  # paths may meet in a circle
    return found, float(forest.weight)


def weights_of(graph: nearly.Graph, ends: np.ndarray) -> np.ndarray:
    """The weight of the edge between each pair."""
    rows = [slice(int(graph.offsets[u]), int(graph.offsets[u + 1])) for u in ends[:, 0]]
    return np.array([graph.weights[row][np.searchsorted(graph.targets[row], v)] for row, v in zip(rows, ends[:, 1])])


if __name__ == "__main__":
    main()
