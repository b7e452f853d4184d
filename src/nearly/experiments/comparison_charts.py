"""Pictures of comparisons: speed against error for many techniques, and along one knob.

Errors span orders of magnitude and may be 0, which a logarithmic axis cannot show: zeros stand at its left end, on
a tick of their own. Techniques have colours, algorithms have marks; above the line at 1, a technique is faster.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nearly.base.errors import InvalidArgumentError
from nearly.experiments.comparison import EXACT, SAME_ERROR, Row
from nearly.experiments.pictures import picture

_MARKS = "osD^vP*XhpH<>"
_GREY, _SPEED, _ERROR = "#8a8a8a", "#1f6fb4", "#c8452c"
_HOLLOW: dict[str, Any] = dict(ms=12, fillstyle="none", markeredgewidth=1.2, zorder=2)
_FULL: dict[str, Any] = dict(ms=9, markeredgecolor="white", markeredgewidth=0.7, zorder=3)
_APART = (0.08, 0.05)  # shares of a picture's width and height within which one label would cover another
_TICKS_APART = 0.06  # the share of a picture's width that a label of a tick needs
_IN_A_LINE = 3  # texts of a label
_DECADES = 6  # errors further below the greatest are shown as if they were this small


def plot_comparison(rows: Iterable[Row], path: str | os.PathLike[str], title: str) -> None:
    """Speedup against inaccuracy, a mark for every row that is not plainly exact."""
    shown = [row for row in rows if row.technique != EXACT]
    if not shown:
        raise InvalidArgumentError("there is nothing to draw: no technique was measured")
    algorithms, techniques = _order(r.algorithm for r in shown), _order(_name(r) for r in shown)
    colours = _colours(techniques)
    height = max(5.2, 0.22 * (len(techniques) + len(algorithms)) + 1.6)  # what the two legends need
    with picture(path, size=(9, height)) as axes:
        place = _error_axis(axes, [_percent(r) for r in shown])
        for row in shown:
            mark = _MARKS[algorithms.index(row.algorithm) % len(_MARKS)]
            style = _HOLLOW if row.technique == SAME_ERROR else _FULL
            axes.plot(place(_percent(row)), row.speedup, mark, color=colours[_name(row)], **style)
        _speed_axis(axes, [r.speedup for r in shown])
        axes.set(title=title, xlabel="inaccuracy (%)", ylabel="speedup over exact, same policy")
        _legends(axes, algorithms, colours)


def plot_sweep(rows: Iterable[Row], path: str | os.PathLike[str], title: str) -> None:
    """Left: speedup and inaccuracy over the knob. Right: speedup against inaccuracy, the knob's values on the line."""
    rows = [row for row in rows if row.knob is not None]
    turned, stopped = ([r for r in rows if (r.technique == SAME_ERROR) is kind] for kind in (False, True))
    if not turned:
        raise InvalidArgumentError("there is nothing to draw: no value of the knob was measured")
    with picture(path, columns=2, size=(11.5, 4.6)) as (left, right):
        right.figure.suptitle(title)
        _over_knob(left, turned, stopped)
        place = _error_axis(right, [_percent(r) for r in rows])
        along = "-" if _numbers(turned) else ""
        right.plot([place(_percent(r)) for r in stopped], [r.speedup for r in stopped], "o--", ms=4, color=_GREY)
        right.plot([place(_percent(r)) for r in turned], [r.speedup for r in turned], f"o{along}", color=_SPEED)
        _speed_axis(right, [r.speedup for r in rows])
        _label(right, [(place(_percent(r)), r.speedup) for r in turned], [_text(r.value) for r in turned])
        right.set(
            xlabel="inaccuracy (%)", ylabel="speedup over exact", title=f"speed against error, by {turned[0].knob}"
        )


def _label(axes: Any, points: Sequence[tuple[float, float]], texts: Sequence[str]) -> None:
    """Write texts at points; texts of points that nearly coincide share a line."""
    axes.autoscale_view()
    seen = axes.transAxes.inverted().transform(axes.transData.transform(points))  # shares of the picture
    groups: list[list[int]] = []
    for i in range(len(points)):
        near = (g for g in groups if (abs(seen[i] - seen[g[0]]) < _APART).all())
        if (group := next(near, None)) is None:
            groups.append([i])
        else:
            group.append(i)
    for group in groups:
        text = _in_lines([texts[i] for i in group])
        at = points[group[0]]
        ha, offset = ("right", -5) if seen[group[0], 0] > 0.5 else ("left", 5)
        va, above = ("top", -6) if seen[group[0], 1] > 0.8 else ("bottom", 6)
        axes.annotate(text, at, textcoords="offset points", xytext=(offset, above), ha=ha, va=va, fontsize=9)


def _in_lines(texts: list[str]) -> str:
    """
    >>> _in_lines(["1", "2", "3", "4"])
    '1, 2, 3,\\n4'
    """
    return ",\n".join(", ".join(texts[i : i + _IN_A_LINE]) for i in range(0, len(texts), _IN_A_LINE))


def _label_ticks(axes: Any, at: Sequence[float], texts: Sequence[str]) -> None:
    """A tick at each place, and a label at those that have room for one; the last always has."""
    axes.get_xlim()  # which settles the limits
    seen = axes.transAxes.inverted().transform(axes.transData.transform([(x, 1.0) for x in at]))[:, 0]
    labels, free = [""] * len(at), np.inf
    for i in np.argsort(-seen):
        if free - seen[i] >= _TICKS_APART:
            labels[i], free = texts[i], seen[i]
    axes.set_xticks(at, labels)
    axes.set_xticks([], minor=True)


