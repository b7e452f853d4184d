"""Edge lists: what is read, what is refused and on which line, and that big or odd files stay cheap."""

from __future__ import annotations

import gzip
import os
import threading
import tracemalloc

import numpy as np
import pytest
from tests.graph.file_help import arcs, put, refused

import nearly
from nearly import FileAccessError, GraphFormatError, InvalidArgumentError, InvalidGraphError, MemoryBudgetError

pytestmark = pytest.mark.small


@pytest.mark.parametrize(
    "lines",
    [
        "0 1\n1 2\n",
        "0\t1\n1\t2",
        "0,1\n1,2\n",
        " 0 , 1 \n\n1\t,2\n",
        "# a\n% b\n0 1\n  # c\n1 2\n#",
        "0 1\r\n1 2\r\n",
        "\ufeff0 1\n1 2\n",
        "\ufeff# x\r\n00 01\r\n\r\n1 2",
    ],
)
def test_spellings_of_one_graph(tmp_path, lines):
    g = nearly.read(put(tmp_path, "a.txt", lines))
    assert g.directed
    assert g.ids is None
    assert arcs(g) == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    "name", ["a.txt", "a.el", "a.wel", "a.edges", "a.tsv", "a.csv", "A.TXT", "a.txt.gz", "a.csv.gz"]
)
def test_extensions(tmp_path, name):
    assert arcs(nearly.read(put(tmp_path, name, "0,1,5\n"))) == [(0, 1, 5)]


