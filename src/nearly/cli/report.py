"""`nearly report GRAPH -o report.html`: a page about a graph."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source
from nearly.cli.saving import check_target_file

app = new_app()

Page = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write, an .html file.")]


def report(
    graph: Source,
    path: Page = Path("report.html"),
    as_directed: Directed = None,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Make a page about a graph: one file, no network."""
    from nearly.reporting.report import check_page

    check_target_file(path, check_page)
    with bars("reading") as progress:
        begin = time.perf_counter()
        g = nearly.read(graph, directed=as_directed, progress=progress)
        seconds = time.perf_counter() - begin
        chosen["title"] = chosen["title"] or graph.name
        made = nearly.report(g, path, **chosen, progress=progress)
    size = path.stat().st_size
    written = {"report": str(path), "report_bytes": size, "read_seconds": seconds}
    document = {"file": str(graph), "vertices": g.n, "arcs": g.m, **written, **made.to_dict()}
    figures = [figure for section in made.sections for figure in section.figures]
    late = [figure.name for figure in figures if figure.guarantee == "missing"]
    lines = {
        "written": f"{path} ({human_bytes(size)})",
        "seconds": f"{seconds:.2f} to read, {made.seconds:.2f} to answer, {made.compile_seconds:.2f} to compile",
        "figures": len(figures),
        "missing": ", ".join(late) or "none",
    }
    output.show(document, json, output.facts(f"{graph}: {g.n:,} vertices, {g.m:,} arcs", lines))


app.command()(with_options_of(nearly.report, report))
