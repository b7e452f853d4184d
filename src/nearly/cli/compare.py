"""`nearly compare GRAPH`: every technique, or those named, against exact runs on one graph."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import nearly
from nearly.cli import output
from nearly.cli.comparison_options import SETTINGS, Budgets, Csv, Plot, settings_for
from nearly.cli.comparison_view import Wanted, present
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source, read_transformed

app = new_app()

Algorithms = Annotated[
    list[str] | None,
    typer.Option("--algorithm", "-a", metavar="NAME", help="An algorithm; all that a technique supports if left out."),
]
Techniques = Annotated[
    list[str] | None,
    typer.Option(
        "--technique", "-t", metavar="SPEC",
        help="Such as partial-edges:keep=0.7, or two together: partial-edges+reduced-execution; all if left out.",
    ),
]  # fmt: skip
Policies = Annotated[
    list[str] | None, typer.Option("--policy", "-p", metavar="NAME", help="A policy; auto if left out.")
]


def compare(  # noqa: PLR0913
    graph: Source,
    algorithm: Algorithms = None,
    technique: Techniques = None,
    policy: Policies = None,
    max_error: Budgets = None,
    csv: Csv = None,
    plot: Plot = None,
    as_directed: Directed = None,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Measure techniques against exact runs on a graph."""
    wanted = Wanted(csv, plot, json)
    wanted.check()
    _check_names(algorithm, technique)
    with bars("reading") as progress:
        g, transformed = read_transformed(graph, as_directed, progress)
        techniques: Any = technique or ([transformed] if transformed else None)
        settings = {"policies": policy or ("auto",), "max_error": max_error or None, **settings_for(g, chosen)}
        found = nearly.compare(g, algorithm or None, techniques, **settings, progress=progress)
    title = f"{graph.name}: {g.n:,} vertices, {g.m:,} arcs"
    present(found, title, {"file": str(graph), "vertices": g.n, "arcs": g.m}, wanted)


def _check_names(algorithms: list[str] | None, techniques: list[str] | None) -> None:
    """Report misspelled names and bad knobs before a large file is read."""
    from nearly.experiments.compare import as_algorithms, compositions

    as_algorithms(algorithms or None, techniques or None)
    compositions(techniques or None)


app.command()(with_options_of(nearly.compare, compare, SETTINGS))
