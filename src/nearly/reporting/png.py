"""A scene as a PNG or PDF, by matplotlib where it is installed."""

from __future__ import annotations

import os

import numpy as np

from nearly.experiments.pictures import picture
from nearly.reporting.label_places import placed
from nearly.reporting.scene import HEIGHT, WIDTH, Scene

_INCH = 96.0  # points of the scene


def write_png(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Draw the scene into a file."""
    from matplotlib.collections import EllipseCollection, LineCollection
    from matplotlib.patheffects import withStroke

    with picture(path, size=(WIDTH / _INCH, HEIGHT / _INCH)) as axes:
        axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0), aspect="equal")
        axes.set_axis_off()
        if len(scene.lines):
            ends = scene.at[scene.lines]
            axes.add_collection(
                LineCollection(ends, linewidths=scene.widths * 0.75, colors="#5b6673", alpha=scene.faint, zorder=1)
            )
        order = np.argsort(-scene.radius, kind="stable")
        colours = [scene.colours[k] for k in scene.colour[order]]
        wide = 2 * scene.radius[order]
        axes.add_collection(
            EllipseCollection(
                wide, wide, np.zeros(order.size), units="xy", offsets=scene.at[order], facecolors=colours,
                edgecolors="white", linewidths=0.4, offset_transform=axes.transData, zorder=2,
            )
        )  # fmt: skip
        for one in placed(scene):
            side = {"start": "left", "middle": "center", "end": "right"}[one.anchor]
            text = axes.text(one.x, one.y, one.text, ha=side, va="baseline", fontsize=8, zorder=3, parse_math=False)
            text.set_path_effects([withStroke(linewidth=2.2, foreground="white")])
        y = HEIGHT - 10 - 18 * (len(scene.legend) + len(scene.notes) - 1)
        for colour, text in scene.legend:
            axes.plot([16], [y - 4], "o", ms=6, color=colour, zorder=3)
            axes.text(27, y, text, fontsize=8, zorder=3, parse_math=False)
            y += 18
        for text in scene.notes:
            axes.text(10, y, text, fontsize=8, alpha=0.75, zorder=3, parse_math=False)
            y += 18
