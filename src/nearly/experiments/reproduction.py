"""How a paper is rerun: by a registered function that returns tables and traces, on stand-ins or on given graphs.

A column with numbers of the paper says so in its name; everything else was measured in this run.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from nearly.base.progress import Progress
from nearly.base.registry import Registry
from nearly.engine.trace import Trace
from nearly.graph.csr import Graph
from nearly.graph.generate import with_weights as random_weights


@dataclass
class Table:
    """A table; `note` says what a reader must know about its rows."""

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
    """The result of a rerun: tables, the traces of each figure, and by name functions that draw a picture to a path.

    `like` says of each stand-in what it is: "like soc-orkut, 512 vertices". Tables for people call it so, since the
    numbers of the paper beside it are of the graph itself.
    """

    tables: list[Table]
    figures: dict[str, dict[str, Trace]] = field(default_factory=dict)
    pictures: dict[str, Callable[[Path], None]] = field(default_factory=dict)
    like: dict[str, str] = field(default_factory=dict)

    def on(self, graphs: Mapping[str, Graph], stands_for: Mapping[str, str]) -> Reproduced:
        """The same, with those of the graphs that stand for one of the paper said to be stand-ins."""
        for name, graph in graphs.items():
            if name in stands_for:
                self.like[name] = f"like {stands_for[name]}, {graph.n:,} vertices"
        return self

    def shown(self, table: Table) -> list[dict[str, Any]]:
        """The rows of a table for people."""
        named = [
            {**row, "graph": self.like.get(row["graph"], row["graph"])} if "graph" in row else row for row in table.rows
        ]
        return named if self.like else table.rows


@dataclass(frozen=True)
class Reproduction:
    """An entry of the registry: `run(graphs, scale, repeat, progress)`; without graphs, on stand-ins.

    `on` lists where it can be measured: "cpu", and "model" if `run` takes the keyword `on` too. `rows` are the graphs
    that have figures in the paper: a given graph that bears such a name is shown beside them. `scale` is that of the
    stand-ins unless another is asked for; with it a rerun takes minutes.
    """

    name: str
    summary: str
    run: Callable[..., Reproduced]
    on: tuple[str, ...] = ("cpu",)
    rows: tuple[str, ...] = ()
    scale: int = 16


REPRODUCTIONS: Registry[Reproduction] = Registry("reproduction", "nearly.experiments.papers")


Rerun = Callable[..., Reproduced]


def reproduction(
    name: str, on: tuple[str, ...] = ("cpu",), rows: tuple[str, ...] = (), scale: int = 16
) -> Callable[[Rerun], Rerun]:
    """Register a function as the rerun of a paper; `rows` are the names of the paper's own graphs."""

    def register(run: Rerun) -> Rerun:
        summary = (run.__doc__ or "").strip().splitlines()[0]
        REPRODUCTIONS.add(name, Reproduction(name, summary, run, on, rows, scale), run.__module__)
        return run

    return register


def paper_figures() -> list[dict[str, str]]:
    """Each table and figure of the papers: the paper (a name of the registry), its place, what it shows, the command.

    They stand in papers/figures.csv; commands are Markdown, and pages are named by their place in the repository.
    """
    text = (files("nearly.experiments.papers") / "figures.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def with_weights(graphs: dict[str, Graph]) -> dict[str, Graph]:
    """The graphs, with random weights by a fixed seed where they have none."""
    return {name: graph if graph.weighted else random_weights(graph) for name, graph in graphs.items()}


def named_progress(name: str, progress: Progress) -> Progress:
    """The callback for a comparison on one of several graphs: the graph's name stands first."""
    return lambda stage, done, total: progress(f"{name}{stage.removeprefix('measuring')}", done, total)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "-" if value is None else str(value)
