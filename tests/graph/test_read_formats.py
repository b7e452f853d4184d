"""Matrix Market, DIMACS and METIS: against SciPy and by hand, and every way their heads can lie."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.file_help import arcs, assert_same, put, refused

import nearly
from nearly import GraphFormatError, MemoryBudgetError
from nearly.graph.io import content, dimacs, matrix_market, metis, scan
from nearly.graph.io.read_options import Options

pytestmark = pytest.mark.small

MTX = "%%MatrixMarket matrix coordinate "
ROAD = "c a comment\np sp 3 3\na 1 2 5\nc between\na 2 3 7\na 3 1 1\n"
TRIANGLE = "% three vertices\n3 2\n2\n1 3\n2\n"


def test_mtx_kinds(tmp_path):
    g = nearly.read(put(tmp_path, "a.mtx", MTX + "pattern general\n% c\n3 3 2\n1 2\n3 1\n"))
    assert (g.directed, g.n, arcs(g)) == (True, 3, [(0, 1), (2, 0)])
    g = nearly.read(put(tmp_path, "a.mtx.gz", MTX + "INTEGER Symmetric\r\n3 3 2\r\n2 1 4\r\n3 3 1\r\n"))
    assert (g.directed, arcs(g)) == (False, [(0, 1, 4), (1, 0, 4), (2, 2, 1)])
    g = nearly.read(put(tmp_path, "a.mtx", MTX + "real symmetric\n\n2 2 1\n\n2 1 .5\n"), directed=True)
    assert (g.directed, arcs(g), g.weights.dtype) == (True, [(0, 1, 0.5), (1, 0, 0.5)], np.float32)
    assert nearly.read(tmp_path / "a.mtx", weights=False).weights is None


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**31), st.sampled_from(["general", "symmetric"]), st.sampled_from(["pattern", "integer", "real"])
)
def test_mtx_written_by_scipy(tmp_path_factory, seed, symmetry, field):
    path = tmp_path_factory.mktemp("mtx") / "a.mtx"
    a = scipy.sparse.random_array((9, 9), density=0.3, rng=np.random.default_rng(seed)).tocsr()
    a.data = np.ceil(a.data * 1000) if field == "integer" else a.data.astype(np.float32).astype(np.float64)
    if symmetry == "symmetric":
        a = a + a.T
    scipy.io.mmwrite(path, a.astype(int) if field == "integer" else a, field=field, symmetry=symmetry, precision=17)
    g = nearly.read(path)
    assert g.n == 9
    assert g.directed == (symmetry == "general")
    wanted = a if field != "pattern" else a.astype(bool)
    assert np.array_equal(g.to_scipy().toarray(), wanted.toarray().astype(np.float32))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("3 3 1\n1 2\n", 1, ["begins with: %%MatrixMarket"]),
        ("%%MatrixMarket matrix\n3 3 1\n1 2\n", 1, ["begins with"]),
        (MTX.replace("coordinate", "array") + "real general\n2 2\n1\n2\n3\n4\n", 1, ["coordinate", "array"]),
        (MTX + "complex general\n2 2 1\n1 2 3 4\n", 1, ["pattern or integer or real", "complex"]),
        (MTX + "real skew-symmetric\n2 2 1\n2 1 3\n", 1, ["general or symmetric", "skew-symmetric"]),
        (MTX + "pattern general\n3 4 1\n1 2\n", 2, ["square"]),
        (MTX + "pattern general\n3 3\n1 2\n", 2, ["three whole numbers"]),
        (MTX + "pattern general\n3 x 1\n1 2\n", 2, ["three whole numbers"]),
        (MTX + "pattern general\n% only comments\n", 2, ["size line", "missing"]),
        (MTX + "pattern general\n3 3 2\n1 2\n", 2, ["2 entries", "there are 1"]),
        (MTX + "pattern general\n3 3 1\n1 2\n2 3\n", 2, ["1 entries", "there are 2"]),
        (MTX + "pattern general\n3 3 1\n0 2\n", 3, ["vertex 0 is out of range", "1 to 3"]),
        (MTX + "pattern general\n3 3 1\n1 4\n", 3, ["vertex 4 is out of range", "1 to 3"]),
        (MTX + "pattern general\n3 3 1\n1 -2\n", 3, ["negative"]),
        (MTX + "real general\n3 3 1\n1 2\n", 3, ["3 columns", "found 2"]),
        (MTX + "pattern general\n3 3 1\n1 2 3\n", 3, ["2 columns", "found 3"]),
        (MTX + "real general\n3 3 1\n1 2 nan\n", 3, ["finite"]),
        (MTX + "real general\n3 3 1\n1 2 -1\n", 3, ["negative='keep'"]),
        (MTX + "pattern general\n% nearly graph: vertices=2 ids=listed\n% vertex 1\n2 2 0\n", None, ["list 1 ids"]),
        ("", None, ["missing"]),
    ],
)
def test_mtx_that_lies(tmp_path, text, line, words):
    refused(put(tmp_path, "a.mtx", text), GraphFormatError, *words, line=line)


def test_mtx_and_gr_sizes_meet_the_budget(tmp_path):
    refused(put(tmp_path, "a.mtx", MTX + "pattern general\n9999999999999 9999999999999 1\n1 2\n"), MemoryBudgetError)
    refused(put(tmp_path, "a.gr", "p sp 9999999999999 1\na 1 2 3\n"), MemoryBudgetError)
    refused(put(tmp_path, "a.graph", "9999999999999 1\n2\n1\n"), GraphFormatError, "9999999999999 vertices")


def test_dropped_entries_still_count(tmp_path):
    path = put(tmp_path, "a.mtx", MTX + "real general\n2 2 2\n1 2 nan\n2 1 3\n")
    assert arcs(nearly.read(path, nan="drop")) == [(1, 0, 3)]


def test_dimacs(tmp_path):
    for name in ("a.gr", "a.gr.gz"):
        g = nearly.read(put(tmp_path, name, ROAD))
        assert (g.directed, g.n, arcs(g)) == (True, 3, [(0, 1, 5), (1, 2, 7), (2, 0, 1)])
    assert nearly.read(put(tmp_path, "a.gr", ROAD), directed=False).m == 6
    assert nearly.read(tmp_path / "a.gr", weights=False).weights is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (ROAD.replace("a 2 3", "a 2 4"), 5, ["vertex 4 is out of range", "1 to 3"]),
        (ROAD.replace("a 2 3", "a 0 3"), 5, ["vertex 0 is out of range"]),
        (ROAD.replace("a 2 3 7", "a 2 3"), 5, ["3 columns"]),
        (ROAD.replace("a 2 3 7", "e 2 3 7"), 5, ["must begin with 'a'"]),
        (ROAD.replace("a 2 3 7", "a2 3 7"), 5, ["must begin with 'a'"]),
        (ROAD.replace("a 2 3 7", "p sp 3 3"), 5, ["must begin with 'a'"]),
        (ROAD.replace("a 2 3 7", "a 2 3 -7"), 5, ["negative"]),
        (ROAD.replace("a 2 3 7", "a x 3 7"), 5, ["whole numbers"]),
        (ROAD.replace("sp 3 3", "sp 3 4"), 2, ["4 entries", "there are 3"]),
        (ROAD.replace("sp 3 3", "sp 3 2"), 2, ["2 entries", "there are 3"]),
        (ROAD.replace("p sp 3 3", "p tw 3 3"), 2, ["p sp <vertices> <arcs>"]),
        ("a 1 2 3\n", 1, ["p sp"]),
        ("c nothing\n", 1, ["problem line is missing"]),
        ("", None, ["problem line is missing"]),
    ],
)
def test_dimacs_that_lies(tmp_path, text, line, words):
    refused(put(tmp_path, "a.gr", text), GraphFormatError, *words, line=line)


def test_metis(tmp_path):
    g = nearly.read(put(tmp_path, "a.graph", TRIANGLE))
    assert (g.directed, g.n, arcs(g)) == (False, 3, [(0, 1), (1, 0), (1, 2), (2, 1)])
    assert nearly.read(put(tmp_path, "b.graph.gz", TRIANGLE.replace("\n", "\r\n"))) == g
    assert nearly.read(put(tmp_path, "c.graph", TRIANGLE), directed=True).directed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3 2 0\n2\n1 3\n2\n", [None] * 4),
        ("3 2 1\n2 7\n1 7 3 9\n2 9", [7, 7, 9, 9]),
        ("3 2 10\n100 2\n100 1 3\n% c\n100 2\n\n\n", [None] * 4),
        ("3 2 11\n100 2 7\n100 1 7 3 9\n100 2 9\n", [7, 7, 9, 9]),
        ("3 2 011 2\n100 0 2 7\n100 0 1 7 3 9\n100 0 2 9\n", [7, 7, 9, 9]),
        ("3 2 111 2\n8 100 0 2 7\n8 100 0 1 7 3 9\n8 100 0 2 9\n", [7, 7, 9, 9]),
        ("3 2 100\n8 2\n8 1 3\n8 2\n", [None] * 4),
    ],
)
def test_metis_weights(tmp_path, text, wanted):
    g = nearly.read(put(tmp_path, "a.graph", text))
    weights = [None] * 4 if g.weights is None else g.weights.tolist()
    assert weights == wanted
    assert g.targets.tolist() == [1, 0, 2, 1]
    assert nearly.read(tmp_path / "a.graph", weights=False).weights is None


def test_metis_blank_lines_are_vertices(tmp_path):
    g = nearly.read(put(tmp_path, "a.graph", "5 1\n\n3\n2\n\n\n"))
    assert (g.n, arcs(g)) == (5, [(1, 2), (2, 1)])
    g = nearly.read(put(tmp_path, "a.graph", "2 2\n1 2\n1\n"))
    assert arcs(g) == [(0, 0), (0, 1), (1, 0)], "a self-loop stands once, and counts twice among the ends"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, ["header line is missing"]),
        ("three two\n", 1, ["vertices edges [fmt [ncon]]"]),
        ("3 2 7\n2\n1 3\n2\n", 1, ["three digits 0 or 1"]),
        ("4 2\n2\n1 3\n2\n", 1, ["4 vertices", "3 lines"]),
        ("2 2\n2\n1\n1\n", 4, ["2 vertices", "one more"]),
        ("3 3\n2\n1 3\n2\n", 1, ["3 edges", "list 4"]),
        ("3 1\n2\n1 3\n2\n", 1, ["1 edges", "list 4"]),
        ("3 2\n2\n1 4\n2\n", 3, ["vertex 4 is out of range", "1 to 3"]),
        ("3 2\n2\n1 0\n2\n", 3, ["vertex 0 is out of range"]),
        ("3 2\n2\n1 x\n2\n", 3, ["'x' is not a whole number"]),
        ("3 2\n2\n1 -3\n2\n", 3, ["'-3' is not a whole number"]),
        ("3 2\n2\n1,3\n2\n", 3, ["not a whole number"]),
        ("3 2\n2\n1 9999999999999999999\n2\n", 3, ["not a whole number from 0 to 10**18"]),
        ("3 2 1\n2 1\n1 1 3\n2 1\n", 3, ["a weight behind each neighbour"]),
        ("3 2 1\n2 1\n1 1 3 1.5\n2 1.5\n", 3, ["'1.5' is not a whole number"]),
        ("3 2 10 2\n1 2\n1\n1 1\n", 3, ["2 sizes and weights"]),
        ("3 2\n2\n1 3\n1\n", None, ["both its ends"]),
        ("3 2 1\n2 5\n1 5 3 6\n2 7\n", None, ["both its ends", "another weight"]),
    ],
)
def test_metis_that_lies(tmp_path, text, line, words):
    refused(put(tmp_path, "a.graph", text), GraphFormatError, *words, line=line)


@pytest.mark.parametrize("hold", [None, 0])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_small_regions_and_streaming_change_nothing(tmp_path, monkeypatch, hold, suffix):
    rng = np.random.default_rng(2)
    g = nearly.Graph.from_edges(
        *rng.integers(0, 40, (2, 90)), rng.integers(0, 99, 90), n=45, directed=False, self_loops="drop"
    )
    rows = [[] for _ in range(g.n)]
    for u, v, w in arcs(g):
        rows[u].append(f"{v + 1} {w}")
    lines = [f"{g.n} {g.m // 2} 1", "% c", *(" ".join(row) for row in rows)]
    graph = put(tmp_path, f"a.graph{suffix}", "\n".join(lines) + "\n")
    gr = put(
        tmp_path, f"a.gr{suffix}", f"p sp {g.n} {g.m}\n" + "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in arcs(g))
    )
    entries = "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in arcs(g) if u >= v)
    head = f"{MTX}integer symmetric\n{g.n} {g.n} {entries.count(chr(10))}\n"
    matrix = put(tmp_path, f"a.mtx{suffix}", head + entries)
    monkeypatch.setattr(content, "REGION", 300)
    monkeypatch.setattr(scan, "PIECE", 50)
    monkeypatch.setattr(metis, "PIECE", 50)
    assert_same(metis.read_metis(graph, Options(), hold=hold), g)
    assert_same(matrix_market.read_matrix_market(matrix, Options(), hold=hold), g)
    assert_same(dimacs.read_dimacs(gr, Options(directed=False), hold=hold), g)


def test_line_numbers_in_metis_are_exact_after_cutting(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "REGION", 40)
    monkeypatch.setattr(metis, "PIECE", 10)
    for bad in (3, 17, 41):
        lines = ["50 49", "% c"] + [f"{v % 50 + 1}" for v in range(50)]
        lines[bad - 1] = "x"
        refused(put(tmp_path, "a.graph", "\n".join(lines)), GraphFormatError, "'x'", line=bad)


def test_a_long_line_is_fine_in_metis_and_refused_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "LONGEST_LINE", 1000)
    monkeypatch.setattr(content.Content.__init__, "__defaults__", (1000,))
    n = 2000
    star = f"{n} {n - 1}\n" + " ".join(str(v) for v in range(2, n + 1)) + "\n" + "1\n" * (n - 1)
    for name in ("a.graph", "a.graph.gz"):
        assert nearly.read(put(tmp_path, name, star)).m == 2 * (n - 1)
    for name in ("a.txt", "a.txt.gz", "a.gr"):
        refused(put(tmp_path, name, "c" + "x" * 200_000 + "\n"), GraphFormatError, "more than 1,000 bytes", line=1)
