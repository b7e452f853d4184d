"""Scan, compaction and totals on the device, in numba's simulator, at sizes around those of blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

pytestmark = [pytest.mark.cuda, pytest.mark.simulator]


class Numbers(NamedTuple):
    number: np.ndarray


def is_odd(state, v):
    return state.number[v] % 2 == 1


def number(state, v):
    return state.number[v]


@pytest.mark.parametrize("size", [1, 3, 4, 5, 16, 17, 70])
def test_scan_filter_and_total(size: int) -> None:
    from numba import cuda

    from nearly.engine.cuda.primitives import Filter, Scan, Total
    from nearly.engine.operators import most

    values = np.random.default_rng(size).integers(0, 9, size).astype(np.uint64)
    there = cuda.to_device(values)
    sums = Scan(size)(there, size).copy_to_host()
    assert sums.tolist() == [0, *np.cumsum(values).tolist()]

    state, items = Numbers(there), np.arange(size, dtype=np.uint32)[::-1].copy()
    out, odd = cuda.device_array(size, np.uint32), Filter(is_odd, size)
    kept = odd(state, cuda.to_device(items), size, out)
    assert out.copy_to_host()[:kept].tolist() == [v for v in items if values[v] % 2]
    kept = odd(state, cuda.device_array(0, np.uint32), size, out)
    assert out.copy_to_host()[:kept].tolist() == np.flatnonzero(values % 2).tolist()

    assert Total(number)(state, size) == values.sum()
    assert Total(number, most)(state, size) == values.max()


@pytest.mark.parametrize("steps", [1, 2, 5, 100])
def test_merge_path_visits_every_edge_once(steps: int) -> None:
    from nearly import Graph
    from nearly.algorithms.pagerank.residuals import touch
    from nearly.engine.cuda.advance import Advance
    from nearly.engine.run import Run

    sizes = [0, 7, 0, 0, 1, 3, 0, 12, 0]
    src = np.repeat(np.arange(9), sizes)
    g = Graph.from_edges(src, np.arange(src.size) % 9, duplicates="keep")
    advance = Advance(Run(g, "split", threshold=steps, device="cuda"), g, touch, Numbers(np.zeros(1)))
    advance.start([7, 0, 3, 1, 8])
    did = advance.push()
    assert (did.frontier, did.edges) == (5, 19)
    assert sorted(advance.here.copy_to_host()[: advance.size]) == sorted(
        set(g.targets[(src == 7) | (src == 1)].tolist())
    )
