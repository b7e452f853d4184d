"""PageRank's rounds: the map F, its exact image of a vector, and two ways to its fixed point.

F(x) = (1 - d) p + d (A x + (mass of x on dangling vertices) p), where A hands x[u] on along u's arcs and p
is the teleport vector; with leaking, the last term is left out.

`Sweeps` applies F to all vertices each round. A sweep costs 4 bytes an arc (the neighbour's number) and one
random read of a number, so these numbers are float32: half the cache. The iterate is kept as x = base + e
with a float64 base and a float32 e. F is affine, so base + e goes to base + (F(base) - base) + L(e), L being
F's linear part: the next e is r + L(e) with a fixed r. At first base = 0. When the changes come close to e's
rounding, e is added to the base, one float64 sweep gives the new r, and e starts again, small: the float32
digits now resolve the small remainder. So all but a sweep or two run in float32 whatever `tol` is.

`Residuals` (policy `frontier`) recomputes only vertices with an in-neighbour that changed by more than a share of
`tol` since its rank was last sent. It solves the leaking system, which has no global term; redistribution
over p only scales that solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from nearly.algorithms.rows import BLOCK, Rows
from nearly.base.errors import InvalidGraphError
from nearly.base.jit import kernel, parallel_kernel
from nearly.engine.advance import Advance
from nearly.engine.enact import Did, Run
from nearly.engine.kernels import filter_items
from nearly.engine.primitives import PIECES, transform
from nearly.graph.csr import Graph
from nearly.graph.partition import U0, U1, piece_bounds

_SINGLE = 1 << 18  # arcs and vertices above which float32 sweeps pay for a second kernel
_DIGITS = 8  # e is used up when a round changes it by less than so many roundings
_EPSILON = {np.dtype(t): float(np.finfo(t).eps) for t in (np.float32, np.float64)}
_FEW = 16  # recompute everything when the changed vertices have more than 1/16 of the arcs
_SIX, _LAST = np.uint64(6), BLOCK - U1


class Ranks(NamedTuple):
    """What a sweep works on. One-element `fixed` and `teleport` stand for the same number everywhere."""

    share: np.ndarray  # what each arc of a vertex carries (before its weight), read by its neighbours
    following: np.ndarray  # the same for the next round
    rank: np.ndarray
    inverse: np.ndarray  # 1 / (total weight of the arcs), 0 where that is 0: a dangling vertex
    fixed: np.ndarray  # what arrives whatever the others hold
    teleport: np.ndarray
    weights: np.ndarray  # of the reverse graph's arcs; empty for 1
    change: np.ndarray  # per block of vertices: sum of changes, largest change, dangling mass
    scalars: np.ndarray  # damping, and d times the dangling mass of the round before


def hand_on(state, u, v, e):
    """What u gives along each of its arcs."""
    return state.share[u]


def hand_on_weighted(state, u, v, e):
    """What u gives along arc e, in proportion to its weight."""
    return state.share[u] * state.weights[e]


def settle(state, v, total):
    """v's new rank; changes and dangling mass add up per block, which one worker does in order."""
    new = pick(state.fixed, v) + state.scalars[1] * pick(state.teleport, v) + state.scalars[0] * total
    change = abs(new - state.rank[v])
    block = v >> _SIX
    if v & _LAST == U0:
        for k in range(3):
            state.change[k, block] = 0.0
    state.change[0, block] += change
    state.change[1, block] = max(state.change[1, block], change)
    if state.inverse[v] == 0.0:
        state.change[2, block] += new
    state.rank[v] = new
    state.following[v] = new * state.inverse[v]


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


