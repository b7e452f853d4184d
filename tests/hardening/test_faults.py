"""Faults on purpose: the k-th write, flush, rename or allocation fails, for every k; writers are killed at any moment.

Under a final name there is always the old file or the new one, whole, and what is left behind goes at the next write.
"""

from __future__ import annotations

import errno
import io
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.base import files
from nearly.engine.result_files import write_result
from nearly.engine.transform import disk_cache

ROOT = Path(__file__).resolve().parent.parent.parent
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


JOBS = {
    "g.npz": lambda path: NEW.save(path),
    "g.txt.gz": lambda path: NEW.save(path),
    "g.mtx": lambda path: NEW.save(path),
    "g.csv": lambda path: NEW.save(path),
    "g.parquet": lambda path: NEW.save(path),
    "r.csv": results,
    "r.json": results,
    "m.poly": lambda path: nearly.mesh.write(nearly.mesh.from_points([(0, 0), (1, 0), (0, 1)]), path),
}


@pytest.mark.parametrize("name", JOBS)
def test_whatever_fails_the_old_file_stays(tmp_path, name):
    path, k = tmp_path / name, 0
    JOBS[name](path)
    new = path.read_bytes()
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
        assert path.read_bytes() in ((b"old", new) if failed else (new,)), f"call {k}"
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


@pytest.mark.parametrize("job", ["read", "bfs", "pagerank", "louvain"])
def test_any_allocation_may_fail(tmp_path, job):
    """Then the call ends with MemoryError, and the next one is as good as ever."""
    NEW.save(tmp_path / "g.txt")
    ask = {
        "read": lambda: nearly.read(tmp_path / "g.txt").n,
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
        if count < k or k > 60:
            break
    assert k > 1


WRITER = """
    import sys
    import numpy as np
    import nearly
    from nearly.engine.transform import disk_cache
    folder = sys.argv[1]
    graphs = [nearly.Graph.from_edges(np.arange(k), np.arange(k) + 1) for k in (20_000, 30_000)]
    print("ready", flush=True)
    for turn in range(10**6):
        graph = graphs[turn % 2]
        for name in ("g.npz", "g.txt", "g.csv"):
            graph.save(f"{folder}/{name}")
        disk_cache.store("one", {"sizes": {"a": 9000}}, {"a": np.full(9000, turn % 2, np.uint32)})
"""


def kill_writers(folder, kills: int) -> int:
    """Two writers of the same files, killed at random moments; how often a file was there and sound."""
    rng, sound = random.Random(24), 0
    environment = {**os.environ, "NEARLY_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(folder)]
    for _ in range(kills):
        writers = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(2)]
        for writer in writers:
            writer.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.3))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            writer.stdout.close()
        for name in ("g.npz", "g.txt", "g.csv"):
            if (folder / name).exists():
                graph = nearly.read(folder / name)
                graph.validate()
                assert graph.m in (20_000, 30_000)
                sound += 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NEARLY_CACHE_DIR", str(folder / "cache"))
            kept = disk_cache.load("one", lambda meta: meta["sizes"])
            assert kept is None or np.unique(kept.arrays["a"]).size == 1
    return sound


def test_killed_writers_leave_whole_files(tmp_path):
    assert kill_writers(tmp_path, 3)
    for name in ("g.npz", "g.txt", "g.csv"):
        NEW.save(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "g.csv", "g.npz", "g.txt"]


@pytest.mark.full
def test_many_killed_writers(tmp_path):
    assert kill_writers(tmp_path, 500)


KILLS = 12  # of a thousand that a campaign makes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_killed_at_any_moment_nothing_is_partial():
    """In a process of its own, from which children are forked: see `tests/campaign/kills`."""
    command = [sys.executable, "-m", "tests.campaign", "--part", "kills", "--cases", str(KILLS), "--minutes", "5"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # so that a child works at once
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| kills | {KILLS} |" in done.stdout


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
