"""`nearly compare GRAPH`: every technique, or those named, against exact runs on one graph."""

from __future__ import annotations

from typing import Annotated

import typer

import nearly
from nearly.cli import comparison_view as comparisons
from nearly.cli import output
from nearly.cli.comparison_view import Csv, Limit, Plot, Repeat, Seed, Sources, Start, Threads
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source, read_transformed, vertex_of

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


@app.command()
def compare(
    graph: Source,
    algorithm: Algorithms = None,
    technique: Techniques = None,
    policy: Policies = None,
    source: Start = None,
    sources: Sources = 64,
    repeat: Repeat = 5,
    seed: Seed = 1,
    threads: Threads = None,
    limit: Limit = 60.0,
    csv: Csv = None,
    plot: Plot = None,
    as_directed: Directed = None,
    json: output.Json = False,
) -> None:
    """Measure techniques against exact runs on a graph."""
    comparisons.check_files(csv, plot)
    _check_names(algorithm, technique)
    with bars("reading") as progress:
        g, transformed = read_transformed(graph, as_directed, progress)
        found = nearly.compare(
            g, algorithm or None, technique or ([transformed] if transformed else None),
            policies=policy or ("auto",), source=None if source is None else vertex_of(g, source),
            sources=sources, repeat=repeat, seed=seed, threads=threads, limit=limit, progress=progress,
        )  # fmt: skip
    comparisons.check_measured(found)
    document = comparisons.document(found, file=str(graph), vertices=g.n, arcs=g.m)
    title = f"{graph.name}: {g.n:,} vertices, {g.m:,} arcs"
    document.update(comparisons.save(found, csv, plot, title))
    output.show(document, json, *comparisons.tables(title, found), *comparisons.saved(document))


def _check_names(algorithms: list[str] | None, techniques: list[str] | None) -> None:
    """Misspelled names and bad knobs are told before a large file is read."""
    from nearly.experiments.compare import as_algorithms, compositions

    as_algorithms(algorithms or None, techniques or None)
    compositions(techniques or None)
