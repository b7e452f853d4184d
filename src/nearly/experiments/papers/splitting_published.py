"""The figures of node splitting and dynamic parallelism (Kumar and Vadhiyar), and the MDAs ours are measured at."""

from __future__ import annotations

from nearly.graph.csr import Graph

SHOWN = ("bfs", "sssp")
# (MDA, improvement in percent): Tables I and II, and the histogram's choice
SPLIT = {
    ("rmat", "bfs"): (54, 48.78),
    ("rmat", "sssp"): (54, 37.30),
    ("web", "bfs"): (8, 55.88),
    ("web", "sssp"): (8, 50.75),
}
DYNAMIC = {
    ("rmat", "bfs"): (169, 36.19),
    ("rmat", "sssp"): (169, 30.50),
    ("web", "bfs"): (128, 15.11),
    ("web", "sssp"): (128, 15.76),
}
HISTOGRAM = {"rmat": (118, 38.3), "web": (25, 44.8)}
LEVELS = (4, 8, 16, 32, 64, 128, 256, 512)


def levels_of(graph: Graph) -> list[int]:
    """The MDAs worth trying: below the longest row."""
    return [level for level in LEVELS if level < int(graph.out_degrees.max(initial=0))] or [LEVELS[0]]
