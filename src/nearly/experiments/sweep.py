"""`nearly.sweep`: one knob turned through its values, speed and error at each (the form of Graffix' Figures 7-9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nearly.base.errors import InvalidArgumentError
from nearly.base.progress import Progress
from nearly.engine.technique import Technique, check_supported
from nearly.experiments.bench import Pair
from nearly.experiments.compare import as_algorithms, checked_settings, composition, measured
from nearly.experiments.comparison import Comparison
from nearly.graph.csr import Graph


def sweep(
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
    """Measure one technique at several values of one knob; rows carry `.knob` and `.value`, the exact row first.

    Parameters
    ----------
    algorithm : a name, or a function such as `nearly.sssp`.
    technique : a technique, its specification such as "partial-edges:select=lightest", or a list applied together; its
        other knobs stay as they are.
    knob : the name of the knob to turn.
    values : what to set it to, one after the other.
    policy : the policy under which all runs are made.
    source, sources, repeat, seed, threads, limit, progress : as `nearly.compare` has them.

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
    known = "; ".join(f"{item.name} has {', '.join(item.dials)}" for item in techniques)
    raise InvalidArgumentError(f"there is no knob {knob!r}: {known}")
