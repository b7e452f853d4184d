"""JSON as D3 and NetworkX write graphs: `{"directed": ..., "nodes": [{"id": ...}], "links": [{"source": ...}]}`.

The file is read as a whole, so its size is held against the memory budget first. Ids are whole numbers or strings;
`edges` does as well as `links`. Lists and objects among the attributes are passed over.
"""

from __future__ import annotations

import json
import math
import os
from typing import Any, BinaryIO

from nearly.base.errors import GraphFormatError
from nearly.base.memory import require
from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.content import Content
from nearly.graph.io.described import WEIGHT, Described, described, edges_of, labels_of, vertices_of
from nearly.graph.io.read_options import Options

_UNFOLDED = 12  # a text of JSON takes about so many times its bytes as objects
_BLOCK = 1 << 20
_LARGEST = 2**63


def read_json(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a JSON file."""
    made, document = Described(path, options), _document(path)
    nodes, links = document.get("nodes"), document.get("links", document.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise made.bad(None, "expected an object with the lists nodes and links; is this a graph?")
    about = document.get("graph")
    if isinstance(about, dict) and isinstance(about.get("nearly"), str):
        made.note(about["nearly"])
    made.directed = document.get("directed", False) is True
    for k, node in enumerate(nodes):
        label = node.get("id") if isinstance(node, dict) else None
        if type(label) not in (int, str) or label in made.place:
            raise made.bad(None, f"nodes[{k}] needs an id of its own, a whole number or a string")
        made.vertex(label, _plain(node, "id"))
    numbered = all(type(label) is int for label in made.place)
    if not numbered and any(type(label) is int for label in made.place):
        raise made.bad(None, "ids must all be whole numbers or all be strings")
    for k, link in enumerate(links):
        ends = [link.get(end) if isinstance(link, dict) else None for end in ("source", "target")]
        if not all(type(end) in (int, str) and end in made.place for end in ends):
            raise made.bad(None, f"links[{k}] needs a source and a target that are ids of nodes")
        made.edge(made.place[ends[0]], made.place[ends[1]], _plain(link, "source", "target", "key"))
    return made.graph()


def _document(path: str | os.PathLike[str]) -> dict[str, Any]:
    blocks, size = [], 0
    for block in Content(path).blocks(_BLOCK):
        blocks.append(block)
        size += len(block)
        require(_UNFOLDED * size, f"the text of {os.fspath(path)}")
    try:
        document = json.loads(b"".join(blocks))
    except json.JSONDecodeError as error:
        raise GraphFormatError(
            path, error.lineno, None, f"this is no sound JSON ({error.msg}); write it again"
        ) from None
    except (ValueError, RecursionError) as error:
        raise GraphFormatError(path, None, None, f"this is no sound JSON ({error}); write it again") from None
    if not isinstance(document, dict):
        raise GraphFormatError(path, None, None, "expected an object with the lists nodes and links; is this a graph?")
    return document


def _plain(item: dict[str, Any], *without: str) -> dict[str, Any]:
    """Those of the attributes that a column can hold."""
    kept = {k: v for k, v in item.items() if k not in without and isinstance(v, (str, int, float)) and k}
    return {k: _real(v) if type(v) is int and abs(v) >= _LARGEST else v for k, v in kept.items()}


def _real(value: int) -> float:
    """A whole number that no column of whole numbers holds; infinite beyond all floats, as 1e999 in a file is."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def write_json(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A JSON file, a vertex or an edge a line."""
    note = json.dumps({"nearly": described(graph)})
    way = json.dumps(graph.directed)
    file.write(f'{{"directed": {way}, "multigraph": false, "graph": {note}, "nodes": [\n'.encode())
    between = b""
    for label, values in vertices_of(graph):
        file.write(between + json.dumps({"id": label, **values}).encode())
        between = b",\n"
    file.write(b'\n], "links": [\n')
    labels, between = labels_of(graph), b""
    for edge in edges_of(graph, progress):
        weight = {} if edge.weight is None else {WEIGHT: _number(edge.weight)}
        ends = {"source": labels[edge.source], "target": labels[edge.target]}
        file.write(between + json.dumps({**ends, **weight, **edge.values}).encode())
        between = b",\n"
    file.write(b"\n]}\n")


def _number(text: str) -> int | float:
    return int(text) if text.isdigit() else float(text)
