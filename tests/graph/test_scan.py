"""The parallel parser of text: cutting changes nothing, line numbers are exact, decimals are rounded right."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.graph.file_help import arcs, assert_same, put, refused

import nearly
from nearly import GraphFormatError
from nearly.graph import build
from nearly.graph.io import content, edge_list, scan
from nearly.graph.io.read_options import Options

pytestmark = pytest.mark.small


@pytest.fixture
def tiny_pieces(monkeypatch):
    """Regions and pieces of a few lines, so that small files go through all the cutting, and the large builder."""
    for limit in ("SMALL", "TINY"):
        monkeypatch.setattr(build, limit, 0)
    monkeypatch.setattr(content, "REGION", 256)
    monkeypatch.setattr(scan, "PIECE", 32)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_cutting_changes_nothing(tmp_path_factory, data):
    """Any file, whatever the size of regions and pieces, gives what one plain loop over its lines gives."""
    ids = st.one_of(st.integers(0, 9), st.integers(0, 2**40))
    edges = data.draw(st.lists(st.tuples(ids, ids, st.integers(0, 10**6)), min_size=1, max_size=60))
    noise = data.draw(st.lists(st.sampled_from(["", "", "# comment 1 2", "   ", "%x"]), min_size=60, max_size=60))
    lines = [f"{extra}\n{u} {v} {w / 8}" for extra, (u, v, w) in zip(noise, edges)]
    path = put(tmp_path_factory.mktemp("cut"), data.draw(st.sampled_from(["a.wel", "a.wel.gz"])), "\n".join(lines))
    ends = np.array([edge[:2] for edge in edges])
    known = np.unique(ends)
    src, dst = np.searchsorted(known, ends).T
    wanted = nearly.Graph.from_edges(src, dst, [w / 8 for *_, w in edges], known.size)
    hold = data.draw(st.sampled_from([None, 0, 100]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "REGION", data.draw(st.integers(30, 400)))
        patch.setattr(scan, "PIECE", data.draw(st.integers(8, 200)))
        g = edge_list.read_edge_list(path, Options(), hold=hold)
    assert g.arrays.offsets.tolist() == wanted.arrays.offsets.tolist()
    assert arcs(g) == [(known[u], known[v], w) for u, v, w in arcs(wanted)]


@pytest.mark.parametrize("bad", [3, 7, 23, 39, 40])
@pytest.mark.parametrize("name", ["a.el", "a.el.gz"])
def test_line_numbers_are_exact_after_cutting(tmp_path, tiny_pieces, bad, name):
    lines = [f"{i} {i + 1}" if i % 5 else "# comment" for i in range(40)]
    lines[bad - 1] = "x y"
    refused(put(tmp_path, name, "\n".join(lines)), GraphFormatError, line=bad)


def test_the_first_bad_line_is_reported(tmp_path, tiny_pieces):
    lines = [f"{i} {i + 1}" for i in range(40)]
    for at in (35, 20, 11, 10):
        lines[at] = "-1 0"
    refused(put(tmp_path, "a.el", "\n".join(lines)), GraphFormatError, line=11)


def test_streaming_equals_holding(tmp_path, tiny_pieces):
    rng = np.random.default_rng(3)
    lines = "".join(f"{u} {v} {w}\n" for u, v, w in zip(*rng.integers(0, 10**7, (2, 80)), rng.random(80)))
    for name in ("a.wel", "a.wel.gz"):
        path = put(tmp_path, name, lines)
        assert_same(edge_list.read_edge_list(path, Options(), hold=0), nearly.read(path))
        assert_same(edge_list.read_edge_list(path, Options(directed=False), hold=0), nearly.read(path, directed=False))


def test_the_budget_decides_on_streaming(tmp_path, tiny_pieces, monkeypatch):
    rng = np.random.default_rng(4)
    path = put(tmp_path, "a.el", "".join(f"{u} {v}\n" for u, v in rng.integers(0, 20, (2000, 2))))
    wanted = nearly.read(path)
    parsed = []
    monkeypatch.setattr(scan._EdgeRegion, "parse", _counting(scan._EdgeRegion.parse, parsed))
    nearly.read(path)
    once = len(parsed)
    monkeypatch.setenv("NEARLY_MEMORY", "40K")
    parsed.clear()
    assert nearly.read(path) == wanted
    assert len(parsed) == 3 * once, "one pass for the ids, two for the builder"


def _counting(function, calls):
    def counted(*arguments):
        calls.append(1)
        return function(*arguments)

    return counted


def test_wide_vertices_use_the_same_paths(tmp_path, monkeypatch):
    path = put(tmp_path, "a.el", "5 7\n7 9\n9 5\n0 5\n")
    wanted = arcs(nearly.read(path))
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 2)
    g = nearly.read(path)
    assert g.arrays.targets.dtype == np.uint64
    assert arcs(g) == wanted


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.floats(0, allow_infinity=False).map(repr),
        st.tuples(st.floats(0, 1e300), st.integers(0, 25)).map(lambda p: f"{p[0]:.{p[1]}e}"),
        st.tuples(st.integers(0, 10**25), st.integers(-300, 300)).map(lambda p: f"{p[0]}e{p[1]}"),
        st.integers(2**52, 2**53).map(lambda m: f"{2 * m + 1}"),
        st.from_regex(r"[0-9]{0,30}\.[0-9]{1,30}", fullmatch=True),
    )
)
@example("9007199254740993")
@example("9007199254740992.99999999999999999999")
@example("2.2250738585072011e-308")
@example("4.9e-324")
@example("1.7976931348623157e308")
def test_decimals_are_rounded_to_the_nearest_double(word):
    """The kernel's arithmetic gives the double that Python gives, or leaves the word to Python."""
    from nearly.graph.io.word_kernels import decimal_number

    data = np.frombuffer(word.encode() + b"\n", np.uint8)
    value, end, fine, _ = decimal_number(data, np.uint64(0), 0)
    if fine:
        assert value == float(word)
        assert end == len(word)


def test_common_decimals_are_not_left_to_python():
    from nearly.graph.io.word_kernels import decimal_number

    rng = np.random.default_rng(5)
    words = (
        [repr(x) for x in rng.random(500).tolist()]
        + [f"{x:.6f}" for x in rng.random(100) * 1e4]
        + ["0", "1", "12.5", "1e-5"]
    )
    for word in words:
        data = np.frombuffer(word.encode() + b"\n", np.uint8)
        assert decimal_number(data, np.uint64(0), 0)[2], word
