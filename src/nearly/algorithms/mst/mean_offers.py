"""Boruvka's rounds where a vertex and its copies offer an edge at the mean of their lightest ones (Graffix' rule).

Every vertex offers its tree the lightest edge that leaves it. The offers of a vertex and its copies are values of one
vertex and are merged by the mean, over those that have an edge to offer. A tree takes its least offer and picks the
lightest edge that weighs at least that: with a mean among the offers, not always its lightest edge. Then picks may
close cycles, so trees are joined one after the other, and a pick whose ends are together by then is dropped. Every
round joins at least two trees, so there is an end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.mst.kernels import ordered, ordered_all
from nearly.base.atomics import atomic_min
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph


def weigh_single(state, u, v, e):
    """Offer arc e to the tree of u, unless u has copies or is one; v has an arc that leaves its tree too."""
    tree = state.root[u]
    if tree == state.root[v]:
        return False
    if not state.merged[u]:
        key = ordered(state.bits[e], state.sign[0])
        if key < state.lightest[tree]:
            atomic_min(state.lightest, tree, key)
    return True


def weigh_from(state, u, v, e):
    """Offer arc e to the tree of u if it weighs at least what the tree takes."""
    tree = state.root[u]
    if tree != state.root[v]:
        key = ordered(state.bits[e], state.sign[0])
        if key >= state.bar[tree] and key < state.lightest[tree]:
            atomic_min(state.lightest, tree, key)
    return False


class MeanOffers:
    """The merged offers of the vertices of a graph that have copies."""

    def __init__(self, graph: Graph, copies: Copies, sign: np.uint64) -> None:
        self.groups, self.arrays, self.sign = copies.groups, graph.arrays, sign
        self.merged = np.zeros(graph.n, np.bool_)
        self.merged[copies.slot] = self.merged[copies.of] = True

    def raise_bars(self, state: Any, nothing: np.uint64) -> None:
        """What each tree takes, into `bar`; `lightest` is free again."""
        weights, means = self.arrays.weights, np.empty(self.groups.heads.size)
        mean_offers(self.groups, self.arrays, state.root, means)
        known = ~np.isnan(means)
        found = np.floor(means[known]) if weights.dtype.kind == "u" else means[known]
        key = np.empty(found.size, np.uint64)
        ordered_all(found.astype(weights.dtype).view(f"u{weights.itemsize}"), self.sign, key)
        np.minimum.at(state.lightest, state.root[self.groups.heads[known]].astype(np.int64), key)
        state.bar[:] = state.lightest
        state.lightest[:] = nothing


@kernel
def mean_offers(groups, arrays, root, means):
    """For every vertex with copies the mean weight of its and their lightest edges that leave the tree."""
    heads, first, slot = groups
    offsets, targets, weights = arrays
    for i in range(np.uint64(heads.size)):
        h = np.uint64(heads[i])
        total, count = 0.0, U0
        for j in range(first[h], first[h + U1] + U1):
            x = np.uint64(slot[j]) if j < first[h + U1] else h
            least = np.inf
            for e in range(offsets[x], offsets[x + U1]):
                if root[targets[e]] != root[x]:
                    least = min(least, np.float64(weights[e]))
            if least < np.inf:
                total, count = total + least, count + U1
        means[i] = total / np.float64(count) if count > U0 else np.nan


@kernel
def join_one_by_one(trees, beyond, root, stay):
    """Hang each tree under the one beyond its edge, unless they are together already; `stay` says which edges count."""
    for i in range(np.uint64(trees.size)):
        a, b = np.uint64(trees[i]), np.uint64(beyond[trees[i]])
        while root[a] != a:
            a = np.uint64(root[a])
        while root[b] != b:
            b = np.uint64(root[b])
        stay[i] = a != b
        if a != b:
            root[max(a, b)] = min(a, b)
