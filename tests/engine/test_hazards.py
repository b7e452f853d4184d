"""numba's known traps, as this code base meets them.

When one of these fails, a rule of CONTRIBUTING.md is broken or obsolete.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import prange

from nearly.base import atomics
from nearly.base.atomics import fetch_add
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.kernel_key import code_key
from nearly.base.threads import kernel_threads

U1 = np.uint64(1)
SOURCES = Path(atomics.__file__).parents[1]
jit_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="about compiled code")


@jit_only
def test_unsigned_plus_a_literal_is_signed_and_min_of_both_is_a_float():
    """Why literals are cast and constants like U1 exist."""
    typed = numba.njit(lambda x, y: (x + 1, x + U1, min(x, y), min(x, x)))
    typed(np.uint64(1), np.int64(1))
    returned = typed.overloads[next(iter(typed.overloads))].signature.return_type
    assert [str(t) for t in returned] == ["int64", "uint64", "float64", "uint64"]


class Box(NamedTuple):
    values: np.ndarray


def put(box, i):
    box.values[i] = i + 1


put_compiled = kernel(put)


@parallel_kernel
def fill_through_functor(box, n):
    for i in prange(n):
        put_compiled(box, i)


def test_stores_inside_a_functor_are_not_lost_in_prange():
    for _ in range(20):
        box = Box(np.zeros(100_000, np.int64))
        fill_through_functor(box, box.values.size)
        assert np.array_equal(box.values, np.arange(1, 100_001))


class Tally(NamedTuple):
    counts: np.ndarray


@kernel
def count_one(counts):
    atomics.fetch_add(counts, np.uint64(0), U1)


@kernel
def count_of(counts):
    return counts[0]


@parallel_kernel
def count_twice(tally, n):
    counts = tally.counts
    for _ in prange(n):
        count_one(counts)
    if count_of(counts):
        for _ in prange(n):
            count_one(counts)
    return count_of(counts)


def test_a_read_between_two_loops_stays_there_if_a_function_does_it():
    """`if counts[0]:` is moved to before the first loop (1,000 comes out): numba sees nothing there that writes it."""
    for _ in range(3):
        assert count_twice(Tally(np.zeros(1, np.uint64)), 1000) == 2000


@kernel(fastmath=SUM_ORDER_FREE)
def smallest(values):
    best = np.inf
    for x in values:
        if x < best:
            best = x
    return best, best == np.inf, np.isnan(values[0])


def test_infinity_and_nan_survive_the_flags_we_use():
    assert smallest(np.array([np.inf])) == (np.inf, True, False)
    assert smallest(np.array([np.nan]))[2]


@parallel_kernel
def hammer(counts, low, high, bits, rounds, workers):
    for w in prange(workers):
        for i in range(rounds):
            atomics.fetch_add(counts, np.uint64(i & 3), U1)
            atomics.atomic_min(low, np.uint64(i & 3), np.uint32(i + w + 5))
            atomics.atomic_max(high, np.uint64(0), np.float32(i + w))
            atomics.fetch_or(bits, np.uint64(0), U1 << np.uint64(i & 63))


@pytest.mark.parametrize("threads", [1, 2])
def test_atomics_lose_nothing(threads):
    counts, low = np.zeros(4, np.uint64), np.full(4, 2**32 - 1, np.uint32)
    high, bits = np.full(1, -np.inf, np.float32), np.zeros(1, np.uint64)
    with kernel_threads(threads):
        hammer(counts, low, high, bits, 40_000 if not numba.config.DISABLE_JIT else 400, 4)
    per = (40_000 if not numba.config.DISABLE_JIT else 400) * 4 // 4
    assert counts.tolist() == [per] * 4
    assert low.tolist() == [5, 6, 7, 8]
    assert high[0] == per - 1 + 3
    assert bits[0] == np.uint64(2**64 - 1)


@kernel
def swap_in(array, i, expected, value):
    return atomics.compare_exchange(array, i, expected, value), atomics.exchange(array, i + U1, value)


def test_compare_exchange_returns_the_old_value():
    array = np.array([3, 4], np.uint32)
    assert swap_in(array, np.uint64(0), np.uint32(3), np.uint32(9)) == (3, 4)
    assert swap_in(array, np.uint64(0), np.uint32(3), np.uint32(7)) == (9, 9)
    assert array.tolist() == [9, 7]


class Tallies(NamedTuple):
    of_all: np.ndarray
    of_each: np.ndarray


@kernel
def tally(tallies, i, level, count):
    of_all, of_each = tallies
    if level < np.uint64(of_all.size):
        atomics.fetch_add(of_all, level, count)
    if level < np.uint64(of_each.shape[1]):
        of_each[i, level] += count


def test_arguments_of_an_atomic_are_still_there_behind_it():
    """As overloads that numba inlines, atomics in a branch of a function that unpacks a tuple set them to 0."""
    made = Tallies(np.zeros(5, np.uint64), np.zeros((2, 4), np.uint64))
    tally(made, U1, np.uint64(2), np.uint64(7))
    assert made.of_all.tolist() == [0, 0, 7, 0, 0]
    assert made.of_each.tolist() == [[0] * 4, [0, 0, 7, 0]]


def test_no_overload_is_inlined_by_numba():
    """The fault above is in the inlining of overloads, whatever they do: `base.instruction` instead."""
    found = [
        str(file.relative_to(SOURCES))
        for file in sorted(SOURCES.rglob("*.py"))
        if 'inline="always"' in file.read_text() and "cuda" not in file.parts
    ]
    assert not found


def scaled_by(factor):
    def scale(x):
        return x * factor

    return scale


def test_code_key_tells_a_twin_without_atomics():
    """The twin of a functor has the same code; what it calls is the compiled body of what is atomic in the functor."""
    from nearly.algorithms.bfs import reach
    from nearly.engine.functor import functor, functor_alone

    if not numba.config.DISABLE_JIT:
        assert code_key(functor_alone(reach)) != code_key(functor(reach))


def test_code_key_sees_values_and_callees_not_names():
    assert code_key(scaled_by(2)) == code_key(scaled_by(2))
    assert code_key(scaled_by(2)) != code_key(scaled_by(3))


PROGRAM = """
    import sys, numpy as np
    from numba import prange
    from nearly.base.jit import kernel, parallel_kernel
    FACTOR = {factor}
    @kernel
    def helper(x):
        return x * FACTOR
    def bind(f):
        @parallel_kernel
        def run(values):
            for i in prange(values.size):
                values[i] = f(values[i])
        return run
    run = bind(helper)
    values = np.ones(10)
    run(values)
    print(values.sum(), sum(run.parallel.stats.cache_hits.values()))
