"""PageRank's rounds: the map F, its exact image of a vector, and sweeps to its fixed point.

F(x) = (1 - d) p + d (A x + (mass of x on dangling vertices) p), where A hands x[u] on along u's arcs and p
is the teleport vector; with leaking, the last term is left out.

`Sweeps` applies F to all vertices each round. A sweep costs 4 bytes an arc (the neighbour's number) and one
random read of a number, so these numbers are float32: half the cache. The iterate is kept as x = base + e
with a float64 base and a float32 e. F is affine, so base + e goes to base + (F(base) - base) + L(e), L being
F's linear part: the next e is r + L(e) with a fixed r. At first base = 0. When the changes come close to e's
rounding, e is added to the base, one float64 sweep gives the new r, and e starts again, small: the float32
digits now resolve the small remainder. So all but a sweep or two run in float32 whatever `tol` is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.shared.weights import forbid_negative
from nearly.base.errors import InvalidGraphError
from nearly.base.jit import SUM_ORDER_FREE, kernel, parallel_kernel
from nearly.base.unsigned import U1, piece_bounds
from nearly.engine.operators.reduce import Rows
from nearly.engine.primitives import PIECES
from nearly.engine.run import Did, Run
from nearly.engine.transform.clusters import Inside, reduce_inside
from nearly.engine.transform.replicas import Copies
from nearly.graph.csr import Graph

_SINGLE = 1 << 18  # arcs and vertices above which float32 sweeps pay for a second kernel
_EPSILON = {np.dtype(t): float(np.finfo(t).eps) for t in (np.float32, np.float64)}


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


def set_apart(state, v, total):
    """What of v's rank comes from outside its cluster; `renewed` is free between rounds."""
    state.renewed[v] = state.rank[v] - state.scalars[0] * total


def resettle(state, v, total):
    """v's rank once more, with what now comes from inside its cluster; by how much it changed."""
    new, old = state.renewed[v] + state.scalars[0] * total, state.rank[v]
    state.rank[v] = new
    state.share[v] = new * state.inverse[v]
    return abs(np.float64(new) - np.float64(old))


@kernel
def pick(array, v):
    """array[v], or its only element."""
    return array[v] if array.size > 1 else array[0]


class Totals(NamedTuple):
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
    Rows(Run(graph, threads=threads), graph, weigh, store_total)(Totals(graph.arrays.weights, totals))
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
        dtype, weights = rank.dtype, np.empty(0, rank.dtype)
        inverse = self.inverse(np.float64 if self.weighted else dtype)
        if self.weighted:
            _, targets, weights = self.graph.reverse.arrays
            if dtype == np.float32:  # a share times a weight could leave float32's range; a probability cannot
                weights, inverse = probabilities(targets, weights, inverse), np.sign(inverse).astype(dtype)
        share, following, renewed = np.empty_like(rank), np.empty_like(rank), np.empty_like(rank)
        scalars = np.array([self.damping, self.spread(self.hand_out(rank, inverse, share))])
        teleport, fixed = self.teleport.astype(dtype), ((1 - self.damping) * self.teleport).astype(dtype)
        return Ranks(share, following, rank, renewed, inverse, fixed, teleport, weights, scalars)

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

    def image(self, run: Run, x: np.ndarray) -> np.ndarray:
        """F(x) in float64, by one sweep over all arcs."""
        state = self.ranks(x)
        Rows(run, self.graph.reverse, self.gather, settle)(state)
        return state.renewed


@kernel
def merge_ranks(heads, first, slot, state):
    """The paper's merging: a vertex's rank becomes the mean of its own and of those its copies still stand for."""
    for i in range(np.uint64(heads.size)):
        v = np.uint64(heads[i])
        if state.inverse[v] > 0.0:
            total = np.float64(state.renewed[v])
            for j in range(first[v], first[v + U1]):
                total += np.float64(state.share[slot[j]]) / np.float64(state.inverse[v])
            state.renewed[v] = total / np.float64(U1 + first[v + U1] - first[v])
            state.following[v] = state.renewed[v] * state.inverse[v]


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


@kernel(fastmath=SUM_ORDER_FREE)
def compare_piece(rank, renewed, inverse, low, high):
    """The sum of changes, and the new ranks' mass on dangling vertices."""
    total, loose = 0.0, 0.0
    for v in range(low, high):
        new = np.float64(renewed[v])
        total += abs(new - np.float64(rank[v]))
        loose += new if inverse[v] == 0.0 else 0.0
    return total, loose


@parallel_kernel
def compare(rank, renewed, inverse):
    """`compare_piece` for all vertices, as sums over fixed pieces in order."""
    sums = np.zeros((2, PIECES), np.float64)
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(rank.size), p, PIECES)
        sums[0, p], sums[1, p] = compare_piece(rank, renewed, inverse, low, high)
    return in_order(sums[0]), in_order(sums[1])


