"""kill -9 at a random moment of generate, convert, transform, compile, or of a write to a cache or a checkpoint.

`check(number)` forks a child of this process, in which all is loaded already, lets it work on one of JOBS over and
over, and kills it after a random time. Then nothing under a final name may be partial: there is nothing, or what was
there before, or what was to be written, whole. What the child left beside it (part files) goes with the next write of
that name. A kill takes some tenths of a second: `python -m tests.campaign --part kills --cases 1000 --minutes 60`.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from tests.campaign.scratch import folder

import nearly
from nearly import Graph
from nearly.base import kernel_cache
from nearly.base.jit import kernel
from nearly.cli.main import main
from nearly.engine.transform import disk_cache

SMALL = nearly.generate.rmat(7, 6, seed=1, directed=False)
LARGE = nearly.generate.with_weights(nearly.generate.rmat(8, 8, seed=2, directed=False), seed=3)
GRIDS = (15, 25)  # rows
FORMATS = ("npz", "txt", "csv.gz", "mtx", "graphml", "json", "parquet")
LONGEST = 2.0  # seconds that a child may have


@dataclass(frozen=True)
class Job:
    """What a child does in a folder, again and again, and what is looked at after its death."""

    work: Callable[[Path], Any]
    sound: Callable[[Path], None]
    own_cache: bool = False  # whether it is the cache that is looked at


def check(number: int) -> dict[str, int]:
    """One kill."""
    rng = np.random.default_rng([number, 28])
    name = sorted(JOBS)[number % len(JOBS)]
    job, place = JOBS[name], folder() / "kills"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    before = dict(os.environ)
    os.environ["NEARLY_CHECKPOINT"] = "0"  # seconds
    if job.own_cache:
        os.environ["NEARLY_CACHE_DIR"] = str(place / "cache")
    try:
        with redirect_stdout(io.StringIO()):
            _killed(job, place, float(rng.uniform(0, 1.2)) * usual(name, place))
            job.sound(place)
            job.work(place)  # by this process, undisturbed: it sweeps what the child has left
            job.sound(place)
        left = sorted(path.name for path in place.rglob(".*"))
        assert not left, f"{left} stay"
    except Exception as error:
        raise AssertionError(f"{name}: {error}") from error
    finally:
        os.environ.clear()
        os.environ.update(before)
    return {"kills": 1}


_usual: dict[str, float] = {}


def usual(name: str, place: Path) -> float:
    """How many seconds a job takes, by the clock, at its second time."""
    if name not in _usual:
        for _ in range(2):
            since = time.perf_counter()
            JOBS[name].work(place)
            _usual[name] = min(time.perf_counter() - since, LONGEST)
    return _usual[name]


def _killed(job: Job, place: Path, seconds: float) -> None:
    """A child that works for so long, and no longer."""
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.write(told, b"x")
            while True:
                job.work(place)
        os._exit(1)  # the child ends by the signal alone
    os.close(told)
    os.read(ready, 1)
    os.close(ready)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the work of the child failed"


def _command(*words: Any) -> None:
    try:
        main([str(word) for word in words])
    except SystemExit as end:
        if end.code:
            raise AssertionError(f"nearly {' '.join(map(str, words))}: {end.code}") from end
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a campaign ends when it is asked to


def _graphs(*wanted: Graph) -> Callable[[Path], None]:
    """All files are graphs, and each is one of those."""

    def sound(place: Path) -> None:
        for path in place.iterdir():
            if path.is_file() and not path.name.startswith("."):
                found = nearly.read(path, directed=False)
                found.validate()
                assert any((found.n, found.m) == (one.n, one.m) for one in wanted), f"{path.name} is another graph"

    return sound


def _generate(place: Path, form: str) -> None:
    for rows in GRIDS:
        _command("generate", "grid", "--rows", rows, "--cols", rows, "-o", place / f"g.{form}")


def _convert(place: Path, form: str) -> None:
    for given in _specimens():
        _command("convert", given, place / f"c.{form}")


@cache
def _specimens() -> list[Path]:
    kept = folder() / "specimens"
    kept.mkdir(exist_ok=True)
    for name, graph in (("small", SMALL), ("large", LARGE)):
        graph.save(kept / f"{name}.npz")
    return [kept / "small.npz", kept / "large.npz"]


def _transform(place: Path) -> None:
    for given in _specimens():
        _command("transform", given, "-t", "partial-edges", "-a", "bfs", "-o", place / "t.npz")


def _transformed(place: Path) -> None:
    if (place / "t.npz").exists():
        nearly.read(place / "t.npz").validate()


def _cache_write(place: Path) -> None:
    for value in (1, 2):
        disk_cache.store("one", {"sizes": {"a": 50_000}}, {"a": np.full(50_000, value, np.uint32)})


def _cached(place: Path) -> None:
    there = disk_cache.has("one")
    found = disk_cache.load("one", lambda meta: meta["sizes"])
    assert (found is not None) == there, "the entry is damaged"
    assert found is None or np.unique(found.arrays["a"]).size == 1


def _compile(place: Path) -> None:
    """Some kernels, compiled and kept; without a compiler only the write is the same."""
    for k in range(3):
        if numba.config.DISABLE_JIT:
            kernel_cache._write(place / f"{k}.kernel", bytes([k]) * 100_000)
        else:
            assert _fresh()(20 + k) == 21 + k


def _fresh() -> Dispatcher:
    @kernel
    def one_more(x: int) -> int:
        return x + 1

    return one_more


def _compiled(place: Path) -> None:
    """Every kernel is the one its digest speaks of."""
    for path in place.rglob("*.kernel"):
        content = path.read_bytes()
        assert hashlib.sha256(content[32:]).digest() == content[:32], f"{path.name} is partial"


def _checkpoint(place: Path) -> None:
    answer = nearly.pagerank(SMALL, tol=1e-12, checkpoint=place / "run.ckpt").values
    assert np.array_equal(answer, _undisturbed()), "the answer is another one after a cut"


@cache
def _undisturbed() -> np.ndarray:
    values: np.ndarray = nearly.pagerank(SMALL, tol=1e-12).values
    return values


def _resumed(place: Path) -> None:
    """What was cut goes on from its file, and ends with the same bits."""
    _checkpoint(place)
    assert not (place / "run.ckpt").exists()


_grids = _graphs(*(nearly.generate.grid(rows, rows) for rows in GRIDS))
JOBS: dict[str, Job] = {
    **{f"generate {form}": Job(partial(_generate, form=form), _grids) for form in ("npz", "txt")},
    **{f"convert to {form}": Job(partial(_convert, form=form), _graphs(SMALL, LARGE)) for form in FORMATS},
    "transform": Job(_transform, _transformed),
    "compile": Job(_compile, _compiled, own_cache=True),
    "cache": Job(_cache_write, _cached, own_cache=True),
    "checkpoint": Job(_checkpoint, _resumed),
}
