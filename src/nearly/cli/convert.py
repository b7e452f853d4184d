"""`nearly convert IN OUT`: read in one format, write in another; the options are the parameters of `nearly.read`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.cli import output
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import CHANGED, Source
from nearly.cli.saving import TargetFormat, check_target, save, saved_facts

app = new_app()


def convert(
    source: Source,
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; its extension says the format.")],
    to: TargetFormat = None,
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Read a graph in one format and write it in another."""
    check_target(target, to)
    with bars("reading") as progress:
        begin = time.perf_counter()
        graph = nearly.read(source, **chosen, progress=progress)
        seconds = time.perf_counter() - begin
        written = save(graph, target, to, progress)
    document = {"source": str(source), "read_seconds": seconds, **written}
    output.show(document, json, output.facts(str(source), saved_facts(document)))


app.command()(with_options_of(nearly.read, convert, CHANGED))
