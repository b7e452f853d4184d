"""`nearly.compare`: how much faster, and how wrong, is each technique on this graph?"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nearly.base.arguments import is_number, number, shown, whole_number
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, following
from nearly.engine.algorithm import ALGORITHMS, Algorithm
from nearly.engine.applied import as_techniques
from nearly.engine.technique import TECHNIQUES, Technique
from nearly.experiments.bench import Bench, Pair, Settings
from nearly.experiments.comparison import Comparison, Row, Skip
from nearly.experiments.machine_load import OtherPrograms
from nearly.graph.csr import Graph
from nearly.graph.vertex_lookup import vertex_index

FIRST = ("sssp", "mst", "scc", "pagerank", "betweenness", "bfs", "connected_components")  # the rest follows by name


def compare(  # noqa: PLR0913
    graph: Graph,
    algorithms: Any = None,
    techniques: Any = None,
    *,
    policies: Iterable[str] = ("auto",),
    source: int | str | None = None,
    sources: int = 64,
    repeat: int = 5,
    seed: int = 1,
    threads: int | None = None,
    limit: float = 60.0,
    max_error: Any = None,
    progress: Progress | None = None,
) -> Comparison:
    """Measure techniques against exact runs: speed, error and cost of each.

    The rows of an algorithm begin with its exact runs, one for each policy. Behind each technique for PageRank there is
    a row "exact, stopped at the same error": the exact method, stopped as soon as it is as good as the technique.

    Parameters
    ----------
    graph : Graph
        The graph on which everything runs.
    algorithms : str, callable or list of these, optional
        A name, a function such as `nearly.sssp`, or several; all that one of the techniques supports if left out.
    techniques : Technique, str or list of these, optional
        A technique, its specification such as "partial-edges:keep=0.7", or a list of these. An item of the list that is
        a list itself (or "one+another") is applied together. All techniques with their default knobs if left out.
    policies : str or iterable of str, default ("auto",)
        The policies under which each pair of algorithm and technique runs; exact runs under "auto" are always measured.
    source : int or str, optional
        The vertex from which bfs and sssp start; the vertex of highest out-degree if left out.
    sources : int, default 64
        How many sources betweenness draws; exact and approximate runs have the same ones.
    repeat : int, default 5
        How often each run is measured at least; the median counts. From three on, runs go on until the medians are
        settled, up to five times as many.
    seed : int, default 1
        The seed of everything that is random.
    threads : int, optional
        Threads to use; `nearly.get_threads()` if left out.
    limit : float, default 60.0
        Seconds that a run may take. A slower run is stopped between two rounds and skipped.
    max_error : float or list of float, optional
        Budgets: each adds a row "budget 0.05" to every algorithm, with what the planner chose and the bound it gave.
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Comparison
        A sequence of `Row`, which documents its columns. Its `skipped` lists the pairs that were not measured, each a
        `Skip` with the reason; `to_pandas`, `to_csv`, `to_json` and `to_dicts` give the rows in other forms.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.rmat(8, 8, seed=1, weights="int")
    >>> rows = nearly.compare(g, "sssp", ["partial-edges:keep=1", "partial-edges:keep=0.5"], repeat=1)
    >>> [(row.technique, row.guarantee) for row in rows]
    [('exact', 'exact'), ('partial-edges:keep=1.0', 'exact'), ('partial-edges:keep=0.5', 'upper bound')]
    """
    chosen, together = as_algorithms(algorithms, techniques), compositions(techniques)
    settings = checked_settings(graph, source, sources, repeat, seed, threads, limit)
    pairs = [Pair(techniques, policy) for policy in _names(policies) for techniques in together]
    pairs += budget_pairs(max_error)
    return measured(graph, [(entry, pairs) for entry in chosen], settings, progress)


def measured(
    graph: Graph, plan: list[tuple[Algorithm, list[Pair]]], settings: Settings, progress: Progress | None
) -> Comparison:
    """Run the pairs of each algorithm; the rows of all."""
    rows: list[Row] = []
    skipped: list[Skip] = []
    runs = sum(_contestants(entry, pairs) for entry, pairs in plan) * (1 + settings.repeat)
    others = OtherPrograms()
    with following(progress, "measuring") as told:
        tick = _ticker(told, runs)
        for entry, pairs in plan:
            if not graph.n:
                skipped += [Skip(entry.name, p.spec, p.policy, "the graph has no vertices") for p in pairs]
                continue
            made = Bench(graph, entry, settings, tick).run(pairs)
            rows += made
            skipped += made.skipped
        tick("done", runs)  # runs that were skipped count as done
    return Comparison(rows, skipped, others.share())


def _contestants(entry: Algorithm, pairs: list[Pair]) -> int:
    return len({"auto", *(p.policy for p in pairs)}) + len(pairs) * (2 if entry.name == "pagerank" else 1)


def _ticker(progress: Progress, total: int) -> Callable[[str, int], None]:
    done = 0

    def tick(what: str, runs: int) -> None:
        nonlocal done
        done = min(done + runs, total)
        progress(f"measuring: {what}", done, total)

    return tick


def as_algorithms(algorithms: Any, techniques: Any = None) -> list[Algorithm]:
    """Registered algorithms by name or function, each once; None for all that one of the techniques supports."""
    if algorithms is None:
        supported = {name for group in compositions(techniques) for name in group[0].guarantees}
        order = [*FIRST, *(name for name in ALGORITHMS.names() if name not in FIRST)]
        return [ALGORITHMS.get(name) for name in order if name in supported and name in ALGORITHMS.names()]
    if isinstance(algorithms, (str, Algorithm)) or callable(algorithms):
        algorithms = [algorithms]
    found = {}
    for item in algorithms:
        entry = item if isinstance(item, Algorithm) else ALGORITHMS.get(getattr(item, "__name__", str(item)))
        found[entry.name] = entry
    if not found:
        raise InvalidArgumentError("algorithms must name at least one algorithm, or be None for all")
    return list(found.values())


def compositions(techniques: Any) -> list[tuple[Technique, ...]]:
    """Each item as techniques applied together; None for every registered one with its default knobs."""
    if techniques is None:
        return [(cls(),) for cls in TECHNIQUES]
    if isinstance(techniques, (str, Technique, type)):
        techniques = [techniques]
    if not isinstance(techniques, Iterable):
        raise InvalidArgumentError(f"techniques must be a technique or a list of them, not {shown(techniques)}")
    made = [composition(item) for item in techniques]
    if not made:
        raise InvalidArgumentError("techniques must hold at least one technique, or be None for all")
    return list(dict.fromkeys(made))


def composition(item: Any) -> tuple[Technique, ...]:
    """A technique, its class, its specification, `one+another`, or a list of these, as techniques to apply together."""
    if isinstance(item, type) and issubclass(item, Technique):
        return (item(),)
    if isinstance(item, str):
        item = re.split(r"\+(?=\s*[a-zA-Z])", item)  # not the plus of 1e+5
    made = as_techniques(item)
    if not made:
        raise InvalidArgumentError("an empty list names no technique")
    return made


def budgets(max_error: Any) -> list[float]:
    """The errors that a caller gave as one number, as several, or not at all."""
    given = [] if max_error is None else [max_error] if is_number(max_error) else list(max_error)
    return list(dict.fromkeys(number("max_error", value, 0, above=True) for value in given))


def budget_pairs(max_error: Any) -> list[Pair]:
    """The rows that budgets add to those of techniques."""
    return [Pair((), max_error=budget) for budget in budgets(max_error)]


def _names(policies: Any) -> list[str]:
    names = [policies] if isinstance(policies, str) else list(policies)
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidArgumentError(f"policies must be names such as 'auto', not {shown(policies)}")
    return list(dict.fromkeys(name.replace("_", "-") for name in names))


def checked_settings(
    graph: Any,
    source: Any = None,
    sources: Any = 64,
    repeat: Any = 5,
    seed: int = 1,
    threads: int | None = None,
    limit: Any = 60.0,
) -> Settings:
    """The arguments that `compare` and `sweep` share, or an error that names the allowed range."""
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"a nearly.Graph is needed, not {type(graph).__name__}; see Graph.from_networkx")
    sources, repeat = whole_number("sources", sources), whole_number("repeat", repeat)
    if limit != math.inf:
        limit = number("limit", limit, 0, above=True)
    if source is not None:
        source = vertex_index(graph, "source", source)
    elif graph.n:
        source = int(np.argmax(graph.out_degrees))
    return Settings(source, sources, repeat, seed, threads, limit)
