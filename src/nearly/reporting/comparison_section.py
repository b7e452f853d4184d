"""The section of `compare=True`: techniques and budgets measured on this graph, one algorithm after the other."""

from __future__ import annotations

from nearly.base.errors import NearlyError
from nearly.experiments.compare import compare
from nearly.experiments.comparison import Row
from nearly.reporting.asking import Asker, Clock
from nearly.reporting.figures import Section
from nearly.reporting.speed_error_chart import comparison_table, speed_error_chart

ALGORITHMS = ("pagerank", "betweenness", "triangle_count", "clustering_coefficient", "sssp", "louvain", "mst", "scc")
BUDGETS = (0.2, 0.1, 0.05, 0.02, 0.01)
_REPEAT = 2
_SHARE = 12  # a single run may take this part of the time that is left


def comparison(asker: Asker, seconds: float) -> Section:
    """Speed against error on this graph, within so many seconds."""
    words = "Every technique with its default knobs, and every budget, against the fastest exact run on this graph."
    words += f" Each ran {_REPEAT} times after a first run to warm up; do not read differences of some percent."
    section = Section("compare", "Speed against error", words)
    clock, rows, late, doubts = Clock(seconds), [], [], ""
    for i, name in enumerate(ALGORITHMS):
        asker.told(f"comparing {name.replace('_', ' ')}", i, len(ALGORITHMS))
        if clock.left <= 0:
            late.append(name)
            continue
        try:
            made = compare(
                asker.graph,
                name,
                max_error=BUDGETS,
                repeat=_REPEAT,
                limit=max(clock.left / _SHARE, 0.05),
                **asker.common,
            )
        except NearlyError:
            late.append(name)
            continue
        rows += list(made)
        doubts = doubts or made.doubts
    points = [row for row in rows if not row.is_exact]
    if not points:
        section.missing = "there was no time to measure anything"
        return section
    section.charts.append(speed_error_chart(rows))
    section.tables.append(comparison_table(rows))
    said = [best_in_words(points)]
    if late:
        said.append(f"There was no time for {', '.join(late)}.")
    if doubts:
        said.append(f"Beware: {doubts}.")
    section.words = " ".join([words, *said])
    return section


def best_in_words(points: list[Row]) -> str:
    """What the chart shows, in a sentence."""
    faster = [row for row in points if row.speedup_vs_best > 1]
    if not faster:
        return "None was faster than exact."
    best = max(faster, key=lambda row: row.speedup_vs_best)
    return (
        f"{len(faster)} of {len(points)} were faster than exact; the fastest {best.speedup_vs_best:.1f} times "
        f"({best.algorithm}, {best.technique}) with an error of {100 * best.inaccuracy:.2g}%."
    )
