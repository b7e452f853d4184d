"""Writing files for a command: targets are checked before the work begins, sizes and seconds are told after it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import nearly
from nearly.base.errors import InvalidArgumentError
from nearly.base.memory import human_bytes
from nearly.base.progress import Progress
from nearly.cli.graph_summary import file_bytes, sizes

if TYPE_CHECKING:
    from nearly.graph.csr import Graph

Target = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write; its extension says the format.")
]

TargetFormat = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="The format to write, where the extension does not tell.")
]


def check_target(path: Path, format: str | None) -> None:
    """Refuse a graph file that cannot be written before hours are spent on its content."""
    from nearly.graph.io import writable_format

    check_target_file(path, lambda name: writable_format(name, format))


def check_target_file(path: Path | None, check: Callable[[Path], Any]) -> None:
    """Refuse a file that cannot be written, because of its name or its folder, before the work begins."""
    if path is None:
        return
    check(path)
    if path.is_dir():
        raise InvalidArgumentError(f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InvalidArgumentError(f"{path}: the folder {path.parent} does not exist; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InvalidArgumentError(f"{path}: nothing may be written into the folder {path.parent}")


def save(graph: Graph, path: Path, format: str | None, progress: Progress) -> dict[str, Any]:
    """Write the graph; the facts about what was written."""
    begin = time.perf_counter()
    nearly.write(graph, path, format=format, progress=progress)
    seconds = time.perf_counter() - begin
    return {"file": str(path), "file_bytes": file_bytes(path), "write_seconds": seconds, **sizes(graph)}


def saved_facts(document: dict[str, Any]) -> dict[str, Any]:
    """The lines of a table about a written graph."""
    return {
        "vertices": document["vertices"],
        "arcs": document["arcs"],
        "directed": document["directed"],
        "weights": document["weights"] or "none",
        "memory": human_bytes(document["memory_bytes"]),
        "written": f"{document['file']} ({human_bytes(document['file_bytes'])})",
        "seconds": ", ".join(
            f"{value:.2f} to {name.removesuffix('_seconds')}"
            for name, value in document.items()
            if name.endswith("_seconds")
        ),
    }
