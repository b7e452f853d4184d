"""Programs: what each part does in an algorithm's rounds.

A program is a class that is made from a part, the arguments and, where a run goes on, what it kept. Its `rounds` is a
generator that yields `Send` and gets `Got`; when it ends, `values` has a value for each owned vertex and `facts`
numbers about the whole, which are the same in every part. `keep` gives the arrays from which it could go on, complete
where it yields a `Send` that is `whole`.

pagerank      ranks by plain rounds whose past is combined, with the bound that comes with every round
distances     bfs and sssp: distances below a common limit are settled locally before others are told
components    labels of local components, lowered by what other parts say
cores         core numbers from above, as h-indices of neighbours' estimates
communities   label propagation, turn by turn
triangles     rows of neighbours of higher degree go from part to part
"""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np

from nearly.distributed.programs.communities import Communities
from nearly.distributed.programs.components import Components
from nearly.distributed.programs.cores import Cores
from nearly.distributed.programs.distances import Hops, Lengths
from nearly.distributed.programs.pagerank import Ranks, arc_totals
from nearly.distributed.programs.triangles import Triangles


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
}
PREPARATIONS: dict[str, Any] = {
    "arc totals": partial(arc_totals, weighted=False),
    "weight totals": partial(arc_totals, weighted=True),
}


def needs(name: str, arguments: dict[str, Any]) -> tuple[str, ...]:
    """What must have been prepared before a program runs, in order."""
    kind = PROGRAMS[name]
    return kind.needs(arguments) if hasattr(kind, "needs") else (kind.view,)
