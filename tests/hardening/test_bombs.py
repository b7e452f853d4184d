"""Small inputs that claim or unpack to a great deal: refused before they cost more than the budget."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import zipfile

import numpy as np
import pytest

import nearly
from nearly import Graph, GraphFormatError, MemoryBudgetError, NearlyError

BUDGET, LEEWAY = 32 << 20, 256 << 10  # bytes; KiB: the budget, and what compiling a kernel takes


@pytest.fixture(autouse=True)
def budget(monkeypatch):
    monkeypatch.setenv("NEARLY_MEMORY", str(BUDGET))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < LEEWAY


def packed_zeros(size: int) -> bytes:
    made = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, made) as stream:
        for _ in range(size >> 20):
            stream.write(bytes(1 << 20))
    return made.getvalue()


@pytest.mark.parametrize("extension", ["txt", "mtx", "gr", "graph"])
def test_an_endless_line(tmp_path, extension):
    (tmp_path / f"line.{extension}.gz").write_bytes(packed_zeros(256 << 20))
    with pytest.raises((GraphFormatError, MemoryBudgetError)):
        nearly.read(tmp_path / f"line.{extension}.gz")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
def test_a_device_that_never_ends():
    with pytest.raises((GraphFormatError, MemoryBudgetError)):
        nearly.read("/dev/zero", format="text")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n1000000000000 1000000000000 1\n1 1000000000000\n"),
        ("g.gr", "p sp 1000000000000 1\na 1 1000000000000 1\n"),
        ("g.graph", "1000000000000 1\n2\n1\n"),
        ("g.txt", "# nearly graph: vertices=1000000000000 directed=1 weights=none ids=none\n0\t1\n"),
    ],
)
def test_a_million_million_vertices(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(NearlyError):
        nearly.read(tmp_path / name)


def test_ids_as_large_as_they_like_are_compacted(tmp_path):
    (tmp_path / "g.txt").write_text("0 1000000000000\n")
    assert nearly.read(tmp_path / "g.txt").ids.tolist() == [0, 10**12]
    for most in (10**12, 2**62):
        with pytest.raises(MemoryBudgetError):
            Graph.from_edges([0], [most])
        with pytest.raises(MemoryBudgetError):
            nearly.add_edges(Graph.from_edges([0], [1]), [0], [most])


def npz(meta: dict, arrays: dict[str, np.ndarray]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.json", json.dumps(meta))
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array)
            archive.writestr(f"{name}.npy", data.getvalue())
    return made.getvalue()


def test_packed_arrays(tmp_path):
    meta = {"format": "nearly graph", "version": 1, "directed": True, "weighted": False, "n": 1, "m": 1 << 25}
    arrays = {"offsets": np.array([0, 1 << 25], np.uint64), "targets": np.zeros(1 << 25, np.uint32)}
    data = npz(meta, arrays)
    assert len(data) < 1 << 20
    (tmp_path / "g.npz").write_bytes(data)
    del arrays
    with pytest.raises(MemoryBudgetError):
        nearly.read(tmp_path / "g.npz")


@pytest.mark.parametrize(
    "call",
    [
        lambda: nearly.generate.rmat(30, 16), lambda: nearly.generate.grid(10**6, 10**6),
        lambda: nearly.generate.random(10**9, 10**10), lambda: nearly.random_walks(SMALL, 10**9, 10**6),
        lambda: nearly.generate.geometric(10**9, 0.1), lambda: nearly.generate.smallworld(10**9, 10, 0.1),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_estimated_first(call):
    with pytest.raises(MemoryBudgetError, match="the budget is"):
        call()


SMALL = Graph.from_edges([0, 1], [1, 0])
