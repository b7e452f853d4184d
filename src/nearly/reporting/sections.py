"""The sections of a report: what the graph is, its parts, distances, clustering, cores, communities.

Each asks what it needs (`Asker`), within its share of the time that is left, and says of every figure how far it can be
trusted. Cheap questions come first. What is computed here is kept in `Found` for the sections that draw and rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.base.memory import human_bytes
from nearly.engine.result import Result
from nearly.engine.result_views import part_sizes
from nearly.engine.vertex_names import names_of
from nearly.graph.csr import Graph
from nearly.graph.graph_html import degree_histogram
from nearly.reporting.asking import Asker, NoAnswer
from nearly.reporting.charts import bar_chart, binned
from nearly.reporting.figures import Figure, Section, Table, figure_of, missing_figure, shown

_PARTS = 8  # rows of tables of parts


@dataclass
class Found:
    """Results that later sections use; None where there was no time."""

    communities: Result | None = None
    ranks: Result | None = None
    cores: Result | None = None


def what_it_is(asker: Asker, found: Found) -> Section:
    """Sizes and degrees: all exact, by counting."""
    g = asker.graph
    edges = edges_in(g)
    alone = (g.out_degrees == 0) & (g.in_degrees == 0)
    figures = [
        Figure("vertices", shown(g.n)),
        Figure("arcs" if g.directed else "edges", shown(edges)),
        Figure("mean degree", shown(g.m / g.n if g.n else 0)),
        Figure("largest out-degree" if g.directed else "largest degree", shown(int(g.out_degrees.max(initial=0)))),
        *([Figure("largest in-degree", shown(int(g.in_degrees.max(initial=0))))] if g.directed else []),
        Figure("vertices without edges", shown(int(alone.sum()))),
        Figure("loops", shown(_loops(g))),
        Figure("density", shown(g.m / (g.n * (g.n - 1.0)) if g.n > 1 else 0)),
        Figure("weights", str(g._arrays.weights.dtype) if g.weighted else "none"),
        Figure("memory", human_bytes(g.nbytes)),
    ]
    labels, counts = degree_histogram(g)
    labels = [label if i < 2 else f"{label}+" for i, label in enumerate(labels)]
    kind = "out-degree" if g.directed else "degree"
    chart = bar_chart(labels, counts.tolist(), f"How {kind}s are spread", (f"{kind}, from", "vertices"), True)
    words = f"{'A directed' if g.directed else 'An undirected'} graph. Everything here is counted, so it is exact."
    return Section("sizes", "What it is", words, figures, charts=[chart] if g.n else [])


def edges_in(graph: Graph) -> int:
    """The arcs of a directed graph, the edges of an undirected one."""
    return graph.m if graph.directed else (graph.m + _loops(graph)) // 2


def _loops(graph: Graph) -> int:
    return int(np.count_nonzero(graph.arc_rows() == graph.arrays.targets))


def components(asker: Asker, found: Found) -> Section:
    """Connected components, and strongly connected ones of a directed graph."""
    section = Section("components", "Components", "Parts between which there is no way.")
    kinds = [("connected_components", "components")]
    if asker.graph.directed:
        kinds.append(("scc", "strongly connected components"))
    for name, words in kinds:
        result = asker.ask(name, 0.2)
        if isinstance(result, NoAnswer):
            section.figures.append(missing_figure(words, result.why))
            continue
        section.figures.append(figure_of(words, result.count, result))
        _, sizes = part_sizes(result)
        share = sizes[0] / asker.graph.n if sizes.size else 0.0
        largest = f"{shown(int(sizes[0]) if sizes.size else 0)} vertices ({100 * share:.1f}%)"
        section.figures.append(Figure(f"largest of the {words}", largest))
    return section


def distances(asker: Asker, found: Found) -> Section:
    """The diameter, the mean distance and how distances are spread, in hops."""
    section = Section("distances", "Distances", "In hops along the arcs, of pairs of which one reaches the other.")
    _or_undirected(asker, section, "diameter", "diameter")
    name, result = _or_undirected(asker, section, "mean distance", "distance_statistics")
    if isinstance(result, NoAnswer):
        return section
    section.figures.append(_unbounded("90% of the pairs are within", result.effective_diameter, result, " hops"))
    pairs = np.diff(np.asarray(result.hop_plot, np.float64), prepend=0.0)[1:]
    if pairs.size:
        shares = 100 * pairs / pairs.sum()
        labels = [str(h + 1) for h in range(pairs.size)]
        if pairs.size > 60:
            labels, shares = _grouped(labels, shares, 60)
        title = "How far pairs are apart" + name.removeprefix("mean distance")
        section.charts.append(bar_chart(labels, shares.tolist(), title, ("hops", "% of pairs"), False))
    return section


def _or_undirected(asker: Asker, section: Section, name: str, algorithm: str) -> tuple[str, Any]:
    """Add the answer as a figure; of a directed graph, where there is no time for it, that with directions ignored."""
    result = asker.ask(algorithm, 0.2)
    if isinstance(result, NoAnswer) and asker.graph.directed:
        section.figures.append(missing_figure(name, result.why))
        name, result = f"{name}, directions ignored", asker.ask(algorithm, 0.15, view=True)
    if isinstance(result, NoAnswer):
        section.figures.append(missing_figure(name, result.why))
    else:
        section.figures.append(figure_of(name, result.values, result, interval=result.interval))
    return name, result


def _grouped(labels: list[str], values: np.ndarray, most: int) -> tuple[list[str], np.ndarray]:
    """Neighbouring bars together, so that there are at most so many."""
    wide = -(-len(labels) // most)
    cuts = np.arange(0, len(labels), wide)
    return [labels[c] for c in cuts], np.add.reduceat(values, cuts)


def _unbounded(name: str, value: float, result: Result, unit: str = "") -> Figure:
    """A figure beside the one that a result's bound is about: exact where the result is, else without a bound."""
    exact = result.guarantee == "exact"
    promise = "exact" if exact else "estimated from the same sample; no bound is claimed"
    return Figure(name, shown(value) + unit, "exact" if exact else "estimated", promise)


