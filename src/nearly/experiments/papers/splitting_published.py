"""The figures of node splitting and dynamic parallelism (Kumar and Vadhiyar), and the MDAs ours are measured at."""

from __future__ import annotations

from typing import Any, NamedTuple

from nearly.graph.csr import Graph

SHOWN = ("bfs", "sssp")
ROWS = ("rmat", "web-Stanford")  # the paper's graphs
STANDS_FOR = {"rmat-like": "rmat", "web-like": "web-Stanford"}
LONGEST = {"rmat": 1181, "web-Stanford": 255}  # out-degrees


class Cell(NamedTuple):
    """A cell of Table I or II: milliseconds on Kepler, the MDA, the nodes that splitting adds."""

    baseline: float
    mda: int
    ms: float
    improvement: float  # percent
    extra: int | None = None


SPLIT = {
    ("rmat", "bfs"): Cell(104.96, 54, 53.76, 48.78, 29604),
    ("rmat", "sssp"): Cell(243.81, 54, 152.88, 37.30, 29604),
    ("web-Stanford", "bfs"): Cell(30.29, 8, 13.36, 55.88, 158002),
    ("web-Stanford", "sssp"): Cell(34.71, 8, 17.09, 50.75, 158002),
}
DYNAMIC = {
    ("rmat", "bfs"): Cell(104.96, 169, 66.98, 36.19),
    ("rmat", "sssp"): Cell(243.81, 169, 169.44, 30.50),
    ("web-Stanford", "bfs"): Cell(30.29, 128, 25.71, 15.11),
    ("web-Stanford", "sssp"): Cell(34.71, 128, 29.24, 15.76),
}
FERMI = {("rmat", "bfs"): 24.8, ("rmat", "sssp"): 14.1}  # percent saved by node splitting (Figure 10)
HISTOGRAM = {"rmat": (118, 38.3), "web-Stanford": (25, 44.8)}  # the MDA it finds, percent saved
ATOMICS = "2 to 6"  # percent that updating children at once saves (Figure 12)
LEVELS = (4, 8, 16, 25, 32, 54, 64, 118, 128, 169, 256, 512)


def paper_graph(name: str) -> str:
    """The graph of the paper that a stand-in or a given graph is shown beside."""
    return STANDS_FOR.get(name, name)


def paper_cell(table: dict[tuple[str, str], Cell], name: str, algorithm: str) -> dict[str, Any]:
    """The paper's columns of a cell; empty where it has none."""
    cell = table.get((paper_graph(name), algorithm))
    columns = {"baseline ms": "baseline", "MDA": "mda", "ms": "ms", "improvement %": "improvement"}
    if table is SPLIT:
        columns["extra nodes"] = "extra"
    return {f"paper: {column}": getattr(cell, field, None) for column, field in columns.items()}


def levels_of(graph: Graph) -> list[int]:
    """The MDAs worth trying: below the longest row."""
    return [level for level in LEVELS if level < int(graph.out_degrees.max(initial=0))] or [LEVELS[0]]
