"""Center: the vertices of smallest eccentricity, those from which the farthest vertex is nearest.

`.vertices` lists them and `.radius` is their eccentricity. Method: see `shared.extreme_vertices`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from nearly.algorithms.shared.extreme_vertices import ExtremeVerticesResult, extreme, extreme_vertices
from nearly.engine.result import field
from nearly.engine.run import Run


class CenterResult(ExtremeVerticesResult):
    """The center."""

    radius: float = field("their eccentricity")


@extreme(np.min)
def center(run: Run, *, unconnected: Literal["reachable", "infinite"] = "reachable") -> CenterResult:
    """The vertices of smallest eccentricity.

    Parameters
    ----------
    unconnected : {"reachable", "infinite"}
        Whether only vertices that a vertex reaches count for it, or it is infinitely far from the others.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> nearly.center(g).vertices.tolist()
    [1, 2]
    """
    radius, found = extreme_vertices(run, unconnected, np.min)
    return CenterResult(radius=radius, **found)
