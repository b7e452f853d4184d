"""What a report is made of: figures with their promise and price, tables, charts, and sections of these."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nearly.engine.result import Result
from nearly.engine.result_words import in_words


@dataclass(frozen=True)
class Figure:
    """A number of the report.

    name : what it is.
    value : as it is shown; "" where there is none.
    guarantee : one word, as `Result.guarantee` has it; "missing" where there is no value.
    promise : the same in words, with the error; why it is missing, where it is.
    interval : (low, high), between which the right number lies, where that is more than the number itself.
    method : what the planner chose.
    seconds : what it cost; None where that is in the figure before.
    """

    name: str
    value: str
    guarantee: str = "exact"
    promise: str = "exact"
    interval: tuple[float, float] | None = None
    method: str = ""
    seconds: float | None = None

    @property
    def between(self) -> str:
        """The interval in words."""
        if self.interval is None:
            return ""
        low, high = self.interval
        ends = shown(low), shown(high)
        if ends[0] == ends[1] and low < high:  # a narrow one, which more digits tell apart
            ends = f"{low:.7g}", f"{high:.7g}"
        return f"{ends[0]} to {ends[1]}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        ends = None if self.interval is None else [end if math.isfinite(end) else None for end in self.interval]
        return {**vars(self), "interval": ends}


@dataclass(frozen=True)
class Table:
    """Rows of texts under heads; `numbers` are the columns to be set at the right."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    note: str = ""
    numbers: tuple[int, ...] = ()


@dataclass
class Section:
    """A part of the report."""

    key: str
    title: str
    words: str = ""
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    missing: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tables = [{"title": t.title, "heads": t.heads, "rows": t.rows, "note": t.note} for t in self.tables]
        figures = [figure.to_dict() for figure in self.figures]
        return {"section": self.key, "title": self.title, "figures": figures, "tables": tables, "missing": self.missing}


def shown(value: Any) -> str:
    """A number as people read it.

    >>> shown(1234567), shown(0.000123456), shown(3.14159), shown(float("inf"))
    ('1,234,567', '0.000123', '3.14', 'infinite')
    """
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if not math.isfinite(value):
        return "infinite" if value > 0 else "-infinite" if value < 0 else "not known"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"


def figure_of(name: str, value: Any, result: Result, *, interval: Any = None, counted: bool = True) -> Figure:
    """A figure with the promise of a result; its cost is told where `counted`."""
    ends = None
    if interval is not None and result.guarantee != "exact":
        low, high = (float(end) for end in interval)
        ends = (low, high) if low < high else None
    method = "exact" if result.plan is None or result.plan.fell_back else result.plan.choice
    return Figure(
        name, shown(value), result.guarantee, in_words(result), ends, method, result.seconds if counted else None
    )


def missing_figure(name: str, why: str) -> Figure:
    """A figure that there was no time for, or that makes no sense here."""
    return Figure(name, "", "missing", why)
