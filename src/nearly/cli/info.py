"""`nearly info GRAPH`: what a graph file holds."""

from __future__ import annotations

import time
from typing import Any

import nearly
from nearly.base.memory import human_bytes
from nearly.cli import output
from nearly.cli.graph_summary import file_bytes, summary
from nearly.cli.options import new_app, with_options_of
from nearly.cli.progress_bars import bars
from nearly.cli.reading import CHANGED, Source

_SPREADS = {"degree": "degree", "out_degree": "out-degree", "in_degree": "in-degree", "weight_range": "weight"}

app = new_app()


def info(graph: Source, json: output.Json = False, *, chosen: dict[str, Any]) -> None:
    """Show what a graph file holds."""
    with bars("reading") as progress:
        begin = time.perf_counter()
        g = nearly.read(graph, **chosen, progress=progress)
        seconds = time.perf_counter() - begin
        progress("looking", 0, None)
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
    spread = [{"": shown, **document[name]} for name, shown in _SPREADS.items() if document.get(name)]
    return [output.facts(document["file"], lines), *([output.rows("distribution", spread)] if spread else [])]


app.command()(with_options_of(nearly.read, info, CHANGED))
