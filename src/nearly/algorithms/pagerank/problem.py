"""PageRank's problem: the map F whose fixed point is asked for, and its exact image of a vector.

F(x) = (1 - d) p + d (A x + (mass of x on dangling vertices) p), where A hands x[u] on along u's arcs and p
is the teleport vector; with leaking, the last term is left out. `Problem` says what is asked for, `RankGoal` with which
tolerance; how the fixed point is found is in `sweeps`, `residuals` and `components`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.tiles import sum_sources, tiles_of
from nearly.algorithms.shared.weights import forbid_extremes, forbid_negative
from nearly.base.errors import InvalidGraphError
from nearly.base.jit import kernel, parallel_kernel
from nearly.base.unsigned import piece_bounds
from nearly.engine.primitives import PIECES
from nearly.engine.run import Run
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

SINGLE = 1 << 18  # arcs and vertices above which float32 sweeps pay for a second kernel


class Ranks(NamedTuple):
    """What a sweep works on. One-element `fixed` and `teleport` stand for the same number everywhere."""

    share: np.ndarray  # what each arc of a vertex carries (before its weight), read by its neighbours
    following: np.ndarray  # the same for the next round
    rank: np.ndarray
    renewed: np.ndarray  # the rank after this round
    inverse: np.ndarray  # 1 / (total weight of the arcs), 0 where that is 0: a dangling vertex
    fixed: np.ndarray  # what arrives whatever the others hold
    teleport: np.ndarray
    weights: np.ndarray  # of the reverse graph's arcs; empty for 1
    scalars: np.ndarray  # damping, and d times the dangling mass of the round before

    def turned(self) -> Ranks:
        """The state for the next round."""
        return self._replace(share=self.following, following=self.share, rank=self.renewed, renewed=self.rank)


def hand_on(state, u, v, e):
    """What u gives along each of its arcs."""
    return state.share[u]


def hand_on_weighted(state, u, v, e):
    """What u gives along arc e, in proportion to its weight."""
    return state.share[u] * state.weights[e]


def settle(state, v, total):
    """v's new rank, and what it will hand on."""
    new = pick(state.fixed, v) + state.scalars[1] * pick(state.teleport, v) + state.scalars[0] * total
    state.renewed[v] = new
    state.following[v] = new * state.inverse[v]


@kernel
def pick(array, v):
    """array[v], or its only element."""
    return array[v] if array.size > 1 else array[0]


class Totals(NamedTuple):
    """What sums of weights work on."""

    weights: np.ndarray
    total: np.ndarray


def weigh(state, u, v, e):
    """The weight of arc e."""
    return state.weights[e]


def store_total(state, v, total):
    """The weight of all arcs of v together."""
    state.total[v] = total


def arc_totals(graph: Graph, threads: int) -> np.ndarray:
    """The weight of each vertex's arcs together."""
    totals = np.empty(graph.n)
    forbid_negative(graph, "pagerank", "follow all arcs alike")
    forbid_extremes(graph, 1e-300, 1e300)  # what is divided is at most a share
    Run(graph, threads=threads).reduce(weigh, store_total, Totals(graph.arrays.weights, totals))
    with np.errstate(over="ignore", divide="ignore"):
        if not (totals < np.inf).all() or np.isinf(1 / totals[totals > 0]).any():
            raise InvalidGraphError("the weights of a vertex sum to more or to less than float64 holds; scale them")
    return totals


