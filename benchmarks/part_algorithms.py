"""Every exact algorithm beside its peers, on generated graphs and the real ones of a given folder."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from harness import Row, measure, table
from peers import ALGORITHMS, PEERS, Nearly

import nearly
from nearly import Graph

UNDIRECTED_ONLY = {"mst", "triangle_count", "kcore", "coloring", "label_propagation", "maximal_independent_set"}
BINDING = {"bfs", "sssp", "pagerank", "connected_components", "betweenness", "scc", "mst", "triangle_count"}


def run(options: Namespace) -> str:
    text = ""
    bound: list[Row] = []
    for name, g in graphs(options):
        rows = measure_graph(name, g, options)
        bound += [row for row in rows if row.what in BINDING]
        if rows:
            text += (
                table(f"{name}: {g.n:,} vertices, {g.m:,} arcs, {'directed' if g.directed else 'undirected'}", rows)
                + "\n"
            )
    if len(bound) > 1:
        text += "### All rows that targets bind\n\n" + table("", bound).rpartition("\n\n")[2]
    return text


def graphs(options: Namespace) -> Iterator[tuple[str, Graph]]:
    scale, make = options.scale, nearly.generate
    n = 1 << scale
    yield f"kron-{scale}", make.rmat(scale, 16, seed=1, directed=False, weights="int")
    yield f"random-{scale}", make.random(n, 16 * n, seed=1, directed=False, weights="int")
    yield f"rmat-{scale}", make.rmat(scale, 16, seed=1, weights="int")
    side = int(n**0.5)
    yield f"grid-{side}x{side}", make.grid(side, side, seed=1)
    for path in sorted(Path(options.data).iterdir()) if options.data else []:
        if path.is_file() and path.name != "README.md":
            g = nearly.read(path)
            listed_once = path.name.startswith(("email", "fb100", "facebook", "luxembourg", "road-cal"))
            yield path.name.split(".")[0], g.symmetrized() if listed_once else g


def measure_graph(name: str, g: Graph, options: Namespace) -> list[Row]:
    source = int(np.argmax(g.out_degrees))
    wanted = [a for a in ALGORITHMS if options.only in f"{name}/{a}" and hasattr(nearly, a)]
    wanted = [a for a in wanted if not (g.directed and a in UNDIRECTED_ONLY) and not (a == "scc" and not g.directed)]
    if not wanted:
        return []
    print(f"\n{name}: {g!r}", flush=True)
    ours = Nearly(g, source)
    peers = {}
    for peer, build in PEERS.items():
        try:
            peers[peer] = build(g, source)
        except Exception as error:
            print(f"  {peer}: left out ({type(error).__name__}: {error})", flush=True)
    rows = []
    for algorithm in wanted:
        contestants = {"nearly": getattr(ours, algorithm)}
        contestants.update({peer: getattr(p, algorithm) for peer, p in peers.items() if hasattr(p, algorithm)})
        rows.append(measure(algorithm, contestants, options.repeat, limit=3.0))
    return rows
