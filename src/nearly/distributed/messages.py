"""What parts send to each other: which values, and how changed ones are told.

A message is a short list of arrays. Values of all owned vertices that a part reads go as one array, in the order both
sides know. Where only some changed, their places in that order go along, unless so many changed that all values are
shorter. Whole numbers below 2**32 go in four bytes. Which vertices were chosen goes as bits, or as a list of places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nearly.distributed.part import Part

Arrays = tuple[np.ndarray, ...]


@dataclass
class Send:
    """What a round of a part ends with: arrays for other parts, and numbers for all of them.

    `whole` says that the state kept by the program is complete here, so that a checkpoint may be made.
    """

    values: Mapping[int, Arrays] = field(default_factory=dict)
    numbers: Iterable[Any] = ()
    edges: int = 0
    frontier: int = 0
    whole: bool = False
    extra: dict[str, float] = field(default_factory=dict)


@dataclass
class Got:
    """What came in return: the arrays by part, and the numbers of all parts, one row each, in order."""

    values: dict[int, Arrays]
    numbers: np.ndarray

    def total(self, k: int) -> float:
        """The sum of one of the numbers, in the order of the parts."""
        return float(np.add.accumulate(self.numbers[:, k])[-1])


def narrow(values: np.ndarray, whole: bool) -> np.ndarray:
    """Whole numbers in four bytes where they fit; `whole` says that they are whole though of a type for any."""
    if whole and values.dtype.itemsize == 8 and (not values.size or float(values.max()) < 2**32):
        return values.astype(np.uint32)
    return values


def all_values(part: Part, values: np.ndarray) -> dict[int, Arrays]:
    """The values of owned vertices (`values` has one for each) that other parts read."""
    return {q: (values[wanted],) for q, wanted in part.needed.items()}


def changed_values(part: Part, values: np.ndarray, changed: np.ndarray, whole: bool = False) -> dict[int, Arrays]:
    """The values of owned vertices that other parts read and that changed, for parts that read any of them."""
    told: dict[int, Arrays] = {}
    for q, wanted in part.needed.items():
        places = np.flatnonzero(changed[wanted])
        if places.size:
            told[q] = encoded(values[wanted], places, whole)
    return told


def encoded(values: np.ndarray, places: np.ndarray, whole: bool = False) -> Arrays:
    """The values at some places: with the places, or all of them where that is shorter."""
    some = narrow(values[places], whole)
    if places.size * (4 + some.itemsize) >= values.size * values.itemsize:
        return (values,)
    return some, places.astype(np.uint32)


def marked(chosen: np.ndarray) -> Arrays:
    """Which places were chosen: a bit for each, or the places where that is shorter; nothing where there are none."""
    count = int(np.count_nonzero(chosen))
    if 32 * count < chosen.size:
        return (np.flatnonzero(chosen).astype(np.uint32),) if count else ()
    return (np.packbits(chosen),)


def places_of(message: Arrays, size: int) -> np.ndarray:
    """The places that `marked` has told, of so many; an empty message tells of none."""
    if not message:
        return np.empty(0, np.int64)
    told = message[0]
    return np.flatnonzero(np.unpackbits(told, count=size)) if told.dtype == np.uint8 else told.astype(np.int64)


def placed(part: Part, q: int, message: Arrays) -> tuple[slice | np.ndarray, np.ndarray]:
    """Where among the local vertices the values of a message from part q belong, and the values."""
    there = part.ghost_slices[q]
    if len(message) == 1:
        return there, message[0]
    return message[1].astype(np.int64) + there.start, message[0]


def receive(part: Part, got: Got, values: np.ndarray) -> np.ndarray:
    """Copy what came into the local values; the local numbers of ghosts whose value is another now."""
    news = []
    for q in sorted(got.values):
        where, sent = placed(part, q, got.values[q])
        places = np.arange(where.start, where.stop) if isinstance(where, slice) else where
        sent = sent.astype(values.dtype, copy=False)
        news.append(places[values[places] != sent])
        values[places] = sent
    return np.concatenate(news) if news else np.empty(0, np.int64)
