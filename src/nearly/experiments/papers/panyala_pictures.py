"""The pictures of Panyala et al.: lines over rounds, threads or tolerances, and bars by variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Lines(NamedTuple):
    """Lines by name, each its x and its y; drawn to a path by `draw`."""

    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]]
    axes: dict[str, Any]  # titles, labels and scales

    def draw(self, path: Path) -> None:
        from matplotlib.ticker import MaxNLocator

        from nearly.experiments.pictures import picture, side_by_side

        with picture(path) as axes:
            for (name, (x, y)), style in zip(self.lines.items(), side_by_side(len(self.lines))):
                style = style if len(x) <= 40 else {**style, "marker": None}
                axes.plot(x, y, label=name, **style)
            axes.set(**self.axes)
            if axes.get_xscale() == "linear" and all(
                float(one).is_integer() for x, _ in self.lines.values() for one in x
            ):
                axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            axes.grid(alpha=0.25)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))


class Bars(NamedTuple):
    """For each group (a graph) a bar by name, on a logarithmic axis as in the paper."""

    groups: Mapping[str, Mapping[str, float]]
    axes: dict[str, Any]

    def draw(self, path: Path) -> None:
        from nearly.experiments.pictures import picture

        names = list(next(iter(self.groups.values()), {}))
        places, width = np.arange(len(self.groups)), 0.8 / max(len(names), 1)
        with picture(path) as axes:
            for k, name in enumerate(names):
                heights = [bars[name] for bars in self.groups.values()]
                axes.bar(places + (k - (len(names) - 1) / 2) * width, heights, width, label=name)
            axes.set(xticks=places, xticklabels=list(self.groups), yscale="log", **self.axes)
            axes.grid(alpha=0.25, axis="y")
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
