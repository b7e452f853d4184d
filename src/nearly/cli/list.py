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
    """What is listed, and a function that gives one record for each line."""

    about: str
    records: Callable[[], list[dict[str, Any]]]
    tables: Callable[[list[dict[str, Any]]], list[Any]] | None = None  # if one line for each record is not enough


def _generators() -> list[dict[str, Any]]:
    import inspect

    from nearly.cli.generate import generators

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
    "text": "edge list: a line has two ids or names and perhaps a weight; # and % begin comments",
    "csv": "edge table of ids or names, with or without a line of column names",
    "parquet": "edge table; needs the extra nearly[parquet]",
    "mtx": "Matrix Market coordinates",
    "gr": "DIMACS shortest path",
    "metis": "METIS adjacency lists",
    "sg": "the GAP benchmark suite's, without weights and ids",
    "wsg": "the GAP benchmark suite's, with whole weights",
    "graphml": "GraphML, with attributes of vertices and edges",
    "gexf": "GEXF (Gephi), with attributes of vertices and edges",
    "gml": "GML, with attributes of vertices and edges",
    "pajek": "Pajek networks: names and weights",
    "json": "JSON as D3 and NetworkX write graphs (node-link), with attributes",
}


def _formats() -> list[dict[str, Any]]:
    from nearly.graph.io import EXTENSIONS, WRITERS

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
            "devices": " ".join(entry.devices),
        }
        for entry in ALGORITHMS
    ]


def _techniques() -> list[dict[str, Any]]:
    from nearly.engine.knob import NEVER
    from nearly.engine.technique import TECHNIQUES

    return [
        {
            "name": cls.name,
            "seeds": cls.reference.partition(":")[0],
            "reference": cls.reference,
            "does": cls.summary,
            "knobs": [
                {
                    "name": knob.name,
                    "default": knob.default,
                    "allowed": knob.allowed,
                    "exact": None if knob.exact is NEVER else _typed(knob.exact),
                    "meaning": knob.meaning,
                }
                for knob in cls.dials.values()
            ],
            "guarantees": dict(sorted(cls.guarantees.items())),
        }
        for cls in TECHNIQUES
    ]


def _technique_tables(records: list[dict[str, Any]]) -> list[Any]:
    """Techniques, their knobs, and what their answers guarantee, by algorithm."""
    knobs = [
        {
            "technique": record["name"] if knob is record["knobs"][0] else "",
            "knob": knob["name"],
            "default": _typed(knob["default"]),
            "exact": knob["exact"],
            "allowed": knob["allowed"],
            "meaning": knob["meaning"],
        }
        for record in records
        for knob in record["knobs"]
    ]
    matrix = [
        {"technique": record["name"] if word == min(words) else "", "guarantee": word, "for": ", ".join(words[word])}
        for record in records
        for words in [_by_word(record["guarantees"])]
        for word in sorted(words)
    ]
    return [
        output.rows(LISTINGS["techniques"].about, [{k: r[k] for k in ("name", "reference", "does")} for r in records]),
        output.rows("knobs; with their exact values a technique changes nothing", knobs),
        output.rows("what an answer guarantees, by algorithm; a technique does not apply to other algorithms", matrix),
    ]


def _by_word(guarantees: dict[str, str]) -> dict[str, list[str]]:
    """The algorithms of each guarantee."""
    words: dict[str, list[str]] = {}
    for name, word in sorted(guarantees.items()):
        words.setdefault(word, []).append(name.replace("_", "-"))
    return words


def _typed(value: Any) -> str:
    """A knob's value as it is typed."""
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def _papers() -> list[dict[str, Any]]:
    from nearly.experiments.reproduction import REPRODUCTIONS

    return [
        {
            "name": entry.name,
            "reruns": entry.summary,
            "its graphs, for --as": ", ".join(entry.rows),
            "--scale by default": entry.scale,
        }
        for entry in REPRODUCTIONS
    ]


def _figures() -> list[dict[str, Any]]:
    from nearly.experiments.reproduction import paper_figures

    return [
        {"name": f["place"], "paper": f["paper"], "shows": f["shows"], "command": f["command"]} for f in paper_figures()
    ]


LISTINGS = {
    "algorithms": Listing("algorithms that `nearly run` runs", _algorithms),
    "techniques": Listing("techniques that --approx and `nearly compare` take", _techniques, _technique_tables),
    "papers": Listing("papers that `nearly reproduce` reruns", _papers),
    "figures": Listing("tables and figures of the papers, and the command for each", _figures),
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
    tables = LISTINGS[name].tables
    shown = [output.rows(LISTINGS[name].about, records)] if tables is None else tables(records)
    output.show({name: records}, json, *shown)