def test_gzip_is_told_by_its_bytes_not_its_name(tmp_path):
    assert arcs(nearly.read(put(tmp_path, "a.txt", gzip.compress(b"0 1\n")))) == [(0, 1)]
    assert arcs(nearly.read(put(tmp_path, "b.dat", "0 1\n"), format="text")) == [(0, 1)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_like_a_file(tmp_path, pack):
    os.mkfifo(tmp_path / "pipe.el")
    writer = threading.Thread(target=(tmp_path / "pipe.el").write_bytes, args=(pack(b"0 1\n1 2\n"),))
    writer.start()
    assert arcs(nearly.read(tmp_path / "pipe.el")) == [(0, 1), (1, 2)]
    writer.join()


def test_gzip_of_several_members(tmp_path):
    path = put(tmp_path, "a.el", gzip.compress(b"0 1\n1 ") + gzip.compress(b"2\n2 3\n"))
    assert arcs(nearly.read(path)) == [(0, 1), (1, 2), (2, 3)]


def test_ids_are_compacted_in_ascending_order(tmp_path):
    g = nearly.read(put(tmp_path, "a.txt", "30 10\n10 20\n"))
    assert g.ids.tolist() == [10, 20, 30]
    assert g.targets.tolist() == [1, 0]


def test_a_huge_id_costs_nothing(tmp_path):
    path = put(tmp_path, "a.txt", "0 1000000000000\n5 0\n")
    nearly.read(path)  # compiled before memory is watched
    tracemalloc.start()
    g = nearly.read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert g.n == 3
    assert g.ids.tolist() == [0, 5, 10**12]
    assert arcs(g) == [(0, 10**12), (5, 0)]
    assert peak < 2**20


def test_the_largest_id(tmp_path):
    largest = 2**63 - 1
    g = nearly.read(put(tmp_path, "a.txt", f"{largest} 4294967295\n4294967296 000000000000000000000000000001\n"))
    assert g.ids.tolist() == [1, 2**32 - 1, 2**32, largest]


def test_whole_weights_stay_whole_and_others_are_floats(tmp_path):
    for lines, dtype, values in [
        ("0 1 3\n1 2 4294967295\n", np.uint32, [3, 2**32 - 1]),
        ("0 1 3\n1 2 4.0\n", np.float32, [3, 4]),
        ("0 1 3\n1 2 1e2\n", np.float32, [3, 100]),
        ("0 1 3\n1 2 4294967296\n", np.float64, [3, 2**32]),
        ("0 1 .5\n1 2 5.\n", np.float32, [0.5, 5]),
        ("0 1 +2\n1 2 -0\n", np.uint32, [2, 0]),
    ]:
        g = nearly.read(put(tmp_path, "a.wel", lines))
        assert g.weights.dtype == dtype
        assert g.weights.tolist() == values
    path = put(tmp_path, "a.wel", "0 1 3\n1 2 4\n")
    assert nearly.read(path, weight_dtype="float64").weights.dtype == np.float64
    assert nearly.read(path, weights=False).weights is None


def test_sums_of_whole_weights_do_not_overflow(tmp_path):
    g = nearly.read(put(tmp_path, "a.wel", "0 1 4294967295\n0 1 4294967295\n"), duplicates="sum")
    assert g.weights.tolist() == [2 * (2**32 - 1)]


def test_policies(tmp_path):
    path = put(tmp_path, "a.wel", "0 1 3\n0 1 2\n1 1 7\n1 0 1\n")
    assert arcs(nearly.read(path)) == [(0, 1, 2), (1, 0, 1), (1, 1, 7)]
    assert arcs(nearly.read(path, duplicates="keep")) == [(0, 1, 3), (0, 1, 2), (1, 0, 1), (1, 1, 7)]
    assert arcs(nearly.read(path, duplicates="first")) == [(0, 1, 3), (1, 0, 1), (1, 1, 7)]
    assert arcs(nearly.read(path, duplicates="sum", self_loops="drop")) == [(0, 1, 5), (1, 0, 1)]
    assert arcs(nearly.read(path, directed=False)) == [(0, 1, 1), (1, 0, 1), (1, 1, 7)]


def test_the_file_says_whether_it_is_directed(tmp_path):
    undirected = put(tmp_path, "a.txt", "# Undirected graph (each unordered pair of nodes is saved once): a.txt\n0 1\n")
    directed = put(tmp_path, "b.txt", "# Directed graph: b.txt\n0 1\n")
    assert arcs(nearly.read(undirected)) == [(0, 1), (1, 0)]
    assert not nearly.read(undirected).directed
    assert arcs(nearly.read(directed)) == [(0, 1)]
    assert not nearly.read(directed, directed=False).directed
    told = nearly.read(undirected, directed=True)
    assert told.directed
    assert told.m == 2, "an undirected file's edges go both ways whatever the caller calls the graph"


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("0 1\n2\n", 2, ["expected 2 columns", "found 1", "'2'"]),
        ("7\n", 1, ["2 or 3 columns", "found 1", "source target [weight]"]),
        ("0 1 2 3\n", 1, ["2 or 3 columns", "found 4"]),
        ("0 1\n0 1 5\n", 2, ["expected 2 columns", "found 3"]),
        ("0 1 5\n0 1\n", 2, ["expected 3 columns", "found 2"]),
        ("# c\n\n0 1\nalice bob\n", 4, ["whole numbers", "put #", "'alice bob'"]),
        ("0 1\n1 2x\n", 2, ["whole numbers"]),
        ("0 1\n1.5 2\n", 2, ["whole numbers"]),
        ("0 1\n3 -4\n", 2, ["must not be negative", "renumber"]),
        (f"0 1\n0 {2**63}\n", 2, ["below 2**63"]),
        ("0 1\n0 99999999999999999999999999999\n", 2, ["below 2**63"]),
        ("0,1\n0,,1\n", 2, ["a column is empty"]),
        ("0,1\n0,1,\n", 2, ["a column is empty"]),
        ("0 1 2\n1 2 heavy\n", 2, ["the weight must be a number"]),
        ("0 1 2\n1 2 1_0\n", 2, ["the weight must be a number"]),
        ("0 1 2\n1 2 nan\n", 2, ["must be finite", "nan='drop'"]),
        ("0 1 2\n1 2 -inf\n", 2, ["must be finite"]),
        ("0 1 2\n1 2 1e999\n", 2, ["must be finite"]),
        ("0 1 2\n1 2 -3\n", 2, ["negative", "negative='keep'"]),
        ("0 1\n\x00\x01 2\n", 2, ["whole numbers"]),
        ("0 1\n1 2", None, []),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_bad_lines(tmp_path, lines, line, words, name):
    path = put(tmp_path, name, lines)
    if line is None:
        nearly.read(path)
    else:
        refused(path, GraphFormatError, *words, line=line)


def test_weights_allowed_on_request(tmp_path):
    path = put(tmp_path, "a.wel", "0 1 nan\n1 2 -3.5\n2 0 inf\n0 2 2\n")
    g = nearly.read(path, negative="keep", nan="drop")
    assert arcs(g) == [(0, 2, 2), (1, 2, -3.5)]


@pytest.mark.parametrize("lines", ["", "\n\n", "# only\n% comments\n", "\ufeff"])
def test_files_without_edges(tmp_path, lines):
    refused(put(tmp_path, "a.txt", lines), GraphFormatError, "no edges", "two ids or names")
    refused(put(tmp_path, "b.txt.gz", lines), GraphFormatError, "no edges")


def test_truncated_and_damaged_gzip(tmp_path):
    whole = gzip.compress(b"".join(b"%d %d\n" % (i, i * 7 % 1000) for i in range(5000)))
    refused(put(tmp_path, "a.el", whole[: len(whole) // 2]), GraphFormatError, "end too early", "fetch")
    refused(put(tmp_path, "b.el", whole[:500] + b"\xff" * 40 + whole[540:]), GraphFormatError, "gzip data are damaged")
    refused(put(tmp_path, "c.el", whole + b"trailing"), GraphFormatError, "gzip data are damaged")


def test_gzip_bomb_without_lines(tmp_path):
    refused(put(tmp_path, "a.txt.gz", b"0" * 50_000_000), GraphFormatError, "more than 1,048,576 bytes", line=1)
    refused(put(tmp_path, "b.txt.gz", b"0 1\n" + b"0" * 50_000_000), GraphFormatError, "1,048,576 bytes", line=2)


def test_gzip_bomb_of_edges_meets_the_budget(tmp_path, monkeypatch):
    path = tmp_path / "a.el.gz"
    path.write_bytes(gzip.compress(b"".join(b"%d %d\n" % (i, i + 1) for i in range(30_000))))
    monkeypatch.setenv("NEARLY_MEMORY", "100K")
    refused(path, MemoryBudgetError, "the budget is 100.0 KiB", "NEARLY_MEMORY")


def test_missing_and_unreadable_files(tmp_path):
    refused(tmp_path / "none.txt", FileAccessError, "cannot read", "none.txt", "No such file")
    (tmp_path / "folder.txt").mkdir()
    refused(tmp_path / "folder.txt", FileAccessError, "cannot read", "folder.txt")
    with pytest.raises(InvalidArgumentError, match="the extension says no known format"):
        nearly.read(tmp_path / "a.doc")
    with pytest.raises(InvalidArgumentError, match="format must be one of"):
        nearly.read(tmp_path / "a.txt", format="doc")


@pytest.mark.parametrize(
    "options",
    [
        {"duplicates": "some"},
        {"self_loops": "no"},
        {"negative": "x"},
        {"nan": "x"},
        {"weight_dtype": "int8"},
    ],
)
def test_unknown_policies_are_refused_before_reading(tmp_path, options):
    with pytest.raises(InvalidArgumentError, match=f"{next(iter(options))}.* must be one of"):
        nearly.read(tmp_path / "none.txt", **options)
    with pytest.raises(InvalidArgumentError, match="directed must be True or False or None, not 2"):
        nearly.read(tmp_path / "none.txt", directed=2)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("# nearly graph: vertices=2 directed=1\n0 2\n", ["vertex 2 is out of range", "0 to 1"]),
        ("# nearly graph: vertices=x directed=1\n0 1\n", ["vertices=x"]),
        ("# nearly graph: directed=1\n0 1\n", ["lacks vertices="]),
        ("# nearly graph: vertices=2 ids=listed\n# vertex 5\n0 1\n", ["2 vertices", "list 1 ids"]),
        ("# nearly graph: vertices=1 ids=listed\n# vertex 5\n# vertex 6\n0 0\n", ["1 vertices", "more ids"]),
        ("# nearly graph: vertices=2 ids=original\n0 1\n1 2\n", ["says 2 vertices", "has 3"]),
        ('# nearly graph: vertices=3 ids=original\n# vertex "a"\n0 1\n', ["whole numbers from 0"]),
        ("# nearly graph: vertices=2 ids=listed\n# vertex [[[\n0 1\n", ["whole number below 2**63 or a quoted string"]),
        ('# nearly graph: vertices=2 ids=listed\n# vertex 1\n# vertex "a"\n0 1\n', ["one kind"]),
    ],
)
def test_headers_that_lie(tmp_path, lines, words):
    refused(put(tmp_path, "a.txt", lines), GraphFormatError, *words)


def test_a_list_of_ids_meets_the_budget(tmp_path, monkeypatch):
    """A small .gz may list any number of ids."""
    head = "# nearly graph: vertices=99999999 directed=1 ids=listed\n"
    path = put(tmp_path, "a.txt.gz", head + "# vertex 1\n" * 40_000)
    monkeypatch.setenv("NEARLY_MEMORY", "2M")
    refused(path, MemoryBudgetError, "list of vertex ids")


def test_a_header_may_not_take_all_memory(tmp_path):
    path = put(tmp_path, "a.txt", "# nearly graph: vertices=999999999999999999 directed=1\n0 1\n")
    refused(path, MemoryBudgetError, "999,999,999,999,999,999 vertices")


def test_progress_is_told(tmp_path):
    path = put(tmp_path, "a.el", "0 1\n1 2\n")
    calls = []
    nearly.read(path, progress=lambda *call: calls.append(call))
    assert ("reading", 8, 8) in calls


def test_weight_types_that_do_not_fit(tmp_path):
    path = put(tmp_path, "a.wel", "0 1 2.5\n")
    refused(path, InvalidGraphError, "whole numbers", weight_dtype="uint32")
    refused(put(tmp_path, "b.wel", "0 1 1e300\n"), InvalidGraphError, "float64")
    assert nearly.read(put(tmp_path, "b.wel", "0 1 1e300\n"), weight_dtype="float64").weights.tolist() == [1e300]


def test_weights_whose_sum_is_beyond_all_floats(tmp_path):
    (tmp_path / "huge.txt").write_text("0 1 1e308\n1 2 1.7e308\n2 0 1e308\n")
    g = nearly.read(tmp_path / "huge.txt", weight_dtype="float64")
    assert g.weights.tolist() == [1e308, 1.7e308, 1e308]
