"""How far an answer is from the exact one: metrics on two results, one function each.

`inaccuracy` is the one number of the tables. Each algorithm has a definition that cannot be met cheaply: unreached
vertices, parts cut to pieces and forests that do not span count as failure. `metrics` are the finer measures beside it.
Every function takes results or plain arrays, the exact one first. Nothing here is ever NaN: what cannot be
compared (a NaN among the values) is infinitely far, and a relative error against an exact 0 is 0 or 1.

values       norms of the difference, relative errors, reachability
ranks        overlap of the leading vertices, rank correlation
partitions   pair F1, adjusted Rand index, mutual information, numbers of parts
structures   modularity, forests, colours: measures that need the graph
judges       how results of an algorithm are judged, by these
"""

from nearly.accuracy.judges import inaccuracy, metrics
from nearly.accuracy.partitions import adjusted_rand, normalized_mutual_information, pair_f1, part_count_difference
from nearly.accuracy.ranks import kendall_tau, top_k_overlap
from nearly.accuracy.structures import conflicts, missing_trees, modularity, weight_excess
from nearly.accuracy.values import (
    l1,
    l2,
    linf,
    max_relative_error,
    mean_relative_error,
    p95_relative_error,
    reachability_mismatches,
    relative_errors,
    relative_l1,
)

__all__ = [
    "adjusted_rand",
    "conflicts",
    "inaccuracy",
    "kendall_tau",
    "l1",
    "l2",
    "linf",
    "max_relative_error",
    "mean_relative_error",
    "metrics",
    "missing_trees",
    "modularity",
    "normalized_mutual_information",
    "p95_relative_error",
    "pair_f1",
    "part_count_difference",
    "reachability_mismatches",
    "relative_errors",
    "relative_l1",
    "top_k_overlap",
    "weight_excess",
]