def clustering(asker: Asker, found: Found) -> Section:
    """Clustering coefficients, transitivity, triangles."""
    section = Section("clustering", "Clustering", "How often two neighbours of a vertex are neighbours themselves.")
    result = asker.ask("clustering_coefficient", 0.15)
    if isinstance(result, NoAnswer):
        section.figures.append(missing_figure("average clustering", result.why))
    else:
        section.figures.append(figure_of("average clustering", result.average, result, interval=_ends(result)))
        ends = result.transitivity_interval
        section.figures.append(figure_of("transitivity", result.transitivity, result, interval=ends, counted=False))
    result = asker.ask("triangle_count", 0.15)
    if isinstance(result, NoAnswer):
        section.figures.append(missing_figure("triangles", result.why))
    else:
        section.figures.append(figure_of("triangles", result.total, result, interval=_ends(result)))
    return section


def _ends(result: Result) -> Any:
    """The interval where it is about one number."""
    interval = None if result.guarantee == "exact" else result.interval
    return interval if interval is not None and np.ndim(interval[0]) == 0 else None


def cores(asker: Asker, found: Found) -> Section:
    """Core numbers and the densest part."""
    section = Section("cores", "Cores", "A vertex is in the k-core if k of its neighbours are in it too.")
    result = asker.ask("kcore", 0.2)
    if isinstance(result, NoAnswer):
        section.figures.append(missing_figure("largest core number", result.why))
        return section
    found.cores = result
    values = np.asarray(result.values)
    section.figures.append(figure_of("largest core number", result.degeneracy, result))
    section.figures.append(Figure("vertices in that core", shown(int((values == result.degeneracy).sum()))))
    labels, counts = binned(values)
    chart = bar_chart(labels, counts, "Vertices by core number", ("core number", "vertices"), True)
    section.charts += [chart] if counts else []
    return section


def communities(asker: Asker, found: Found) -> Section:
    """Communities by Leiden's method, the largest with the member of greatest PageRank."""
    words = "Groups with many edges inside and few between them, by Leiden's method: each is connected."
    section = Section("communities", "Communities", words)
    result = asker.ask("leiden", 0.3, allow="heuristic")
    if isinstance(result, NoAnswer):
        section.figures.append(missing_figure("communities", result.why))
        return section
    found.communities = result
    section.figures.append(_best_known("communities", result.count, result, counted=True))
    section.figures.append(_best_known("modularity", result.modularity, result))
    labels, sizes = part_sizes(result)
    leaders = labels[:_PARTS]
    if found.ranks is not None:
        values, ranks = np.asarray(result.values), np.asarray(found.ranks.values)
        leaders = np.array([(m := np.flatnonzero(values == label))[np.argmax(ranks[m])] for label in leaders], np.int64)
    names = names_of(asker.graph, leaders).tolist()
    rows = [[str(name), shown(int(size))] for name, size in zip(names, sizes[:_PARTS])]
    heads = ["member of greatest PageRank" if found.ranks is not None else "first member", "vertices"]
    section.tables.append(Table("The largest communities", heads, rows, numbers=(1,)))
    return section


def _best_known(name: str, value: Any, result: Result, counted: bool = False) -> Figure:
    """A figure of communities: what they are is known exactly, whether there are better ones is not."""
    promise = "a heuristic: counted exactly, but better communities may exist"
    seconds = result.seconds if counted else None
    return Figure(name, shown(value), "heuristic", promise, None, "leiden", seconds)
