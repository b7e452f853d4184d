"""Colouring by independent sets, one colour a round (MG5): the Luby-Jones colouring as Mini-Gunrock has it.

Each round gives every vertex without a colour a fresh hash. Those whose hash is the largest among their neighbours
without a colour form an independent set, and get the round's colour; the others are the next frontier. Three operators
do it: a hash (compute, here in the functors), a reduction of the frontier's neighbourhoods by the maximum, which emits
the vertices that go on (filter). Hashes differ, so at least one vertex gets a colour, and there are as many colours as
rounds: more than where each vertex takes the first free one. A vertex coloured in this round still counts for its
neighbours, so that nothing depends on the order of work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nearly.base.jit import kernel
from nearly.base.random import draw, stream_key
from nearly.engine.devices import check_device
from nearly.engine.operators.reduce import most
from nearly.engine.run import Did, Run

NO_COLOR = -1
_STREAM = 0x6C6A  # which random numbers the hashes are
_HIGH = np.uint64(0xFFFFFFFF00000000)


class Sets(NamedTuple):
    """What rounds work on."""

    color: np.ndarray  # int32[n], NO_COLOR before it has one
    now: np.ndarray  # int32[1], the round's colour
    key: np.ndarray  # uint64[1], of the round's hashes


@kernel(_nrt=False)
def hash_of(key, v):
    """The round's hash of v; the number of v in its lower half keeps hashes apart."""
    return (draw(key, v) & _HIGH) | np.uint64(v)


def hash_of_rival(state, u, v, e):
    """The hash of the neighbour u, if it had no colour when the round began."""
    color = state.color[u]
    if u == v or (color != NO_COLOR and color != state.now[0]):
        return np.uint64(0)
    return hash_of(state.key[0], u)


def take_color(state, v, largest):
    """Take the round's colour if no neighbour's hash is larger; whether v goes on to the next round."""
    if hash_of(state.key[0], v) < largest:
        return True
    state.color[v] = state.now[0]
    return False


take_color.emits = True  # type: ignore[attr-defined]


def color_by_sets(run: Run) -> tuple[np.ndarray, bool]:
    """Colours of all vertices, and whether all have one."""
    check_device(run.device, "coloring(method='luby-jones-rounds')", ("cpu",))
    graph = run.graph
    state = Sets(np.full(graph.n, NO_COLOR, np.int32), np.zeros(1, np.int32), np.zeros(1, np.uint64))
    left = np.arange(graph.n, dtype=graph.arrays.targets.dtype)

    def step() -> list[Did] | None:
        nonlocal left
        if not left.size:
            return None
        state.key[0] = stream_key(np.uint64(run.seed), np.uint64(_STREAM + (int(state.now[0]) << 16)))
        did = run.reduce(hash_of_rival, take_color, state, left, start=np.uint64(0), combine=most)
        size, left = left.size, did.changed
        state.now[0] += 1
        return [Did(size, did.edges, changed=size - left.size)]

    return state.color, run.enact(step)
