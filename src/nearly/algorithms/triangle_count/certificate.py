"""Check counts of triangles without counting them all again.

No method is known that proves such counts in time linear in the arcs. So a seeded sample of the vertices is recounted
another way (mark the neighbours of v, look through the rows of each), until the work is a few times the graph's arcs.
For all vertices it is checked that no count exceeds the pairs of neighbours, and that the counts add up to a multiple
of three. The claim says how many were recounted.
"""

from __future__ import annotations

import numpy as np

from nearly.base.jit import kernel
from nearly.base.unsigned import U0, U1
from nearly.graph.csr import Graph

_SEED = 1
_EFFORT = 4  # arcs looked through in all, in multiples of the graph's
_LEAST = 1 << 22  # but at least this many: graphs of moderate size are recounted in full


def check_counts(graph: Graph, counts: np.ndarray) -> tuple[bool, str]:
    """Whether the counts stand the checks, and what was checked."""
    view = graph.symmetrized()
    pairs = neighbour_pairs(view)
    possible = (
        counts.shape == (view.n,) and bool(((counts >= 0) & (counts <= pairs)).all()) and int(counts.sum()) % 3 == 0
    )
    sample = np.random.default_rng(_SEED).permutation(view.n).astype(np.uint64)
    again = np.zeros(view.n, np.int64)
    done = int(recount(view.arrays.offsets, view.arrays.targets, sample, np.uint64(_EFFORT * view.m + _LEAST), again))
    sample = sample[:done]
    ok = possible and np.array_equal(again[sample], counts[sample])
    how_many = "all" if done == view.n else f"a sample of {done:,}"
    return ok, f"counts are possible, add up to three per triangle, and {how_many} of {view.n:,} were recounted"


def check_some(graph: Graph, chosen: np.ndarray, counts: np.ndarray) -> tuple[bool, str]:
    """The same for the counts of some vertices, of which as many are recounted as the effort allows."""
    view = graph.symmetrized()
    again = np.zeros(view.n, np.int64)
    done = int(recount(view.arrays.offsets, view.arrays.targets, chosen, np.uint64(_EFFORT * view.m + _LEAST), again))
    ok = counts.shape == chosen.shape and np.array_equal(again[chosen[:done]], counts[:done])
    return ok, f"{done:,} of the {chosen.size:,} vertices asked for were recounted"


def neighbour_pairs(graph: Graph) -> np.ndarray:
    """Pairs of different neighbours of each vertex, the vertex itself left out."""
    degrees = np.zeros(graph.n, np.int64)
    simple_degrees(graph.arrays.offsets, graph.arrays.targets, degrees)
    return degrees * (degrees - 1) // 2


@kernel
def simple_degrees(offsets, targets, degrees):
    """Different neighbours of each vertex other than itself."""
    for u in range(np.uint64(degrees.size)):
        low = offsets[u]
        for e in range(low, offsets[u + U1]):
            if targets[e] != u and (e == low or targets[e] != targets[e - U1]):
                degrees[u] += 1


@kernel
def recount(offsets, targets, sample, effort, counts):
    """Count the triangles at vertices of the sample until the effort is spent; returns for how many it sufficed."""
    near = np.zeros(offsets.size - 1, np.bool_)
    for i in range(np.uint64(sample.size)):
        v = sample[i]
        cost = U0
        for e in range(offsets[v], offsets[v + U1]):
            near[targets[e]] = True
            cost += offsets[targets[e] + U1] - offsets[targets[e]]
        near[v] = False
        if cost > effort:
            return i
        effort -= cost
        twice = 0
        for e in range(offsets[v], offsets[v + U1]):
            u = np.uint64(targets[e])
            if u == v or (e > offsets[v] and targets[e] == targets[e - U1]):
                continue
            for f in range(offsets[u], offsets[u + U1]):
                w = targets[f]
                if near[w] and w != u and (f == offsets[u] or w != targets[f - U1]):
                    twice += 1
        counts[v] = twice // 2
        for e in range(offsets[v], offsets[v + U1]):
            near[targets[e]] = False
    return np.uint64(sample.size)
