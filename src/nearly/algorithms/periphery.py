"""Periphery: the vertices of largest eccentricity, those from which some vertex is farthest.

`.vertices` lists them and `.diameter` is their eccentricity. Method: see `shared.extreme_vertices`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.algorithms.shared.extreme_vertices import ExtremeVerticesResult, extreme, extreme_vertices
from nearly.engine.result import field
from nearly.engine.run import Run


class PeripheryResult(ExtremeVerticesResult):
    """The periphery."""

    diameter: float = field("their eccentricity")


@extreme(np.max)
def periphery(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> PeripheryResult:
    """The vertices of largest eccentricity.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.periphery(g).vertices.tolist()
    [0, 3]
    """
    diameter, found = extreme_vertices(run, unconnected, np.max)
    return PeripheryResult(diameter=diameter, **found)
