"""`nearly model GRAPH --algorithm A --technique T`: runs on a modelled GPU, exact against techniques."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.cli import output
from nearly.cli.options import new_app
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source
from nearly.cli.saving import check_target_file
from nearly.cli.vertex_options import vertex_of
from nearly.experiments.estimate_view import columns, plot_estimates
from nearly.model import DEVICES, POLICIES, PROFILES

app = new_app()

Algorithm = Annotated[str, typer.Option("--algorithm", "-a", metavar="NAME", help=f"One of: {', '.join(PROFILES)}.")]
Techniques = Annotated[
    list[str] | None,
    typer.Option(
        "--technique", "-t", metavar="SPEC", help="Such as coalesce or normalize-degrees; several are compared."
    ),
]
Policy = Annotated[str, typer.Option("--policy", "-p", help=f"One of: {', '.join(POLICIES)}.")]
Threshold = Annotated[
    int | None,
    typer.Option("--threshold", help="Edges of a virtual node, or above which a row is heavy.", min=1),
]
Strided = Annotated[
    bool, typer.Option("--strided", help="Virtual nodes of a row (split) take every p-th of its edges.")
]
OnDevice = Annotated[str, typer.Option("--device", help=f"One of: {', '.join(DEVICES)}.")]
Start = Annotated[str | None, typer.Option("--source", help="Where a search starts, by its id or name in the file.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the counts side by side: .png, .svg.")]


@app.command()
def model(  # noqa: PLR0913
    graph: Source,
    algorithm: Algorithm = "pagerank",
    technique: Techniques = None,
    policy: Policy = "topology",
    device: OnDevice = "k40c",
    threshold: Threshold = None,
    strided: Strided = False,
    source: Start = None,
    plot: Plot = None,
    as_directed: Directed = None,
    json: output.Json = False,
) -> None:
    """Model a run on a GPU: coalescing, divergence, fast memory."""
    from nearly.experiments.pictures import check_picture

    check_target_file(plot, check_picture)
    with bars("reading") as progress:
        g = nearly.read(graph, directed=as_directed, progress=progress)
        more: dict[str, Any] = {} if source is None else {"source": vertex_of(g, source)}
        layout: dict[str, Any] = {"policy": policy, "threshold": threshold, "strided": strided}
        made = []
        for done, approx in enumerate([None, *(technique or [])]):
            progress(f"modelling {approx or 'exact'}", done, 1 + len(technique or []))
            spec: Any = None if approx is None else approx.split("+")
            made.append(nearly.model.estimate(g, algorithm, spec, device=device, **layout, **more))
    document: dict[str, Any] = {
        "file": str(graph), "vertices": g.n, "arcs": g.m, "modelled": True,
        "estimates": [e.to_dict() for e in made],
    }  # fmt: skip
    if plot is not None:
        plot_estimates(made, plot, f"{algorithm} on {graph.name}, {policy}: modelled, {device}")
        document["plot"] = str(plot)
    title = f"{algorithm} on {graph}, policy {policy}, modelled for {device}"
    rows = [{"technique": e.technique, **columns(e, made[0])} for e in made]
    saved = [f"drawn: {plot}"] if plot is not None else []
    output.show(document, json, output.rows(title, rows), "Everything in this table is modelled, not measured.", *saved)
