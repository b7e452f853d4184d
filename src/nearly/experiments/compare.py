"""`nearly.compare`: how much faster, and how wrong, is each technique on this graph?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nearly.algorithms.shared.shortest_paths import check_source
from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress, silent
from nearly.engine.algorithm import ALGORITHMS, Algorithm
from nearly.engine.technique import TECHNIQUES, Technique, as_techniques
from nearly.experiments.bench import Bench, Pair, Settings
from nearly.experiments.comparison import Comparison, Row, Skip
from nearly.graph.csr import Graph

FIRST = ("sssp", "mst", "scc", "pagerank", "betweenness", "bfs", "connected_components")  # the rest follows by name


def compare(
    graph: Graph,
    algorithms: Any = None,
    techniques: Any = None,
    *,
    policies: Iterable[str] = ("auto",),
    source: int | None = None,
    sources: int = 64,
    repeat: int = 5,
    seed: int = 1,
    threads: int | None = None,
    limit: float = 60.0,
    progress: Progress | None = None,
) -> Comparison:
    """Measure techniques against exact runs: a sequence of rows with speed, error and cost.

    Every algorithm has its exact rows first, one a policy; PageRank's techniques are each followed by the row "exact,
    stopped at the same error". Pairs that make no sense are listed in `.skipped`.

    Parameters
    ----------
    algorithms : a name, a function such as `nearly.sssp`, or a list of these; None for all that a technique supports.
    techniques : a technique, its specification such as "partial-edges:keep=0.7", or a list of these in which a list
        (or "one+another") is applied together; None for all techniques with their default knobs.
    policies : the policies under which each pair runs; "auto" is measured exactly in any case.
    source : the vertex that bfs and sssp start from; None for the one of highest out-degree.
    sources : how many sources betweenness draws, the same on both sides.
    repeat : runs of each, of which the median counts.
    seed : whatever is random depends on this alone.
    threads : threads to use; by default `nearly.get_threads()`.
    limit : seconds that a run may take; a slower one is stopped between two rounds and skipped.
    progress : called as `progress(stage, done, total)`.

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
    return measured(graph, [(entry, pairs) for entry in chosen], settings, progress)


def measured(
    graph: Graph, plan: list[tuple[Algorithm, list[Pair]]], settings: Settings, progress: Progress | None
) -> Comparison:
    """Run the pairs of each algorithm; the rows of all."""
    rows: list[Row] = []
    skipped: list[Skip] = []
    runs = sum(_contestants(entry, pairs) for entry, pairs in plan) * (1 + settings.repeat)
    tick = _ticker(progress or silent, runs)
    for entry, pairs in plan:
        if not graph.n:
            skipped += [Skip(entry.name, p.spec, p.policy, "the graph has no vertices") for p in pairs]
            continue
        made = Bench(graph, entry, settings, tick).run(pairs)
        rows += made
        skipped += made.skipped
    tick("done", runs)  # what was skipped is not waited for
    return Comparison(rows, skipped)


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
        raise InvalidArgumentError(f"techniques must be a technique or a list of them, not {techniques!r}")
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


def _names(policies: Any) -> list[str]:
    names = [policies] if isinstance(policies, str) else list(policies)
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidArgumentError(f"policies must be names such as 'auto', not {policies!r}")
    return list(dict.fromkeys(name.replace("_", "-") for name in names))


def checked_settings(
    graph: Any, source: Any, sources: Any, repeat: Any, seed: int, threads: int | None, limit: Any
) -> Settings:
    """The common arguments, or an error that names the allowed range."""
    if not isinstance(graph, Graph):
        raise InvalidArgumentError(f"a nearly.Graph is needed, not {type(graph).__name__}; see Graph.from_networkx")
    for name, value in (("sources", sources), ("repeat", repeat)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise InvalidArgumentError(f"{name} must be a whole number of at least 1, not {value!r}")
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not limit > 0:
        raise InvalidArgumentError(f"limit must be a number of seconds above 0, not {limit!r}")
    if source is not None:
        source = check_source(graph, source)
    elif graph.n:
        source = int(np.argmax(graph.out_degrees))
    return Settings(source, int(sources), int(repeat), seed, threads, float(limit))
