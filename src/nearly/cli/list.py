"""`nearly list [WHAT]`: what there is to choose from. A listing is one entry of `LISTINGS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer

from nearly.base.errors import InvalidArgumentError
from nearly.cli import output

app = typer.Typer(add_completion=False)


class Listing(NamedTuple):
    """What is listed, and how to get one record a line."""

    help: str
    records: Callable[[], list[dict[str, Any]]]


def _generators() -> list[dict[str, Any]]:
    import inspect

    from nearly.cli.generators import generators
    from nearly.cli.options import documentation

    return [
        {
            "name": name,
            "makes": documentation(function)[0],
            "parameters": ", ".join(p for p in inspect.signature(function).parameters if p != "progress"),
        }
        for name, function in generators().items()
    ]


LISTINGS = {
    "generators": Listing("kinds of graphs that nearly generate makes", _generators),
    "formats": Listing("file formats that can be read and written", _formats),
}
