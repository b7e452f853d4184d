"""Programs: what each part does in an algorithm's rounds.

A program is a class that is made from a part, the arguments and, where a run goes on, what it kept. Its `rounds` is a
generator that yields `Send` and gets `Got`; when it ends, `values` has a value for each owned vertex and `facts`
numbers about the whole, which are the same in every part. `keep` gives the arrays from which it could go on, complete
where it yields a `Send` that is `whole`.

pagerank      ranks by plain rounds whose past is combined, with the bound that comes with every round
levels        bfs: a level a round, pushed or pulled
lengths       sssp: distances below a common limit are settled locally before others are told (`distances`)
parents       the tree of a search, from its distances
components    labels of local components, lowered by what other parts say
cores         core numbers from above, as h-indices of neighbours' estimates
communities   label propagation, turn by turn
triangles     rows of neighbours of higher degree go from part to part
sampling      samples on the whole graph, divided among workers: betweenness, closeness, harmonic, triangles
"""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np

from nearly.distributed.programs.communities import Communities
from nearly.distributed.programs.components import Components
from nearly.distributed.programs.cores import Cores
from nearly.distributed.programs.lengths import Lengths
from nearly.distributed.programs.levels import Hops
from nearly.distributed.programs.pagerank import Ranks, Residual, arc_totals
from nearly.distributed.programs.parents import Parents
from nearly.distributed.programs.sampling import Samples
from nearly.distributed.programs.triangles import Triangles
from nearly.distributed.replica import make_replica


class Program(Protocol):
    """What the actor of a part asks of a program."""

    view: str  # the part it works on: "in", with arcs as they are, or "undirected"
    values: np.ndarray
    facts: dict[str, Any]

    def rounds(self) -> Any: ...

    def keep(self) -> dict[str, Any]: ...


PROGRAMS: dict[str, Any] = {
    "pagerank": Ranks,
    "bfs": Hops,
    "sssp": Lengths,
    "connected_components": Components,
    "kcore": Cores,
    "label_propagation": Communities,
    "triangle_count": Triangles,
    "betweenness": Samples,
    "closeness": Samples,
    "harmonic": Samples,
}
INNER: dict[str, Any] = {"parents": Parents, "rank_residual": Residual, "sampled_triangles": Samples}  # for these
PREPARATIONS: dict[str, Any] = {
    "arc totals": partial(arc_totals, weighted=False),
    "weight totals": partial(arc_totals, weighted=True),
    "replica": make_replica,
}


def needs(name: str, arguments: dict[str, Any]) -> tuple[Any, ...]:
    """What must have been prepared before a program runs, in order: views, and what is kept with them."""
    kind, thinned = (PROGRAMS | INNER)[name], arguments.get("thinned")
    views = ("in", kind.view) if thinned is None else ("in", thinned.view, thinned)
    more = kind.needs(arguments) if hasattr(kind, "needs") else ()
    return tuple(dict.fromkeys((*views, *more)))