@parallel_kernel
def probabilities(targets, weights, inverse):
    """The share of its source's total that each arc of the reverse graph carries."""
    out = np.empty(targets.size, np.float32)
    for p in prange(PIECES):
        low, high = piece_bounds(np.uint64(targets.size), p, PIECES)
        for e in range(low, high):
            out[e] = weights[e] * inverse[targets[e]]
    return out


class Sweeps:
    """All vertices each round; see the top of the file."""

    def __init__(self, run: Run, problem: Problem, start: np.ndarray, tol: float, norm: str) -> None:
        self.run, self.problem, self.tol, self.largest = run, problem, tol, norm == "max"
        graph = problem.graph
        self.dtype = np.dtype(np.float32 if graph.n + graph.m > _SINGLE else np.float64)
        self.base: np.ndarray | None = None
        self.rows = Rows(run, graph.reverse, problem.gather, settle)
        self.state = problem.ranks(start.astype(self.dtype))
        self.size = 1.0  # bounds the L1 norm of e
        self.done = self.used_up = False
        self.rounds, self.fresh, self.ripe = 0, True, False
        alone = run.map.clusters is not None and graph is run.graph and problem.copies is None
        self.inside = Inside(run, graph.reverse, reduce_inside(problem.gather, set_apart, resettle)) if alone else None

    def values(self) -> np.ndarray:
        x = self.state.rank.astype(np.float64)
        if self.base is not None:
            x += self.base
        return x

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        return [self._rebase() if self.used_up else self._sweep()]

    def _sweep(self) -> Did:
        state, edges = self.state, self.rows(self.state)
        fresh, self.fresh = self.fresh, self._merge(state)
        change, loose = compare(state.rank, state.renewed, state.inverse)
        largest = float(np.abs(state.renewed - state.rank).max()) if self.largest else 0.0
        state.scalars[1] = self.problem.spread(loose)
        self.state = state.turned()
        did = self._judge(edges, change, largest)
        self.ripe, self.done = self.done, self.done and fresh  # what copies handed on may have been old
        over = self.done or self.used_up
        return did if over or self.inside is None else self._iterate_clusters(self.inside, did)

    def _iterate_clusters(self, inside: Inside, did: Did) -> Did:
        """Bring the ranks inside each cluster nearer to where they go if those outside stay."""
        state = self.state
        edges = inside(state._replace(share=state.following), state)
        if not self.problem.leak:  # keep the sum: an error in it would fade by no more than d a round
            total = float(state.rank.sum(dtype=np.float64))
            more = (1 / total - 1) * state.rank if self.base is None else -total * self.base
            np.add(state.rank, more, out=state.rank, casting="same_kind")
        state.scalars[1] = self.problem.spread(self.problem.hand_out(state.rank, state.inverse, state.share))
        return did._replace(edges=did.edges + edges)

    def _merge(self, state: Ranks) -> bool:
        """Let copies know what their vertices hand on from now on, if that is due in this round; whether it was."""
        copies = self.problem.copies
        if copies is None:
            return True
        self.rounds += 1
        due = self.rounds % copies.every == 0 if copies.every else self.ripe
        slot, of = copies.slot, copies.of
        if due and copies.merge == "mean":
            merge_ranks(copies.heads, copies.first, slot, state)
        state.following[slot] = state.following[of] if due else state.share[slot]
        return due

    def _rebase(self) -> Did:
        """One exact round; the rest of the way is a small e on top of the base."""
        self.base = self.problem.normalise(self.values())  # rounding's error in the sum would only fade by d a round
        r = self.problem.image(self.run, self.base)
        r -= self.base
        change, largest = float(np.abs(r).sum()), float(np.abs(r).max())
        state = self.state = self.state._replace(rank=r.astype(self.dtype), fixed=r.astype(self.dtype))
        state.scalars[1] = self.problem.spread(self.problem.hand_out(state.rank, state.inverse, state.share))
        self.size = change / (1 - self.problem.damping)
        self.fresh = True
        return self._judge(self.problem.graph.m, change, largest)

    def _judge(self, edges: int, change: float, largest: float) -> Did:
        """Whether this was the last round, or the last that e's digits could resolve."""
        size = float(np.abs(self.state.rank).max()) if self.largest else self.size
        seen, rounding = largest if self.largest else change, 2 * _EPSILON[np.dtype(self.dtype)] * size
        self.done = seen + rounding <= self.tol
        self.used_up = seen <= 2 * rounding / (1 - self.problem.damping)  # roundings may go round in circles above that
        extra = {"change": change, "largest": largest} if self.largest else {"change": change}
        return Did(self.problem.graph.n, edges, extra=extra)
