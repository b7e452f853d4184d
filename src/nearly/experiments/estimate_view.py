"""Modelled runs side by side: the columns of a table, and a picture. Everything here is labelled as modelled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from nearly.experiments.pictures import few_ticks, picture
from nearly.model import Estimate


def columns(made: Estimate, exact: Estimate) -> dict[str, Any]:
    """The columns of a table about an estimate; `exact` is the one to compare with."""
    return {
        "modelled_speedup": exact.seconds / made.seconds if made.seconds else None,
        "modelled_ms": 1000 * made.seconds,
        "rounds": made.rounds,
        "edges": made.edges,
        "transactions": made.total_transactions,
        "per_request": made.transactions_per_request,
        "simd_efficiency": made.simd_efficiency,
        "shared_hits": made.shared_hits,
        "atomics": made.atomics,
    }


def plot_estimates(made: Sequence[Estimate], path: str | os.PathLike[str], title: str) -> None:
    """Bars: transactions by array, SIMD efficiency, modelled time."""
    names = [e.technique for e in made]
    with picture(path, columns=3, size=(13, 1.6 + 0.5 * len(made)), share_y=True) as axes:
        left = [0.0] * len(made)
        for array in ("offsets", "targets", "weights", "values"):
            values = [e.transactions[array] for e in made]
            axes[0].barh(names, values, left=left, label=array)
            left = [a + b for a, b in zip(left, values)]
        axes[0].figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=4, frameon=False)
        axes[0].set(title="memory transactions")
        axes[1].barh(names, [e.simd_efficiency for e in made], color="#555555")
        axes[1].set(title="SIMD efficiency", xlim=(0, 1))
        axes[2].barh(names, [1000 * e.seconds for e in made], color="#1f6fb4")
        axes[2].set(title="modelled milliseconds")
        axes[0].invert_yaxis()  # all three: they share it
        few_ticks(axes[0].xaxis, whole=True)
        few_ticks(axes[2].xaxis)
        axes[0].figure.suptitle(title)
