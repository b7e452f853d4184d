"""Charts drawn: by matplotlib where it is installed, else as text on the terminal."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from nearly.base.plain_text import bars_in_text, cell
from nearly.engine.result_charts import Chart

_COLOUR = "#4c78a8"
_LINES = 16  # of a chart in text
_TICKS = 16  # bars that are few enough for a label each


def draw(chart: Chart, ax: Any = None) -> Any:
    """Draw on the axes, or on new ones; printed as text, with None returned, where matplotlib is missing."""
    if ax is None:
        try:
            ax = _new_axes()
        except ImportError:
            print(in_text(chart))
            return None
    _on_axes(chart, ax)
    return ax


def _new_axes() -> Any:
    """Axes of a figure of pyplot's where a person works with it (a notebook shows it then), else of a plain figure."""
    import matplotlib  # noqa: F401

    if "matplotlib.pyplot" in sys.modules or "IPython" in sys.modules:
        from matplotlib import pyplot

        return pyplot.subplots(figsize=(7, 4), layout="constrained")[1]
    from matplotlib.figure import Figure

    return Figure(figsize=(7, 4), layout="constrained").subplots()


def _on_axes(chart: Chart, ax: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    if chart.bars:
        width: Any = 0.8 if chart.edges is None else np.diff(chart.edges) * 0.95
        ax.bar(chart.x, chart.y, width, color=_COLOUR)
    else:
        ax.plot(chart.x, chart.y, "o-" if len(chart.x) <= 60 else "-", ms=3.5, color=_COLOUR)
    if chart.band is not None:
        low = np.maximum(chart.band[0], chart.y.min() / 2) if chart.log_y else chart.band[0]
        ax.fill_between(chart.x, low, chart.band[1], color=_COLOUR, alpha=0.2, lw=0, label="between these bounds")
        ax.legend(frameon=False)
    ax.set(title=chart.title, xlabel=chart.xlabel, ylabel=chart.ylabel)
    ax.title.set_wrap(True)
    for log, axis, values in ((chart.log_x, "x", chart.x), (chart.log_y, "y", chart.y)):
        if log:
            ax.set(**{f"{axis}scale": "log"})
        elif values.dtype.kind in "iu":
            getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(integer=True))
    if chart.bars and chart.edges is None and 0 < len(chart.x) <= _TICKS:
        ax.set_xticks(chart.x)
    if not chart.log_y:
        ax.set_ylim(bottom=min(0, float(chart.y.min(initial=0))))
    ax.set_axisbelow(True)
    ax.grid(alpha=0.25)


def in_text(chart: Chart, width: int = 40) -> str:
    """The chart as lines of text: a bar for each of its places, or for a few of many."""
    x, y = chart.x, chart.y.astype(np.float64)
    if x.size > _LINES and chart.bars:  # neighbouring bars together
        groups = np.array_split(np.arange(x.size), _LINES)
        x, y = np.array([x[g[0]] for g in groups]), np.array([y[g].sum() for g in groups])
    elif x.size > _LINES:
        steps = np.geomspace(1, x.size, _LINES) if chart.log_x else np.linspace(1, x.size, _LINES)
        chosen = np.unique(steps.astype(np.int64)) - 1
        x, y = x[chosen], y[chosen]
    sizes = y
    if chart.log_y and (y > 0).any():
        floor = np.log10(y[y > 0].min()) - 0.5
        sizes = np.where(y > 0, np.log10(np.maximum(y, 10.0**floor)) - floor, 0.0)
    lines = bars_in_text([cell(one) for one in x.tolist()], sizes.tolist(), width, [cell(one) for one in y.tolist()])
    scale = ", logarithmic" if chart.log_y else ""
    return "\n".join([chart.title, f"{chart.ylabel}{scale}, by {chart.xlabel}", *lines])