def inverse_totals(run: Run, weighted: bool) -> np.ndarray:
    """1 over the total weight of each vertex's arcs, 0 where that is 0."""
    graph = run.graph
    totals = graph.out_degrees.astype(np.float64)
    if weighted:
        weights = graph.arrays.weights
        if weights.size and weights.min() < 0:
            raise InvalidGraphError("pagerank needs weights that are not negative; use weights=False or change them")
        Rows(run, graph, weigh, store_total)(Totals(weights, totals))
    with np.errstate(over="ignore"):
        inverse = np.divide(1.0, totals, out=np.zeros(graph.n), where=totals > 0)
    if not (np.isfinite(totals).all() and np.isfinite(inverse).all()):
        raise InvalidGraphError("the weights of a vertex sum to more or to less than float64 holds; scale them")
    return inverse


@dataclass
class Problem:
    """What is asked for: F, apart from how its fixed point is found."""

    graph: Graph
    damping: float
    teleport: np.ndarray  # float64, sums to 1; one element 1/n where uniform
    leak: bool
    weighted: bool
    inverse: np.ndarray  # 1 over the total weight of each vertex's arcs, 0 where that is 0

    @property
    def gather(self) -> Any:
        return hand_on_weighted if self.weighted else hand_on

    def ranks(self, rank: np.ndarray) -> Ranks:
        """The state of sweeps in the type of `rank`."""
        dtype, n = rank.dtype, self.graph.n
        weights, inverse = np.empty(0, dtype), self.inverse
        if self.weighted:
            _, targets, weights = self.graph.reverse.arrays
            if dtype == np.float32:  # a share times a weight could leave float32's range; a probability cannot
                weights, inverse = probabilities(targets, weights, inverse), np.sign(inverse)
        loose = float(rank[inverse == 0].sum(dtype=np.float64))
        inverse, teleport = inverse.astype(dtype), self.teleport.astype(dtype)
        fixed = (1 - self.damping) * self.teleport
        scalars = np.array([self.damping, self.spread(loose)])
        blocks = np.zeros((3, n // int(BLOCK) + 1))
        share = rank * inverse
        return Ranks(
            share, np.empty_like(share), rank, inverse, fixed.astype(dtype), teleport, weights, blocks, scalars
        )

    def spread(self, loose: float) -> float:
        """What a round hands out to all because `loose` lies on dangling vertices."""
        return 0.0 if self.leak else self.damping * loose

    def normalised(self, x: np.ndarray) -> np.ndarray:
        """x with sum 1, unless ranks leak."""
        return x if self.leak else x / x.sum()

    def image(self, run: Run, x: np.ndarray) -> np.ndarray:
        """F(x) in float64, by one sweep over all arcs."""
        state = self.ranks(x.copy())
        Rows(run, self.graph.reverse, self.gather, settle)(state)
        return state.rank


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

    def values(self) -> np.ndarray:
        e = self.state.rank.astype(np.float64)
        return e if self.base is None else self.base + e

    def step(self) -> list[Did] | None:
        if self.done:
            return None
        return [self._rebase() if self.used_up else self._sweep()]

    def _sweep(self) -> Did:
        edges = self.rows(self.state)
        state, sums = self.state, self.state.change
        self.state = state._replace(share=state.following, following=state.share)
        self.state.scalars[1] = self.problem.spread(float(sums[2].sum()))
        return self._judge(edges, float(sums[0].sum()), float(sums[1].max()))

    def _rebase(self) -> Did:
        """One exact round; the rest of the way is a small e on top of the base."""
        self.base = self.problem.normalised(self.values())  # rounding's error in the sum would only fade by d a round
        r = self.problem.image(self.run, self.base) - self.base
        change, largest = float(np.abs(r).sum()), float(np.abs(r).max())
        small = r.astype(self.dtype)
        old, loose = self.state, float(small[self.state.inverse == 0].sum(dtype=np.float64))
        scalars = np.array([self.problem.damping, self.problem.spread(loose)])
        self.state = old._replace(rank=small, share=small * old.inverse, fixed=small.copy(), scalars=scalars)
        self.size = change / (1 - self.problem.damping)
        return self._judge(self.problem.graph.m, change, largest)

    def _judge(self, edges: int, change: float, largest: float) -> Did:
        """Whether this was the last round, or the last that e's digits could resolve."""
        size = float(np.abs(self.state.rank).max()) if self.largest else self.size
        seen, rounding = largest if self.largest else change, 2 * _EPSILON[np.dtype(self.dtype)] * size
        self.done = seen + rounding <= self.tol
        self.used_up = seen <= _DIGITS * rounding
        return Did(self.problem.graph.n, edges, extra={"change": change, "largest": largest})


class Sent(NamedTuple):
    """What `Residuals` works on, all float64."""

    share: np.ndarray
    rank: np.ndarray
    sent: np.ndarray  # the rank that `share` was made from
    inverse: np.ndarray
    fixed: np.ndarray
    weights: np.ndarray
    scalars: np.ndarray  # damping, and the change that is worth sending


def renew(state, v, total):
    """v's rank from what its in-neighbours sent."""
    state.rank[v] = pick(state.fixed, v) + state.scalars[0] * total


def stale(state, v):
    """Whether v's rank has moved away from what its neighbours know."""
    return abs(state.rank[v] - state.sent[v]) > state.scalars[1] and state.inverse[v] > 0.0


def send(state, v):
    """Let v's neighbours know its rank."""
    state.sent[v] = state.rank[v]
    state.share[v] = state.rank[v] * state.inverse[v]


def touch(state, u, v, e):
    """v has to be computed again."""
    return True


class Residuals:
    """Only what changed; see the top of the file."""

    def __init__(self, run: Run, problem: Problem, start: np.ndarray, tol: float, norm: str) -> None:
        self.run, self.problem = run, problem
        graph = problem.graph
        self.tol = tol * graph.n if norm == "max" else tol
        weights = graph.reverse.arrays.weights if problem.weighted else np.empty(0)
        scalars = np.array([problem.damping, self._worth(1.0)])
        loose = problem.spread(float(start[problem.inverse == 0].sum()))
        rank, fixed = (
            start * ((1 - problem.damping) / (1 - problem.damping + loose)),
            (1 - problem.damping) * problem.teleport,
        )
        self.state = Sent(rank * problem.inverse, rank, rank.copy(), problem.inverse, fixed, weights, scalars)
        self.rows = Rows(run, graph.reverse, problem.gather, renew)
        self.out = Advance(run, graph, touch, self.state)
        self.everyone = np.arange(graph.n, dtype=graph.arrays.targets.dtype)
        self.items: np.ndarray | None = None  # to be computed again; None for all
        self.active = self.everyone[:1]
        self.buffer = np.empty_like(self.everyone)

    def _worth(self, mass: float) -> float:
        """The change worth sending so that n unsent ones leave a residual of at most d * tol; ranks sum to `mass`."""
        return self.tol / self.problem.graph.n * (1.0 if self.problem.leak else mass / 2)

    def values(self) -> np.ndarray:
        return self.state.rank

    def step(self) -> list[Did] | None:
        if not self.active.size:
            return None
        edges = self.rows(self.state, self.items)
        count = self.everyone.size if self.items is None else self.items.size
        if self.items is not None:
            self._find_active(self.items)
        if self.items is None or not self.active.size:  # before the end the ranks' sum has to be looked at again
            self.state.scalars[1] = self._worth(float(self.state.rank.sum()))
            self._find_active(self.everyone)
        transform(send)(self.state, self.active)
        return [Did(count, edges + self._choose_items(), extra={"active": self.active.size})]

    def _find_active(self, items: np.ndarray) -> None:
        kept = int(filter_items(stale)(self.state, items, self.buffer))
        self.active = self.buffer[:kept]

    def _choose_items(self) -> int:
        """The vertices to compute next: all, or where few arcs are concerned those the active lead to."""
        degrees, m = self.problem.graph.out_degrees, self.problem.graph.m
        self.items = None
        if not self.active.size or degrees[self.active].sum() > m // _FEW:
            return 0
        pushed = self.out.push(self.active).edges
        touched = self.out.here[: self.out.size]
        if self.problem.graph.reverse.out_degrees[touched].sum() < m // 2:
            self.items = touched
        return pushed
