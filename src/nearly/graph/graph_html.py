"""A graph in a notebook: its size, and how degrees are spread, as bars of an inline picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.base.html import html_facts, svg_bars
from nearly.base.memory import human_bytes

if TYPE_CHECKING:
    from nearly.graph.csr import Graph


def degree_histogram(graph: Graph) -> tuple[list[str], np.ndarray]:
    """How many vertices have 0, 1, 2-3, 4-7, ... arcs: the label of each range, and the count."""
    degrees = graph.out_degrees.astype(np.int64)
    ranges = np.frexp(degrees)[1]  # 0 for 0, else one more than the whole logarithm to base 2
    counts = np.bincount(ranges, minlength=1)
    return ["0" if i == 0 else short(1 << (i - 1)) for i in range(counts.size)], counts


def short(number: int) -> str:
    """
    >>> short(512), short(4096), short(1 << 20)
    ('512', '4k', '1M')
    """
    return f"{number}" if number < 1000 else f"{number // 1000}k" if number < 10**6 else f"{number // 10**6}M"


def html_of(graph: Graph) -> str:
    """The HTML that a notebook shows for a graph."""
    kind = "directed" if graph.directed else "undirected"
    facts = {
        "vertices": f"{graph.n:,}",
        "arcs": f"{graph.m:,}",
        "weights": str(graph._arrays.weights.dtype) if graph.weighted else "none",
        "memory": human_bytes(graph.nbytes),
    }
    if graph.ids is not None:
        shown = ", ".join(str(name) for name in graph.ids[:3])
        facts["vertices are called"] = f"{shown}{', ...' if graph.n > 3 else ''}"
    labels, counts = degree_histogram(graph)
    drawn = svg_bars(labels, counts.tolist(), "vertices by out-degree, from")
    return html_facts(f"{kind} graph", facts) + (drawn if graph.n else "")
