"""Layouts beside igraph's and NetworkX's: seconds, and how well neighbourhoods are kept, in one run.

`neighbours` is the share of a vertex's neighbours among as many nearest vertices of the picture, on average over 1,500
vertices; `community`, of graphs with planted communities, the share of the ten nearest vertices that are of the same
one. igraph's `drl` and `fr` (Fruchterman and Reingold) have their default settings; the latter is asked up to 12,000
vertices, and NetworkX's `spring_layout`, which looks at all pairs, up to 3,000.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from peers import Igraph

import nearly
from nearly import Graph

NX_MOST = 3_000  # vertices up to which NetworkX is asked
FR_MOST = 12_000  # vertices up to which igraph's Fruchterman-Reingold is asked
SAMPLE = 1_500
REAL = "facebook_combined"


def run(options: Namespace) -> str:
    lines = ["## Layouts", "", "| graph | vertices | edges | layout | seconds | neighbours | community |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, g, label in graphs(options):
        if options.only in name:
            lines += rows(name, g, label, options.repeat)
    return "\n".join(lines) + "\n"


def graphs(options: Namespace) -> Iterator[tuple[str, Graph, np.ndarray | None]]:
    for count, size, inside, between in ((20, 100, 0.15, 0.002), (50, 200, 0.08, 0.0004)):
        g = nearly.generate.planted_partition(count, size, inside, between, seed=1)
        yield f"planted {count} x {size}", g, np.arange(g.n) // size
    yield "grid 100 x 100", nearly.generate.grid(100, 100), None
    yield "rmat 12", nearly.generate.rmat(12, 8, seed=1), None
    for path in sorted(options.data.glob(f"{REAL}.*")) if options.data else []:
        yield REAL, nearly.read(path, directed=False), None


def rows(name: str, g: Graph, label: np.ndarray | None, repeat: int) -> list[str]:
    view, made = g.symmetrized(), []
    for which, call in contestants(g).items():
        seconds: list[float] = []
        if which == "nearly":
            call()  # which compiles
        for _ in range(repeat if which == "nearly" else 1):
            since = time.perf_counter()
            at = np.asarray(call())
            seconds.append(time.perf_counter() - since)
        kept, alike = neighbours_kept(view, at), "-" if label is None else f"{same_community(at, label):.3f}"
        made.append(
            f"| {name} | {g.n:,} | {view.m // 2:,} | {which} | {np.median(seconds):.2f} | {kept:.3f} | {alike} |"
        )
        print(made[-1], flush=True)
    return made


def contestants(g: Graph) -> dict[str, Callable[[], Any]]:
    view = g.symmetrized()
    made: dict[str, Callable[[], Any]] = {"nearly": lambda: nearly.layout(g, seed=1)}
    peer = Igraph(view, 0).graph
    made["igraph drl"] = lambda: peer.layout_drl().coords
    if g.n <= FR_MOST:
        made["igraph fr"] = lambda: peer.layout_fruchterman_reingold().coords
    if g.n <= NX_MOST:
        import networkx as nx

        plain = view.to_networkx()
        made["networkx spring"] = lambda: np.array(list(nx.spring_layout(plain, seed=1).values()))
    return made


def neighbours_kept(view: Graph, at: np.ndarray) -> float:
    """The share of neighbours among the nearest, on average over some vertices that have any."""
    from scipy.spatial import cKDTree

    near, shares = cKDTree(at), []
    some = np.random.default_rng(1).permutation(np.flatnonzero(view.out_degrees))[:SAMPLE]
    for v in some:
        own = view.neighbors(int(v))
        nearest = near.query(at[v], own.size + 1)[1]
        shares.append(np.isin(nearest[nearest != v][: own.size], own).mean())
    return float(np.mean(shares))


def same_community(at: np.ndarray, label: np.ndarray) -> float:
    """The share of the ten nearest vertices that are of the same community."""
    from scipy.spatial import cKDTree

    nearest = cKDTree(at).query(at, 11)[1][:, 1:]
    return float((label[nearest] == label[:, None]).mean())
