"""`nearly info GRAPH`: what a graph file holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

import nearly
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.bars import bars
from nearly.cli.options import with_options_of
from nearly.cli.reading import SPELLED, read
from nearly.cli.summary import file_bytes, summary

app = typer.Typer(add_completion=False)


def info(
    graph: Annotated[Path, typer.Argument(help="The file to read; its extension says the format.", show_default=False)],
    json: output.Json = False,
    *,
    chosen: dict[str, Any],
) -> None:
    """Show what a graph file holds."""
    with bars("reading") as progress:
        begin = time.perf_counter()
        g = read(graph, chosen, progress)
        seconds = time.perf_counter() - begin
        document = {"file": str(graph), "file_bytes": file_bytes(graph), "read_seconds": seconds, **summary(g)}
    output.show(document, json, *_tables(document))


def _tables(document: dict[str, Any]) -> list[Any]:
    memory, arcs = document["memory_bytes"], document["arcs"]
    lines = {
        "vertices": document["vertices"],
        "arcs": arcs,
        "directed": document["directed"],
        "weights": document["weights"] or "none",
        "self-loops": document["self_loops"],
        "isolated vertices": document["isolated_vertices"],
        "original ids kept": document["original_ids"],
        "memory": human_bytes(memory) + (f" ({memory / arcs:.2f} bytes an arc)" if arcs else ""),
        "file size": human_bytes(document["file_bytes"]),
        "seconds to read": document["read_seconds"],
        "fingerprint": document["fingerprint"],
    }
    ranges = {
        "degree": document.get("degree"),
        "out-degree": document.get("out_degree"),
        "in-degree": document.get("in_degree"),
    }
    spread = [{"": name, **values} for name, values in ranges.items() if values]
    weights = document["weight_range"]
    return [
        output.facts(document["file"], lines),
        *([output.rows("degrees", spread)] if spread else []),
        *([output.rows("weights", [weights])] if weights else []),
    ]


app.command()(with_options_of(nearly.read, info, SPELLED))
