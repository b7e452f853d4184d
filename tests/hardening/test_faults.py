"""Faults on purpose: the k-th write, flush, rename or allocation fails, for every k; the disk is full.

Under a final name there is always the old file or the new one, whole, and what is left behind goes at the next write.
"""

from __future__ import annotations

import errno
import io
import os
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.base import files
from nearly.cli.main import main
from nearly.engine.checkpoint import Checkpoint
from nearly.engine.result_files import write_result
from nearly.engine.transform import disk_cache

OLD = Graph.from_edges([0], [1])
NEW = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2, 3], directed=False)
CALLS = ("mkstemp", "write", "fsync", "chmod", "replace")


class Faults:
    """Lets the k-th of all calls of the file layer fail; counts them."""

    def __init__(self, monkeypatch, at: int) -> None:
        self.at, self.count = at, 0
        monkeypatch.setattr(files.os, "fsync", self.failing(os.fsync))
        monkeypatch.setattr(files.os, "replace", self.failing(os.replace))
        monkeypatch.setattr(files.os, "chmod", self.failing(os.chmod))
        monkeypatch.setattr(files.tempfile, "mkstemp", self.failing(files.tempfile.mkstemp))
        faults = self

        class Raw(io.FileIO):
            def write(self, data):
                faults.hit()
                return super().write(data)

        monkeypatch.setattr(files.os, "fdopen", lambda fd, mode: io.BufferedRandom(Raw(fd, "r+b")))

    def hit(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def failing(self, call):
        def wrapped(*args, **keywords):
            self.hit()
            return call(*args, **keywords)

        return wrapped


@cache
def result():
    return nearly.bfs(NEW, 0)


def results(path):
    write_result(NEW, result(), path)


def command(*words):
    """A command line; its one sentence about an error is an error again."""
    try:
        main([str(word) for word in words])
    except SystemExit as end:
        if end.code:
            raise OSError(end.code) from end


@cache
def given():
    path = Path(tempfile.mkdtemp()) / "given.npz"
    NEW.save(path)
    return path


JOBS = {
    "g.npz": lambda path: NEW.save(path),
    "g.txt.gz": lambda path: NEW.save(path),
    "g.mtx": lambda path: NEW.save(path),
    "g.csv": lambda path: NEW.save(path),
    "g.parquet": lambda path: NEW.save(path),
    "r.csv": results,
    "r.json": results,
    "made.npz": lambda path: command("generate", "grid", "--rows", 3, "--cols", 3, "-o", path),
    "converted.graphml": lambda path: command("convert", given(), path),
    "transformed.npz": lambda path: command("transform", given(), "-t", "partial-edges", "-a", "bfs", "-o", path),
    "run.ckpt": lambda path: Checkpoint(path, "a question").write({"done": 3, "sums": np.arange(4.0)}),
    "m.poly": lambda path: nearly.mesh.write(nearly.mesh.from_points([(0, 0), (1, 0), (0, 1)]), path),
}


def content(path):
    """What a file holds; of a transformed graph, which tells how long that took, the arcs."""
    data = path.read_bytes()
    return data if data == b"old" or path.name != "transformed.npz" else nearly.read(path).targets.tobytes()


@pytest.mark.parametrize("name", JOBS)
def test_whatever_fails_the_old_file_stays(tmp_path, name, monkeypatch):
    monkeypatch.setenv("NEARLY_CACHE", "0")
    path, k = tmp_path / name, 0
    JOBS[name](path)
    new = content(path)
    while True:
        k += 1
        path.write_bytes(b"old")
        with pytest.MonkeyPatch.context() as patch:
            faults = Faults(patch, k)
            try:
                JOBS[name](path)
                failed = False
            except OSError:
                failed = True
        left = [one.name for one in tmp_path.iterdir()]
        assert left == [name], f"call {k}"
        assert content(path) in ((b"old", new) if failed else (new,)), f"call {k}"
        if faults.count < k:
            break
    assert k > len(CALLS), "every kind of call was reached"


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path))
    for k in range(1, 12):
        with pytest.MonkeyPatch.context() as patch:
            Faults(patch, k)
            disk_cache.store("one", {"sizes": {"a": 2}}, {"a": np.arange(2, dtype=np.uint32)})
        found = disk_cache.load("one", lambda meta: meta["sizes"])
        assert found is None or found.arrays["a"].tolist() == [0, 1]
    assert found is not None
    assert [path.name for path in disk_cache.folder().iterdir()] == ["one.npz"]


def test_files_from_the_future_are_kept_and_replaced(tmp_path, monkeypatch):
    """A clock that was set back: nothing waits for a time that has been before."""
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tmp_path))
    arrays = {"a": np.arange(2, dtype=np.uint32)}
    disk_cache.store("one", {"sizes": {"a": 2}}, arrays)
    os.utime(disk_cache.folder() / "one.npz", (2**33, 2**33))
    disk_cache.store("two", {"sizes": {"a": 2}}, arrays)
    assert len(disk_cache.entries()) == 2
    assert disk_cache.shrink(0) == 2


@pytest.mark.parametrize("job", ["read", "convert", "generate", "transform", "bfs", "pagerank", "louvain"])
def test_any_allocation_may_fail(tmp_path, job):
    """Then the call ends with MemoryError, and the next one is as good as ever."""
    NEW.save(tmp_path / "g.txt")

    def converted():
        nearly.read(tmp_path / "g.txt").save(tmp_path / "c.npz")
        return (tmp_path / "c.npz").read_bytes()

    ask = {
        "read": lambda: nearly.read(tmp_path / "g.txt").n,
        "convert": converted,
        "generate": lambda: nearly.generate.rmat(4, 4, seed=1).targets.tolist(),
        "transform": lambda: nearly.bfs(NEW, 0, approx=nearly.PartialEdges(keep=0.5)).values.tolist(),
        "bfs": lambda: nearly.bfs(NEW, 0).values.tolist(),
    }.get(job, lambda: getattr(nearly, job)(NEW).values.tolist())
    wanted, k = ask(), 0
    while True:
        k += 1
        count = 0

        def failing(make, k=k):
            def wrapped(*args, **keywords):
                nonlocal count
                count += 1
                if count == k:
                    raise MemoryError
                return make(*args, **keywords)

            return wrapped

        with pytest.MonkeyPatch.context() as patch:
            for name in ("empty", "zeros", "full"):
                patch.setattr(np, name, failing(getattr(np, name)))
            with suppress(MemoryError):
                assert ask() == wanted
        assert ask() == wanted
        assert not list(tmp_path.glob(".*")), "a part file stays"
        if count < k:
            break
    assert k > 1


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 64 KiB, where one can be mounted."""
    place = tmp_path / "tiny"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_full(tiny_disk, monkeypatch):
    """Small files fit, large ones are refused, and what was there before stays."""
    large = Graph.from_edges(np.arange(30_000), np.arange(30_000) + 1)
    for name in ("g.npz", "g.txt", "g.csv"):
        OLD.save(tiny_disk / name)
        with pytest.raises(OSError, match="No space left"):
            large.save(tiny_disk / name)
        assert nearly.read(tiny_disk / name).m == OLD.m
    monkeypatch.setenv("NEARLY_CACHE_DIR", str(tiny_disk / "cache"))
    disk_cache.store("one", {"sizes": {"a": 10**5}}, {"a": np.zeros(10**5, np.uint32)})
    assert disk_cache.load("one", lambda meta: meta["sizes"]) is None
    assert not list(tiny_disk.rglob(".*"))
