"""Questions about distances beside NetworKit and igraph: what each library calls its exact answer, or its estimate.

Rows, and what peers are asked:
- diameter: NetworKit's exact one, and its estimated range within 10% as a row of its own; ours is exact in both;
- topk_closeness: NetworKit's TopCloseness, k = 10, up to MOST arcs and where it comes to its end within TRIAL seconds;
  where ours does not, the row is left out, and a line below the table says so;
- closeness: all vertices exactly, on graphs on which peers come to their end (NetworKit's generalised form, igraph's
  harmonic one, which visits the same pairs);
- average distance within 1%: ours with a confidence of 0.99; NetworKit's approximate neighbourhood function (k = 128
  sketches, a standard error of about 7%, connected graphs only), igraph's exact average where it comes to its end;
- distances: 1,000 pairs; NetworKit's and igraph's searches of one pair each.
"""

from __future__ import annotations

import statistics
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import US, Row, ends_within, measure, table
from peers import PEERS

import nearly
from nearly import Graph

PAIRS = 1000
ALL_PAIRS = 5e9  # vertices times arcs up to which all vertices are searched from by every library
LARGE = 3_000_000  # arcs
MOST = 5_000_000
TRIAL = 60.0
TOP = "topk_closeness, k = 10"


def run(options: Namespace) -> str:
    text, large = "", []
    for name, g in graphs(options):
        rows = measure_graph(name, g, options)
        large += rows if g.m > LARGE else []
        if rows:
            text += table(f"Distances, {name}: {g.n:,} vertices, {g.m:,} arcs", rows) + "\n"
            if TOP not in [row.what for row in rows]:
                text += f"Not in the table: {TOP}, of which ours does not come to its end in {TRIAL:.0f} s.\n\n"
    ratios = [row.best_peer for row in large if row.best_peer is not None]
    if ratios:
        text += f"\nRows of graphs above {LARGE:,} arcs: geometric mean over the best peer "
        text += f"{statistics.geometric_mean(ratios):.2f}x, slower in {sum(r < 1 for r in ratios)} of {len(ratios)}.\n"
    return text


def graphs(options: Namespace) -> Iterator[tuple[str, Graph]]:
    """Undirected graphs without weights, so that every library answers the same question."""
    for scale in sorted({options.scale - 2, options.scale}):
        if options.only in f"kron-{scale}" or f"kron-{scale}" in options.only:
            yield f"kron-{scale}", nearly.generate.rmat(scale, 16, seed=1, directed=False)
    wanted = ("USA-road-d.NY", "soc-Slashdot", "email-Enron", "cnr-2000", "fb100", "facebook")
    for path in sorted(Path(options.data).iterdir()) if options.data else []:
        name = path.name.split(".el")[0].split(".txt")[0].removesuffix(".gr.gz")
        if path.name.startswith(wanted) and options.only in name:
            g = nearly.read(path).symmetrized()
            yield name, Graph(g.offsets, g.targets, directed=False)


def measure_graph(name: str, g: Graph, options: Namespace) -> list[Row]:
    nk, ig = peer("networkit", g), peer("igraph", g) if g.n * g.m <= ALL_PAIRS else None
    pairs = np.random.default_rng(1).integers(0, g.n, (PAIRS, 2))
    rows = {
        "diameter, exact": {US: lambda: nearly.diameter(g).values, **nk_diameter(nk, "EXACT", 0.0)},
        "diameter, peer within 10%": {US: lambda: nearly.diameter(g).values, **nk_diameter(nk, "ESTIMATED_RANGE", 0.1)},
        TOP: {US: lambda: nearly.topk_closeness(g, 10).vertices},
        "average distance within 1%": {US: lambda: nearly.distance_statistics(g, max_error=0.01).values},
        f"distances of {PAIRS:,} pairs": {US: lambda: nearly.distances(g, pairs).values, **pair_searches(nk, pairs)},
    }
    if nk is not None:
        rows["average distance within 1%"]["networkit"] = lambda: sketches(nk)
    if g.n * g.m <= ALL_PAIRS:
        rows["closeness, all vertices"] = {US: lambda: nearly.closeness(g).values, **all_closeness(nk, ig)}
        if ig is not None:
            rows["average distance within 1%"]["igraph"] = lambda: ig.graph.average_path_length(directed=False)
    print(f"\n{name}: {g!r}", flush=True)
    over: dict[str, dict[str, float]] = {}
    if not ends_within(TRIAL, try_our_top, g):
        del rows[TOP]
    elif nk is not None and g.m <= MOST:
        if ends_within(TRIAL, try_nk_top, g):
            rows[TOP] |= nk_top(nk)
        else:
            over[TOP] = {"networkit": TRIAL}
    return [
        measure(what, contestants, options.repeat, limit=20.0, over=over.get(what))
        for what, contestants in rows.items()
    ]


def peer(name: str, g: Graph) -> Any:
    """A peer's own graph, or None where it is not installed."""
    try:
        return PEERS[name](g, 0)
    except ImportError:
        return None


Calls = dict[str, Callable[[], Any]]


def nk_diameter(nk: Any, algorithm: str, error: float) -> Calls:
    if nk is None:
        return {}
    distance = nk.nk.distance
    kind = getattr(distance.DiameterAlgo, algorithm)
    return {"networkit": lambda: nk._run(distance.Diameter(nk.graph, algo=kind, error=error)).getDiameter()}


def try_our_top(g: Graph) -> None:
    """The same for ours."""
    nearly.topk_closeness(g, 10)


def try_nk_top(g: Graph) -> None:
    """What a process of its own does to see whether NetworKit comes to its end."""
    nk_top(peer("networkit", g))["networkit"]()


def nk_top(nk: Any) -> Calls:
    return {"networkit": lambda: nk._run(nk.nk.centrality.TopCloseness(nk.graph, 10)).topkNodesList()}


def all_closeness(nk: Any, ig: Any) -> Calls:
    calls: Calls = {}
    if nk is not None:
        kind = nk.nk.centrality.ClosenessVariant.GENERALIZED
        calls["networkit"] = lambda: nk._run(nk.nk.centrality.Closeness(nk.graph, True, kind)).scores()
    if ig is not None:
        calls["igraph"] = lambda: ig.graph.harmonic_centrality()
    return calls


def sketches(nk: Any) -> list[float]:
    algorithm = nk.nk.distance.NeighborhoodFunctionApproximation(nk.graph, 7, 128)
    return nk._run(algorithm).getNeighborhoodFunction()


def pair_searches(nk: Any, pairs: np.ndarray) -> Calls:
    if nk is None:
        return {}
    search = nk.nk.distance.BidirectionalBFS
    return {"networkit": lambda: [nk._run(search(nk.graph, s, t, False)).getDistance() for s, t in pairs.tolist()]}
