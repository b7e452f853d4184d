"""Random numbers by counter: a number is a function of (seed, stream, index) and of nothing else.

There is no state to share, so a kernel may draw number 10**9 before number 0, twice, or on any thread,
and the answer stays the same. Every function here works inside kernels, from Python, and as plain
Python where compilation is off (unsigned arithmetic then wraps in silence, as it does compiled).
From Python, pass words and keys as `np.uint64`: numba takes a plain int for a signed one, and results
come back as plain ints.

- `hash64(seed, stream, index)`: 64 random bits. A loop fixes `key = stream_key(seed, stream)` once and
  calls `draw(key, index)`. The words are SplitMix64's: a counter times the golden ratio, then two
  multiply-xorshift steps in which every input bit reaches every output bit. Uses that must be
  independent take different streams.
- `uniform(x)` and `below(x, bound)` turn 64 bits into a real in [0, 1) or a whole number below `bound`.
- `permutation(key, size)`, then `permuted(p, x)` or `permute(p, values)`: a random bijection of
  0..size-1 without a table. On the next power of two each round multiplies by an odd number and adds
  (a bijection whose high bits are good) and folds the high half onto the low one. A value that lands
  outside 0..size-1 walks on along its cycle, fewer than two steps on average. Six rounds leave no
  visible trace in the differences of neighbouring values; domains up to 2**13 have few keys a round
  and take twelve. A Feistel network of the same quality costs two multiplications a round and, its
  halves being equal, up to four steps of walking.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from nearly.base.jit import kernel

U0, U1, U2, U3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_11, _TO_UNIT = np.uint64(11), 2.0**-53  # a double holds 53 bits
_SMALL = np.uint64((1 << 13) - 1)
BLOCK = 1024  # values `permute` should get at a time: its passes then stay in the first-level cache


def wrapping(function: Callable[..., Any]) -> Any:
    """`kernel` for functions whose unsigned arithmetic is meant to overflow: silent also where compilation is off."""
    if numba.config.DISABLE_JIT:
        return np.errstate(over="ignore")(function)
    return kernel(function)


@wrapping
def mix(x):
    """A bijection of 64-bit words; each input bit flips each output bit with probability near 1/2."""
    x = np.uint64(x)
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


@wrapping
def stream_key(seed, stream):
    """What a loop needs of (seed, stream), both from 0 to 2**64 - 1, to call `draw`."""
    return mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(stream) * _GOLDEN)


@wrapping
def draw(key, index):
    """64 random bits, number `index` of the stream with this key."""
    return mix(np.uint64(key) + np.uint64(index) * _GOLDEN)


@wrapping
def hash64(seed, stream, index):
    """64 random bits, number `index` of stream `stream` of `seed`."""
    return draw(stream_key(seed, stream), index)


@wrapping
def uniform(x):
    """64 random bits as a real number in [0, 1)."""
    return np.float64(np.uint64(x) >> _11) * _TO_UNIT


@wrapping
def below(x, bound):
    """64 random bits as a whole number below `bound`: the high word of x * bound, biased by at most bound / 2**64."""
    x, bound = np.uint64(x), np.uint64(bound)
    x_low, x_high, low, high = x & _LOW, x >> _32, bound & _LOW, bound >> _32
    middle = x_high * low + ((x_low * low) >> _32)
    carried = (middle & _LOW) + x_low * high
    return x_high * high + (middle >> _32) + (carried >> _32)


@wrapping
def permutation(key, size):
    """The bijection of 0..size-1 that belongs to a key, as `[size, mask, shift, factor, summand, factor, ...]`.

    The key is any word, such as one made by `stream_key`; the size goes from 1 to 2**64 - 1.
    """
    size, mask, bits = np.uint64(size), U0, U0
    while mask < size - U1:
        mask, bits = (mask << U1) | U1, bits + U1
    rounds = 12 if mask <= _SMALL else 6
    p = np.empty(3 + 2 * rounds, np.uint64)
    p[0], p[1], p[2] = size, mask, max((bits + U1) >> U1, U1)
    for r in range(3, p.size, 2):
        p[r], p[r + 1] = draw(key, r) | U1, draw(key, r + 1)
    return p


@wrapping
def permuted(p, x):
    """Where the bijection `p` sends `x`, which must be below its size."""
    x = _step(p, np.uint64(x))
    while x >= p[0]:
        x = _step(p, x)
    return x


@wrapping
def permute(p, values):
    """`permuted` for a whole block of uint32 or uint64 values, in place; a round at a time, which vectorises."""
    size, mask, shift = p[0], p[1], p[2]
    for r in range(U3, np.uint64(p.size), U2):
        factor, summand = p[r], p[r + U1]
        for i in range(np.uint64(values.size)):
            x = (np.uint64(values[i]) * factor + summand) & mask
            values[i] = x ^ (x >> shift)
    if size <= mask:
        for i in range(np.uint64(values.size)):
            x = np.uint64(values[i])
            while x >= size:
                x = _step(p, x)
            values[i] = x


@wrapping
def _step(p, x):
    mask, shift = p[1], p[2]
    for r in range(U3, np.uint64(p.size), U2):
        x = (x * p[r] + p[r + U1]) & mask
        x = x ^ (x >> shift)
    return x
