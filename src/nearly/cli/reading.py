"""Reading a graph for a command: the options of `nearly.read`, and transformed graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.cli.options import Changed, documentation
from nearly.graph.csr import Graph

if TYPE_CHECKING:
    from nearly.engine.technique import Technique

Source = Annotated[
    Path, typer.Argument(metavar="GRAPH", help="The file to read; its extension says the format.", show_default=False)
]

Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="GRAPH...",
        help="The file to read; its extension says the format. Many with --cluster.",
        show_default=False,
    ),
]

Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected", help="Read the edges as arcs, or store each both ways; by default as the file says."
    ),
]

# `read` leaves the policies' description to `Graph.from_edges`
_POLICIES = documentation(Graph.from_edges)[1]
CHANGED = {
    "format": Changed("--from", help="The format to read, where the extension does not tell; see nearly list formats."),
    "directed": Changed(
        "--directed/--undirected",
        help="Read the edges as arcs, or store each both ways; by default what the file says, else directed.",
    ),
    "duplicates": Changed(
        help="What becomes of parallel edges: keep, first, min or sum (of weights); "
        "by default first, and min where there are weights."
    ),
    "weights": Changed(help="Read the file's weights, or ignore them."),
    "weight_dtype": Changed(hint=str | None, help=_POLICIES["weight_dtype"]),
    **{name: Changed(help=_POLICIES[name]) for name in ("self_loops", "negative", "nan")},
}


def one_file(paths: list[Path]) -> Path:
    """The only file where one machine reads it."""
    if len(paths) > 1:
        raise InvalidArgumentError(f"{len(paths)} files: only a run with --cluster reads a graph from many; name one")
    return paths[0]


def read_transformed(path: Path, directed: bool | None, progress: Progress) -> tuple[Graph, tuple[Technique, ...]]:
    """The graph of a file, and the techniques by which the file holds it transformed, if any."""
    from nearly.engine.transform.graph_file import opened
    from nearly.graph.io import read

    g = read(path, directed=directed, progress=progress)
    return g, opened(path, g) if directed is None else ()