@dataclass
class Problem:
    """What is asked for: F, apart from how its fixed point is found."""

    graph: Graph
    damping: float
    teleport: np.ndarray  # float64, sums to 1; one element 1/n where uniform
    leak: bool
    totals: np.ndarray | None  # the weight of each vertex's arcs together; None where arcs count alike
    copies: Copies | None = None  # they hand on what their vertex does, and hold no rank themselves

    @property
    def weighted(self) -> bool:
        return self.totals is not None

    @property
    def gather(self) -> Any:
        return hand_on_weighted if self.weighted else hand_on

    def inverse(self, dtype: Any) -> np.ndarray:
        """1 over the total weight of each vertex's arcs, 0 where that is 0."""
        inverse = (self.graph.out_degrees if self.totals is None else self.totals).astype(dtype)
        if self.copies is not None:
            inverse = self.copies.summed(inverse)
        return np.divide(1, inverse, out=inverse, where=inverse > 0)

    def ranks(self, rank: np.ndarray) -> Ranks:
        """The state of sweeps in the type of `rank`."""
        dtype = rank.dtype
        inverse, weights = self.shares(dtype)
        share, following, renewed = np.empty_like(rank), np.empty_like(rank), np.empty_like(rank)
        scalars = np.array([self.damping, self.spread(self.hand_out(rank, inverse, share))])
        teleport, fixed = self.teleport.astype(dtype), ((1 - self.damping) * self.teleport).astype(dtype)
        return Ranks(share, following, rank, renewed, inverse, fixed, teleport, weights, scalars)

    def shares(self, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        """What a rank is multiplied by at its vertex and at an arc of the reverse graph (nothing there for 1)."""
        inverse = self.inverse(np.float64 if self.weighted else dtype)
        if not self.weighted:
            return inverse, np.empty(0, dtype)
        _, targets, weights = self.graph.reverse.arrays
        if dtype == np.float32:  # a share times a weight could leave float32's range; a probability cannot
            weights, inverse = probabilities(targets, weights, inverse), np.sign(inverse).astype(dtype)
        return inverse, weights

    def hand_out(self, rank: np.ndarray, inverse: np.ndarray, share: np.ndarray) -> float:
        """What each vertex hands on along an arc, into `share`; returns the mass on dangling vertices."""
        loose = hand_out(rank, inverse, share)
        if self.copies is not None:
            share[self.copies.slot] = share[self.copies.of]
        return loose

    def spread(self, loose: float) -> float:
        """What a round hands out to all because `loose` lies on dangling vertices."""
        return 0.0 if self.leak else self.damping * loose

    def normalise(self, x: np.ndarray) -> np.ndarray:
        """Give x the sum 1, unless ranks leak."""
        if not self.leak:
            x /= x.sum()
        return x

    def by_degrees(self) -> np.ndarray:
        """The ranks of an undirected graph, roughly: jumps aside, a surfer is where arcs are."""
        total = (self.graph.out_degrees if self.totals is None else self.totals).astype(np.float64)
        everywhere = np.float64(self.teleport[0])
        arcs = float(total.sum())
        return total * (self.damping / arcs) + (1 - self.damping) * everywhere if arcs else total + everywhere

    def image(self, run: Run, x: np.ndarray) -> np.ndarray:
        """F(x) in float64, by one sweep over all arcs."""
        state = self.ranks(x)
        tiles = None if self.weighted or self.copies is not None else tiles_of(self.graph)
        if tiles is None:
            run.reduce(self.gather, settle, state, graph=self.graph.reverse)
            return state.renewed
        damping, spread = state.scalars
        run.launch(sum_sources, tiles, state.share, state.renewed)
        np.multiply(state.renewed, damping, out=state.renewed)
        return np.add(state.renewed, state.fixed + spread * state.teleport, out=state.renewed)


class RankGoal(NamedTuple):
    """What PageRank's rounds are to reach; a technique may go there in rounds of its own.

    Rounds are an object with `step()`, which does one of them, and `values()`, the ranks so far.
    """

    problem: Problem
    start: np.ndarray  # ranks to begin with
    tol: float  # the change of a round that is small enough
    norm: str  # "l1" or "max"
    any_start: bool = False  # whether other ranks would do as well to begin with

    @property
    def allowed(self) -> float:
        """The sum of changes that is small enough."""
        return self.tol * self.problem.graph.n if self.norm == "max" else self.tol


@kernel
def in_order(parts):
    """Their sum, first to last; inside a parallel kernel `parts.sum()` would depend on the number of threads."""
    total = 0.0
    for p in range(parts.size):
        total += parts[p]
    return total


@parallel_kernel
def hand_out(rank, inverse, share):
    """What each vertex hands on along an arc, into `share`; returns the mass on dangling vertices."""
    loose = np.zeros(PIECES, np.float64)
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(rank.size), p, PIECES)
        total = 0.0
        for v in range(low, high):
            share[v] = rank[v] * inverse[v]
            if inverse[v] == 0.0:
                total += np.float64(rank[v])
        loose[p] = total
    return in_order(loose)


@parallel_kernel
def probabilities(targets, weights, inverse):
    """The share of its source's total that each arc of the reverse graph carries."""
    out = np.empty(targets.size, np.float32)
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(targets.size), p, PIECES)
        for e in range(low, high):
            out[e] = weights[e] * inverse[targets[e]]
    return out
