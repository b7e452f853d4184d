"""Options that name vertices by their ids or names in the file: `--source`, `--vertices`, `--pairs` and others.

Several vertices are given by repeating the option, pairs by a file of two columns, separated by tabs, commas or blanks
as an edge list is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nearly.base.errors import GraphFormatError, InvalidArgumentError
from nearly.cli.options import Changed
from nearly.graph.csr import Graph
from nearly.graph.vertex_lookup import index_of

VERTEX_OPTIONS = {
    "source": Changed(hint=str, help="The vertex to start from, by its id or name in the file."),
    "sources": Changed(hint=int | None, help="Draw so many sources instead of using all of them."),
    "vertices": Changed(hint=list[str] | None, help="Only this vertex, by its id or name; repeat it for more."),
    "personalization": Changed(
        hint=list[str] | None, help="Jump back to this vertex only, by its id or name; repeat it for more."
    ),
    "pairs": Changed(
        hint=Path | None, help="A text file of two ids or names a line; without one, the ends of every arc."
    ),
}


def with_vertices(g: Graph, chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen, with vertices of the graph in place of ids and names."""
    found = dict(chosen)
    if found.get("source") is not None:
        found["source"] = vertex_of(g, found["source"])
    if "vertices" in found:
        found["vertices"] = [vertex_of(g, name, "--vertices") for name in found["vertices"] or ()] or None
    if "personalization" in found:
        named = found["personalization"] or ()
        found["personalization"] = {vertex_of(g, name, "--personalization"): 1.0 for name in named} or None
    if found.get("pairs") is not None:
        ends = [vertex_of(g, name, "--pairs") for pair in _lines_of(found["pairs"]) for name in pair]
        found["pairs"] = np.array(ends, np.int64).reshape(-1, 2)
    return found


def vertex_of(g: Graph, original: str, option: str = "--source") -> int:
    """The vertex that had this id or name in the file."""
    if g.named:
        return index_of(g, original, option)
    if not original.lstrip("-").isdecimal():
        raise InvalidArgumentError(f"{option} must be a whole number, as the ids of this file are, not {original!r}")
    return index_of(g, int(original), option)


def _lines_of(path: Path) -> Iterator[tuple[str, str]]:
    """The pairs of a file; comments and empty lines are left out."""
    if not path.is_file():
        raise InvalidArgumentError(f"--pairs must be a file of two columns, and {str(path)!r} is none")
    with open(path, encoding="utf-8", errors="strict") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if not text or text[0] in "#%":
                continue
            mark = next((mark for mark in "\t," if mark in text), None)
            ends = [end.strip() for end in text.split(mark)]
            if len(ends) != 2:
                raise GraphFormatError(path, number, text, "two ids or names make a pair")
            yield ends[0], ends[1]
