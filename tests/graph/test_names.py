"""Names: read by the parallel reader as Python would read them, kept, found, and taken wherever a vertex goes in."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.file_help import arcs, assert_same, put, refused

import nearly
from nearly import Graph, GraphFormatError, InvalidArgumentError
from nearly.graph.io import edge_list, name_scan, scan
from nearly.graph.io.read_options import Options
from nearly.graph.names import Names


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.txt", "b a\n# c d\na c\n", [("a", "c"), ("b", "a")]),
        ("a.txt", "b a 2\r\na c .5\r\n", [("a", "c", 0.5), ("b", "a", 2)]),
        ("a.tsv", "New York\tSan Jose, CA\nSan Jose, CA\tB\n", [("New York", "San Jose, CA"), ("San Jose, CA", "B")]),
        ("a.csv", "one\ttwo\nx y\tz\nz\tx y\n", [("x y", "z"), ("z", "x y")]),
        ("a.csv", 'person,friend\nann , bob\nbob,"c, d"\n', [("ann", "bob"), ("bob", "c, d")]),
        ("a.csv", 'a,b\n"say ""hi""",x\n"",x\n', [("", "x"), ('say "hi"', "x")]),
        ("a.csv", "ann,bob\nbob,cy\ncy,ann\n", [("ann", "bob"), ("bob", "cy"), ("cy", "ann")]),  # no column names
        ("a.csv", "\ufefffrom,w,to\nx,3,y\n", [("x", "y", 3)]),
        ("a.csv", "u,v,how\nx,y,fast\n", [("x", "y")]),
        ("a.csv", "u,v,w\n#x,y,1e3\n", [("#x", "y", 1000)]),
        ("a.txt", "source target\n0 1\n", [(0, 1)]),
        ("a.csv", "k,src,dst\np,12,3\nq,3,100\n", [(3, 100), (12, 3)]),  # numbers by their value
        ("a.csv", 'u,v,w\nx,y,"2"\ny,x,1\n', [("x", "y", 2), ("y", "x", 1)]),
        ("a.txt.gz", "ü ä\nä é\n", [("ä", "é"), ("ü", "ä")]),
    ],
)
def test_names_are_read(tmp_path, name, text, wanted):
    g = nearly.read(put(tmp_path, name, text))
    assert sorted(arcs(g)) == sorted(wanted)
    assert g.ids is None or g.ids.tolist() == sorted(g.ids.tolist())


def test_the_caller_decides_what_is_a_name(tmp_path):
    path = put(tmp_path, "a.txt", "007 7\n7 8\n")
    assert nearly.read(path).ids.tolist() == [7, 8]
    assert nearly.read(path, names=True).ids.tolist() == ["007", "7", "8"]
    path = put(tmp_path, "a.csv", "ann,bob\ncy,dee\n")
    assert nearly.read(path).ids.tolist() == ["cy", "dee"]
    assert nearly.read(path, header=False).n == 4


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.txt", "a b\nc\n", 2, ["expected 2 columns", "found 1"]),
        ("a.txt", "a b\nc d e\n", 2, ["expected 2 columns"]),
        ("a.txt", "a b c\n", 1, ["the weight must be a number"]),
        ("a.txt", "a b c d\n", 1, ["2 or 3 columns"]),
        ("a.txt", "a b 1\nc d nan\n", 2, ["finite"]),
        ("a.txt", "a b 1\nc d -1\n", 2, ["negative"]),
        ("a.txt", 'a b\n"c d\n', 2, ["does not end"]),
        ("a.txt", 'a b\n"c"d e\n', 2, ["behind the quotes"]),
        ("a.csv", "a,b\nx,y\n,z\n", 3, ["a name is missing"]),
        ("a.txt", b"a b\nc \x00d\n", 2, ["zero byte"]),
        ("a.txt", b"a b\nc \xff\n", None, ["UTF-8"]),
        ("a.csv", "n,src,dst\na,1,2\nb,3,-4\n", None, ["negative"]),
        ("a.csv", "n,src,dst\na,1,2\nb,3,4.5\n", None, ["whole numbers", "names=True"]),
        ("a.csv", f"n,src,dst\na,1,{2**70}\n", None, ["2**63"]),
    ],
)
def test_bad_files_of_names(tmp_path, name, text, line, words):
    refused(put(tmp_path, name, text), GraphFormatError, *words, line=line)


