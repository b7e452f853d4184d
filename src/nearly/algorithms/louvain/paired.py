"""What a vertex sees around it where one worker goes from vertex to vertex: sums and weights of communities in pairs.

The sum of the arcs to a community and what the community weighs are needed one soon after the other, for labels that
lie anywhere. Side by side they come with one line of memory instead of two, which on graphs of many communities is most
of the time. Several workers need sums of their own, but weigh the same communities: see `kernels`. The answers are the
same: a weight in pairs is the whole number of the state as float64, which is what scores are computed from there, too.
"""

from __future__ import annotations

import numpy as np

from nearly.algorithms.louvain.kernels import outdone
from nearly.base.jit import inner_kernel
from nearly.base.unsigned import U0, U1

SUM, WEIGHT = U0, U1  # columns of `Tables.pairs`: 0 between vertices, and the strength of a community


@inner_kernel
def fill_pairs(weight, pairs):
    """Begin with communities that weigh so much."""
    for c in range(np.uint64(weight.size)):
        pairs[c, WEIGHT] = np.float64(weight[c])


@inner_kernel(forceinline=True)
def weigh_paired(rows, label, v, own, pairs, used):
    """`weigh_around` for one vertex."""
    targets, weights = rows.targets, rows.weights
    count, mine = U0, 0.0
    for e in range(rows.starts[v], rows.ends[v]):
        u = np.uint64(targets[e])
        w = np.float64(weights[e]) if weights.size else 1.0
        c = np.uint64(label[u])
        if c == own:
            mine += w if u != v else 0.0
        elif w > 0.0:
            before = pairs[c, SUM]
            used[count] = c
            count += np.uint64(before == 0.0)
            pairs[c, SUM] = before + w
    return count, mine


@inner_kernel(forceinline=True)
def best_paired(pairs, rule, own, k, here, used, count):
    """`best_around` where vertices choose one after the other."""
    share = rule.factor * k
    here -= share * (pairs[own, WEIGHT] - k)
    best, top, next_best = own, here + rule.slack * k, -np.inf
    for i in range(count):
        c = np.uint64(used[i])
        score = pairs[c, SUM] - share * pairs[c, WEIGHT]
        pairs[c, SUM] = 0.0
        best, top, next_best = outdone(c, score, own, best, top, next_best)
    return best, top - here, top - next_best
