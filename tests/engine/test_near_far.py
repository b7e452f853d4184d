"""The near/far queue with functors other than shortest paths, cut short and resumed; functors' twins for one thread."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import pytest
from tests.zoo import arcs_of, zoo

import nearly
from nearly import Graph
from nearly.base.atomics import atomic_max, fetch_add
from nearly.base.intrinsics import prefetch
from nearly.base.jit import kernel
from nearly.base.threads import kernel_threads
from nearly.engine.functor import functor, functor_alone
from nearly.engine.operators.near_far import NearFar
from nearly.engine.run import Run

small = pytest.mark.small


class Widths(NamedTuple):
    width: np.ndarray  # float64[n], the widest way so far
    weight: np.ndarray


def widen(state, u, v, e):
    """A way is as wide as its narrowest arc."""
    through = min(state.width[u], np.float64(state.weight[e]))
    return through > state.width[v] and atomic_max(state.width, v, through) < through


def widest_first(state, v):
    return -state.width[v]


def narrowest_last(state, v):
    """No order at all: everything is near at once."""
    return 0.0


def widest_paths(g, sources, delta, priority=widest_first, threads=2, **limits):
    width = np.full(g.n, -1.0)
    width[sources] = np.inf
    with kernel_threads(threads) as count:
        run = Run(g, threads=count, **limits)
        queue = NearFar(run, g, widen, priority, Widths(width, g.arrays.weights), delta).start(sources)
        finished = run.enact(queue.step)
    return width, finished, run, queue


def oracle(g, sources):
    width = np.full(g.n, -1.0)
    width[sources] = np.inf
    changed = True
    while changed:
        changed = False
        for u, v, w in arcs_of(g):
            if min(width[u], w) > width[v]:
                width[v], changed = min(width[u], w), True
    return width


@small
@pytest.mark.parametrize("delta", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("priority", [widest_first, narrowest_last])
def test_widest_paths(priority, delta):
    for g in zoo(True, "int").values():
        for sources in ([0], [0, g.n - 1]):
            if g.n > 1:
                width, finished, run, queue = widest_paths(g, sources, delta, priority)
                assert finished
                assert width.tolist() == oracle(g, sources).tolist()
                assert queue.step() is None
                assert all(row.frontier > 0 for row in run.trace)


@small
def test_a_run_cut_short_can_go_on():
    g = zoo(False, "int")["grid"]
    width, finished, run, queue = widest_paths(g, [0], 0.5, max_rounds=2)
    assert not finished
    assert len(run.trace) == 2
    run.max_rounds = None
    assert run.enact(queue.step)
    assert width.tolist() == oracle(g, [0]).tolist()


@small
def test_nothing_to_start_with():
    g = zoo(True, "int")["path"]
    assert widest_paths(g, [], 1.0)[1]


def test_large_rounds_on_all_threads():
    g = nearly.generate.rmat(scale=16, edge_factor=16, seed=5)
    g = Graph(g.offsets, g.targets, np.random.default_rng(1).integers(1, 1000, g.m).astype(np.uint32))
    source = int(np.argmax(g.out_degrees))
    first = widest_paths(g, [source], 5.0, threads=1)[0]
    for delta in (0.1, 5.0, 1e6):
        assert np.array_equal(widest_paths(g, [source], delta)[0], first)
    arcs = g.arc_sources()
    assert (np.minimum(first[arcs], g.weights) <= first[g.targets]).all()


class Counts(NamedTuple):
    count: np.ndarray


def count_up(state, u, v, e):
    return fetch_add(state.count, v, 1) == 0


@small
def test_a_functor_and_its_twin_do_the_same():
    for made in (functor(count_up), functor_alone(count_up)):
        state = Counts(np.zeros(3, np.int64))
        answers = [made(state, np.uint64(0), np.uint64(v), np.uint64(0)) for v in (1, 1, 2, 1)]
        assert answers == [True, False, True, False]
        assert state.count.tolist() == [0, 3, 1]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="looks at machine code")
def test_functors_count_no_references_and_twins_lock_nothing():
    state = Counts(np.zeros(3, np.int64))
    for make, locked in ((functor, True), (functor_alone, False)):
        fresh = make(count_up)
        fresh._cache = numba.core.caching.NullCache()
        fresh.recompile() if fresh.signatures else fresh(state, np.uint64(0), np.uint64(1), np.uint64(0))
        (code,) = fresh.inspect_llvm().values()
        body = code.split("define ")[1]
        assert "NRT_incref" not in body
        assert ("atomicrmw" in body) == locked


@kernel
def ask(array, i):
    prefetch(array, i)
    return array[0]


@small
def test_asking_for_memory_outside_an_array_is_harmless():
    for i in (0, 1, 10**6, 2**62):
        assert ask(np.array([7]), np.uint64(i)) == 7
