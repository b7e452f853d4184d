"""How similar two partitions are; the names of their labels do not matter.

All measures come from one table: how many vertices lie in part i of one and part j of the other, and how large the
parts are. Pairs of vertices are counted exactly from these numbers (a part of size s holds s(s-1)/2 pairs), so
that no pairs need to be sampled. This takes time n log n at most, in whole numbers up to the last division.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.accuracy.inputs import array_of, two_arrays


class Table(NamedTuple):
    """Sizes, none of them 0: of the parts of both, and of their intersections."""

    exact: np.ndarray
    approx: np.ndarray
    joint: np.ndarray


def pair_f1(exact: Any, approx: Any) -> float:
    """The F1 score of "these two vertices lie together" over all pairs: 1 for equal partitions, 0 for no common pair.

    Parameters
    ----------
    exact, approx : Result or array
        The exact partition and the other: results of one algorithm, or labels of all vertices.

    Returns
    -------
    float
        The score, from 0 to 1.

    Examples
    --------
    >>> pair_f1([0, 0, 2, 2], [0, 0, 2, 3])
    0.6666666666666666
    """
    return pair_f1_of(table(exact, approx))


def adjusted_rand(exact: Any, approx: Any) -> float:
    """The adjusted Rand index: 1 for equal partitions, 0 on average for unrelated ones, negative below that.

    Parameters
    ----------
    exact, approx : Result or array
        The exact partition and the other: results of one algorithm, or labels of all vertices.

    Returns
    -------
    float
        The index, at most 1.

    Examples
    --------
    >>> adjusted_rand([0, 0, 2, 2], [7, 7, 5, 5]), adjusted_rand([0, 0, 2, 2], [0, 1, 0, 1])
    (1.0, -0.5)
    """
    return adjusted_rand_of(table(exact, approx))


def normalized_mutual_information(exact: Any, approx: Any) -> float:
    """Mutual information over the mean of the two entropies: 1 for equal partitions, 0 for unrelated ones.

    Two partitions without information (all vertices in one part) are equal.

    Parameters
    ----------
    exact, approx : Result or array
        The exact partition and the other: results of one algorithm, or labels of all vertices.

    Returns
    -------
    float
        The information, from 0 to 1.

    Examples
    --------
    >>> normalized_mutual_information([0, 0, 2, 2], [7, 7, 5, 5])
    1.0
    """
    return normalized_mutual_information_of(table(exact, approx))


def part_count_difference(exact: Any, approx: Any) -> int:
    """How many more parts the approximation has.

    Parameters
    ----------
    exact, approx : Result or array
        The exact partition and the other: results of one algorithm, or labels of all vertices.

    Returns
    -------
    int
        The difference; negative if the approximation has fewer parts.

    Examples
    --------
    >>> part_count_difference([0, 0, 2, 2], [0, 1, 2, 3])
    2
    """
    one, other = two_arrays(exact, approx)
    return part_sizes(other).size - part_sizes(one).size


def table(exact: Any, approx: Any) -> Table:
    """The sizes from which all measures are computed."""
    (one, ones), (other, others) = (numbered(values) for values in two_arrays(exact, approx))
    keys = one * others + other
    if ones * others <= 4 * one.size:  # as cheap as counting labels, and needs no sorting
        joint = _positive(np.bincount(keys))
    else:
        keys.sort()
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        joint = np.diff(starts, append=keys.size)
    return Table(_positive(np.bincount(one)), _positive(np.bincount(other)), joint)


def pair_f1_of(sizes: Table) -> float:
    """`pair_f1` from the table."""
    exact, approx, joint = (_pairs(part) for part in sizes)
    return 2 * joint / (exact + approx) if exact + approx else 1.0


def adjusted_rand_of(sizes: Table) -> float:
    """`adjusted_rand` from the table."""
    exact, approx, joint = (_pairs(part) for part in sizes)
    n = int(sizes.exact.sum())
    every = n * (n - 1) // 2
    best = (exact + approx) * every - 2 * exact * approx
    return 2 * (joint * every - exact * approx) / best if best else 1.0


def normalized_mutual_information_of(sizes: Table) -> float:
    """`normalized_mutual_information` from the table."""
    exact, approx, joint = (_entropy(part) for part in sizes)
    if exact + approx == 0.0:
        return 1.0
    return float(np.clip(2 * (exact + approx - joint) / (exact + approx), 0.0, 1.0))


def part_sizes(labels: Any) -> np.ndarray:
    """The number of vertices with each label that occurs."""
    return _positive(np.bincount(numbered(array_of(labels))[0]))


def numbered(labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Labels as numbers from 0, and how many numbers there are; vertex numbers are taken as they are."""
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0 and labels.max() <= labels.size:
        return labels.astype(np.int64), int(labels.max()) + 1
    names, places = np.unique(labels, return_inverse=True)
    return places.astype(np.int64), names.size


def _positive(counts: np.ndarray) -> np.ndarray:
    return counts[counts > 0]


def _pairs(sizes: np.ndarray) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _entropy(sizes: np.ndarray) -> float:
    if sizes.size < 2:
        return 0.0
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum())
