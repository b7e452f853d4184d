"""`nearly generate KIND ... -o FILE`: a command for every generator, with the generator's own parameters as options."""

from __future__ import annotations

import inspect
import time
import typing
from collections.abc import Callable
from typing import Any

import nearly
from nearly.cli import output
from nearly.cli.options import documentation, new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.saving import Target, TargetFormat, check_target, save, saved_facts
from nearly.graph.csr import Graph

app = new_app(no_args_is_help=True)


@app.callback()
def generate() -> None:
    """Make a graph of a chosen kind and write it to a file."""


def generators() -> dict[str, Callable[..., Graph]]:
    """The functions of `nearly.generate` that make a graph from nothing, by their names on the command line."""
    functions = {name: getattr(nearly.generate, name) for name in nearly.generate.__all__}
    return {name.replace("_", "-"): function for name, function in functions.items() if _makes_a_graph(function)}


def _makes_a_graph(thing: object) -> bool:
    if not inspect.isfunction(thing):
        return False
    hints = typing.get_type_hints(thing)
    return hints.pop("return", None) is Graph and Graph not in hints.values()


def _command(kind: str, function: Callable[..., Graph]) -> Callable[..., None]:
    def action(target: Target, to: TargetFormat = None, json: output.Json = False, *, chosen: dict[str, Any]) -> None:
        check_target(target, to)
        with bars("generating") as progress:
            begin = time.perf_counter()
            graph = function(**chosen, progress=progress)
            seconds = time.perf_counter() - begin
            written = save(graph, target, to, progress)
        document = {"kind": kind, "parameters": chosen, "generate_seconds": seconds, **written}
        output.show(document, json, output.facts(kind, saved_facts(document)))

    return with_options_of(function, action)


for _kind, _function in generators().items():
    app.command(_kind, short_help=documentation(_function)[0].splitlines()[0])(_command(_kind, _function))
