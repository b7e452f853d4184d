"""Primitives against NumPy, on sizes around the serial threshold, with 1 and 2 threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from nearly.base.threads import kernel_threads
from nearly.engine import primitives as p

pytestmark = pytest.mark.small
SIZES = [0, 1, 2, 63, 1000, (1 << 14) + 7]


@pytest.fixture(params=[1, 2], autouse=True)
def _threads(request):
    with kernel_threads(request.param):
        yield


@pytest.mark.parametrize("size", SIZES)
def test_scan(size):
    values = np.random.default_rng(size).integers(0, 9, size).astype(np.uint64)
    out = np.empty(size + 1, np.uint64)
    assert p.scan(values, out) == values.sum()
    assert out.tolist() == [0, *np.cumsum(values).tolist()]


@pytest.mark.parametrize("size", SIZES)
def test_compact(size):
    rng = np.random.default_rng(size)
    items, keep = rng.integers(0, 100, size).astype(np.uint32), rng.random(size) < 0.4
    out = np.empty_like(items)
    kept = p.compact(items, keep, out)
    assert out[:kept].tolist() == items[keep].tolist()


def test_load_balanced_search():
    offsets = np.array([0, 0, 3, 3, 3, 5, 9], np.uint64)
    for position in range(9):
        i = int(p.load_balanced_search(offsets, np.uint64(position)))
        assert offsets[i] <= position < offsets[i + 1]


@pytest.mark.parametrize("pieces", [1, 3, 64])
def test_balanced_cuts(pieces):
    rng = np.random.default_rng(pieces)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 50, 500))]).astype(np.uint64)
    cuts = p.balanced_cuts(offsets, pieces).astype(int)
    assert (cuts[0], cuts[-1]) == (0, 500)
    assert (np.diff(cuts) >= 0).all()
    sizes = np.diff(offsets[cuts].astype(int) + cuts)
    assert sizes.max() <= (offsets[-1] + 500) / pieces + 51


def larger(a, b):
    return max(a, b)


def total(a, b):
    return a + b


@pytest.mark.parametrize(("combine", "start", "expected"), [(larger, -1.0, max), (total, 0.0, sum)])
def test_segmented_reduce(combine, start, expected):
    rng = np.random.default_rng(2)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 6, 300))]).astype(np.uint64)
    values = rng.integers(0, 100, int(offsets[-1])).astype(np.float64)
    out = np.empty(300)
    p.segmented_reduce(combine)(values, offsets, start, out)
    cuts = offsets.astype(int)
    assert out.tolist() == [expected([start, *values[a:b].tolist()]) for a, b in pairwise(cuts)]


def mark(state, item):
    state[0][item] += 1


@pytest.mark.parametrize("size", SIZES)
def test_transform(size):
    counts = np.zeros(size, np.int64)
    p.transform(mark)((counts,), np.arange(size, dtype=np.uint32), np.uint64(size))
    assert (counts == 1).all()
