"""`nearly.sweep`: one knob turned through its values, speed and error at each (the form of Graffix' Figures 7-9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.engine.applied import check_supported
from nearly.engine.technique import Technique, no_such_knob
from nearly.experiments.bench import Pair
from nearly.experiments.compare import as_algorithms, checked_settings, composition, measured
from nearly.experiments.comparison import Comparison
from nearly.graph.csr import Graph


def sweep(  # noqa: PLR0913
    graph: Graph,
    algorithm: Any,
    technique: Any,
    knob: str,
    values: Iterable[Any],
    *,
    policy: str = "auto",
    source: int | None = None,
    sources: int = 64,
    repeat: int = 5,
    seed: int = 1,
    threads: int | None = None,
    limit: float = 60.0,
    progress: Progress | None = None,
) -> Comparison:
    """Measure one technique at several values of one of its knobs.

    Parameters
    ----------
    graph : Graph
        The graph on which everything runs.
    algorithm : str or callable
        A name, or a function such as `nearly.sssp`.
    technique : Technique, str or list of these
        A technique, its specification such as "partial-edges:select=lightest", or several applied together. Knobs other
        than `knob` stay as they are.
    knob : str
        The name of the knob to turn.
    values : iterable
        The values to set it to, one after the other.
    policy : str, default "auto"
        The policy of all runs.
    source : int, optional
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
    progress : callable, optional
        Called as `progress(stage, done, total)`.

    Returns
    -------
    Comparison
        As from `nearly.compare`: the exact row first, then a row for each value, with the knob's name in `knob` and its
        value in `value`.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.rmat(8, 8, seed=1)
    >>> rows = nearly.sweep(g, "bfs", "partial-edges", "keep", [0.5, 1.0], repeat=1)
    >>> [(row.technique, row.value) for row in rows]
    [('exact', None), ('partial-edges:keep=0.5', 0.5), ('partial-edges:keep=1.0', 1.0)]
    """
    (entry, *more), base = as_algorithms(algorithm), composition(technique)
    if more:
        raise InvalidArgumentError("a sweep is of one algorithm; call it once for each")
    check_supported(base, entry.name)
    settings = checked_settings(graph, source, sources, repeat, seed, threads, limit)
    name = knob.replace("-", "_")
    pairs = [Pair(turned(base, name, value), policy.replace("_", "-"), name, value) for value in values]
    if not pairs:
        raise InvalidArgumentError("values must hold at least one value of the knob")
    return measured(graph, [(entry, pairs)], settings, progress)


def turned(techniques: tuple[Technique, ...], knob: str, value: Any) -> tuple[Technique, ...]:
    """The techniques with the knob set to `value`."""
    i = owner_of(techniques, knob)
    other = type(techniques[i])(**{**techniques[i].settings, knob: value})
    return (*techniques[:i], other, *techniques[i + 1 :])


def owner_of(techniques: tuple[Technique, ...], knob: str) -> int:
    """Which of the techniques has the knob: the first that does."""
    for i, item in enumerate(techniques):
        if knob in item.dials:
            return i
    raise InvalidArgumentError("; ".join(no_such_knob(item.name, knob, item.dials) for item in techniques))
