"""What reruns a paper: a registered function that returns tables and traces, on stand-ins or on given graphs.

A cell that repeats a figure of the paper says so in its column's name; everything else was measured in this run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nearly.base.registry import Registry
from nearly.engine.trace import Trace


@dataclass
class Table:
    """Rows of one form; `note` says what a reader must know to read them."""

    title: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""

    def to_markdown(self) -> str:
        columns = list(self.rows[0]) if self.rows else []
        lines = [f"### {self.title}", "", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
        lines += [f"| {' | '.join(_cell(row.get(c)) for c in columns)} |" for row in self.rows]
        return "\n".join([*lines, "", self.note, ""])


@dataclass
class Reproduced:
    """What came out: tables, per figure the traces to draw, and by name functions that draw a picture to a path."""

    tables: list[Table]
    figures: dict[str, dict[str, Trace]] = field(default_factory=dict)
    pictures: dict[str, Callable[[Path], None]] = field(default_factory=dict)


@dataclass(frozen=True)
class Reproduction:
    """An entry of the registry: `run(graphs, scale, repeat, progress)`; without graphs, on stand-ins.

    `on` lists what it can be measured on: "cpu", and "model" for those whose `run` takes `on=` as well.
    """

    name: str
    summary: str
    run: Callable[..., Reproduced]
    on: tuple[str, ...] = ("cpu",)


REPRODUCTIONS: Registry[Reproduction] = Registry("reproduction", "nearly.experiments.papers")


Rerun = Callable[..., Reproduced]


def reproduction(name: str, on: tuple[str, ...] = ("cpu",)) -> Callable[[Rerun], Rerun]:
    """Register a function as the rerun of a paper."""

    def register(run: Rerun) -> Rerun:
        summary = (run.__doc__ or "").strip().splitlines()[0]
        REPRODUCTIONS.add(name, Reproduction(name, summary, run, on), run.__module__)
        return run

    return register


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "-" if value is None else str(value)
