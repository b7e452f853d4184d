"""What a part tells others of ranks within a budget: not all values, and those in four bytes; and how far off that is.

Within an error budget (`max_error`) a part remembers what each other part has of its values (`told`). In a round it
withholds the smallest changes, as many as together make up at most SHARE of what its ranks changed in the last round:
they slow the rounds as much as if each had gone a little less far, and are told when they have added up to more.
Values go as float32 where rounding cannot use up the budget; since `told` is what the reader really has, rounding is
counted with what is withheld.

The bound stays a theorem. With g(u) what u gives along an arc of weight 1, a reader q that has g'(u) instead computes
rows that are off by at most d |g(u) - g'(u)| for each unit of weight of the arcs from u into q. W_q(u), that weight, is
told by q before the first round. So what all parts compute is off from F'(x) (see `pagerank`) by at most

    lag = d * sum over parts q and vertices u that q reads of W_q(u) |g(u) - g'_q(u)|

in sum, and enters the bound beside the rounding e, which it resembles: ||x - F(x)|| <= ||x - y|| + e + lag + d |s - 1|.
Each part adds up its share, exactly as its readers have it. The sum of at most 2**32 terms is off by a factor of no
more than 1 + 2**-20, by which it is multiplied.

Which changes are the smallest: they are counted by their binary exponents, and withheld are those below the largest
power of two for which the sum is allowed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.distributed.messages import Arrays, Got
from nearly.distributed.part import Part

SHARE = 0.03  # of the last round's change that may be withheld: more of it would cost rounds
_ROOM = 16  # times the error of float32 values has to fit into the budget, so that they are used
_EXPONENTS = 2048
_SHIFT = np.uint64(52)
_SUMMED = 1 + 2.0**-20
U3, U7 = np.uint64(3), np.uint64(7)


class Held(NamedTuple):
    """What one other part has of the values that it reads here."""

    wanted: np.ndarray  # which owned vertices these are
    weights: np.ndarray  # of its arcs from each of them
    told: np.ndarray  # what it has, NaN before the first round
    gaps: np.ndarray  # how far its sums are off for each


class Freezer:
    """What others have of a part's values; see the top of the file.

    Parameters
    ----------
    part : the part.
    weights : for each part, the weight of the arcs that it has from each vertex that it reads here.
    damping, max_error : as asked for.
    """

    def __init__(self, part: Part, weights: dict[int, np.ndarray], damping: float, max_error: float) -> None:
        self.part, self.damping = part, damping
        single = _ROOM * 2.0**-24 * damping <= max_error * (1 - damping)
        self.kind: Any = np.float32 if single else np.float64
        sizes = {q: wanted.size for q, wanted in part.needed.items()}
        self.held = {
            q: Held(part.needed[q], weights[q].astype(np.float64), np.full(size, np.nan, self.kind), np.empty(size))
            for q, size in sizes.items()
        }
        self.boxes = [{q: np.empty(size, self.kind) for q, size in sizes.items()} for _ in range(2)]

    def messages(self, given: np.ndarray, change: float) -> tuple[dict[int, Arrays], float]:
        """What to send of the values `given` after such a change, and by how much readers' sums are off then."""
        low, sums, lag = np.uint64(self.part.own.start), np.zeros(_EXPONENTS), 0.0
        made: dict[int, Arrays] = {}
        for held in self.held.values():
            fill_gaps(given, low, held)
            add_by_exponent(held.gaps, held.gaps.view(np.uint64), sums)
        allowed = np.flatnonzero(np.cumsum(sums) > SHARE * change)
        below = np.uint64(allowed[0] if allowed.size else _EXPONENTS)
        self.boxes.reverse()  # what was sent before last has been read by all
        for q, held in self.held.items():
            box, bits = self.boxes[0][q], np.zeros((held.wanted.size + 7) // 8, np.uint8)
            count, off = pick(given, low, held, held.gaps.view(np.uint64), below, box, bits)
            lag += off
            if count:
                made[q] = (box,) if count == box.size else (box[: int(count)], bits)
        return made, self.damping * lag * _SUMMED

    def hear(self, got: Got, given: np.ndarray) -> None:
        """Take in what others sent."""
        for q, (values, *bits) in got.values.items():
            there = self.part.ghost_slices[q]
            if bits:
                spread(values, bits[0], np.uint64(there.start), given)
            else:
                given[there] = values


@kernel
def fill_gaps(given, low, held):
    """How far what readers have is off, by what they use; infinite where they have nothing."""
    wanted, weights, told, gaps = held
    for i in range(np.uint64(wanted.size)):
        off = abs(given[low + np.uint64(wanted[i])] - np.float64(told[i])) * weights[i]
        gaps[i] = off if off == off else np.inf  # a NaN differs from itself


@kernel
def add_by_exponent(gaps, words, sums):
    """Add up numbers that are not negative by their binary exponents."""
    for i in range(np.uint64(gaps.size)):
        sums[words[i] >> _SHIFT] += gaps[i]


@kernel
def pick(given, low, held, words, below, box, bits):
    """The values whose gap's exponent is not below a limit, and which these are; how many, and the gaps left."""
    wanted, weights, told, gaps = held
    count, off = U0, 0.0
    for i in range(np.uint64(wanted.size)):
        if (words[i] >> _SHIFT) >= below:
            value = given[low + np.uint64(wanted[i])]
            box[count] = value
            told[i] = box[count]
            bits[i >> U3] |= np.uint8(U1 << (i & U7))
            off += abs(value - np.float64(told[i])) * weights[i]
            count += U1
        else:
            off += gaps[i]
    return count, off


@kernel
def spread(values, bits, low, given):
    """Put values to their places."""
    at, size = U0, np.uint64(bits.size) << U3
    for i in range(size):
        if (np.uint64(bits[i >> U3]) >> (i & U7)) & U1:
            given[low + i] = np.float64(values[at])
            at += U1
