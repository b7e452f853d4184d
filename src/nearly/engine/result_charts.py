"""What a person would plot of a result, as numbers: a chart is the same for a picture, a terminal and a report.

The kind of answer decides (`result_views`): scores become a curve of ranks, distances and spreads a histogram, parts
their sizes, cores how many vertices are in each core, edges their weights, distance statistics the hop plot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.engine.result_columns import table_of, value_name
from nearly.engine.result_views import kind_of, part_sizes
from nearly.engine.result_words import in_words

if TYPE_CHECKING:
    from nearly.engine.result import Result

_BINS = 40
_POINTS = 2000  # of a curve of ranks
_WIDE = 30  # times that the greatest value is the least where a logarithmic scale helps


class Chart(NamedTuple):
    """A chart: bars or a curve of `y` over `x`; `edges` are the ends of the bars where these are ranges."""

    title: str
    xlabel: str
    ylabel: str
    x: np.ndarray
    y: np.ndarray
    bars: bool = False
    log_x: bool = False
    log_y: bool = False
    edges: np.ndarray | None = None
    band: tuple[np.ndarray, np.ndarray] | None = None  # between which the values of a curve lie


def chart_of(result: Result) -> Chart:
    """The chart of a result."""
    kind = kind_of(result)
    if kind == "number":
        raise InvalidArgumentError(
            f"{result.algorithm} is one number here, {result.values}: there is nothing to plot; see .to_dict()"
        )
    made = {
        "scores": _ranks, "members": _members, "distances": _spread, "spread": _spread, "parts": _sizes,
        "classes": _sizes, "cores": _cores, "edges": _edges, "hops": _hops,
    }[kind](result)  # fmt: skip
    return made._replace(title=f"{result.algorithm}: {made.title}" if made.title else result.algorithm)


def _what(result: Result) -> str:
    return "arcs" if result.per == "arc" else "vertices"


def _ranks(result: Result) -> Chart:
    made = table_of(result)
    values = made.columns[made.value].astype(np.float64)
    order = np.argsort(-values, kind="stable")
    places = np.unique(np.geomspace(1, max(values.size, 1), _POINTS).astype(np.int64)) - 1 if values.size else order
    chosen = order[places]
    band = None
    if {"low", "high"} <= made.columns.keys():
        band = made.columns["low"][chosen], made.columns["high"][chosen]
    y = values[chosen]
    log = bool((y > 0).any() and y.max() > _WIDE * y[y > 0].min())
    keep = y > 0 if log else np.ones(y.size, bool)
    band = None if band is None else (band[0][keep], band[1][keep])
    return Chart(in_words(result), f"{_what(result)}, the greatest first", made.value.replace("_", " "),
                 (places + 1)[keep], y[keep], log_x=values.size > 10, log_y=log, band=band)  # fmt: skip


def _members(result: Result) -> Chart:
    inside = int(np.count_nonzero(result.values))
    counts = np.array([inside, np.size(result.values) - inside])
    return Chart(in_words(result), value_name(result).replace("_", " "), _what(result), np.array(["yes", "no"]), counts,
                 bars=True)  # fmt: skip


def histogram(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Where bars stand, how high they are, and their edges: a bar for each whole number where these are few."""
    values = np.asarray(values)
    whole = values.size == 0 or bool((values == np.floor(values)).all())
    if whole and (values.size == 0 or np.ptp(values) <= 2 * _BINS):
        x, y = np.unique(values.astype(np.int64), return_counts=True)
        return x, y, None
    counts, edges = np.histogram(values.astype(np.float64), bins=_BINS)
    return (edges[:-1] + edges[1:]) / 2, counts, edges


def _spread(result: Result) -> Chart:
    values = np.asarray(result.values)
    values = values.astype(np.float64) if values.dtype.kind != "f" else values
    reached = values[np.isfinite(values) & (values >= 0)]
    x, y, edges = histogram(reached)
    missed = values.size - reached.size
    title = in_words(result) + (f"; {missed:,} not reached" if missed else "")
    return Chart(title, value_name(result).replace("_", " "), _what(result), x, y, bars=True, edges=edges)


def _several(name: str) -> str:
    """
    >>> _several("community"), _several("color")
    ('communities', 'colors')
    """
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def _sizes(result: Result) -> Chart:
    sizes = part_sizes(result)[1]
    many = sizes.size > 2 * _BINS
    name = value_name(result)
    title = f"{sizes.size:,} {name if sizes.size == 1 else _several(name)}, {in_words(result)}"
    log = many or (sizes.size > 1 and bool(sizes[0] > _WIDE * sizes[-1]))
    places, axis = np.arange(1, sizes.size + 1), f"{name}, the largest first"
    return Chart(title, axis, _what(result), places, sizes, bars=not many, log_x=many, log_y=log)


def _cores(result: Result) -> Chart:
    counts = np.bincount(np.maximum(np.asarray(result.values), 0).astype(np.int64))
    inside = counts[::-1].cumsum()[::-1]
    name, log = value_name(result), bool(inside.size and inside[0] > _WIDE * inside[-1])
    axes = f"{name} number k", f"{_what(result)} in the k-{name}"
    return Chart(in_words(result), *axes, np.arange(inside.size), inside, log_y=log)


def _edges(result: Result) -> Chart:
    made = table_of(result)
    if made.value != "weight":
        raise InvalidArgumentError("the edges have no weights: there is nothing to plot; see .to_pandas()")
    x, y, edges = histogram(made.columns["weight"])
    return Chart(f"{len(result):,} edges, {in_words(result)}", "weight", "edges", x, y, bars=True, edges=edges)


def _hops(result: Result) -> Chart:
    pairs = np.asarray(result.hop_plot, np.float64)  # type: ignore[attr-defined]
    share = pairs / pairs[-1] if pairs.size and pairs[-1] else pairs
    return Chart(in_words(result), "hops", "share of pairs within", np.arange(share.size), share)
