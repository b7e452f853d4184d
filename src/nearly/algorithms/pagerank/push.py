"""Personalised PageRank by forward push: time in proportion to what is touched, not to the graph.

Each vertex has an estimate p and a residual r; at first r is where jumps lead. To push u moves (1 - d) r(u) to p(u) and
d r(u) to the neighbours of u, or back to where jumps lead if u is dangling (Andersen, Chung and Lang, 2006). At all
times x* = p + (the sum over u of r(u) times the ranks for jumps to u alone), so with x = p + (1 - d) r no rank is too
high, and ||x* - x||_1 is exactly d times the sum of r. Vertices are pushed, first in first out, while r(u) is above a
threshold times the arcs of u; the threshold falls until the sum of r is small enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.algorithms.pagerank.problem import Problem
from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.engine.run import Run

FALL = 4.0  # by how much the threshold falls
DAMPING, WANTED, MOST = range(3)  # what `numbers` holds: damping, the sum of r that is small enough, the most arcs
REST, ARCS, TOUCHED, FELL = range(4)  # what `told` holds: the sum of r, arcs visited, vertices touched, falls


class Pushed(NamedTuple):
    """What pushing reads and writes; between phases `queued` is 0 everywhere."""

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray  # empty for 1
    estimate: np.ndarray
    residual: np.ndarray
    queued: np.ndarray  # uint8[n]
    queue: np.ndarray  # a ring
    touched: np.ndarray  # the vertices with a residual, each once
    jumps: np.ndarray  # where jumps lead
    shares: np.ndarray


@kernel
def out_weight(pushed, u):
    """The weight of u's arcs together."""
    low, high = pushed.offsets[u], pushed.offsets[u + U1]
    if pushed.weights.size == 0:
        return np.float64(high - low)
    total = 0.0
    for e in range(low, high):
        total += np.float64(pushed.weights[e])
    return total


@kernel
def receive(pushed, v, amount, threshold, fill, ends):
    """Add to v's residual, and queue v if it is large; `fill` is how many are queued, `ends` the ring's end."""
    if pushed.residual[v] == 0.0 and pushed.estimate[v] == 0.0:
        pushed.touched[ends[1]] = v
        ends[1] += U1
    pushed.residual[v] += amount
    arcs = max(pushed.offsets[v + U1] - pushed.offsets[v], U1)
    if pushed.queued[v] == 0 and pushed.residual[v] > threshold * np.float64(arcs):
        pushed.queued[v] = 1
        pushed.queue[ends[0]] = v
        ends[0] = ends[0] + U1 if ends[0] + U1 < np.uint64(pushed.queue.size) else U0
        fill += U1
    return fill


@kernel
def push(pushed, u, damping, threshold, fill, ends):
    """Push u; returns how many vertices are queued then."""
    amount = pushed.residual[u]
    pushed.estimate[u] += (1.0 - damping) * amount
    pushed.residual[u] = 0.0
    total = out_weight(pushed, u)
    if total == 0.0:
        for i in range(np.uint64(pushed.jumps.size)):
            fill = receive(
                pushed, np.uint64(pushed.jumps[i]), damping * amount * pushed.shares[i], threshold, fill, ends
            )
        return fill
    each = damping * amount / total
    for e in range(pushed.offsets[u], pushed.offsets[u + U1]):
        gets = each * np.float64(pushed.weights[e]) if pushed.weights.size else each
        if gets > 0.0:
            fill = receive(pushed, np.uint64(pushed.targets[e]), gets, threshold, fill, ends)
    return fill


@kernel
def rest_of(pushed, count):
    """The sum of the residuals."""
    total = 0.0
    for i in range(count):
        total += pushed.residual[pushed.touched[i]]
    return total


@kernel
def queue_large(pushed, count, threshold, ends):
    """Queue the touched vertices of large residual; returns how many."""
    fill = U0
    for i in range(count):
        fill = receive(pushed, np.uint64(pushed.touched[i]), 0.0, threshold, fill, ends)
    return fill


@kernel
def push_all(pushed, numbers, told, stop):
    """Push until the sum of residuals is small enough; whether it is, before too many arcs were visited."""
    ends = np.zeros(2, np.uint64)  # where the queue ends, and how many vertices were touched
    for i in range(np.uint64(pushed.jumps.size)):
        receive(pushed, np.uint64(pushed.jumps[i]), pushed.shares[i], np.inf, U0, ends)
    rest, threshold, head, visited, falls = 1.0, 1.0, U0, 0.0, 0.0
    while rest > numbers[WANTED] and visited <= numbers[MOST] and going(stop):
        threshold /= FALL
        falls += 1.0
        head = ends[0]
        fill = queue_large(pushed, ends[1], threshold, ends)
        while fill > U0:
            u = np.uint64(pushed.queue[head])
            head = head + U1 if head + U1 < np.uint64(pushed.queue.size) else U0
            pushed.queued[u] = 0
            visited += np.float64(pushed.offsets[u + U1] - pushed.offsets[u]) + 1.0
            fill = push(pushed, u, numbers[DAMPING], threshold, fill - U1, ends)
            if visited > numbers[MOST]:
                break
        visited += np.float64(ends[1])
        rest = rest_of(pushed, ends[1])
    told[REST], told[ARCS], told[TOUCHED], told[FELL] = rest, visited, np.float64(ends[1]), falls
    return rest <= numbers[WANTED]


class PushedRanks(NamedTuple):
    """Ranks, none too high, the sum of their errors, and what finding them took."""

    values: np.ndarray
    error: float
    arcs: int
    touched: int
    falls: int


def pushed_ranks(run: Run, problem: Problem, max_error: float, most_arcs: float) -> PushedRanks | None:
    """Ranks whose errors sum to at most `max_error`; None where that would visit more than `most_arcs`."""
    graph, damping = problem.graph, problem.damping
    jumps = np.flatnonzero(problem.teleport).astype(np.uint32)
    n, (offsets, targets, weights) = graph.n, graph.arrays
    flows = weights if problem.weighted else np.empty(0, np.float32)
    state = Pushed(
        offsets, targets, flows, np.zeros(n), np.zeros(n), np.zeros(n, np.uint8), np.empty(n + 1, np.uint32),
        np.empty(n, np.uint32), jumps, problem.teleport[jumps],
    )  # fmt: skip
    told, wanted = np.zeros(4), max_error / max(damping, 1e-12)
    if not run.launch(push_all, state, np.array([damping, wanted, most_arcs]), told, run.stop, work=int(most_arcs)):
        return None
    touched = state.touched[: int(told[TOUCHED])]
    state.estimate[touched] += (1 - damping) * state.residual[touched]
    return PushedRanks(state.estimate, damping * float(told[REST]), int(told[ARCS]), touched.size, int(told[FELL]))
