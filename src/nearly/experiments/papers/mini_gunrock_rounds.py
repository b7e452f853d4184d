"""Speed round by round (Mini-Gunrock's Figures 6 and 7): as rows of a table, by size of round, and as areas."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from nearly.engine.trace import Trace
from nearly.experiments.pictures import picture, side_by_side

SPANS = 12  # rows of a long search
SIZES = ((0, 1_000), (1_000, 100_000), (100_000, 1 << 62))  # edges of a round
INPUT, OUTPUT, TOGETHER = "over the input", "over the output", "small rounds together"
Traces = Mapping[str, Trace]


def round_rows(figures: Mapping[str, Traces], arcs: Mapping[str, int]) -> list[dict[str, Any]]:
    """For each graph and round (or span of rounds): frontier, share of edges, and speed of each policy."""
    rows = []
    for graph, traces in figures.items():
        longest = max(len(trace) for trace in traces.values())
        cuts = np.unique(np.linspace(0, longest, min(longest, SPANS) + 1).astype(int)).tolist()
        for low, high in pairwise(cuts):
            row: dict[str, Any] = {"graph": graph, "rounds": str(high) if high == low + 1 else f"{low + 1} to {high}"}
            first = list(next(iter(traces.values())))[low:high]
            row["largest frontier"] = max((r.frontier for r in first), default=0)
            row["edges %"] = 100 * sum(r.edges for r in first) / max(arcs[graph], 1)
            for kind, trace in traces.items():
                span = list(trace)[low:high]
                spent = sum(r.milliseconds for r in span)
                row[f"{kind}: MTEPS"] = sum(r.edges for r in span) / spent / 1000 if spent > 0 else None
            rows.append(row)
    return rows


def balance_rows(figures: Mapping[str, Traces]) -> list[dict[str, Any]]:
    """The median speed of rounds of few, some and many edges, balanced over their input and over their output."""
    rows = []
    for graph, traces in figures.items():
        for low, high in SIZES:
            name = f"{low:,} to {high:,}" if high < 1 << 62 else f"{low:,} and more"
            row: dict[str, Any] = {"graph": graph, "edges of a round": name}
            for kind, words in ((INPUT, "input"), (OUTPUT, "output"), (TOGETHER, "together")):
                found = [r.mteps for r in traces[kind] if low <= r.edges < high]
                row |= {f"{words}: rounds": len(found), f"{words}: MTEPS": median(found) if found else None}
            rows.append(row)
    return rows


def draw_rounds(graph: str, traces: Traces, path: Path) -> None:
    """Areas of speed by round, over the share of edges that each round visits."""
    with picture(path, size=(8, 4)) as axis:
        for (kind, trace), style in zip(traces.items(), side_by_side(len(traces))):
            rounds, speeds = [r.round for r in trace], [r.mteps for r in trace]
            style = {**style, "marker": None}
            (line,) = axis.step(rounds, speeds, where="mid", label=kind, **style)
            axis.fill_between(rounds, speeds, alpha=0.08, step="mid", color=line.get_color())
        share = axis.twinx()
        first = next(iter(traces.values()))
        share.plot([r.round for r in first], [100 * r.edges / max(first.edges, 1) for r in first], "k-", lw=0.8)
        share.set(ylabel="% of visited edges (line)", ylim=(0, None))
        axis.set(title=f"BFS on {graph}", xlabel="round", ylabel="million edges per second")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.legend(frameon=False)
