"""Compiled kernels are found by content alone; damaged, foreign or unsafe files are never used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import numba
import pytest

from nearly.base import kernel_cache

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

PROGRAM = """
import sys
import numpy as np
from nearly.base.jit import kernel
from nearly.base.kernel_cache import spent

@kernel
def double(values):
    for i in range(values.size):
        values[i] *= 2

values = np.ones(3)
double(values)
print(values.sum(), spent.compiled, spent.kept, spent.shipped)
"""


NESTED = """
import numpy as np
from numba import prange
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.kernel_cache import spent

@parallel_kernel
def inner(values):
    for i in prange(values.size):
        values[i] += 1

@kernel
def outer(values):
    inner(values)
    inner(values)

values = np.zeros(3)
for call in (outer, inner):
    call(values)
    print(values.sum(), spent.compiled, spent.kept)
"""


@pytest.fixture
def program(tmp_path):
    """Run a small program with a kernel; returns the sum, and how many kernels were compiled, kept and shipped."""
    script = tmp_path / "program.py"

    def run(cache, text=PROGRAM, **more):
        script.write_text(textwrap.dedent(text))
        environment = {**os.environ, "NEARLY_CACHE_DIR": str(cache), **more}
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=True)
        return done.stdout.split(), done.stderr

    return run


def only_kernel(cache):
    (path,) = cache.glob("kernels/*.kernel")
    return path


def test_a_kernel_is_compiled_once(program, tmp_path):
    cache = tmp_path / "cache"
    assert program(cache)[0] == ["6.0", "1", "0", "0"]
    assert program(cache)[0] == ["6.0", "0", "1", "0"]


def test_a_kernel_within_another_is_kept_in_a_form_of_its_own(program, tmp_path):
    """Without what Python needs; a new caller takes it from the disk, and starts the threads it runs on."""
    cache = tmp_path / "cache"
    assert program(cache, NESTED)[0] == ["6.0", "2", "0", "9.0", "3", "0"]
    assert program(cache, NESTED)[0] == ["6.0", "0", "1", "9.0", "0", "2"]
    for path in cache.glob("kernels/*outer*.kernel"):
        path.unlink()
    assert program(cache, NESTED)[0] == ["6.0", "1", "1", "9.0", "1", "2"]
    for path in cache.glob("kernels/*inner*.kernel"):
        path.unlink()
    assert program(cache, NESTED)[0] == ["6.0", "0", "1", "9.0", "1", "1"]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_file_is_compiled_again_and_replaced(program, tmp_path, damage):
    cache = tmp_path / "cache"
    program(cache)
    path = only_kernel(cache)
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 4
    path.write_bytes({"flip": content, "cut": content[:-100], "empty": b""}[damage])
    assert program(cache)[0] == ["6.0", "1", "0", "0"]
    assert program(cache)[0] == ["6.0", "0", "1", "0"]


def test_a_directory_that_others_may_write_to_is_refused(program, tmp_path):
    cache = tmp_path / "open"
    cache.mkdir()
    cache.chmod(0o777)
    found, said = program(cache)
    assert found == ["6.0", "1", "0", "0"]
    assert "others may write to it" in said
    assert not list(cache.iterdir())


def test_a_directory_that_others_may_replace_is_refused(program, tmp_path):
    above = tmp_path / "open"
    cache = above / "cache"
    cache.mkdir(parents=True, mode=0o700)
    above.chmod(0o777)
    assert "others may write to it" in program(cache)[1]
    assert not list(cache.iterdir())
    above.chmod(0o1777)  # as /tmp is: one's own folders are one's own
    assert program(cache)[1] == ""
    assert list(cache.iterdir())


@pytest.mark.parametrize("place", ["file", "under a file"])
def test_an_unusable_directory_is_done_without(program, tmp_path, place):
    file = tmp_path / "file"
    file.write_text("")
    found, said = program(file if place == "file" else file / "deep")
    assert found == ["6.0", "1", "0", "0"]
    assert said.count("nothing is kept in") == 1


def test_bounds_checks_keep_kernels_of_their_own(program, tmp_path):
    cache = tmp_path / "cache"
    program(cache)
    assert program(cache, NUMBA_BOUNDSCHECK="1")[0] == ["6.0", "1", "0", "0"]
    assert program(cache)[0] == ["6.0", "0", "1", "0"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({"versions": "3.0, 0.1, 0.2"}, "made with Python"),
        ({"features": "+avx2,+of-the-future"}, "lacks features"),
    ],
)
def test_shipped_kernels_need_these_versions_and_features(monkeypatch, tmp_path, change, why):
    said = kernel_cache.describe_baseline(("x86_64-unknown-linux-gnu", "x86-64-v3", ""))
    (tmp_path / "baseline.json").write_text(json.dumps({**said, **change}))
    monkeypatch.setattr(kernel_cache, "SHIPPED", tmp_path)
    for cached in (kernel_cache.baseline, kernel_cache.why_not_shipped, kernel_cache.shipped_for):
        monkeypatch.setattr(kernel_cache, cached.__name__, cached.__wrapped__)
    assert (why in kernel_cache.why_not_shipped()) if why else kernel_cache.why_not_shipped() == ""
    assert (kernel_cache.shipped_for() is None) == (bool(why) or bool(numba.config.BOUNDSCHECK))


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"triple": 1}', b"\xff"])
def test_a_damaged_description_means_that_nothing_is_shipped(monkeypatch, tmp_path, content):
    (tmp_path / "baseline.json").write_bytes(content)
    monkeypatch.setattr(kernel_cache, "SHIPPED", tmp_path)
    assert kernel_cache.baseline.__wrapped__() is None


MIXED = """
import sys
import numpy as np
from nearly.base.jit import kernel

def plus_one(x):
    return x + 1

def minus_one(x):
    return x - 1

def bound(change):
    @kernel
    def inner(values, i):
        for k in range(3):  # too large to be made part of its callers
            for j in range(values.size):
                values[i] = change(values[i]) * (1 + (values[j] > 1e300)) + np.sin(values[j] * 0)
        return values[i]

    @kernel
    def run(values):
        for i in range(values.size):
            inner(values, i)
            if values[i] == 77:
                inner(values, i)
    return run

functions = {"plus": kernel(plus_one), "minus": kernel(minus_one)}
for name in sys.argv[1:]:
    values = np.zeros(2)
    bound(functions[name])(values)
    print(values[0])
"""


def test_kernels_of_several_processes_do_not_take_one_another_for_theirs(tmp_path):
    """numba numbers functions within a process and names code by these numbers: two processes gave one name twice."""
    script = tmp_path / "mixed.py"
    script.write_text(MIXED)
    environment = {**os.environ, "NEARLY_CACHE_DIR": str(tmp_path / "cache")}

    def run(*names):
        done = subprocess.run(
            [sys.executable, script, *names], capture_output=True, text=True, env=environment, check=True
        )
        return done.stdout.split()

    assert run("plus") == ["6.0"]
    assert run("minus") == ["-6.0"]
    assert run("plus", "minus") == ["6.0", "-6.0"]
    assert run("minus", "plus") == ["-6.0", "6.0"]
