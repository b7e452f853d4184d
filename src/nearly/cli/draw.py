"""`nearly draw GRAPH -o picture.svg`: a picture of a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.options import Changed, new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import Directed, Source
from nearly.cli.saving import check_target_file

app = new_app()

Picture = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The picture to write: .svg, .png or .pdf.")
]
_MEASURE = "degree, communities, the name of an algorithm, or none"
_CHANGED = {
    "size": Changed(hint=str, help=f"What makes vertices large: {_MEASURE}."),
    "colour": Changed(hint=str, help=f"What colours show: {_MEASURE}."),
}


def draw(
    graph: Source,
    path: Picture = Path("picture.svg"),
    as_directed: Directed = None,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Draw a graph, with size and colour by results."""
    from nearly.reporting.drawing import check_drawing

    check_target_file(path, check_drawing)
    for measure in ("size", "colour"):
        chosen[measure] = None if chosen[measure] == "none" else chosen[measure].replace("-", "_")
    with bars("reading") as progress:
        g = nearly.read(graph, directed=as_directed, progress=progress)
        made = nearly.draw(g, path, **chosen, progress=progress)
    scene, size = made.scene, path.stat().st_size
    document = {
        "file": str(graph), "vertices": g.n, "arcs": g.m, "picture": str(path), "picture_bytes": size,
        "dots": len(scene.at), "lines": len(scene.lines), "title": scene.title, "notes": scene.notes,
    }  # fmt: skip
    drawn = f"{len(scene.at):,} dots, {len(scene.lines):,} lines"
    lines = {
        "written": f"{path} ({human_bytes(size)})",
        "drawn": drawn,
        "notes": "; ".join(scene.notes) or "none",
    }
    output.show(document, json, output.facts(f"{graph}: {g.n:,} vertices, {g.m:,} arcs", lines))


app.command()(with_options_of(nearly.draw, draw, _CHANGED))
