"""Rates: nanoseconds a visit of an arc, by which the planner predicts times.

What a visit costs depends on the algorithm, and on whether its values fit into the caches: RATES has a figure for
graphs of about a million arcs and one for graphs of about thirty million; between them the logarithm of the size
decides. They were measured on two cores, on graphs of several classes, and stand for all machines up to a factor, which
is calibrated once on each machine and kept in the cache directory. The factor is the same for all candidates: it
decides whether a time limit can be kept, not which candidate is faster. So the choice between exact and an estimate
depends on the graph and the budget alone, and the same call gives the same answer everywhere.
"""

from __future__ import annotations

import json
import math
import time
from contextlib import suppress
from functools import cache

import numpy as np

from nearly.base.cache_dir import cache_dir
from nearly.base.files import replacing

SMALL, LARGE = 1 << 20, 1 << 25  # arcs
OTHER = (4.0, 8.0)  # an algorithm that is not in the table
LEAST = 50e-6  # seconds: no call takes less
RATES = {
    "adamic_adar": (55.0, 90.0),
    "articulation_points": (8.0, 8.0),
    "betweenness": (0.9, 1.1),
    "bfs": (0.9, 0.6),
    "biconnected_components": (15.0, 10.0),
    "bipartite": (0.3, 0.2),
    "bridges": (11.0, 9.0),
    "center": (1.5, 0.8),
    "closeness": (0.06, 0.09),
    "clustering_coefficient": (2.0, 5.0),
    "coloring": (6.0, 7.0),
    "common_neighbors": (55.0, 110.0),
    "connected_components": (1.0, 0.6),
    "core_decomposition": (9.0, 11.0),
    "densest_subgraph": (60.0, 300.0),
    "diameter": (1.5, 0.8),
    "distance_statistics": (0.06, 0.09),
    "distances": (2.0, 1.0),
    "eccentricity": (1.5, 0.8),
    "eigenvector": (1.2, 1.0),
    "harmonic": (0.06, 0.09),
    "hits": (0.9, 0.9),
    "jaccard": (55.0, 90.0),
    "katz": (1.1, 1.0),
    "kcore": (7.0, 6.0),
    "ktruss": (640.0, 780.0),
    "label_propagation": (60.0, 26.0),
    "leiden": (90.0, 90.0),
    "louvain": (60.0, 60.0),
    "maximal_independent_set": (2.2, 2.0),
    "mst": (5.0, 1.7),
    "pagerank": (1.2, 0.7),
    "periphery": (1.5, 0.8),
    "radius": (1.5, 0.8),
    "resource_allocation": (55.0, 100.0),
    "scc": (1.5, 0.6),
    "similar": (1.5, 2.5),
    "sssp": (2.0, 0.8),
    "topk_betweenness": (0.9, 1.1),
    "topological_sort": (0.9, 1.0),
    "triangle_count": (2.0, 5.0),
    "orientation": (1.4, 1.4),
    "push": (6.0, 12.0),
    "path-sampling": (2.0, 4.0),
    "weighted-path-sampling": (10.0, 14.0),
    "wedges": (300.0, 650.0),
    "neighbour-pairs": (120.0, 350.0),
    "transform cluster-locality": (55.0, 200.0),
    "transform coalesce": (70.0, 220.0),
    "transform freeze-edges": (1.0, 20.0),
    "transform merge-similar": (75.0, 130.0),
    "transform normalize-degrees": (50.0, 70.0),
    "transform partial-edges": (60.0, 80.0),
    "transform round-weights": (95.0, 130.0),
    "transform split-nodes": (20.0, 120.0),
}
_PROBE = 1 << 20  # elements of which some are gathered at random
_SLICE, _SLICES = 1 << 16, 32  # in slices that are short beside those of the system's scheduler
_BUSY = 1.5  # a factor above this may be that of a busy machine: the next process looks again
_REFERENCE = 5.0  # nanoseconds that a gathered element took where RATES was measured
_FILE = "machine-speed.json"


def seconds(name: str, visits: float, arcs: int) -> float:
    """The predicted time of so many visits by an algorithm, or by samples of a kind, on a graph of so many arcs."""
    return LEAST + visits * nanoseconds(name, arcs) * machine_factor() * 1e-9


def nanoseconds(name: str, arcs: int) -> float:
    """What a visit costs where RATES was measured."""
    small, large = RATES.get(name, OTHER)
    share = (math.log2(max(arcs, 1)) - math.log2(SMALL)) / (math.log2(LARGE) - math.log2(SMALL))
    return small + (large - small) * min(max(share, 0.0), 1.0)


@cache
def machine_factor() -> float:
    """How much slower this machine is than that of RATES; measured once, then kept."""
    folder = cache_dir()
    kept, before = None if folder is None else folder / _FILE, math.inf
    if kept is not None:
        with suppress(OSError, ValueError, TypeError, KeyError):
            before = float(json.loads(kept.read_text())["factor"])
            before = before if before > 0.01 else math.inf
            if before <= _BUSY:
                return before
    factor = min(_probe() / _REFERENCE, before)
    if kept is not None:
        with suppress(OSError), replacing(kept) as file:
            file.write(json.dumps({"factor": factor}).encode())
    return factor


def _probe() -> float:
    """Nanoseconds to gather an element at random from an array beyond the second-level cache."""
    random = np.random.default_rng(1)
    data, places = random.random(_PROBE), random.integers(0, _PROBE, (_SLICES, _SLICE))
    out, best = np.empty(_SLICE), math.inf
    for some in places:
        since = time.perf_counter()
        np.take(data, some, out=out)
        best = min(best, time.perf_counter() - since)
    return best / _SLICE * 1e9