"""


@jit_only
def test_bound_kernels_are_found_again_and_edits_are_noticed(tmp_path):
    """A closure over a functor hits the disk cache in a new process; a changed constant does not."""
    script = tmp_path / "program.py"
    environment = {**os.environ, "NEARLY_CACHE_DIR": str(tmp_path / "cache")}

    def run(factor):
        script.write_text(textwrap.dedent(PROGRAM.format(factor=factor)))
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=True)
        return done.stdout.split()

    assert run(2) == ["20.0", "0"]
    assert run(2) == ["20.0", "1"]
    assert run(3) == ["30.0", "0"]
    assert oct((tmp_path / "cache").stat().st_mode)[-3:] == "700"


@parallel_kernel
def ordered_sum(values, pieces):
    sums = np.zeros(pieces)
    for p in prange(pieces):
        total = 0.0
        for i in range(values.size * p // pieces, values.size * (p + 1) // pieces):
            total += values[i]
        sums[p] = total
    total = 0.0
    for p in range(pieces):
        total += sums[p]
    return total


def test_partial_sums_per_piece_do_not_depend_on_the_threads():
    values = np.random.default_rng(1).random(10_001)
    sums = set()
    for threads in (1, 2):
        with kernel_threads(threads):
            sums.add(ordered_sum(values, 64))
    assert len(sums) == 1


class Counted(NamedTuple):
    counters: np.ndarray


@kernel(_nrt=False)
def first_of(counters):
    return counters[0]


@parallel_kernel
def count_and_look(bundle, workers):
    """What atomics have written, read by a function of its own: a plain read here may be moved before the loop."""
    counters = bundle.counters
    for _ in prange(workers):
        fetch_add(counters, 0, np.uint64(1))
    return first_of(counters)


def test_what_atomics_in_a_parallel_loop_have_written_is_seen_after_it():
    for workers in (1, 2, 5):
        assert count_and_look(Counted(np.zeros(1, np.uint64)), workers) == workers
