"""GEXF: Gephi's XML. Vertices with labels, typed attributes, weights of edges; times and pictures are passed over."""

from __future__ import annotations

import os
from typing import Any, BinaryIO

from nearly.base.progress import Progress
from nearly.graph.csr import Graph
from nearly.graph.io.described import WEIGHT, Described, described, edges_of, kind_of, labels_of, vertices_of
from nearly.graph.io.graphml import value_of
from nearly.graph.io.read_options import Options
from nearly.graph.io.xml_events import Refused, XmlReader, attribute

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
_ITEMS = ("node", "edge")


def read_gexf(path: str | os.PathLike[str], options: Options) -> Graph:
    """A graph from a GEXF file."""
    reader = _Reader(path, options)
    XmlReader(reader.begin, reader.end, reader.made.note).read(path)
    if not reader.graphs:
        raise reader.made.bad(None, "there is no <graph> in the file; is it GEXF?")
    return reader.made.graph()


class _Reader:
    """The state between events."""

    def __init__(self, path: str | os.PathLike[str], options: Options) -> None:
        self.made, self.graphs, self.about, self.key = Described(path, options), 0, "", ""
        self.keys: dict[tuple[str, str], tuple[str, str]] = {}
        self.defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}}
        self.item: tuple[str, dict[str, str]] | None = None
        self.values: dict[str, Any] = {}

    def begin(self, name: str, given: dict[str, str]) -> None:
        if name == "graph":
            self.graphs += 1
            if self.graphs > 1:
                raise Refused("there is more than one graph in the file; keep one")
            self.made.directed = given.get("defaultedgetype") == "directed"
        elif name == "attributes":
            self.about = given.get("class", "node")
        elif name == "attribute":
            self.key = given.get("id", "")
            self.keys[self.about, self.key] = given.get("title", self.key), given.get("type", "string")
        elif name in _ITEMS:
            if self.item is not None:
                raise Refused(f"a <{name}> stands within a <{self.item[0]}>; write all vertices side by side")
            self.item, self.values = (name, given), dict(self.defaults[name])
        elif name == "attvalue" and self.item is not None:
            at = given.get("for", given.get("id", ""))
            title, kind = self.keys.get((self.item[0], at), (at, "string"))
            self.values[title] = value_of(given.get("value", ""), kind)

    def end(self, name: str, text: str) -> None:
        if name == "default" and (self.about, self.key) in self.keys:
            title, kind = self.keys[self.about, self.key]
            self.defaults.setdefault(self.about, {})[title] = value_of(text, kind)
        elif name in _ITEMS and self.item is not None:
            self._add(name, self.item[1])
            self.item = None

    def _add(self, name: str, given: dict[str, str]) -> None:
        made = self.made
        if name == "node":
            if "id" not in given:
                raise Refused("a <node> lacks id")
            if given.get("label", given["id"]) != given["id"]:
                self.values.setdefault("label", given["label"])
            made.vertex(given["id"], self.values)
            return
        if "source" not in given or "target" not in given:
            raise Refused("an <edge> lacks source or target")
        kind = given.get("type")
        if kind in ("directed", "undirected") and (kind == "directed") != made.directed:
            if made.src:
                raise Refused("some edges are directed and some are not; make them all alike")
            made.directed = kind == "directed"
        if WEIGHT in given:
            whole = given[WEIGHT].isascii() and given[WEIGHT].isdigit()
            self.values[WEIGHT] = value_of(given[WEIGHT], "long" if whole else "double")
        made.edge(made.vertex(given["source"]), made.vertex(given["target"]), self.values)


def write_gexf(graph: Graph, file: BinaryIO, progress: Progress) -> None:
    """A GEXF file."""

    def put(text: str) -> None:
        file.write(text.encode())

    put(f'{_HEAD}<!-- {described(graph)} -->\n<graph defaultedgetype="{"" if graph.directed else "un"}directed">\n')
    edges = {} if graph.edge_columns is None else graph.edge_columns.columns
    keys: dict[tuple[str, str], str] = {}
    for about, columns in (("node", graph.vertex_columns or {}), ("edge", edges)):
        if columns:
            put(f'<attributes class="{about}">\n')
            for name, column in columns.items():
                keys[about, name] = f"{len(keys)}"
                put(f'<attribute id="{keys[about, name]}" title={attribute(name)} type="{kind_of(column)}"/>\n')
            put("</attributes>\n")

    def inside(about: str, values: dict[str, Any]) -> str:
        found = "".join(f'<attvalue for="{keys[about, name]}" value={attribute(x)}/>' for name, x in values.items())
        return f"<attvalues>{found}</attvalues>" if found else ""

    put("<nodes>\n")
    for label, values in vertices_of(graph):
        put(f"<node id={attribute(label)} label={attribute(label)}>{inside('node', values)}</node>\n")
    put("</nodes>\n<edges>\n")
    labels = [attribute(label) for label in labels_of(graph)]
    for k, edge in enumerate(edges_of(graph, progress)):
        weight = "" if edge.weight is None else f' weight="{edge.weight}"'
        ends = f"source={labels[edge.source]} target={labels[edge.target]}"
        put(f'<edge id="{k}" {ends}{weight}>{inside("edge", edge.values)}</edge>\n')
    put("</edges>\n</graph>\n</gexf>\n")
