"""Edge tables: Parquet and CSV files, pandas, polars and Arrow frames."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.graph.file_help import arcs, put, refused

import nearly
from nearly import (
    FileAccessError,
    Graph,
    GraphFormatError,
    InvalidArgumentError,
    InvalidGraphError,
    MemoryBudgetError,
    MissingDependencyError,
)  # fmt: skip

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ({"source": [3, 1], "target": [1, 2]}, [(1, 2), (3, 1)]),
        ({"x": [9, 9], "dst": [1, 2], "src": [3, 1]}, [(1, 2), (3, 1)]),
        ({"From": [3, 1], "To": [1, 2], "note": ["a", "b"]}, [(1, 2), (3, 1)]),
        ({"a": [3, 1], "b": [1, 2], "c": [0.5, 2]}, [(1, 2, 2), (3, 1, 0.5)]),
        ({"a": [3, 1], "b": [1, 2], "c": ["x", "y"], "W": [7, 8]}, [(1, 2, 8), (3, 1, 7)]),
        ({"weight": [7, 8], "src": [3, 1], "dst": [1, 2]}, [(1, 2, 8), (3, 1, 7)]),
        ({"src": ["c", "a"], "dst": ["a", "b"]}, [("a", "b"), ("c", "a")]),
    ],
)
def test_columns_are_found(frame, columns, wanted):
    assert arcs(Graph.from_frame(frame(columns))) == wanted


def test_columns_may_be_named(frame):
    table = frame({"a": [0, 1], "b": [1, 2], "c": [2, 0], "d": [5, 6]})
    g = Graph.from_frame(table, "c", "a", "d", directed=False)
    assert arcs(g) == [(0, 1, 6), (0, 2, 5), (1, 0, 6), (2, 0, 5)]
    assert Graph.from_frame(table, "c", "a", weights=False).weights is None
    with pytest.raises(InvalidArgumentError, match=r"no column 'z'; the columns are a, b, c, d"):
        Graph.from_frame(table, "z")
    with pytest.raises(InvalidArgumentError, match="does not know colour"):
        Graph.from_frame(table, colour=1)


def test_ids_are_compacted(frame):
    g = Graph.from_frame(frame({"src": [10**12, 5], "dst": [5, 2**63 - 1]}))
    assert g.ids.tolist() == [5, 10**12, 2**63 - 1]
    assert Graph.from_frame(frame({"src": [1, 0], "dst": [0, 1]})).ids is None
    names = Graph.from_frame(frame({"src": ["ü", "b"], "dst": ["b", "a"]}))
    assert names.ids.dtype.kind == "U"
    assert names.ids.tolist() == ["a", "b", "ü"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"src": [-1, 0], "dst": [0, 1]}, "must not be negative"),
        ({"src": [0.5, 0], "dst": [0, 1]}, "whole numbers or strings, not float"),
        ({"src": ["a", "b"], "dst": [0, 1]}, "both strings"),
        ({"src": ["a", None], "dst": ["b", "c"]}, "missing values"),
        ({"src": [0, 1], "dst": [0, 1], "w": ["x", "y"]}, "must hold numbers"),
        ({"src": [0, 1], "dst": [0, 1], "w": [1.0, -2.0]}, "negative='keep'"),
        ({"src": [0, 1], "dst": [0, 1], "w": [1.0, float("nan")]}, "nan='drop'"),
        ({"src": [0, 1], "dst": [0, 1], "w": [1.0, float("inf")]}, "nan='drop'"),
        ({"src": [0, 1]}, "two columns"),
    ],
)
def test_bad_columns(frame, columns, words):
    with pytest.raises(InvalidGraphError, match=words):
        Graph.from_frame(frame(columns))


def test_missing_weights_are_nan(frame):
    g = Graph.from_frame(frame({"src": [0, 1], "dst": [1, 0], "w": [3, None]}), nan="drop")
    assert arcs(g) == [(0, 1, 3)]


def test_library_specials():
    nullable = pd.DataFrame({"src": pd.array([4, 5], "Int64"), "dst": pd.array([5, 6], "UInt8")})
    assert arcs(Graph.from_frame(nullable)) == [(4, 5), (5, 6)]
    categories = {"src": pd.Categorical(["b", "a"]), "dst": ["a", "c"]}
    assert arcs(Graph.from_frame(pd.DataFrame(categories))) == [("a", "c"), ("b", "a")]
    coded = pa.table({"src": pa.array(["b", "a"]).dictionary_encode(), "dst": ["a", "c"]})
    assert arcs(Graph.from_frame(coded)) == [("a", "c"), ("b", "a")]
    chunked = pa.table({"src": pa.chunked_array([["b"], ["a"]]), "dst": pa.chunked_array([["a"], ["c"]])})
    assert arcs(Graph.from_frame(chunked)) == [("a", "c"), ("b", "a")]
    assert arcs(Graph.from_frame(coded.to_batches()[0])) == [("a", "c"), ("b", "a")]
    assert Graph.from_frame(chunked.slice(0, 0)).n == 0
    with pytest.raises(InvalidArgumentError, match=r"DataFrame or an Arrow Table, not builtins\.dict"):
        Graph.from_frame({"src": [0], "dst": [1]})
    with pytest.raises(InvalidGraphError, match="must hold whole numbers or strings, not date32"):
        Graph.from_frame(pa.table({"src": pa.array([0], pa.date32()), "dst": pa.array([0], pa.date32())}))


def test_names_of_one_length_meet_the_budget(monkeypatch):
    monkeypatch.setenv("NEARLY_MEMORY", "1M")
    table = pa.table({"src": [str(i) for i in range(1000)], "dst": [f"{i:05000d}" for i in range(1000)]})
    with pytest.raises(MemoryBudgetError, match="vertex ids as strings"):
        Graph.from_frame(table)


def test_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"from": [5, 7], "to": [7, 9], "w": [0.5, 2.0], "note": ["x", "y"]}).write_parquet(path)
    assert arcs(nearly.read(path)) == [(5, 7, 0.5), (7, 9, 2)]
    assert nearly.read(path, weights=False).weights is None
    assert nearly.read(path, directed=False).m == 4
    pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"]}).to_parquet(path)
    assert nearly.read(path).ids.tolist() == ["x", "y", "z"]


def test_bad_parquet(tmp_path, monkeypatch):
    refused(put(tmp_path, "a.parquet", b""), GraphFormatError, "cannot be read as a table")
    refused(put(tmp_path, "b.parquet", b"PAR1 nothing PAR1"), GraphFormatError, "cannot be read as a table")
    refused(tmp_path / "none.parquet", FileAccessError, "cannot read", "none.parquet")
    path = tmp_path / "c.parquet"
    pq.write_table(pa.table({"only": [1]}), path)
    refused(path, GraphFormatError, "two columns")
    pq.write_table(pa.table({"src": [1, None], "dst": [1, 2]}), path)
    refused(path, GraphFormatError, "missing values")
    pq.write_table(pa.table({"src": np.zeros(10**6, int), "dst": np.zeros(10**6, int)}), path)
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("NEARLY_MEMORY", "8M")
    refused(path, MemoryBudgetError, "1,000,000 edges")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("source,target\n5,7\n7,9\n", [(5, 7), (7, 9)]),
        ('"source","target","weight"\n5,7,1\n7,9,2\n', [(5, 7, 1), (7, 9, 2)]),
        ("5,7\n7,9\n", [(5, 7), (7, 9)]),
        ("# c\n\na,b,c\n5,7,1\n7,9,2\n", [(5, 7, 1), (7, 9, 2)]),
        ("note,to,from\nx,7,5\ny,9,7\n", [(5, 7), (7, 9)]),
        ('src,dst\n"a","b, c"\n"x\ny",a\n', [("a", "b, c"), ("x\ny", "a")]),
        ('src,dst\n"5","7"\n"7","9"\n', [(5, 7), (7, 9)]),
        ("\ufeffsource,target\r\n5,7\r\n7,9\r\n", [(5, 7), (7, 9)]),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_csv(tmp_path, text, wanted, name):
    assert arcs(nearly.read(put(tmp_path, name, text))) == wanted


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, ["no edges"]),
        ("# c\n", None, ["no edges"]),
        ("source,target\n", None, ["no edges"]),
        ("source,target,weight\n", None, ["no edges"]),
        ("name,src,dst\n", None, ["no edges"]),
        ("src,dst,weight,name\n", None, ["no edges"]),
        ("source,target\n1,2\n3\n", 3, ["expected 2 columns"]),
        ("source,target\n1,2\n3,x\n", 3, ["whole numbers"]),
        ("source,target\n1,2\n3,-1\n", 3, ["negative"]),
        ("source,target,weight\n1,2,3\n3,4,nan\n", 3, ["finite"]),
        ("# c\nname,src,dst\na,1,2\nb,3\n", 4, ["expected 3 columns", "found 2"]),
        ("name,src,dst\na,1,2\nb,3,\n", 3, ["a name is missing"]),
        ("name,src,dst\na,1,2\nb,3,-4\n", None, ["negative"]),
        ("name,src,dst,w\na,1,2,x\n", 2, ["the weight must be a number"]),
        ("alone\nx\n", 2, ["two columns"]),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_bad_csv(tmp_path, text, line, words, name):
    refused(put(tmp_path, name, text), GraphFormatError, *words, line=line)


def test_truncated_csv_gz(tmp_path):
    import gzip

    rng = np.random.default_rng(0)
    rows = "".join(f"n{u},n{v}\n" for u, v in rng.integers(0, 999, (5000, 2)))
    data = gzip.compress(f"src,dst\n{rows}".encode())
    refused(put(tmp_path, "a.csv", data[: len(data) // 2]), GraphFormatError)


def test_csv_meets_the_budget(tmp_path, monkeypatch):
    path = put(tmp_path, "a.csv.gz", "src,dst\n" + "".join(f"a{i},b{i}\n" for i in range(100_000)))
    monkeypatch.setenv("NEARLY_MEMORY", "1M")
    refused(path, MemoryBudgetError, "names")


def test_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    refused(put(tmp_path, "a.parquet", b""), MissingDependencyError, "pip install 'nearly[parquet]'")
    assert arcs(nearly.read(put(tmp_path, "a.csv", "source,target\n0,1\n"))) == [(0, 1)], "plain lists need no pyarrow"
    with pytest.raises(MissingDependencyError, match="parquet"):
        Graph.from_edges([0], [1]).save(tmp_path / "b.parquet")
    assert not (tmp_path / "b.parquet").exists()
