"""Adjacency in dictionaries, as NetworkX keeps it, as arrays: with as few Python operations per edge as there can be.

A graph of nodes 0..n-1 needs none: its rows are read by one `np.fromiter` over chained dictionaries. Other whole
numbers are translated by an array, anything else by a dictionary look-up per arc.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from nearly.graph.csr import OFFSET, vertex_dtype

_SPREAD = 8  # whole numbers up to so many times the number of nodes are translated by an array


def rows_of(adjacency: Mapping[Any, Mapping[Any, Any]]) -> tuple[Sequence[Any], np.ndarray, np.ndarray]:
    """The labels (as a range where they are one), offsets, and targets of {node: {neighbour: data}}.

    Examples
    --------
    >>> labels, offsets, targets = rows_of({"b": {"a": 1, "b": 2}, "a": {"b": 1}})
    >>> labels, offsets.tolist(), targets.tolist()
    (['b', 'a'], [0, 2, 3], [1, 0, 0])
    """
    labels: Sequence[Any] = list(adjacency)
    offsets = np.zeros(len(labels) + 1, OFFSET)
    np.cumsum(np.fromiter(map(len, adjacency.values()), np.uint64, len(labels)), out=offsets[1:])
    labels, targets = _targets(labels, chain.from_iterable(adjacency.values()), int(offsets[-1]))
    return labels, offsets, targets


def _targets(labels: Sequence[Any], flat: Iterable[Any], m: int) -> tuple[Sequence[Any], np.ndarray]:
    """The labels, as a range where they are one, and the numbers of the nodes in `flat`."""
    n = len(labels)
    dtype = vertex_dtype(n)
    numbers = _whole_numbers(labels)
    if numbers is None:
        place = {node: v for v, node in enumerate(labels)}
        return labels, np.fromiter(map(place.__getitem__, flat), dtype, m)
    named = np.fromiter(flat, np.int64, m)
    if np.array_equal(numbers, np.arange(n)):
        return range(n), named.astype(dtype)
    place_of = np.zeros(int(numbers.max()) + 1, dtype)
    place_of[numbers] = np.arange(n, dtype=dtype)
    return labels, place_of[named]


def _whole_numbers(labels: Sequence[Any]) -> np.ndarray | None:
    """Labels as an array if all of them are whole numbers from 0 to a few times their number."""
    if set(map(type, labels)) != {int}:
        return None
    if min(labels) < 0 or max(labels) >= _SPREAD * len(labels):
        return None
    return np.fromiter(labels, np.int64, len(labels))
