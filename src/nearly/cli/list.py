"""`nearly list [WHAT]`: what there is to choose from. A listing is one entry of `LISTINGS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer

from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.options import documentation, new_app

app = new_app()


class Listing(NamedTuple):
    """What is listed, and how to get one record a line."""

    about: str
    records: Callable[[], list[dict[str, Any]]]


def _generators() -> list[dict[str, Any]]:
    import inspect

    from nearly.cli.generators import generators

    return [
        {
            "name": name,
            "makes": documentation(function)[0].splitlines()[0],
            "parameters": ", ".join(p for p in inspect.signature(function).parameters if p != "progress"),
        }
        for name, function in generators().items()
    ]


ABOUT_FORMATS = {
    "npz": "nearly's own: opens in milliseconds, memory-mapped",
    "text": "edge list: two ids and perhaps a weight a line; # and % begin comments",
    "csv": "edge table, with or without a line of column names",
    "parquet": "edge table; needs the extra nearly[parquet]",
    "mtx": "Matrix Market coordinates",
    "gr": "DIMACS shortest path",
    "metis": "METIS adjacency lists",
}


def _formats() -> list[dict[str, Any]]:
    from nearly.graph.read import EXTENSIONS
    from nearly.graph.write import WRITERS

    return [
        {
            "name": name,
            "extensions": " ".join(extension for extension, format in EXTENSIONS.items() if format == name),
            "read": name in EXTENSIONS.values(),
            "written": name in WRITERS,
            "about": about,
        }
        for name, about in ABOUT_FORMATS.items()
    ]


def _algorithms() -> list[dict[str, Any]]:
    from nearly.engine.algorithm import ALGORITHMS

    return [
        {
            "name": entry.name.replace("_", "-"),
            "answers": entry.summary,
            "policies": " ".join(("auto", *entry.policies)),
            "auto is": "a kernel of its own" if entry.direct else "rounds of operators",
            "reads as undirected": entry.undirected,
        }
        for entry in ALGORITHMS
    ]


def _papers() -> list[dict[str, Any]]:
    from nearly.experiments.reproduction import REPRODUCTIONS

    return [{"name": entry.name, "reruns": entry.summary} for entry in REPRODUCTIONS]


LISTINGS = {
    "algorithms": Listing("algorithms that `nearly run` runs", _algorithms),
    "papers": Listing("papers whose tables `nearly reproduce` reruns", _papers),
    "generators": Listing("kinds of graphs that `nearly generate` makes", _generators),
    "formats": Listing("file formats that can be read and written", _formats),
}


What = Annotated[str | None, typer.Argument(metavar="WHAT", help="What to list; without it, what can be listed.")]


@app.command()
def what(
    listing: What = None,
    json: output.Json = False,
) -> None:
    """List what there is to choose from."""
    if listing is None:
        records = [{"name": name, "lists": entry.about} for name, entry in LISTINGS.items()]
        output.show({"listings": records}, json, output.rows("nearly list ...", records))
        return
    name = listing.replace("_", "-")
    if name not in LISTINGS:
        raise InvalidArgumentError(f"there is no listing {listing!r}; choose from {', '.join(LISTINGS)}")
    records = LISTINGS[name].records()
    output.show({name: records}, json, output.rows(LISTINGS[name].about, records))
