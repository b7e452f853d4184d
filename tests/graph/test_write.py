"""Writers: what is written is read back equal; whatever happens there is the old file, the new one, or none."""

from __future__ import annotations

import errno
import gzip
import os
import resource
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.file_help import arcs, assert_same, folder_state, sample_graphs

import nearly
from nearly import FileAccessError, Graph, InvalidArgumentError
from nearly.graph.io import format_edges

NAMES = [
    "a.txt",
    "a.el.gz",
    "a.wel",
    "a.edges",
    "a.tsv",
    "a.csv",
    "a.csv.gz",
    "a.mtx",
    "a.mtx.gz",
    "a.parquet",
    "a.npz",
    "a.graphml",
    "a.gexf.gz",
    "a.gml",
    "a.json.gz",
]
FORMATS = ["a.txt", "a.csv", "a.mtx.gz", "a.parquet", "a.npz", "a.gml", "a.json"]


@pytest.fixture
def small():
    return Graph.from_edges([0, 1, 4], [1, 2, 0], weights=[0.5, 2, 1e-7], n=6, directed=False)


@pytest.mark.small
@pytest.mark.parametrize("graph", sample_graphs())
@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("a.wel", "a.edges", "a.tsv")])
def test_round_trip(tmp_path, graph, name):
    wanted = sample_graphs()[graph]
    wanted.save(tmp_path / name)
    again = nearly.read(tmp_path / name, negative="keep")
    assert_same(again, wanted)
    assert list(folder_state(tmp_path)) == [name]


@pytest.mark.parametrize("name", NAMES)
def test_every_extension(tmp_path, small, name):
    nearly.write(small, tmp_path / name)
    assert_same(nearly.read(tmp_path / name), small)


@pytest.mark.small
@pytest.mark.parametrize("ids", [None, [5], [-3], [0], [""], ["a"], ["b", "a"]], ids=str)
@pytest.mark.parametrize("dtype", [None, "uint32", "float32", "float64"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_round_trip_of_a_table_without_rows(tmp_path, name, dtype, ids):
    """No row shows of which type the columns are, so the header must."""
    g = Graph.from_edges([], [], None if dtype is None else [], 1 if ids is None else len(ids), weight_dtype=dtype)
    g = Graph._trusted(g.arrays, True, None if ids is None else np.array(ids))
    g.save(tmp_path / name)
    assert_same(nearly.read(tmp_path / name), g)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_round_trip_of_any_graph(tmp_path_factory, data):
    n = data.draw(st.integers(1, 12))
    ends = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(ends, ends), max_size=30))
    src, dst = np.array(edges, np.int64).reshape(-1, 2).T
    dtype = data.draw(st.sampled_from([None, "uint32", "float32", "float64"]))
    values = {
        "uint32": st.integers(0, 2**32 - 1),
        "float32": st.floats(0, width=32, allow_infinity=False),
        "float64": st.floats(0, allow_infinity=False),
    }
    weights = data.draw(st.lists(values[dtype], min_size=src.size, max_size=src.size)) if dtype else None
    directed, duplicates = data.draw(st.booleans()), data.draw(st.sampled_from([None, "keep"]))
    g = Graph.from_edges(src, dst, weights, n, directed, duplicates=duplicates, weight_dtype=dtype)
    ids = data.draw(
        st.one_of(
            st.none(),
            st.lists(st.integers(-(2**62), 2**62), min_size=n, max_size=n, unique=True),
            st.lists(st.integers(0, 20), min_size=n, max_size=n, unique=True).map(sorted),
            st.lists(
                st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=n, max_size=n, unique=True
            ),
        )
    )
    g = Graph._trusted(g.arrays, directed, None if ids is None else np.array(ids))
    folder = tmp_path_factory.mktemp("any")
    for name in FORMATS:
        g.save(folder / name)
        assert_same(nearly.read(folder / name), g)


def test_text_for_other_programs(tmp_path, small):
    small.save(tmp_path / "a.txt")
    comment, *lines = (tmp_path / "a.txt").read_text().splitlines()
    assert comment.startswith("# nearly graph: vertices=6 directed=0")
    assert lines == ["0\t1\t0.5", "0\t4\t1e-07", "1\t2\t2.0"]
    small.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines()[1:3] == ["source,target,weight", "0,1,0.5"]
    with gzip.open(tmp_path / "a.el.gz", "wt") as file:
        file.write("0 1\n")
    assert arcs(nearly.read(tmp_path / "a.el.gz")) == [(0, 1)]


@pytest.mark.parametrize("directed", [True, False])
def test_scipy_reads_our_mtx(tmp_path, directed):
    rng = np.random.default_rng(1)
    g = Graph.from_edges(*rng.integers(0, 9, (2, 30)), rng.random(30), n=11, directed=directed)
    g.save(tmp_path / "a.mtx")
    assert np.array_equal(scipy.io.mmread(tmp_path / "a.mtx").toarray().astype(np.float32), g.to_scipy().toarray())


