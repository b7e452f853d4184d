"""A kernel with parallel loops has two forms; little work uses the serial one, in it and in all it calls."""

from __future__ import annotations

import importlib
import pkgutil

import numba
import numpy as np
import pytest
from numba import prange
from numba.core.dispatcher import Dispatcher

import nearly
from nearly.base import jit
from nearly.base.jit import ParallelKernel, kernel, parallel_kernel
from nearly.base.threads import current, kernel_threads

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="there is one form without a compiler")


@parallel_kernel
def squares(values, out):
    for i in prange(values.size):
        out[i] = values[i] * values[i]


@kernel
def squares_twice(values, out):
    squares(values, out)
    squares(out, out)


def test_the_form_depends_on_the_work_alone(monkeypatch):
    """So that an answer does not depend on the threads."""
    monkeypatch.setattr(current, "small_in_parallel", False)
    for threads in (None, 1, 2):
        with kernel_threads(threads, work=100) as count:
            assert current.serial
            assert count == 1
        with kernel_threads(threads, work=1 << 20) as count:
            assert not current.serial
            assert threads is None or count <= threads


@compiled
def test_little_work_compiles_and_runs_the_serial_forms_only():
    values, out = np.arange(5.0), np.zeros(5)
    with kernel_threads(work=5):
        squares_twice(values, out)
    assert out.tolist() == [0, 1, 16, 81, 256]
    assert isinstance(squares_twice, ParallelKernel)
    assert not squares_twice.parallel.signatures
    assert not squares.parallel.signatures
    with kernel_threads(2):
        squares_twice(values, out)
    assert out.tolist() == [0, 1, 16, 81, 256]
    assert squares_twice.parallel.signatures


@kernel
def twice(values, i):
    values[i] *= 2
    return values[i]


@kernel
def twice_each(values):
    for i in range(values.size):
        twice(values, i)


@compiled
def test_what_a_kernel_calls_has_no_way_in_for_python_until_python_calls_it():
    values = np.ones(3)
    twice_each(values)
    assert not twice.signatures
    if not twice.within.overloads:  # what calls it was kept on disk
        twice.within.compile((numba.float64[::1], numba.int64))
    (within,) = twice.within.overloads.values()
    code = within.library.get_llvm_str()
    assert within.fndesc.llvm_func_name in code
    assert within.fndesc.llvm_cpython_wrapper_name not in code
    assert twice(values, 1) == 4
    assert values.tolist() == [2, 4, 2]
    assert twice.signatures


@compiled
def test_a_block_of_one_thread_inside_a_parallel_one_needs_no_other_form():
    with kernel_threads(2), kernel_threads(1) as threads:
        assert threads == 1
        assert not current.serial
    with kernel_threads(work=5), kernel_threads(2) as threads:
        assert threads == 1
        assert current.serial
    assert not current.serial


@compiled
def test_every_kernel_that_calls_a_parallel_one_has_both_forms():
    """A kernel defined before the parallel one it calls would be missed: it must come after."""
    for module in pkgutil.walk_packages(nearly.__path__, "nearly."):
        if "cuda" in module.name or module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Dispatcher):
                named = [other for other, one in jit._named(value.py_func) if isinstance(one, ParallelKernel)]
                assert not named, f"{module.name}.{name} is defined before {named}"
