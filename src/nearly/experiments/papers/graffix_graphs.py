"""The graphs of Graffix' rerun, and the knobs with which its techniques have something to do on each.

Stand-ins share with the paper's graphs what the techniques go by: rmat26 and random26 are the same generators;
LiveJournal has communities (clustering about 0.27) under a mild skew; twitter has hubs that many follow, and triangles
among these; USA-road has degrees up to 8, a large diameter and a few triangles.

Knobs are chosen by class, as the paper chooses its thresholds for each graph: holes are what a breadth-first forest
leaves free at the ends of its levels, of which small graphs of small diameter have few, so `slack` places of a
chunk stay free. Clustering falls with size in a random graph, where the threshold is a few times the mean.
"""

from __future__ import annotations

import math

import numpy as np

import nearly
from nearly.experiments.papers.graffix_published import GRAPHS
from nearly.graph.csr import Graph

LIKE = dict(zip(("rmat-like", "random-like", "livejournal-like", "road-like", "twitter-like"), GRAPHS, strict=True))
ROAD_DEGREE = 16  # no vertex of a road network has more arcs
KNOBS = {
    "rmat26": {
        "coalesce": "coalesce:slack=4,threshold=0.3",
        "cluster-locality": "cluster-locality:threshold=0.4,max_added=0.05",
        "normalize-degrees": "normalize-degrees:similarity=0.3",
    },
    "random26": {
        "coalesce": "coalesce:slack=4,threshold=0.1",
        "cluster-locality": "cluster-locality:threshold=0.01,margin=0.01,max_added=0.08",
        "normalize-degrees": "normalize-degrees:similarity=0.3",
    },
    "LiveJournal": {
        "coalesce": "coalesce:slack=4,threshold=0.15",
        "cluster-locality": "cluster-locality:threshold=0.3,max_added=0.05",
        "normalize-degrees": "normalize-degrees:similarity=0.3",
    },
    "USA-road": {
        "coalesce": "coalesce:slack=4,threshold=0.1",
        "cluster-locality": "cluster-locality:threshold=0.2,margin=0.2,max_added=0.04",
        "normalize-degrees": "normalize-degrees:similarity=0.19",
    },
    "twitter": {
        "coalesce": "coalesce:slack=4,threshold=0.15",
        "cluster-locality": "cluster-locality:threshold=0.4,max_added=0.07",
        "normalize-degrees": "normalize-degrees:similarity=0.3",
    },
}


def stand_ins(scale: int) -> dict[str, Graph]:
    """Graphs of the paper's classes, of about 2^scale vertices."""
    n, make = 1 << scale, nearly.generate
    graphs = (
        make.rmat(scale, 16, seed=1, weights="int"),
        make.random(n, 16 * n, seed=1, weights="int"),
        with_communities(scale),
        streets(math.isqrt(n)),
        make.rmat(scale, 35, seed=3, params=(0.5, 0.1, 0.3, 0.1), weights="int"),
    )
    return dict(zip(LIKE, graphs, strict=True))


def with_communities(scale: int, size: int = 12) -> Graph:
    """Communities of 12, most of whose members know each other, and a skewed graph across them; without weights."""
    n = 1 << scale
    across = nearly.generate.rmat(scale, 5, seed=2, params="gtgraph")
    inside = nearly.generate.planted_partition(max(n // size, 1), min(size, n), 0.8, 0.0, seed=2)
    numbers = np.random.default_rng(2).permutation(n)  # so that numbers tell nothing of communities
    src = np.concatenate([across.arc_sources(), numbers[inside.arc_sources().astype(np.int64)]])
    dst = np.concatenate([across.targets, numbers[inside.targets.astype(np.int64)]])
    return Graph.from_edges(src, dst, n=n)


def streets(side: int, diagonals: float = 0.15) -> Graph:
    """A road-like grid in which some cells have a diagonal; without weights."""
    grid = nearly.generate.grid(side, side, seed=1, weights=None)
    cell = np.arange(side * side).reshape(side, side)[:-1, :-1].ravel()
    cell = cell[np.random.default_rng(1).random(cell.size) < diagonals]
    src, dst = np.concatenate([grid.arc_sources(), cell]), np.concatenate([grid.targets, cell + side + 1])
    return Graph.from_edges(src, dst, n=grid.n, directed=False)


def paper_name(name: str, graph: Graph) -> str:
    """The graph of the paper that this one is compared with, or whose knobs suit it."""
    if name in LIKE or name in KNOBS:
        return LIKE.get(name, name)
    return "USA-road" if graph.out_degrees.max(initial=0) <= ROAD_DEGREE else "rmat26"
