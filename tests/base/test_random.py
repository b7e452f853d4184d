"""Counter-based random numbers: against plain integers, for quality, as bijections, compiled and not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nearly.base.jit import kernel
from nearly.base.random import (
    below,
    draw,
    hash64,
    mix,
    permutation,
    permute,
    permuted,
    stream_key,
    uniform,
)

pytestmark = pytest.mark.small
WORD = 2**64
words = st.integers(0, WORD - 1)


def plain_mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def plain_hash(seed, stream, index):
    golden = 0x9E3779B97F4A7C15
    key = plain_mix((plain_mix((seed + golden) % WORD) + stream * golden) % WORD)
    return plain_mix((key + index * golden) % WORD)


def key_of(seed):
    return np.uint64(stream_key(np.uint64(seed), np.uint64(1)))


def spread(counts):
    """How many standard deviations the chi-square of equally likely buckets is from its mean."""
    counts = np.asarray(counts, float)
    expected, free = counts.mean(), counts.size - 1
    return (((counts - expected) ** 2 / expected).sum() - free) / sqrt(2 * free)


@given(seed=words, stream=words, index=words)
@settings(max_examples=100, deadline=None)
def test_hash_is_the_formula(seed, stream, index):
    seed, stream, index = np.uint64(seed), np.uint64(stream), np.uint64(index)
    wanted = plain_hash(int(seed), int(stream), int(index))
    assert hash64(seed, stream, index) == wanted
    assert draw(np.uint64(stream_key(seed, stream)), index) == wanted


@given(x=words, bound=st.integers(1, WORD - 1))
@settings(max_examples=100, deadline=None)
def test_below_is_the_high_word_of_the_product(x, bound):
    assert below(np.uint64(x), np.uint64(bound)) == x * bound // WORD


@given(x=words)
@settings(max_examples=50, deadline=None)
def test_uniform_keeps_the_high_53_bits(x):
    assert uniform(np.uint64(x)) == (x >> 11) / 2**53 < 1


def test_plain_integers_will_do():
    assert hash64(1, 2, 3) == plain_hash(1, 2, 3)
    assert below(WORD - 1, 10) == 9
    assert uniform(0) == 0


def test_inside_a_kernel():
    @kernel
    def some(seed, size):
        out = np.empty(size, np.uint64)
        for i in range(size):
            out[i] = below(hash64(seed, 5, i), 1000)
        return out

    assert some(7, 20).tolist() == [plain_hash(7, 5, i) * 1000 // WORD for i in range(20)]


@pytest.mark.parametrize("varied", ["seed", "stream", "index"])
def test_neighbouring_counters_fill_buckets_evenly(varied):
    place = ["seed", "stream", "index"].index(varied)
    drawn = [hash64(*(np.uint64(i if p == place else 3) for p in range(3))) for i in range(20_000)]
    drawn = np.array(drawn, np.uint64)
    for shift in (0, 20, 56):
        assert abs(spread(np.bincount(((drawn >> np.uint64(shift)) & np.uint64(255)).astype(int), minlength=256))) < 5
    pairs = (drawn[:-1] >> np.uint64(60)) * np.uint64(16) + (drawn[1:] >> np.uint64(60))
    assert abs(spread(np.bincount(pairs.astype(int), minlength=256))) < 5


def test_every_input_bit_flips_every_output_bit_half_the_time():
    samples = 400
    flips = np.zeros((64, 64), int)
    for i in range(samples):
        x = plain_mix(i)
        before = int(mix(np.uint64(x)))
        for bit in range(64):
            change = before ^ int(mix(np.uint64(x ^ (1 << bit))))
            flips[bit] += [(change >> out) & 1 for out in range(64)]
    assert abs(flips - samples / 2).max() < 6 * sqrt(samples) / 2


def test_a_permutation_is_a_bijection_of_every_small_domain():
    for size in [*range(1, 130), 255, 256, 257, 1000, 1024, 1025]:
        for key in (0, 1, WORD - 1):
            values = np.arange(size, dtype=np.uint32)
            permute(permutation(np.uint64(key), size), values)
            assert sorted(values.tolist()) == list(range(size)), (size, key)


@given(size=st.integers(1, WORD - 1), key=words, start=words)
@settings(max_examples=60, deadline=None)
def test_large_domains_stay_inside_and_distinct(size, key, start):
    p = permutation(np.uint64(key), np.uint64(size))
    first = start % size
    values = np.array(sorted({(first + i) % size for i in range(20)}), np.uint64)
    one_by_one = [permuted(p, x) for x in values]
    permute(p, values)
    assert values.tolist() == one_by_one
    assert len(set(one_by_one)) == len(one_by_one)
    assert max(one_by_one) < size


def test_all_permutations_of_four_are_equally_likely():
    counts = dict.fromkeys(permutations(range(4)), 0)
    for seed in range(2400):
        p = permutation(key_of(seed), 4)
        counts[tuple(int(permuted(p, x)) for x in range(4))] += 1
    assert abs(spread(list(counts.values()))) < 5


@pytest.mark.parametrize("size", [64, 100, 8192, 10_000])
def test_neighbours_land_anywhere(size):
    for a, b in ((0, 1), (0, size // 2)):
        gaps = np.zeros(size, int)
        for seed in range(2000):
            p = permutation(key_of(seed), size)
            gaps[(int(permuted(p, a)) - int(permuted(p, b))) % size] += 1
        assert gaps[0] == 0
        assert abs(spread(np.add.reduceat(gaps[1:], range(0, size - 1, -(-(size - 1) // 60)))[:-1])) < 5


@pytest.mark.parametrize("size", [10**6, 2**20, 10**12])
def test_a_run_of_a_permutation_looks_random(size):
    values = np.arange(20_000, dtype=np.uint64)
    permute(permutation(key_of(1), size), values)
    tenths = values.astype(float) / size
    assert abs(spread(np.bincount((tenths * 100).astype(int), minlength=100))) < 5
    for lag in (1, 2, 7):
        joint = (tenths[:-lag] * 16).astype(int) * 16 + (tenths[lag:] * 16).astype(int)
        assert abs(spread(np.bincount(joint, minlength=256))) < 5


SCRIPT = """
import json, sys
import numpy as np
from nearly.base.random import below, hash64, permutation, permute, permuted, stream_key, uniform
values = np.arange(50, dtype=np.uint64)
p = permutation(np.uint64(stream_key(9, 1)), 10**10)
permute(p, values)
words = [int(hash64(s, t, np.uint64(2**64 - 1 - i))) for s in range(3) for t in range(3) for i in range(3)]
print(json.dumps({
    "words": words,
    "below": [int(below(np.uint64(w), np.uint64(2**63 + 5))) for w in words],
    "uniform": [float(uniform(np.uint64(w))) for w in words],
    "permuted": values.tolist() + [int(permuted(p, 77)), int(permuted(permutation(4, 5), 3))],
}))
"""


def test_compiled_and_plain_agree():
    answers = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        answers.append(json.loads(done.stdout))
    assert answers[0] == answers[1]
    assert answers[0]["words"][0] == plain_hash(0, 0, WORD - 1)