def _over_knob(axes: Any, turned: Sequence[Row], stopped: Sequence[Row]) -> None:
    values, numbers = [row.value for row in turned], _numbers(turned)
    at = values if numbers else list(range(len(values)))
    along = "-" if numbers else ""
    axes.plot(at, [r.speedup for r in turned], f"o{along}", color=_SPEED, label="speedup")
    if len(stopped) == len(turned):
        axes.plot(at, [r.speedup for r in stopped], "o--", ms=4, color=_GREY, label=SAME_ERROR)
    axes.axhline(1, color="black", lw=0.8, alpha=0.6)
    axes.set_ylabel("speedup over exact", color=_SPEED)
    axes.set_ylim(bottom=0)
    if numbers and min(values) > 0 and max(values) / min(values) >= 10:
        axes.set_xscale("log")
    _label_ticks(axes, at, [_text(v) for v in values])
    other = axes.twinx()
    other.plot(at, [_percent(r) for r in turned], f"s{along}", color=_ERROR, label="inaccuracy")
    other.set_ylabel("inaccuracy (%)", color=_ERROR)
    other.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.set(xlabel=turned[0].knob, title="speed and error over the knob")
    handles = axes.get_legend_handles_labels()[0] + other.get_legend_handles_labels()[0]
    axes.figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)


def _numbers(rows: Sequence[Row]) -> bool:
    """Whether the knob's values are numbers, so that a line between two of them means something."""
    return all(isinstance(row.value, (int, float)) and not isinstance(row.value, bool) for row in rows)


def _error_axis(axes: Any, errors: list[float]) -> Any:
    """Make the x axis logarithmic with a place for 0; the function that says where an error is drawn."""
    from matplotlib.ticker import FixedLocator, NullLocator

    positive = [e for e in errors if e > 0]
    if not positive:
        axes.set_xlim(-1, 1)
        axes.set_xticks([0], ["0"])
        return lambda error: 0.0
    greatest = max(positive)
    least = max(min(positive), greatest * 10.0**-_DECADES)
    zero = least / 4
    small = any(e < least for e in errors)
    left, right = (zero if small else least) / 1.6, greatest * 2
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    ticks = [t for t in _decimals(least, right) if (zero * 1.8 if small else left) < t <= right]
    labels = [f"{t:g}" for t in ticks]
    if small:
        smallest = "0" if not any(0 < e < least for e in errors) else "about 0"
        ticks, labels = [zero, *ticks], [smallest, *labels]
        axes.axvspan(left, zero * 1.6, color="black", alpha=0.05, lw=0)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks, labels)
    return lambda error: error if error >= least else zero


def _speed_axis(axes: Any, speedups: list[float]) -> None:
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = min(*speedups, 0.8) / 1.25, max(*speedups, 1.25) * 1.25
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    ticks = [t for t in _decimals(low, high) if low <= t <= high]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_yticks(ticks, [f"{t:g}x" for t in ticks])
    axes.axhspan(low, 1, color=_ERROR, alpha=0.05, lw=0)
    axes.axhline(1, color="black", lw=0.8, alpha=0.6)
    axes.text(
        0.99, 0.015, "below 1x: slower than exact", transform=axes.transAxes, ha="right", fontsize=8, color=_ERROR
    )
    axes.grid(alpha=0.25)


def _decimals(low: float, high: float) -> list[float]:
    """Round numbers from below `low` to above `high`; denser if these are few decades apart."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = math.log10(high / low)
    steps = ("1", "1.5", "2", "3", "5", "7") if decades < 1 else ("1", "2", "5") if decades < 3 else ("1",)
    return [float(f"{step}e{power}") for power in range(first, last + 1) for step in steps]


def _legends(axes: Any, algorithms: list[str], colours: dict[str, Any]) -> None:
    from matplotlib.lines import Line2D

    def mark(label: str, **style: Any) -> Any:
        return Line2D([], [], ls="", label=label, **style)

    techniques = [
        mark(
            name.replace(", ", ",\n"),
            marker="o",
            color=colour,
            **{**(_HOLLOW if name == SAME_ERROR else _FULL), "ms": 8},
        )
        for name, colour in colours.items()
    ]
    marks = [mark(name, marker=_MARKS[i % len(_MARKS)], ms=8, color="#444444") for i, name in enumerate(algorithms)]
    common: dict[str, Any] = dict(frameon=False, fontsize=9, alignment="left")
    axes.figure.legend(handles=techniques, title="technique", loc="outside right upper", **common)
    axes.figure.legend(handles=marks, title="algorithm", loc="outside right lower", **common)


def _colours(names: list[str]) -> dict[str, Any]:
    from matplotlib import colormaps

    palette: Any = colormaps["tab10" if len(names) <= 10 else "tab20"]
    return {name: _GREY if name == SAME_ERROR else palette(i % palette.N) for i, name in enumerate(names)}


def _percent(row: Row) -> float:
    """The error in percent; an infinite error is drawn as a very large one."""
    return 100 * min(row.inaccuracy, 100.0)


def _order(names: Iterable[str]) -> list[str]:
    """Each name once; the exact row to compare with is last."""
    found = list(dict.fromkeys(names))
    return sorted(found, key=lambda name: name == SAME_ERROR)


def _name(row: Row) -> str:
    return row.technique if row.policy == "auto" or row.technique == SAME_ERROR else f"{row.technique} ({row.policy})"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
