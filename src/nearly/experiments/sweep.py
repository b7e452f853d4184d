"""`nearly.sweep`: one knob turned through its values, speed and error at each (the form of Graffix' Figures 7-9).

The largest error allowed, `max_error`, is a knob too: of the planner, or of techniques used as far as it allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.engine.applied import check_supported
from nearly.engine.technique import Technique, no_such_knob
from nearly.experiments.bench import Pair
from nearly.experiments.compare import as_algorithms, budget_pairs, budgets, checked_settings, composition, measured
from nearly.experiments.comparison import Comparison
from nearly.graph.csr import Graph

MAX_ERROR = "max_error"


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
    max_error: Any = None,
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
        than `knob` stay as they are. None where `knob` is "max_error": then the planner chooses what to do.
    knob : str
        The name of the knob to turn, or "max_error": each value is a budget, within which the techniques named, or
        whatever the planner chooses, have to stay.
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
    max_error : float or list of float, optional
        Budgets beside the values of the knob: each adds a row "budget 0.05", with what the planner chose and the bound
        it gave.
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
    >>> [row.technique for row in nearly.sweep(g, "pagerank", None, "max_error", [0.1, 0.01], repeat=1)]
    ['exact', 'budget 0.1', 'budget 0.01']
    """
    entry, *more = as_algorithms(algorithm)
    if more:
        raise InvalidArgumentError("a sweep is of one algorithm; call it once for each")
    base, name = swept(technique, knob)
    check_supported(base, entry.name)
    settings = checked_settings(graph, source, sources, repeat, seed, threads, limit)
    pairs = [turned_pair(base, name, value, policy.replace("_", "-")) for value in values]
    if not pairs:
        raise InvalidArgumentError("values must hold at least one value of the knob")
    pairs += budget_pairs(max_error)
    return measured(graph, [(entry, pairs)], settings, progress)


def swept(technique: Any, knob: str) -> tuple[tuple[Technique, ...], str]:
    """The techniques, none where budgets alone are turned, and the knob by its name in Python."""
    name = knob.replace("-", "_")
    if technique is None and name != MAX_ERROR:
        raise InvalidArgumentError(f"the knob {knob!r} needs a technique; without one, turn max_error")
    return () if technique is None else composition(technique), name


def turned_pair(techniques: tuple[Technique, ...], knob: str, value: Any, policy: str) -> Pair:
    """What is measured at one value of the knob."""
    if knob == MAX_ERROR:
        (budget,) = budgets([value])
        return Pair(techniques, policy, knob, budget, budget)
    return Pair(turned(techniques, knob, value), policy, knob, value)


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
