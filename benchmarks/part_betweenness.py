"""Betweenness beside its peers: per source, of whole small graphs, and by sampled paths at one error and confidence.

NetworKit's estimate from sources does the same passes as its `Betweenness`, for as many sources as are asked for, so it
is what can be compared per source on large graphs. Its KADABRA first bounds the diameter, which on some graphs does not
end in reasonable time: it runs in a process of its own that is stopped when `PATIENCE` is over.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness import US, Row, line, measure, table
from peers import Igraph, NetworKit

import nearly
from nearly import Graph

SOURCES, ERROR, RISK, PATIENCE = 64, 0.01, 0.1, 120.0
SMALLER = 4  # whole graphs are so many powers of two smaller

Contest = dict[str, Callable[[], Any]]


def graphs(scale: int) -> dict[str, Callable[[], Graph]]:
    make, n = nearly.generate, 1 << scale
    side = int(n**0.5)
    return {
        f"rmat-{scale}": lambda: make.rmat(scale, 16, seed=1, directed=False),
        f"random-{scale}": lambda: make.random(n, 16 * n, seed=1, directed=False),
        f"grid-{side}x{side}": lambda: make.grid(side, side, seed=1, weights=None),
        f"smallworld-{scale}": lambda: make.smallworld(n, 10, 0.1, seed=1),
        f"weighted grid-{side}x{side}": lambda: make.grid(side, side, seed=1),
    }


def run(options: Namespace) -> str:
    scale = min(options.scale, 17)
    text = table(f"Betweenness, {SOURCES} sources", beside(from_sources, graphs(scale), options)) + "\n"
    text += table("Betweenness of the whole graph", beside(of_all, graphs(max(scale - SMALLER, 6)), options)) + "\n"
    return text + table(f"Sampled paths, error {ERROR}, confidence {1 - RISK}", sampled(scale, options))


def beside(contest: Callable[[Graph], Contest], made: dict[str, Callable[[], Graph]], options: Namespace) -> list[Row]:
    wanted = {name: make for name, make in made.items() if options.only in name}
    return [measure(name, contest(make()), options.repeat, limit=20.0) for name, make in wanted.items()]


def from_sources(g: Graph) -> Contest:
    sources = np.random.default_rng(1).choice(g.n, SOURCES, replace=False)
    theirs, other = NetworKit(g, 0), Igraph(g, 0)
    return {
        US: lambda: nearly.betweenness(g, sources=sources, weights=g.weighted),
        "networkit": lambda: theirs.nk.centrality.EstimateBetweenness(theirs.graph, SOURCES, False, True).run(),
        "igraph": lambda: other.graph.betweenness(sources=sources.tolist(), weights=other.weights),
    }


def of_all(g: Graph) -> Contest:
    theirs, other = NetworKit(g, 0), Igraph(g, 0)
    return {
        US: lambda: nearly.betweenness(g, weights=g.weighted),
        "networkit": lambda: theirs.nk.centrality.Betweenness(theirs.graph).run(),
        "igraph": lambda: other.graph.betweenness(weights=other.weights),
    }


def sampled(scale: int, options: Namespace) -> list[Row]:
    rows = []
    for name, make in graphs(scale).items():
        if options.only not in name or name.startswith("weighted"):
            continue
        ours = partial(nearly.topk_betweenness, make(), 100, method="sampling", error=ERROR, confidence=1 - RISK)
        row = measure(name, {US: ours}, options.repeat)
        try:
            row.seconds["networkit"] = apart(scale, name, options.repeat)
        except TimeoutError:
            row.failed["networkit"] = f"did not end in {PATIENCE:g} s"
        print(line(row), flush=True)
        rows.append(row)
    return rows


def apart(scale: int, name: str, repeat: int) -> float:
    """Median seconds of NetworKit's KADABRA on the graph of this name, in another process; of the runs that ended."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=kadabra, args=(scale, name, repeat, theirs), daemon=True)
    child.start()
    seconds: list[float] = []
    until = time.perf_counter() + PATIENCE
    while len(seconds) < repeat and ours.poll(max(until - time.perf_counter(), 0.0)):
        seconds.append(ours.recv())
    child.kill()
    child.join()
    if not seconds:
        raise TimeoutError
    return statistics.median(seconds)


def kadabra(scale: int, name: str, repeat: int, pipe: Any) -> None:
    peer = NetworKit(graphs(scale)[name](), 0)
    peer.nk.setNumberOfThreads(nearly.get_threads())
    for _ in range(repeat):
        since = time.perf_counter()
        peer.nk.centrality.KadabraBetweenness(peer.plain, ERROR, RISK).run()
        pipe.send(time.perf_counter() - since)