def test_pyarrow_and_numpy_read_our_tables(tmp_path, small):
    import pyarrow.parquet as pq

    small.save(tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet").column("target").to_pylist() == [1, 4, 2]


def test_equal_graphs_give_equal_bytes(tmp_path, small):
    for name in ("a.txt", "a.txt.gz", "a.npz", "a.mtx"):
        small.save(tmp_path / name)
        before = (tmp_path / name).read_bytes()
        Graph._trusted(small.arrays, False).save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before


def test_floats_on_the_edge_between_two_are_spelled_out():
    """A shortest decimal can round to the middle of two floats when it passes through a double."""
    rng = np.random.default_rng(2)
    bits = rng.integers(1, 0x7F7FFFFF, 200_000).astype(np.uint32).view(np.float32)
    assert np.array_equal(format_edges.weight_texts(bits).astype(np.float64).astype(np.float32), bits)


def test_what_cannot_be_written(tmp_path, small):
    for name, words in [
        ("a.gr", "cannot write the format 'gr'"),
        ("a.graph", "cannot write the format 'metis'"),
        ("a.npz.gz", "not gzipped"),
        ("a.parquet.gz", "not gzipped"),
        ("a.xyz", "no known format"),
    ]:
        with pytest.raises(InvalidArgumentError, match=words):
            small.save(tmp_path / name)
    with pytest.raises(InvalidArgumentError, match="cannot write the format 'doc'"):
        nearly.write(small, tmp_path / "a.txt", format="doc")
    assert folder_state(tmp_path) == {}


@pytest.mark.parametrize("name", FORMATS)
def test_a_place_that_does_not_take_files(tmp_path, small, name):
    (tmp_path / "file").write_text("not a folder")
    for place in (tmp_path / "file" / name, tmp_path / "none" / name, f"/proc/{name}"):
        with pytest.raises(FileAccessError, match=r"cannot write .*; choose another place") as caught:
            small.save(place)
        assert str(place) in str(caught.value)
    assert list(folder_state(tmp_path)) == ["file"]


def test_a_read_only_folder(tmp_path, small, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", denied)
    with pytest.raises(FileAccessError, match="Permission denied") as caught:
        small.save(tmp_path / "a.txt")
    assert caught.value.errno == errno.EACCES
    assert folder_state(tmp_path) == {}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("before", [None, b"the old file"])
def test_a_full_disk(tmp_path, name, before):
    """The system refuses to let the file grow: the error says so, and the old file is as it was."""
    path = tmp_path / name
    rng = np.random.default_rng(3)
    g = Graph.from_edges(*rng.integers(0, 500, (2, 3000)), rng.random(3000))
    g.save(path)
    path.unlink()
    if before is not None:
        path.write_bytes(before)
    state = folder_state(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
        with pytest.raises(FileAccessError, match="make room") as caught:
            g.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert str(path) in str(caught.value)
    assert folder_state(tmp_path) == state


@pytest.mark.parametrize("name", FORMATS)
def test_no_space_left_at_the_end(tmp_path, small, name, monkeypatch):
    """Even the last step before the rename may find the disk full."""

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileAccessError, match="No space left on device"):
        small.save(tmp_path / name)
    assert folder_state(tmp_path) == {}


@pytest.mark.parametrize("name", FORMATS)
def test_an_exception_on_the_way(tmp_path, small, name):
    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    (tmp_path / name).write_bytes(b"old")
    with pytest.raises(Stop):
        nearly.write(small, tmp_path / name, progress=stop)
    assert folder_state(tmp_path) == {name: b"old"}


@pytest.mark.parametrize("name", ["a.txt", "a.npz", "a.parquet"])
@pytest.mark.parametrize("before", [None, b"the old file"])
def test_kill_in_the_middle(tmp_path, name, before):
    """A writer killed half way (-9) leaves the old file or none."""
    path = tmp_path / name
    if before is not None:
        path.write_bytes(before)
    code = """
        import sys, time
        import nearly
        from nearly.graph.io import format_edges, npz_arrays
        npz_arrays._BLOCK = format_edges._LINES = 64
        def stall(stage, done, total):
            if done >= total // 2:
                print("half way", flush=True)
                time.sleep(600)
        n = 500
        nearly.write(nearly.Graph.from_edges(range(n), range(1, n + 1)), sys.argv[1], progress=stall)
    """
    writer = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), path], stdout=subprocess.PIPE)
    try:
        assert writer.stdout.readline() == b"half way\n"
        assert any(p.suffix == ".part" for p in tmp_path.iterdir()), "it is being written beside"
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert (path.read_bytes() if path.exists() else None) == before
    Graph.from_edges([0], [1]).save(path)
    assert nearly.read(path).m == 1
