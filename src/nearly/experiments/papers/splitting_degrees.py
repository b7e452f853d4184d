"""Degrees before and after node splitting (Figures 3, 4, 7), and how even the work of blocks is (Figure 11).

The paper draws how long each block of threads runs in the first round of BFS. What decides it can be counted: a block
of 256 threads steps through the longest row of each of its warps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from nearly.experiments.papers.splitting_published import LONGEST, SPLIT, paper_graph
from nearly.experiments.pictures import picture
from nearly.experiments.reproduction import Table
from nearly.graph.csr import Graph
from nearly.techniques.split_nodes import largest_allowed, piece_sizes

WARP, BLOCK = 32, 256


def split_degrees(name: str, graph: Graph) -> tuple[int, np.ndarray]:
    """The paper's MDA for this graph (the histogram's, where it has none), and the out-degrees after splitting."""
    degrees = graph.out_degrees.astype(np.int64)
    cell = SPLIT.get((paper_graph(name), "bfs"))
    mda = largest_allowed(degrees, "histogram") if cell is None else cell.mda
    pieces = np.maximum(-(-degrees // max(mda, 1)), 1)
    sizes = piece_sizes(degrees, pieces)
    first = np.cumsum(pieces) - pieces
    rest = np.ones(sizes.size, np.bool_)
    rest[first] = False
    return mda, np.concatenate([sizes[first], sizes[rest]])  # copies follow all vertices, as in the split graph


def degree_table(graphs: dict[str, Graph]) -> Table:
    """How many nodes have how many out-arcs, before and after."""
    note = "`after`: split at the paper's MDA, or at the histogram's where the paper has none."
    table = Table("Figures 3, 4, 7: out-degrees before and after node splitting", note=note)
    for name, graph in graphs.items():
        mda, after = split_degrees(name, graph)
        before = _by_power(graph.out_degrees)
        split = _by_power(after)
        for bin_ in range(max(before.size, split.size)):
            low, high = (0, 0) if bin_ == 0 else (1 << (bin_ - 1), (1 << bin_) - 1)
            table.rows.append({
                "graph": name, "MDA": mda, "out-degree": str(low) if low == high else f"{low} to {high}",
                "before": int(before[bin_]) if bin_ < before.size else 0,
                "after": int(split[bin_]) if bin_ < split.size else 0,
                "longest row": int(graph.out_degrees.max(initial=0)),
                "paper: longest row": LONGEST.get(paper_graph(name)),
            })  # fmt: skip
    return table


def _by_power(degrees: np.ndarray) -> np.ndarray:
    """How many degrees are 0, 1, 2 to 3, 4 to 7, ..."""
    return np.bincount(np.ceil(np.log2(degrees.astype(np.float64) + 1)).astype(np.int64), minlength=1)


def block_table(graphs: dict[str, Graph]) -> Table:
    """How even the blocks' work is, before and after."""
    note = "Steps: what a block of 256 threads goes through in a round, a thread a node; counted, not timed."
    table = Table("Figure 11: work of blocks before and after node splitting", note=note)
    for name, graph in graphs.items():
        mda, after = split_degrees(name, graph)
        for label, degrees in (("base", graph.out_degrees), (f"split at {mda}", after)):
            work = block_work(degrees)
            mean = float(work.mean()) if work.size else 0.0
            row: dict[str, Any] = {"graph": name, "form": label, "blocks": work.size, "mean steps": mean}
            row |= {
                "longest": int(work.max(initial=0)),
                "longest over mean": work.max(initial=0) / mean if mean else None,
            }
            table.rows.append(row | {"deviation over mean": float(work.std()) / mean if mean else None})
    return table


def block_work(degrees: np.ndarray) -> np.ndarray:
    """Steps of each block if a thread takes a vertex: its warps' longest rows, added up."""
    padded = np.zeros(-(-degrees.size // BLOCK) * BLOCK, np.int64)
    padded[: degrees.size] = degrees
    return padded.reshape(-1, BLOCK // WARP, WARP).max(axis=2).sum(axis=1)


def draw_degrees(name: str, graph: Graph, path: Path) -> None:
    """Degrees before and after splitting, and the work of each block of threads, which its longest rows decide."""
    mda, after = split_degrees(name, graph)
    with picture(path, columns=2, size=(11, 4)) as (left, right):
        for label, found in (("as it is", graph.out_degrees), (f"split at {mda}", after)):
            degrees = np.sort(found)[::-1]
            left.loglog(np.arange(1, degrees.size + 1), np.maximum(degrees, 0.5), label=label)
            right.semilogy(np.sort(block_work(found))[::-1] + 1, label=label)
        left.set(title=f"out-degrees of {name}", xlabel="vertices of at least this degree", ylabel="out-degree")
        right.set(title="steps a block of 256 threads takes", xlabel="block, longest first", ylabel="steps + 1")
        for axis in (left, right):
            axis.legend(frameon=False)
