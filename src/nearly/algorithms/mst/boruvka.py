"""Boruvka's rounds: every tree picks the lightest edge that leaves it, all picked edges join the forest, trees merge.

(Boruvka 1926.) Edges are ranked by key and then by their arc from the smaller to the larger end, a total order, so
that picks never close a cycle, except that two trees may pick the same edge: then the smaller root stays. A round
visits the arcs twice: first the trees learn their lightest key (`weigh`), then the first arc of that key (`pick`).
Vertices without an arc that leaves their tree drop out of the frontier.

Where a technique asks for it, a round looks at a share of the edges, drawn anew. Both ends of an edge see the same
draw, so that picks still close no cycle; but an edge picked need not be the lightest, and rounds may end before all is
joined. Copies of vertices may have a say of their own in what is picked (`mean_offers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from nearly.algorithms.mst.kernels import ordered
from nearly.algorithms.mst.keys import Keys
from nearly.algorithms.mst.mean_offers import MeanOffers, join_one_by_one, weigh_from, weigh_single
from nearly.algorithms.shared.row_search import first_from
from nearly.base.atomics import atomic_min
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.operators.advance import Advance
from nearly.engine.primitives import load_balanced_search
from nearly.engine.run import Did, Run
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

NOTHING = np.uint64(2**64 - 1)


class Forest(NamedTuple):
    """What rounds of joining trees work on."""

    root: np.ndarray  # unsigned[n], the root of each vertex's tree
    lightest: np.ndarray  # uint64[n], for a root the lowest key of an edge that leaves its tree
    arc: np.ndarray  # uint64[n], for a root the first arc of that key, NOTHING if no edge leaves
    beyond: np.ndarray  # unsigned[n], for a root the root at the other end of that arc
    offsets: np.ndarray
    targets: np.ndarray
    bits: np.ndarray  # of Keys
    sign: np.ndarray  # of Keys, uint64[1]
    merged: np.ndarray  # bool[n], which vertices have copies or are some; empty where that plays no role
    bar: np.ndarray  # uint64[n], for a root the least key it may pick; empty where it may pick any


@kernel
def key_of(state, e):
    """The key of arc e, 0 where there are no weights."""
    return ordered(state.bits[e], state.sign[0]) if state.bits.size else U0


@kernel
def edge_of(state, u, v, e, key):
    """The arc that stands for the edge of arc e: the first from the smaller to the larger end with its key."""
    if u < v:
        return e
    end = state.offsets[v + U1]
    e = first_from(state.targets, state.offsets[v], end, u)
    while e < end and key_of(state, e) != key:
        e += U1
    return e


def weigh(state, u, v, e):
    """Offer arc e to the tree of u; v has an arc that leaves its tree too."""
    tree = state.root[u]
    if tree == state.root[v]:
        return False
    key = key_of(state, e)
    if key < state.lightest[tree]:
        atomic_min(state.lightest, tree, key)
    return True


def pick(state, u, v, e):
    """Of the arcs of the lightest key pick the first edge."""
    tree = state.root[u]
    if tree != state.root[v] and key_of(state, e) == state.lightest[tree]:
        atomic_min(state.arc, tree, edge_of(state, np.uint64(u), np.uint64(v), np.uint64(e), state.lightest[tree]))
    return False


def aim(state, tree):
    """Look where the picked edge leads."""
    arc = state.arc[tree]
    state.beyond[tree] = tree
    if arc != NOTHING:
        a = state.root[load_balanced_search(state.offsets, arc)]
        b = state.root[state.targets[arc]]
        state.beyond[tree] = a if b == tree else b


def joins(state, tree):
    """Whether this root hangs itself under the other one; of two that picked the same edge, the larger does."""
    other = state.beyond[tree]
    return other != tree and (state.beyond[other] != tree or other < tree)


def join(state, tree):
    """Hang the root under the one beyond its edge."""
    state.root[tree] = state.beyond[tree]


def shortcut(state, v):
    """Point v at its root."""
    while state.root[v] != state.root[state.root[v]]:
        state.root[v] = state.root[state.root[v]]


def forget(state, tree):
    """A root of the next round has picked nothing yet."""
    state.lightest[tree] = NOTHING
    state.arc[tree] = NOTHING


def is_root(state, v):
    """Whether v still is the root of a tree."""
    return state.root[v] == v


def boruvka(
    run: Run, graph: Graph, keys: Keys, found: list[np.ndarray], copies: Copies | None = None
) -> Iterator[list[Did]]:
    """Rounds until no edge leaves a tree; each appends its edges' arcs to `found`.

    Copies are in the tree of their vertex from the start; where values are merged by their mean, so are their offers.
    """
    offsets, targets, _ = graph.arrays
    vertices = np.arange(graph.n, dtype=targets.dtype)
    picks = (np.full(graph.n, NOTHING), np.full(graph.n, NOTHING), vertices.copy())
    offers = None
    if copies is not None and copies.merge == "mean" and keys.bits.size:
        offers = MeanOffers(graph, copies, np.uint64(keys.sign))
    more = (np.empty(0, np.bool_), picks[0][:0]) if offers is None else (offers.merged, np.full(graph.n, NOTHING))
    state = Forest(vertices.copy(), *picks, offsets, targets, keys.bits, np.full(1, keys.sign), *more)
    items, roots = vertices, vertices
    if copies is not None:
        state.root[copies.slot] = copies.of
        roots = run.filter(is_root, state, vertices)
    visits = (weigh, pick) if offers is None else (weigh_single, weigh_from, pick)
    passes = [Advance(run, graph, visit, state, partly="both") for visit in visits]
    weighing = passes[0]
    for turn in count():
        if not items.size:
            break
        did = []
        for one in passes:
            one.keep_draw(turn)
            did.append(one.push(one.everything if one.policy == "topology" else items))
            if offers is not None and one is weighing:
                offers.raise_bars(state, NOTHING)
        run.each(aim, state, roots)
        joining = _join(run, state, roots, one_by_one=offers is not None)
        found.append(state.arc[joining])
        run.each(shortcut, state)
        roots = run.filter(is_root, state, roots)
        run.each(forget, state, roots)
        items = weighing.here[: weighing.size].copy()
        yield [Did(did[0].frontier, sum(one.edges for one in did), changed=joining.size)]


def _join(run: Run, state: Forest, roots: np.ndarray, one_by_one: bool) -> np.ndarray:
    """Hang trees under those beyond their edges; the roots whose edges join the forest."""
    if not one_by_one:
        joining = run.filter(joins, state, roots)
        run.each(join, state, joining)
        return joining
    aiming = roots[state.beyond[roots] != roots]
    stay = np.zeros(aiming.size, np.bool_)
    join_one_by_one(aiming, state.beyond, state.root, stay)
    return aiming[stay]
