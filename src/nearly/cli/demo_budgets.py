"""The demo's second table: the same questions within a budget of error, beside exact runs.

An algorithm whose exact run is a pass from every vertex is measured from some vertices, drawn at random, and the time
for all is extrapolated; the table marks that. If the planner finds nothing faster than such an exact run, it is not
run here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

import nearly
from nearly.base.progress import Progress
from nearly.cli import output

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

_SOURCES = 32  # from which the time of all is extrapolated
_NOTE = "max error: of what, docs/budgets.md says. speedup: exact seconds over these seconds"
_ABOUT = "; ~ where exact was measured from {} vertices and extrapolated"


@dataclass(frozen=True)
class BudgetRow:
    """One question: what was asked for and what came of it; seconds and error are None where it was not run."""

    algorithm: str
    max_error: float
    exact_seconds: float
    extrapolated: bool
    choice: str
    guarantee: str
    seconds: float | None = None
    error: float | None = None
    error_kind: str | None = None
    confidence: float | None = None

    @property
    def speedup(self) -> float | None:
        """Exact seconds over these."""
        return self.exact_seconds / self.seconds if self.seconds else None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "speedup": self.speedup}


def within_budgets(
    graph: Graph, budgets: Sequence[tuple[str, float]], repeat: int, progress: Progress
) -> list[BudgetRow]:
    """A row for each algorithm and largest error; seconds are medians of `repeat` runs."""
    rows = []
    for done, (name, max_error) in enumerate(budgets):
        progress(f"{name} within a budget", done, len(budgets))
        rows.append(_answered(graph, name, max_error, repeat))
    return rows


def _answered(graph: Graph, name: str, max_error: float, repeat: int) -> BudgetRow:
    from nearly.engine.algorithm import ALGORITHMS

    ask = getattr(nearly, name)
    partly = ALGORITHMS.get(name).all_sources and graph.n > _SOURCES
    some = {"sources": _SOURCES} if partly else {}
    runs = [ask(graph, **some).seconds for _ in range(1 if partly else repeat)]
    exact = median(runs) * (graph.n / _SOURCES if partly else 1)
    plan = nearly.plan(graph, name, max_error=max_error)
    if plan.choice == "exact" and partly:
        return BudgetRow(name, max_error, exact, partly, "exact (not run here)", "exact")
    answers = [ask(graph, max_error=max_error) for _ in range(repeat)]
    last = answers[-1]
    return BudgetRow(
        name, max_error, exact, partly, last.plan.choice, last.guarantee, median(one.seconds for one in answers),
        last.error, last.error_kind, last.confidence,
    )  # fmt: skip


def budget_tables(rows: list[BudgetRow]) -> list[Any]:
    """The table for people, and what its columns mean."""
    lines = [
        {
            "algorithm": row.algorithm,
            "max error": row.max_error,
            "seconds": row.seconds,
            "speedup": "-"
            if row.speedup is None
            else f"{'~' if row.extrapolated else ''}{row.speedup:,.{0 if row.speedup >= 100 else 2}f}x",
            "error": "-" if row.error is None else f"{row.error:.2g} {row.error_kind}",
            "guarantee": row.guarantee + (f" ({row.confidence:.0%})" if row.guarantee == "statistical" else ""),
            "choice": row.choice,
        }
        for row in rows
    ]
    about = _ABOUT.format(_SOURCES) if any(row.extrapolated for row in rows) else ""
    return [output.rows("within a budget", lines), f"{_NOTE}{about}."]
