"""The vertices that matter most, by several measures, side by side with names and scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.engine.result import Result
from nearly.engine.result_columns import bounds_of
from nearly.engine.result_views import first
from nearly.engine.result_words import in_words
from nearly.engine.vertex_names import names_of
from nearly.reporting.asking import Asker, NoAnswer
from nearly.reporting.figures import Figure, Section, Table, figure_of, missing_figure, shown
from nearly.reporting.sections import Found
from nearly.reporting.vertex_values import degrees

TOP = 10


def ranks(asker: Asker, found: Found) -> None:
    """PageRank, which other sections use too."""
    result = asker.ask("pagerank", 0.15)
    found.ranks = None if isinstance(result, NoAnswer) else result


def top_vertices(asker: Asker, found: Found) -> Section:
    """Degree, PageRank, betweenness and closeness: the first vertices by each."""
    words = (
        "By how many edges they have, how often a random walk is there, how many shortest paths they are on, and how "
        "near they are to all others."
    )
    section = Section("top", "Top vertices", words)
    g = asker.graph
    if not g.n:
        section.missing = "the graph has no vertices"
        return section
    k = min(TOP, g.n)
    amount = degrees(g)
    best = first(amount, k)
    section.tables.append(_table("Degree", g, best, amount[best], "exact"))
    section.figures.append(Figure("top by degree", _name(g, best[0])))
    if found.ranks is None:
        section.figures.append(missing_figure("top by PageRank", "the report's time was over"))
    else:
        best = first(np.asarray(found.ranks.values), k)
        _add(section, g, "PageRank", found.ranks, best, np.asarray(found.ranks.values)[best])
    for name, words in (("topk_betweenness", "betweenness"), ("topk_closeness", "closeness")):
        result = asker.ask(name, 0.35, k=k)
        if isinstance(result, NoAnswer):
            section.figures.append(missing_figure(f"top by {words}", result.why))
        else:
            _add(section, g, words.capitalize(), result, np.asarray(result.vertices), np.asarray(result.scores))
    return section


def _add(section: Section, graph: Any, title: str, result: Result, best: np.ndarray, scores: np.ndarray) -> None:
    section.tables.append(_table(title, graph, best, scores, in_words(result), _bounds(result, best)))
    name = title if title == "PageRank" else title.lower()
    made = figure_of(f"top by {name}", 0, result)
    section.figures.append(Figure(**{**vars(made), "value": _name(graph, best[0]) if best.size else ""}))


def _bounds(result: Result, best: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Between which values the scores lie, where the result knows."""
    ends = bounds_of(result)
    if set(ends) != {"low", "high"}:
        return None
    low, high = ends["low"], ends["high"]
    return (low, high) if low.size == best.size else (low[best], high[best])


def _table(title: str, graph: Any, best: np.ndarray, scores: np.ndarray, promise: str, ends: Any = None) -> Table:
    names = [str(name) for name in names_of(graph, best).tolist()]
    rows = [[str(i + 1), name, shown(score)] for i, (name, score) in enumerate(zip(names, scores.tolist()))]
    heads, numbers = ["", "vertex", "score"], (0, 2, 3)
    if ends is not None:
        heads = [*heads, "between"]
        rows = [[*row, f"{shown(float(a))} – {shown(float(b))}"] for row, a, b in zip(rows, *ends)]
    return Table(title, heads, rows, promise, numbers)


def _name(graph: Any, v: Any) -> str:
    return str(names_of(graph, [int(v)]).tolist()[0])
