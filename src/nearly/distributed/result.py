"""What a run on a cluster returns: values that stay on the workers, and how they came about."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nearly.distributed.values import DistributedArray
from nearly.engine.result import Result, field
from nearly.engine.trace import Did, Trace
from nearly.graph.csr import NO_WEIGHTS, OFFSET, Arrays, Graph, vertex_dtype

_COLUMNS = {
    "pagerank": "rank", "bfs": "level", "sssp": "distance", "connected_components": "component", "kcore": "core",
    "label_propagation": "community", "triangle_count": "triangles", "sampled_triangles": "triangles",
    "betweenness": "betweenness", "closeness": "closeness", "harmonic": "harmonic",
}  # fmt: skip


class Loss(NamedTuple):
    """A worker that was lost in a run."""

    seconds: float  # after the run began
    why: str


class DistributedResult(Result):
    """The answer of a run on a cluster. A round of `trace` also has seconds computing and waiting, bytes, balance."""

    values: DistributedArray = field("a value for each vertex, on the workers: `.compute()`, `.to_parquet(folder)`")
    restarts: list[Loss] = field("the workers lost in the run, after each of which it was started again")
    since: int = field("the round of the checkpoint with which the run went on; 0 where it began anew")
    peaks: list[int] = field("the most memory that the worker of each part has had by then, in bytes")
    boundary: int = field("how many values parts read from each other, each counted once for each part that does")
    residual: float = field("how much one more exact round would change the ranks at most, in sum (pagerank)")
    bound: float | None = field("a bound on the sum of the ranks' errors (pagerank)", lambda result: None)
    count: int = field("how many components or communities there are")
    samples: int = field("how many pairs of vertices were drawn (betweenness)")
    degeneracy: int = field("the largest core number (kcore)")
    total: int = field("how many triangles there are (triangle_count)")
    source: int = field("the vertex the search started from (bfs, sssp)")
    parents: DistributedArray = field(
        "the smallest predecessor of each vertex on a shortest path, -1 for the source and the unreached: found by the "
        "workers when asked for (bfs, sssp)"
    )

    @classmethod
    def made(
        cls,
        name: str,
        values: DistributedArray,
        facts: dict[str, Any],
        trace: Trace,
        losses: list[Loss],
        seconds: float,
    ) -> DistributedResult:
        """The result of a run, from what its parts said of it."""
        facts = dict(facts)
        converged, _ = facts.pop("converged", True), facts.pop("rounds", None)
        word = "exact" if converged else "certified" if name == "pagerank" else "heuristic"
        guarantee = facts.pop("guarantee", word)
        facts = {key: value for key, value in facts.items() if value is not None}
        values.column = _COLUMNS[name]
        made = cls(values, guarantee=guarantee, restarts=losses, **facts)
        made.algorithm, made.trace, made.seconds = name, trace, seconds
        return made

    @property
    def _me(self) -> Any:
        """The same with its values here, for tables and single values; they are brought here once."""
        here = self.__dict__.get("_here")
        if here is None:
            graph = self.values.graph
            offsets, targets = np.zeros(graph.n + 1, OFFSET), np.empty(0, vertex_dtype(graph.n))
            here = Result(self.values.compute(), guarantee=self.guarantee, error=self.error)
            here.algorithm, here.trace, here.seconds = self.algorithm, self.trace, self.seconds
            here._graph = Graph._trusted(Arrays(offsets, targets, NO_WEIGHTS), True, graph.ids())  # for its names
            self.__dict__["_here"] = here
        return here

    def __repr__(self) -> str:
        again = f", started again {len(self.restarts)} times" if self.restarts else ""
        return f"<{self.algorithm} on a cluster: {self.values!r}, {self.guarantee}, {self.rounds} rounds, {self.seconds:.3g} s{again}>"  # noqa: E501


def trace_of(parts: list[list[tuple[Any, ...]]]) -> Trace:
    """The rounds of all parts as one table.

    Seconds computing are those of the slowest part, seconds waiting the mean of all; balance is the mean of seconds
    computing over the largest, 1 where all parts had as much to do.
    """
    trace = Trace()
    for rounds in zip(*parts):
        edges, frontier, computing, waiting, sent, extras = zip(*rounds)
        slowest, mean = max(computing), sum(computing) / len(computing)
        extra = {
            "computing": slowest,
            "waiting": sum(waiting) / len(waiting),
            "bytes": float(sum(sent)),
            "balance": mean / slowest if slowest > 0 else 1.0,
        }
        for key in extras[0]:
            extra[key] = sum(one[key] for one in extras)
        took = max(c + w for c, w in zip(computing, waiting))
        trace.add_step([Did(sum(frontier), sum(edges), 1.0, extra)], 1000 * took)
    return trace
