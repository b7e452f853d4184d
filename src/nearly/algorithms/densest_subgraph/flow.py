"""The exact densest subgraph by flow, from what rounds of peeling have left (Goldberg 1984, by orientations).

Let a set of s vertices have e edges. Give every edge s units to divide between its ends. If no vertex needs to hold
more than e units, no subgraph is denser than e / s. To find out, units move: a vertex that holds too many passes units
of an edge to its other end, along shortest paths to vertices that have room (Dinic's algorithm; all too full ones are
sources, all with room are sinks). If some cannot get rid of theirs, what they reach is denser than the set, and the
search goes on from there. In the end, the vertices from which no vertex with room is reached are the largest densest
subgraph, which is unique.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.atomics import going
from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.opposite_arcs import find_opposites

FAR = np.int32(2**31 - 1)


class Flow(NamedTuple):
    """What moving units works on."""

    offsets: np.ndarray
    targets: np.ndarray
    mirror: np.ndarray  # the arc back
    held: np.ndarray  # int64[m], the units of the edge of each arc that the arc's source holds
    load: np.ndarray  # int64[n], the units that each vertex holds
    level: np.ndarray  # int32[n], passes from a vertex that is too full
    queue: np.ndarray
    at: np.ndarray  # the arc that each vertex tries next
    path: np.ndarray


def new_flow(offsets: np.ndarray, targets: np.ndarray) -> Flow:
    """A flow of nothing."""
    n, m = offsets.size - 1, targets.size
    mirror = np.arange(m, dtype=np.uint64)
    find_opposites(offsets, targets, mirror)
    held, load, level = np.zeros(m, np.int64), np.zeros(n, np.int64), np.empty(n, np.int32)
    queue, at, path = np.empty(n, np.uint32), np.empty(n, np.uint64), np.empty(n + 1, np.uint64)
    return Flow(offsets, targets, mirror, held, load, level, queue, at, path)


@kernel
def divide(flow, given, rounds, units):
    """Divide each edge's units between its ends about as the rounds gave it to them."""
    offsets, targets, mirror, held, load, _, _, _, _ = flow
    for u in range(np.uint64(load.size)):
        load[u] = 0
    for u in range(np.uint64(load.size)):
        for a in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[a])
            if u < v:
                mine = np.int64(np.float64(given[a]) / np.float64(rounds) * np.float64(units) + 0.5)
                mine = min(max(mine, np.int64(0)), units)
                held[a], held[mirror[a]] = mine, units - mine
                load[u] += mine
                load[v] += units - mine


@kernel
def spread_levels(flow, room):
    """How many passes a unit needs from a vertex that is too full; whether one with room is reached."""
    offsets, targets, _, held, load, level, queue, _, _ = flow
    high, reached = U0, False
    for v in range(np.uint64(load.size)):
        level[v] = FAR
        if load[v] > room:
            level[v] = 0
            queue[high] = v
            high += U1
    low, last = U0, FAR
    while low < high:
        u = np.uint64(queue[low])
        low += U1
        if level[u] >= last:
            break
        for a in range(offsets[u], offsets[u + U1]):
            v = np.uint64(targets[a])
            if held[a] > 0 and level[v] == FAR:
                level[v] = level[u] + 1
                queue[high] = v
                high += U1
                if load[v] < room:
                    reached, last = True, level[v]
    return reached


@kernel
def pass_on(flow, room, stop):
    """Pass units along shortest paths until none is left (a blocking flow)."""
    offsets, targets, mirror, held, load, level, _, at, path = flow
    n = np.uint64(load.size)
    for v in range(n):
        at[v] = offsets[v]
    for s in range(n):
        if level[s] != 0 or not going(stop):
            continue
        depth, u = U0, s
        while load[s] > room:
            if load[u] < room:
                amount = min(load[s] - room, room - load[u])
                for i in range(depth):
                    amount = min(amount, held[path[i]])
                for i in range(depth):
                    held[path[i]] -= amount
                    held[mirror[path[i]]] += amount
                load[s] -= amount
                load[u] += amount
                depth, u = U0, s
                continue
            a, end = at[u], offsets[u + U1]
            while a < end and (held[a] == 0 or level[targets[a]] != level[u] + 1):
                a += U1
            at[u] = a
            if a < end:
                path[depth] = a
                depth += U1
                u = np.uint64(targets[a])
            elif depth == U0:
                break
            else:
                level[u] = FAR
                depth -= U1
                u = np.uint64(targets[mirror[path[depth]]])


@kernel
def mark_closed(flow, room, closed):
    """The vertices from which no unit can reach a vertex with room."""
    offsets, targets, mirror, held, load, _, queue, _, _ = flow
    high = U0
    for v in range(np.uint64(load.size)):
        closed[v] = load[v] >= room
        if not closed[v]:
            queue[high] = v
            high += U1
    low = U0
    while low < high:
        v = np.uint64(queue[low])
        low += U1
        for a in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[a])
            if closed[u] and held[mirror[a]] > 0:
                closed[u] = False
                queue[high] = u
                high += U1


@kernel
def edges_inside(offsets, targets, member):
    """How many arcs lie between members, loops and repetitions left out; two for an edge."""
    count = U0
    for u in range(np.uint64(member.size)):
        if member[u]:
            last = u
            for a in range(offsets[u], offsets[u + U1]):
                v = np.uint64(targets[a])
                count += np.uint64(member[v] and v != u and v != last)
                last = v
    return count
