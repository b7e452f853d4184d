"""Colours that can be told apart, on light and on dark paper: for classes the largest first, for numbers a ramp."""

from __future__ import annotations

import numpy as np

CLASSES = (
    "#4c78a8",
    "#f58518",
    "#54a24b",
    "#e45756",
    "#72b7b2",
    "#b279a2",
    "#eeca3b",
    "#9d755d",
    "#ff9da6",
    "#6f6fd0",
    "#2fa5c7",
    "#a0b03a",
)
OTHERS = "#9aa1a9"  # whatever has no colour of its own
_RAMP = np.array([[59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 201, 37], [245, 112, 32]], float)
_STEPS = 16  # colours of a ramp


def class_colours(labels: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The colours, that of all others last, and for each label which of them it has: the largest classes have one."""
    found, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")[: len(CLASSES)]
    colour = np.full(found.size, len(CLASSES))
    colour[order] = np.arange(order.size)
    return [*CLASSES, OTHERS], colour[index.reshape(-1)]


def ramp_colours(values: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The colours of a ramp, and for each value which of them it has, by rank: few great ones do not hide the rest."""
    steps = np.linspace(0, len(_RAMP) - 1, _STEPS)
    parts = np.stack([np.interp(steps, np.arange(len(_RAMP)), _RAMP[:, k]) for k in range(3)], axis=1)
    colours = [f"#{int(r):02x}{int(g):02x}{int(b):02x}" for r, g, b in parts]
    found, index = np.unique(np.nan_to_num(values.astype(float)), return_inverse=True)
    share = np.arange(found.size) / max(found.size - 1, 1)
    return colours, np.minimum((share * _STEPS).astype(int), _STEPS - 1)[index.reshape(-1)]
