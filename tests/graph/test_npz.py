"""Our .npz: aligned, mapped, opened without reading it, and never believed."""

from __future__ import annotations

import io
import json
import struct
import zipfile

import numpy as np
import pytest
from tests.graph.file_help import arcs, assert_same, put, refused, sample_graphs

import nearly
from nearly import FileAccessError, Graph, GraphFormatError, InvalidArgumentError, InvalidGraphError, MemoryBudgetError
from nearly.graph import csr
from nearly.graph.io import npz_arrays

pytestmark = pytest.mark.small


@pytest.fixture
def stored(tmp_path):
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 2], weights=[5, 6, 7, 8])
    path = tmp_path / "g.npz"
    graph.save(path)
    return path


def rebuilt(path, compression=zipfile.ZIP_STORED, drop=(), **members):
    """The file with some members replaced by arrays or bytes, written anew by zipfile alone."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    for name, value in members.items():
        if isinstance(value, np.ndarray):
            buffer = io.BytesIO()
            np.save(buffer, value, allow_pickle=value.dtype == object)
            content[f"{name}.npy"] = buffer.getvalue()
        elif isinstance(value, dict):
            content["meta.json"] = json.dumps({**json.loads(content["meta.json"]), **value}).encode()
        else:
            content[f"{name}.npy"] = value
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in content.items():
            if name.split(".")[0] not in drop:
                archive.writestr(name, data)
    return path


def header_of(path, name):
    with zipfile.ZipFile(path) as archive:
        return archive.read(f"{name}.npy")


@pytest.mark.parametrize("name", sample_graphs())
def test_round_trip(tmp_path, name):
    graph = sample_graphs()[name]
    graph.save(tmp_path / "g.npz")
    for options in ({}, {"mmap": False}):
        again = nearly.read(tmp_path / "g.npz", **options)
        assert_same(again, graph)
        again.validate()


def test_arrays_are_aligned_and_numpy_opens_them(stored):
    with open(stored, "rb") as file, zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        for info in archive.infolist():
            assert info.compress_type == zipfile.ZIP_STORED
            if info.filename.endswith(".npy"):
                assert npz_arrays.data_start(file, info) % 64 == 0
    with np.load(stored) as plain:
        assert plain["targets"].tolist() == [1, 2, 0, 2]


def test_equal_graphs_give_equal_files(tmp_path, stored):
    nearly.read(stored).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == stored.read_bytes()


def test_opening_reads_no_array(stored, monkeypatch):
    monkeypatch.setattr(npz_arrays, "_loaded", lambda *_: pytest.fail("an array was read"))
    checks = []
    monkeypatch.setattr("nearly.graph.validate.checked_arrays", lambda *a: checks.append(1) or csr.Arrays(*a))
    g = nearly.read(stored)
    assert (g.n, g.m, g.directed, g.weighted) == (3, 4, True, True)
    assert not checks
    assert g.arrays.targets.tolist() == [1, 2, 0, 2]
    assert checks == [1]


def test_the_map_is_private_and_plain(stored):
    before = stored.read_bytes()
    g = nearly.read(stored)
    assert type(g.arrays.targets) is np.ndarray
    assert g.arrays.targets.flags.writeable
    assert not g.targets.flags.writeable
    g.arrays.weights[0] = 99
    assert stored.read_bytes() == before
    assert nearly.read(stored).weights.tolist() == [5, 6, 7, 8]


def test_a_mapped_graph_survives_its_file_being_replaced(stored):
    g = nearly.read(stored)
    Graph.from_edges([0], [1]).save(stored)
    assert g.targets.tolist() == [1, 2, 0, 2]
    assert nearly.read(stored).m == 1


def test_compressed_members_are_read(stored):
    wanted = nearly.read(stored, mmap=False)
    assert_same(nearly.read(rebuilt(stored, zipfile.ZIP_DEFLATED)), wanted)


def test_unaligned_members_are_read(stored):
    wanted = nearly.read(stored, mmap=False)
    assert_same(nearly.read(rebuilt(stored)), wanted)


def test_policies(stored):
    assert nearly.read(stored, weights=False).weights is None
    assert arcs(nearly.read(stored, self_loops="drop")) == [(0, 1, 5), (1, 2, 6), (2, 0, 7)]
    assert nearly.read(stored, directed=False).m == 7
    assert nearly.read(stored, weight_dtype="float64").weights.dtype == np.float64
    both = Graph.from_edges([0, 0], [1, 1], [4, 3], directed=False, duplicates="keep")
    both.save(stored)
    assert_same(nearly.read(stored), both)
    assert arcs(nearly.read(stored, duplicates="min")) == [(0, 1, 3), (1, 0, 3)]
    assert nearly.read(stored, directed=True).directed


def _offsets(*values):
    return np.array(values, np.uint64)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"targets": np.array([1, 2, 0, 2], object)}, ["targets.npy", "object array"]),
        ({"ids": np.array(["a", "b", 3], object)}, ["ids.npy", "object array"]),
        ({"targets": np.array([1, 2, 0, 2], np.int64)}, ["targets.npy", "<i8", "<u4"]),
        ({"targets": np.array([1, 2, 0, 2], ">u4")}, ["targets.npy", ">u4"]),
        ({"targets": np.array([[1, 2], [0, 2]], np.uint32)}, ["shape (2, 2)"]),
        ({"targets": np.array([1, 2, 0, 2], [("x", "<u4")])}, ["targets.npy"]),
        ({"targets": np.array([1, 2, 0], np.uint32)}, ["shape (3,)", "4 numbers"]),
        ({"weights": np.array([1, 2, 3], np.uint32)}, ["weights.npy", "shape (3,)", "4 numbers"]),
        ({"weights": np.array([1, 2, 3, 4], np.complex64)}, ["weights.npy", "<c8"]),
        ({"offsets": _offsets(0, 1, 4)}, ["offsets.npy", "shape (3,)", "4 numbers"]),
        ({"ids": np.array([1, 2], np.int64)}, ["ids.npy", "shape (2,)"]),
        ({"ids": np.array([1.5, 2, 3])}, ["ids.npy", "<f8"]),
        ({"targets": b"no array at all"}, ["targets.npy is no numpy array"]),
        ({"targets": b""}, ["targets.npy is no numpy array"]),
        ({"drop": ("targets",)}, ["targets.npy is missing"]),
        ({"drop": ("weights",)}, ["weights.npy is missing"]),
        ({"drop": ("meta",)}, ["meta.json is missing"]),
        ({"meta": {"n": -1}}, ["meta.json does not describe"]),
        ({"meta": {"n": "3"}}, ["meta.json does not describe"]),
        ({"meta": {"directed": 1}}, ["meta.json does not describe"]),
        ({"meta": {"format": "other"}}, ["meta.json does not describe"]),
        ({"meta": {"version": 99}}, ["version 99", "upgrade"]),
        ({"meta": {"n": 10**15}}, ["offsets.npy", "shape (4,)"]),
    ],
)
@pytest.mark.parametrize("mmap", [True, False])
def test_forged_members(stored, members, words, mmap):
    refused(rebuilt(stored, **members), GraphFormatError, *words, mmap=mmap)


@pytest.mark.parametrize("mmap", [True, False])
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_shapes_larger_than_the_file(stored, mmap, compression):
    """A header that promises a terabyte, with a meta.json that agrees."""
    claimed = 10**12
    data = header_of(stored, "targets").replace(b"(4,), }" + b" " * 12, b"(%d,), }" % claimed)
    path = rebuilt(
        stored, compression, targets=data, weights=np.array([], np.uint32), meta={"m": claimed, "weighted": False}
    )
    refused(path, GraphFormatError, f"claims {claimed} numbers", mmap=mmap)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"offsets": _offsets(0, 3, 2, 4)}, ["offsets must not fall"]),
        ({"offsets": _offsets(0, 1, 2, 9)}, ["offsets must run from 0"]),
        ({"offsets": _offsets(1, 1, 2, 4)}, ["offsets must run from 0"]),
        ({"targets": np.array([1, 2, 0, 3], np.uint32)}, ["targets[3]=3 is out of range"]),
        ({"targets": np.array([1, 2, 2, 0], np.uint32)}, ["vertex 2 must ascend"]),
        ({"weights": np.array([1, np.nan, 1, 1], np.float32)}, ["nan"]),
        ({"weights": np.array([1, 1, 1, np.inf], np.float32)}, ["inf"]),
    ],
)
@pytest.mark.parametrize("mmap", [True, False])
def test_arrays_that_are_no_graph(stored, members, words, mmap):
    """Opening is lazy, but nothing gets past the first look at the arrays."""
    g = nearly.read(rebuilt(stored, **members), mmap=mmap)
    for look in (lambda: g.arrays, lambda: g.targets, lambda: g.out_degrees, lambda: g.reverse, lambda: g == g):
        with pytest.raises(InvalidGraphError) as caught:
            look()
        assert all(word in str(caught.value) for word in words)


def test_forged_text_ids(stored):
    ids = np.frombuffer(np.array([65, 0x110000, 66], np.uint32).tobytes(), "<U1")
    refused(rebuilt(stored, ids=ids), GraphFormatError, "no text")


def test_a_bomb_meets_the_budget(stored, monkeypatch):
    m = 3_000_000
    path = rebuilt(
        stored, zipfile.ZIP_DEFLATED, offsets=_offsets(0, m, m, m), targets=np.zeros(m, np.uint32),
        meta={"m": m, "weighted": False},
    )  # fmt: skip
    assert path.stat().st_size < 30_000
    monkeypatch.setenv("NEARLY_MEMORY", "1M")
    refused(path, MemoryBudgetError, "targets.npy", "the budget is 1.0 MiB")


def test_other_files(tmp_path, stored):
    refused(put(tmp_path, "a.npz", b"0 1\n"), GraphFormatError, "no .npz of ours")
    refused(put(tmp_path, "b.npz", b""), GraphFormatError, "no .npz of ours")
    whole = stored.read_bytes()
    refused(put(tmp_path, "c.npz", whole[: len(whole) // 2]), GraphFormatError, "damaged")
    refused(tmp_path / "none.npz", FileAccessError, "cannot read", "none.npz")
    import scipy.sparse

    scipy.sparse.save_npz(tmp_path / "s.npz", scipy.sparse.eye_array(3).tocsr())
    refused(tmp_path / "s.npz", GraphFormatError, "scipy.sparse.load_npz", "Graph.from_scipy")


def test_a_member_beyond_the_file(tmp_path, stored):
    """A directory entry that says its member is longer than the whole file."""
    data = bytearray(stored.read_bytes())
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"targets.npy"))
    data[at + 20 : at + 28] = struct.pack("<LL", 10**9, 10**9)
    refused(put(tmp_path, "f.npz", bytes(data)), GraphFormatError, "beyond the end of the file")


def test_a_flipped_bit_is_noticed_by_its_checksum(tmp_path, stored):
    data = bytearray(stored.read_bytes())
    raw = np.array([5, 6, 7, 8], "<u4").tobytes()
    data[data.index(raw)] ^= 1
    refused(put(tmp_path, "f.npz", bytes(data)), GraphFormatError, "CRC", mmap=False)


def test_ids_that_cannot_be_stored(tmp_path):
    g = Graph.from_edges([0], [1])
    g = Graph._trusted(g.arrays, True, np.array([(0, 1), None], object))
    for name in ("g.npz", "g.txt", "g.mtx", "g.parquet"):
        with pytest.raises(InvalidArgumentError, match=r"ids of type object cannot be written"):
            g.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_wide_graphs(tmp_path, monkeypatch):
    monkeypatch.setattr("nearly.graph.csr_arrays.NARROW_VERTICES", 2)
    g = Graph.from_edges([0, 5], [5, 1])
    assert g.arrays.targets.dtype == np.uint64
    g.save(tmp_path / "g.npz")
    assert_same(nearly.read(tmp_path / "g.npz"), g)