letters = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n", exclude_categories=["Cc"]), max_size=20)
prefixed = st.sampled_from(["", "https://www.example.org/", "package-", "ab" * 9])
words = st.builds(lambda start, rest: (start + rest).strip() or "x", prefixed, letters)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_names_as_python_reads_them(tmp_path_factory, data):
    known = data.draw(st.lists(words, min_size=2, max_size=30, unique=True))
    rows = data.draw(st.lists(st.tuples(st.sampled_from(known), st.sampled_from(known)), min_size=1, max_size=60))
    text = io.StringIO()
    quoting = data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    csv.writer(text, quoting=quoting, lineterminator=data.draw(st.sampled_from(["\n", "\r\n"]))).writerows(
        [("source", "target"), *rows]
    )
    path = put(tmp_path_factory.mktemp("names"), "a.csv", text.getvalue())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "PIECE", data.draw(st.integers(8, 200)))
        patch.setattr(name_scan, "_REGION", data.draw(st.integers(30, 400)))
        patch.setattr(name_scan, "_FIRST_ROOM", 1024)
        g = nearly.read(path, names=True)
    assert g.ids.tolist() == sorted({end for row in rows for end in row})
    assert arcs(g) == sorted(set(rows))


def test_a_growing_table_streaming_and_threads_change_nothing(tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 30_000, (2, 40_000))
    path = put(tmp_path, "a.txt", "".join(f"v{u:x} v{v:x} {u % 7}\n" for u, v in ends.T))
    wanted = nearly.read(path)
    assert wanted.ids.tolist() == sorted({f"v{v:x}" for v in ends.ravel()})
    monkeypatch.setattr(name_scan, "_REGION", 1 << 16)
    assert_same(edge_list.read_edge_list(path, Options(), hold=0), wanted)
    monkeypatch.setenv("NEARLY_THREADS", "1")
    assert_same(nearly.read(path), wanted)
    u, v = wanted.id(17), wanted.ids_of(np.arange(0, wanted.n, 1000))
    assert wanted.index(u) == 17
    assert wanted.labels.find(v.tolist() * 30).tolist() == np.arange(0, wanted.n, 1000).tolist() * 30


def test_one_long_name_costs_its_own_length():
    names = Names.of(["a", "b" * 100_000, *(f"c{i}" for i in range(500))])
    assert names.array.dtype == object
    assert names.array.nbytes < 10_000
    assert names.taken(np.array([501, 0])).array.tolist() == ["c499", "a"]


@pytest.fixture(scope="module")
def ring() -> tuple[Graph, Graph]:
    """A ring of six with a chord, with names and without."""
    plain = Graph.from_edges([0, 1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0, 3], directed=False)
    return Graph(plain.offsets, plain.targets, directed=False, ids=["f", "e", "d", "c", "b", "a"]), plain


def asked(g, u, v):
    """What each of these says, with u and v as vertices."""
    index = nearly.DistanceIndex(g, landmarks=2)
    return [
        nearly.bfs(g, u).values,
        nearly.sssp(g, source=v).values,
        nearly.similar(g, u, 2).values,
        nearly.pagerank(g, personalization={u: 1, v: 2}).values,
        nearly.katz(g, beta={v: 1.0}).values,
        nearly.betweenness(g, sources=[u, v]).values,
        nearly.distances(g, [(u, v), (v, v)]).values,
        nearly.jaccard(g, [(u, v)]).values,
        nearly.triangle_count(g, vertices=[u, v]).values,
        nearly.random_walks(g, 3, start=[v, u]),
        index.query([(u, v)]).low,
        nearly.subgraph(g, [u, v]).m,
        nearly.ego(g, u).m,
        nearly.remove_edges(g, [u], [v]).m,
        g.degree(u),
        g.has_edge(u, v),
    ]


