"""What Graffix' tables share: the measurements on one graph, and what transforms made of it (replicas, clusters)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.transform import store
from nearly.experiments.bench import Pair
from nearly.experiments.compare import composition
from nearly.experiments.comparison import EXACT, Comparison, Row, row_of
from nearly.experiments.papers.graffix_graphs import KNOBS, LIKE, paper_name
from nearly.graph.csr import Graph

C = TypeVar("C")
COUNTED = {
    "coalesce": ("replicas", "arcs added"),
    "cluster-locality": ("clusters", "arcs added"),
    "normalize-degrees": ("vertices filled", "arcs added"),
}


@dataclass
class Measured:
    """A graph, the knobs that suit it, and what was measured on it.

    published : the graph of the paper whose figures stand beside it; "-" for none.
    specs : the techniques with their knobs.
    reports : what the transforms made, by algorithm and specification; and the extra space.
    """

    name: str
    graph: Graph
    published: str
    specs: dict[str, str]
    rows: Comparison = field(default_factory=lambda: Comparison([]))
    reports: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)

    def row(self, algorithm: str, spec: str, policy: str) -> Row | None:
        """The row of a cell; None if it was not measured."""
        return row_of(self.rows, algorithm, spec if spec == EXACT else named(spec), policy)

    def of_paper(self, cells: dict[str, C]) -> C | None:
        """The paper's figure for this graph, if it has one."""
        return cells.get(self.published)

    def count(self, algorithm: str, pairs: Iterable[Pair]) -> None:
        """Transform the graph, note what that made, and leave it with the graph for the measurement."""
        entry = ALGORITHMS.get(algorithm)
        for techniques in dict.fromkeys(pair.techniques for pair in pairs):
            if any(one.guarantee(algorithm) is None for one in techniques):
                continue
            made = entry.apply(techniques, self.graph)
            key = store.key_of(techniques, made.task, viewed=entry.reads_view(self.graph, techniques))
            if key is not None:
                store.attach(self.graph, key, store.Found(made.map, made.built))
            report = {**made.map.report, "space %": 100 * made.map.extra_space}
            self.reports[algorithm, Pair(techniques).spec] = report

    def counts(self, algorithm: str, technique: str) -> dict[str, Any]:
        """What a technique made of the graph for an algorithm, for the columns of a table."""
        report = self.reports.get((algorithm, named(self.specs[technique])), {})
        return {name: report.get(name) for name in (*COUNTED[technique], "space %")}


def named(spec: str) -> str:
    """A specification as rows of a comparison spell it."""
    return Pair(composition(spec)).spec


def prepared(name: str, graph: Graph) -> Measured:
    """A graph with the knobs that suit it, before anything was measured."""
    paper = paper_name(name, graph)
    return Measured(name, graph, paper if name in LIKE or name in KNOBS else "-", KNOBS[paper])


def averaged(one: Measured) -> str:
    """Coalescing with the paper's way to merge replicas."""
    return f"{one.specs['coalesce']},confluence=mean"


def combinations(one: Measured) -> dict[str, str]:
    """Two and three techniques together; the last one decides where vertices are."""
    coalesce, locality, degrees = one.specs.values()
    together = {
        "coalescing + latency": (coalesce, locality),
        "coalescing + divergence": (coalesce, degrees),
        "divergence + latency": (degrees, locality),
        "all three": (degrees, coalesce, locality),
    }
    return {title: "+".join(specs) for title, specs in together.items()}
