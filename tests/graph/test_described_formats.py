"""GraphML, GEXF, GML, Pajek and JSON: what NetworkX writes and reads, and what must be refused."""

from __future__ import annotations

import json

import networkx as nx
import pytest
from tests.graph.file_help import arcs, assert_same, put, refused, sample_graphs

import nearly
from nearly import Graph, GraphFormatError, InvalidArgumentError, MemoryBudgetError

WRITERS = {
    "graphml": nx.write_graphml,
    "gexf": nx.write_gexf,
    "gml": nx.write_gml,
    "net": nx.write_pajek,
    "json": lambda g, path: path.write_text(json.dumps(nx.node_link_data(g, edges="links"))),
}
READERS = {
    "graphml": nx.read_graphml,
    "gexf": lambda path: nx.read_gexf(path, version="1.3"),
    "gml": nx.read_gml,
    "net": lambda path: nx.DiGraph(nx.read_pajek(path)),
    "json": lambda path: nx.node_link_graph(json.loads(path.read_text()), edges="links"),
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("directed", [True, False])
def test_what_networkx_writes(tmp_path, kind, directed):
    wanted = nx.DiGraph() if directed else nx.Graph()
    wanted.add_weighted_edges_from([("b", "ä <&>", 0.5), ("ä <&>", "c", 2.25), ("c", "b", 7.0)])
    wanted.add_node("alone", size=3)
    path = tmp_path / f"a.{kind}"
    WRITERS[kind](wanted, path)
    g = nearly.read(path)
    assert (g.directed, g.ids.tolist()) == (directed, list(wanted))
    assert {(u, v): w for u, v, w in arcs(g)} == {
        ends: w for u, v, w in wanted.edges(data="weight") for ends in ([(u, v)] if directed else [(u, v), (v, u)])
    }
    if kind != "net":
        assert g.vertices["size"].tolist()[-1] == 3


@pytest.mark.parametrize("kind", READERS)
def test_what_networkx_reads(tmp_path, kind):
    g = Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[0.5, 2, 3])
    g = Graph(g.offsets, g.targets, g.weights, ids=["x y", "é", "z&"])
    g.save(tmp_path / f"a.{kind}")
    assert sorted(READERS[kind](tmp_path / f"a.{kind}").edges(data="weight")) == sorted(arcs(g))


@pytest.mark.parametrize(
    "graph", [name for name in sample_graphs() if "\n" not in name and not name.endswith(", names")]
)
def test_pajek_round_trip(tmp_path, graph):
    wanted = sample_graphs()[graph]
    wanted.save(tmp_path / "a.net")
    assert_same(nearly.read(tmp_path / "a.net", negative="keep"), wanted)


