"""Columns of vertices and edges: kept with parts of a graph and in files, and keyed by id."""

from __future__ import annotations

import base64

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import nearly
from nearly import Graph, GraphFormatError, InvalidArgumentError


@pytest.fixture
def told() -> Graph:
    """Two parts with names; what is known of vertices and edges has gaps."""
    g = Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 4], weights=[1.5, 2, 3, 4], directed=False)
    g = Graph(g.offsets, g.targets, g.weights, directed=False, ids=["a", "b", "c", "x", "y"])
    g = g.with_vertices({"size": [1, 2, 3, 4, 5], "note": ["r", None, "ü", "", "s"], "big": [True, False] * 2 + [True]})
    return g.with_edges({"year": [2001, 2002, 2003, 2004], "kind": ["p", "q", None, "s"]})


def edges(g: Graph) -> dict:
    return {(u, v): (y, k) for u, v, y, k in zip(*(g.edges[c].tolist() for c in ("source", "target", "year", "kind")))}


def test_parts_keep_their_columns(told):
    assert edges(told) == {
        ("a", "b"): (2001, "p"),
        ("a", "c"): (2002, "q"),
        ("b", "c"): (2003, None),
        ("x", "y"): (2004, "s"),
    }
    for part in (
        nearly.largest_component(told),
        nearly.subgraph(told, ["a", "b", "c"]),
        told.subgraph(np.ones(5) == [1, 1, 1, 0, 0]),
    ):
        assert part.vertices["note"].tolist() == ["r", None, "ü"]
        assert edges(part) == {ends: y for ends, y in edges(told).items() if ends != ("x", "y")}
    assert edges(nearly.ego(told, "x")) == {("x", "y"): (2004, "s")}
    assert edges(nearly.remove_edges(told, ["b"], ["a"])).keys() == edges(told).keys() - {("a", "b")}
    assert told.relabel([4, 3, 2, 1, 0]).vertices["size"].tolist() == [5, 4, 3, 2, 1]
    assert Graph.from_edges([0], [1]).with_vertices({"k": [1, 2]}).reverse.vertices["k"].tolist() == [1, 2]


@pytest.mark.parametrize("name", ["a.npz", "a.parquet", "a.graphml", "a.gexf", "a.json", "a.gml"])
def test_files_keep_columns(tmp_path, told, name):
    told.save(tmp_path / name)
    again = nearly.read(tmp_path / name)
    assert again == told
    assert edges(again) == edges(told)
    wanted = {**dict(told.vertices), **({"big": np.array([1, 0, 1, 0, 1])} if name == "a.gml" else {})}
    assert {k: v.tolist() for k, v in again.vertices.items()} == {k: v.tolist() for k, v in wanted.items()}
    assert (again.vertices["big"].dtype == bool) == (name != "a.gml")
    turned = nearly.read(tmp_path / name, directed=True)
    assert len(turned.edges["year"]) == turned.m
    if name in ("a.npz", "a.parquet"):
        assert told.with_vertices({}).with_edges({}).vertices is None


def test_damaged_offsets_of_texts_are_refused(tmp_path, told):
    """A file may claim that a text begins after its end; Arrow would read whatever stands there in memory."""
    told.save(tmp_path / "a.parquet")
    table = pa.parquet.read_table(tmp_path / "a.parquet")
    offsets = pa.py_buffer(np.array([0, 1, 2, -7, 3, 4], np.int32))
    notes = pa.Array.from_buffers(pa.string(), 5, [None, offsets, pa.py_buffer(b"abcdef")])
    with pa.BufferOutputStream() as out:
        damaged = pa.table({"note": notes})
        with pa.ipc.new_stream(out, damaged.schema) as stream:
            stream.write_table(damaged)
        kept = base64.b64encode(out.getvalue())
    table = table.replace_schema_metadata({**table.schema.metadata, b"nearly vertices": kept})
    pa.parquet.write_table(table, tmp_path / "b.parquet")
    with pytest.raises(GraphFormatError, match=r"b\.parquet.*correct the file or write it again"):
        nearly.read(tmp_path / "b.parquet")


def test_tables_are_frames(told):
    frame = told.vertices.to_pandas()
    assert frame.loc["c", "size"] == 3
    assert told.edges.to_pandas().loc[("a", "c"), "year"] == 2002
    assert told.vertices.to_polars()["note"].to_list() == ["r", None, "ü", "", "s"]
    assert pa.table(told.vertices).column("note").null_count == 1
    again = told.with_vertices(frame.iloc[::-1])
    assert again.vertices["note"].tolist() == ["r", None, "ü", "", "s"]
    part = told.with_vertices(pl.DataFrame({"vertex": ["y", "nobody", "a"], "k": [5, 6, 7]}))
    assert np.array_equal(part.vertices["k"], [7, np.nan, np.nan, np.nan, 5], equal_nan=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.with_vertices({"k": [1, 2]}), "'k' must hold 5 values"),
        (lambda g: g.with_vertices({"k": [[1]] * 5}), "'k' must hold 5 values"),
        (lambda g: g.with_vertices({"k": [object()] * 5}), "numbers, booleans or strings"),
        (lambda g: g.with_vertices({"": [1] * 5}), "needs a name"),
        (lambda g: g.with_vertices(7), "expected"),
        (lambda g: g.with_vertices(pl.DataFrame({"k": [1]})), "a column called vertex"),
        (lambda g: g.with_edges([1]), "expected"),
        (lambda g: Graph.from_arrow(7), "expected Arrow data"),
        (lambda g: Graph.from_frame(pd.DataFrame({"a": [0], "b": [1]}), attributes=["z"]), "no column 'z'"),
    ],
)
def test_bad_columns(told, call, message):
    with pytest.raises(InvalidArgumentError, match=message):
        call(told)


@pytest.mark.parametrize("kind", [np.int64, np.uint32, np.int32, str])
def test_arrow_of_any_origin(kind):
    src, dst = np.array([3, 0, 1, 1, 2]).astype(kind), np.array([0, 1, 2, 2, 3]).astype(kind)
    rows = pa.table({"src": src, "dst": dst, "w": [1.0, 2, 3, 4, 5], "note": ["a", "b", "c", "d", None]})
    before = rows.to_pydict()
    wanted = Graph.from_frame(rows.to_pandas())
    for data in (rows, rows.to_reader(), rows.to_batches()[0], pl.from_arrow(rows), duckdb.from_arrow(rows)):
        g = Graph.from_arrow(data, attributes=["note"])
        assert g == wanted
        assert g.edges["note"].tolist() == ["b", "c", None, "a"]
    assert Graph.from_arrow(duckdb.sql("select src, dst, w * 0.5 as w from rows")).weights.tolist() == [
        1,
        1.5,
        2.5,
        0.5,
    ]
    sparse = pa.table({"src": pa.array([7, 9], pa.uint32()), "dst": pa.array([9, 7], pa.uint32())})
    assert Graph.from_arrow(sparse).ids.tolist() == [7, 9]
    assert (rows.to_pydict(), sparse.column("src").to_pylist()) == (before, [7, 9]), (
        "the caller's memory was written to"
    )


def test_attributes_of_tables_in_files(tmp_path):
    (tmp_path / "a.csv").write_text("from,to,weight,how\na,b,1,bus\nb,c,2,train\na,b,1,car\n")
    g = nearly.read(tmp_path / "a.csv", attributes=True)
    assert (g.edges["how"].tolist(), g.ids.tolist()) == (["bus", "train"], ["a", "b", "c"])
    assert nearly.read(tmp_path / "a.csv").edges is None
