"""`nearly generate KIND ... -o FILE`: a command for every generator, with the generator's own parameters as options."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nearly.cli import output
from nearly.cli.bars import bars
from nearly.cli.generators import generators
from nearly.cli.options import with_options_of
from nearly.cli.saving import Target, check_target, save

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def generate() -> None:
    """Make a graph of a chosen kind and write it to a file."""


def _command(kind: str, function: Callable[..., Graph]) -> Callable[..., None]:
    def action(output_file: Target, json: output.Json = False, *, chosen: dict[str, Any]) -> None:
        check_target(output_file)
        with bars("generating") as progress:
            begin = time.perf_counter()
            graph = function(**chosen, progress=progress)
            seconds = time.perf_counter() - begin
            written = save(graph, output_file, progress)
        document = {"kind": kind, "parameters": chosen, "generate_seconds": seconds, **written}
        output.show(document, json, output.facts(f"{kind} graph", readable(document)))

    return with_options_of(function, action)


for _kind, _function in generators().items():
    app.command(_kind)(_command(_kind, _function))
