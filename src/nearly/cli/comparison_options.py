"""The options that `compare` and `sweep` share: the settings of `nearly.compare`, and the files to write."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nearly.cli.options import Changed
from nearly.cli.vertex_options import vertex_of
from nearly.graph.csr import Graph

Csv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the rows, with all metrics, as CSV.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw speed against error: .png, .svg or .pdf.")
]
Budgets = Annotated[
    list[float] | None,
    typer.Option("--max-error", metavar="ERROR", help="A budget: adds what the planner makes of it; may be repeated."),
]
SETTINGS = {
    "source": Changed(
        hint=str,
        help="The vertex from which bfs and sssp start, by its id or name in the file; by default that of highest "
        "out-degree.",
    ),
    "sources": Changed(low=1),
    "repeat": Changed(low=1, high=1001),
    "seed": Changed(low=0),
    "threads": Changed(help="Threads to use; by default all cores.", low=1),
}


def settings_for(graph: Graph, chosen: dict[str, Any]) -> dict[str, Any]:
    """The chosen settings, with the source as a vertex of the graph."""
    source = chosen["source"]
    return {**chosen, "source": None if source is None else vertex_of(graph, source)}