def test_names_go_in_wherever_a_vertex_does(ring):
    named, plain = ring
    for one, other in zip(asked(named, "f", "c"), asked(plain, 0, 3)):
        assert np.array_equal(one, other)
    question = nearly.pagerank(named, personalization={"f": 1}, max_error=0.1)
    assert np.argmax(question.values) == 0


def test_what_comes_out_speaks_as_the_question_did(ring):
    named, plain = ring
    r = nearly.bfs(named, "f")
    assert (named.path(r, "d"), named.path(r, 2)) == (["f", "e", "d"], [0, 1, 2])
    assert (named.neighbors("f").tolist(), named.neighbors(0).tolist()) == (["e", "c", "a"], [1, 3, 5])
    assert sorted(named.to_networkx().nodes) == list("abcdef")
    assert sorted(plain.to_networkx().nodes) == list(range(6))
    assert sorted(named.to_networkx(ids=False).nodes) == list(range(6))
    assert ("f" in named, "x" in named, 5 in named, 6 in named, len(named)) == (True, False, True, False, 6)
    with pytest.raises(InvalidArgumentError, match="path needs the result"):
        named.path(nearly.pagerank(named), "a")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.index("libsl3"), "no vertex is called 'libsl3'; did you mean 'libssl3'"),
        (lambda g: nearly.bfs(g, "libsl3"), "source: no vertex is called 'libsl3'; did you mean 'libssl3'"),
        (lambda g: nearly.bfs(g, 7), "source 7 is not a vertex of this graph .0 to 2; whole numbers are indices"),
        (lambda g: nearly.distances(g, [("curl", "x")]), "pairs: no vertex is called 'x'"),
        (lambda g: nearly.bfs(Graph.from_edges([0], [1]), "curl"), "'curl' is a name, but .* have no names"),
        (lambda g: nearly.bfs(numbered(), "curl"), "have numbers for ids: g.index"),
        (lambda g: nearly.bfs(numbered(), 34), "the vertex with the id 34 has the index 1: g.index.34"),
        (lambda g: numbered().index(1), "no vertex has the id 1; the vertex with the index 1 is g.id.1., 34"),
        (lambda g: g.ids_of([5]), "whole numbers from 0 to 2"),
    ],
)
def test_errors_say_index_and_id(call, message):
    g = Graph([0, 1, 2, 2], [1, 2], ids=["curl", "libc6", "libssl3"])
    with pytest.raises(InvalidArgumentError, match=message):
        call(g)


def numbered() -> Graph:
    return Graph([0, 1, 1], [1], ids=[12, 34])


def test_arrays_behave_in_numpy():
    g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 0])
    assert np.repeat(np.arange(3), np.diff(g.offsets)).tolist() == g.arc_sources().tolist()
    assert (g.targets - g.arc_sources()).tolist() == [1, 2, 1, -2]
    assert (g.in_degrees - g.out_degrees).tolist() == [-1, 0, 1]
    assert {a.dtype.kind for a in (g.offsets, g.targets, g.out_degrees, g.in_degrees, g.arc_sources())} == {"i"}
    assert np.shares_memory(g.offsets, g.arrays.offsets)
    assert np.shares_memory(g.targets, g.arrays.targets)
    assert {a.dtype.kind for a in (g.arrays.offsets, g.arrays.targets, g.row_sizes, g.arc_rows())} == {"u"}


@pytest.mark.parametrize(
    "text", ["source,target,weight\na,b\n", "x,source,target\na,b\n", "weight,source,target\n1,a\n"]
)
def test_lines_with_fewer_columns_than_names(tmp_path, text):
    (tmp_path / "g.csv").write_text(text)
    with pytest.raises(GraphFormatError, match="column 3, but this line has 2") as caught:
        nearly.read(tmp_path / "g.csv")
    assert caught.value.line == 2