XML = '<?xml version="1.0"?>\n'
BOMB = XML + '<!DOCTYPE g [<!ENTITY a "xxxx"><!ENTITY b "&a;&a;">]>\n<graphml><graph><node id="&b;"/></graph></graphml>'
OUTSIDE = XML + '<!DOCTYPE g [<!ENTITY a SYSTEM "file:x">]>\n<graphml><graph><node id="1">&a;</node></graph></graphml>'
NODES = '{"nodes": [{"id": 1}, {"id": 2}], "links": '


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.graphml", BOMB, 2, ["declares entities"]),
        ("a.graphml", OUTSIDE, 2, ["declares entities"]),
        ("a.gexf", BOMB.replace("graphml", "gexf"), 2, ["declares entities"]),
        ("a.graphml", "<graphml>" + "<a>" * 500, 1, ["nested"]),
        ("a.graphml", "<graphml><graph>\n<node/></graph></graphml>", 2, ["lacks id"]),
        ("a.graphml", "<graphml></graphml>", None, ["no <graph>"]),
        ("a.graphml", "<graphml><graph><hyperedge/></graph></graphml>", 1, ["hyperedge"]),
        ("a.graphml", "<graphml><graph>\n<node id='1'>", 2, ["no sound XML"]),
        ("a.graphml", "<graphml><graph/><graph/></graphml>", 1, ["more than one graph"]),
        (
            "a.graphml",
            "<graphml><key id='k' attr.type='int'/><graph><node id='1'>\n<data key='k'>x</data>",
            2,
            ["no int"],
        ),
        ("a.gexf", "<gexf><graph><nodes>\n<node/></nodes></graph></gexf>", 2, ["lacks id"]),
        ("a.gml", "graph [\n node [ id x ]\n]\n", 2, ["expected a number"]),
        ("a.gml", "graph [ node [ id 1 ]\n edge [ source 1 target 2 ] ]\n", 2, ["not there"]),
        ("a.gml", "graph [ node [ id 1 ]\n", 1, ["as many ] as ["]),
        ("a.gml", "graph [ ] ]\n", 1, ["no [ before"]),
        ("a.gml", 'graph [ a "b\nc', None, ["no end"]),
        ("a.net", "1 2\n", 1, ["must begin with *Vertices"]),
        ("a.net", "*Vertices 2\n*Arcs\n1 3\n", 3, ["from 1 to 2", "'3'"]),
        ("a.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", 2, ["a section must be one of"]),
        ("a.json", NODES + '[{"source": 1, "target": 3}]}', None, ["links[0]", "ids of nodes"]),
        ("a.json", NODES + "\n[", 2, ["no sound JSON"]),
        ("a.json", "[" * 100_000, None, ["no sound JSON"]),
        ("a.json", '{"nodes": [{"id": 1}, {"id": 1}], "links": []}', None, ["nodes[1]", "of its own"]),
        ("a.json", "[]", None, ["nodes and links"]),
        ("a.json", NODES + f'[{{"source": 1, "target": 2, "weight": {10**400}}}]}}', None, ["weight of edge 0 is inf"]),
    ],
)
def test_bad_files(tmp_path, name, text, line, words):
    refused(put(tmp_path, name, text), GraphFormatError, *words, line=line)


def test_memory_is_estimated_first(tmp_path, monkeypatch):
    monkeypatch.setenv("NEARLY_MEMORY", "1M")
    refused(put(tmp_path, "a.net", "*Vertices 99999999\n"), MemoryBudgetError, "99,999,999 vertices")
    refused(put(tmp_path, "a.json.gz", '{"nodes": [' + " " * 10**6 + "]}"), MemoryBudgetError, "text of")
    many = "<graphml><graph>" + "".join(f"<node id='v{i}'/>" for i in range(40_000)) + "</graph></graphml>"
    refused(put(tmp_path, "a.graphml", many), MemoryBudgetError, "vertices and edges")


def test_what_a_format_cannot_hold_is_refused_in_words(tmp_path):
    for ids, name, words in (
        (["a\x01", "b"], "a.graphml", "XML cannot hold"),
        (['"', "b"], "a.net", "no room for quotes"),
        ([(1, 2), "b"], "a.gml", "whole numbers or strings"),
    ):
        labels = nx.Graph([tuple(ids)])
        with pytest.raises(InvalidArgumentError, match=words):
            Graph.from_networkx(labels).save(tmp_path / name)
    with pytest.raises(InvalidArgumentError, match="column called 'a b'"):
        Graph.from_edges([0], [1]).with_vertices({"a b": [1, 2]}).save(tmp_path / "a.gml")
    assert list(tmp_path.iterdir()) == []


def test_addresses(tmp_path, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe("/folder/a.csv", b"source,target\nx,y\n")
    said = []
    g = nearly.read("memory://folder/a.csv", progress=lambda *stage: said.append(stage[0]))
    assert (g.ids.tolist(), said[0]) == (["x", "y"], "fetching")
    with pytest.raises(nearly.FileAccessError, match=r"cannot read memory://folder/b\.csv"):
        nearly.read("memory://folder/b.csv")
    with pytest.raises(InvalidArgumentError, match="no known format"):
        nearly.read("memory://folder/b")
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(nearly.MissingDependencyError, match=r"needs fsspec: pip install 'nearly\[remote\]'"):
        nearly.read("https://example.org/a.csv")
