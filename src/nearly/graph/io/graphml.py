"""GraphML: XML with typed attributes of vertices and edges; see graphml.graphdrawing.org.

One graph of plain edges, all directed or none. Hyperedges and graphs within vertices are refused. `<default>` values
count where an element has none.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO, NamedTuple

from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.described import WEIGHT, Described, described, edges_of, kind_of, labels_of, vertices_of
from nearly.graph.io.read_options import Options
from nearly.graph.io.xml_events import Refused, XmlReader, attribute, content

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class Key(NamedTuple):
    """What a <key> declares."""

    name: str
    kind: str
    about: str  # node, edge, all, or something else


def value_of(text: str, kind: str) -> Any:
    """A value of a declared type."""
    try:
        if kind in ("int", "long", "integer"):
            return int(text)
        if kind in ("float", "double"):
            return float(text)
        if kind == "boolean":
            return _TRUTH[text.strip().lower()]
    except (ValueError, KeyError):
        raise Refused(f"{text[:80]!r} is no {kind}, as its attribute is declared") from None
    return text


def read_graphml(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a GraphML file."""
    reader = _Reader(path, options)
    XmlReader(reader.begin, reader.end, reader.made.note).read(path)
    if not reader.graphs:
        raise reader.made.bad(None, "there is no <graph> in the file; is it GraphML?")
    return reader.made.graph()


class _Reader:
    """The state between events."""

    def __init__(self, path: str | os.PathLike[str], options: Options) -> None:
        self.made, self.graphs = Described(path, options), 0
        self.keys: dict[str, Key] = {}
        self.defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}}
        self.key = self.data = ""
        self.item: tuple[str, dict[str, str]] | None = None
        self.values: dict[str, Any] = {}

    def begin(self, name: str, given: dict[str, str]) -> None:
        if name == "key":
            self.key = given.get("id", "")
            named, kind = given.get("attr.name", self.key), given.get("attr.type", "string")
            self.keys[self.key] = Key(named, kind, given.get("for", "all"))
        elif name == "graph":
            self.graphs += 1
            if self.graphs > 1 or self.item is not None:
                raise Refused("there is more than one graph in the file, or one within a vertex; keep one")
            self.made.directed = given.get("edgedefault") != "undirected"
        elif name == "hyperedge":
            raise Refused("a hyperedge joins more than two vertices; write edges instead")
        elif name in ("node", "edge"):
            if not self.graphs:
                raise Refused(f"a <{name}> stands outside of the <graph>")
            self.item, self.values = (name, given), dict(self.defaults[name])
        elif name == "data":
            self.data = given.get("key", "")

    def end(self, name: str, text: str) -> None:
        if name == "default" and self.key in self.keys:
            key = self.keys[self.key]
            for about in ("node", "edge"):
                if key.about in (about, "all"):
                    self.defaults[about][key.name] = value_of(text, key.kind)
        elif name == "data" and self.item is not None:
            key = self.keys.get(self.data, Key(self.data, "string", "all"))
            self.values[key.name] = value_of(text, key.kind)
        elif name in ("node", "edge") and self.item is not None:
            self._add(name, self.item[1])
            self.item = None
        elif name == "key":
            self.key = ""

    def _add(self, name: str, given: dict[str, str]) -> None:
        made, wanted = self.made, ("id",) if name == "node" else ("source", "target")
        if not all(one in given for one in wanted):
            raise Refused(f"a <{name}> lacks {' or '.join(wanted)}")
        if name == "node":
            made.vertex(given["id"], self.values)
            return
        way = given.get("directed")
        if way is not None and (way.lower() == "true") != made.directed:
            raise Refused("some edges are directed and some are not; make them all alike")
        made.edge(made.vertex(given["source"]), made.vertex(given["target"]), self.values)


def write_graphml(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A GraphML file."""

    def put(text: str) -> None:
        file.write(text.encode())

    put(f"{_HEAD}<!-- {described(graph)} -->\n")
    edges = {} if graph.edge_columns is None else graph.edge_columns.columns
    keys: dict[tuple[str, str], str] = {}
    for about, columns in (("node", graph.vertex_columns or {}), ("edge", edges)):
        for name, column in columns.items():
            keys[about, name] = f"d{len(keys)}"
            kind = kind_of(column)
            put(f'<key id="{keys[about, name]}" for="{about}" attr.name={attribute(name)} attr.type="{kind}"/>\n')
    if graph.weighted:
        kind = "long" if graph.arrays.weights.dtype.kind == "u" else "double"
        put(f'<key id="weight" for="edge" attr.name="{WEIGHT}" attr.type="{kind}"/>\n')
    put(f'<graph edgedefault="{"directed" if graph.directed else "undirected"}">\n')
    for label, values in vertices_of(graph):
        inside = "".join(f'<data key="{keys["node", name]}">{content(x)}</data>' for name, x in values.items())
        put(f"<node id={attribute(label)}>{inside}</node>\n" if inside else f"<node id={attribute(label)}/>\n")
    labels = [attribute(label) for label in labels_of(graph)]
    for edge in edges_of(graph, progress):
        inside = "" if edge.weight is None else f'<data key="weight">{edge.weight}</data>'
        inside += "".join(f'<data key="{keys["edge", name]}">{content(x)}</data>' for name, x in edge.values.items())
        put(f"<edge source={labels[edge.source]} target={labels[edge.target]}>{inside}</edge>\n")
    put("</graph>\n</graphml>\n")
