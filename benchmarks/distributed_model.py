"""A model of PageRank's rounds on many machines, from what was measured with a few workers.

A round of a machine takes the time of its arcs, of the bytes it sends, and of the messages:

    seconds = (m / machines) * arc / threads + 8 * values / bandwidth + machines * message

- `values`, how many values a machine sends: other parts read a vertex if one of its arcs leads into them. Where arcs
  lead to parts at random, a vertex of d arcs is read by (P - 1) (1 - (1 - 1 / P)^d) other parts on average. `boundary`
  sums this over the degrees of a graph; the measured boundaries stand beside it.
- `arc`: measured seconds of a thread an arc. `message`: measured seconds of a round beyond computing, over the
  number of parts.
- The degrees of the large graph are taken to be distributed as those of the measured one.

The network is stated, not measured: 25 Gbit/s for each machine, of which four fifths are used. Left out are
machines that are slower than others, and networks that cannot carry all machines' traffic at once.
"""

from __future__ import annotations

import numpy as np

BANDWIDTH = 0.8 * 25e9 / 8  # bytes a second
THREADS = 16  # of a machine
ARCS = 1e11


def boundary(degrees: np.ndarray, parts: int) -> float:
    """How many values parts read from each other, in sum, where arcs lead to parts at random."""
    sizes, counts = np.unique(degrees, return_counts=True)
    return float(((parts - 1) * (1 - (1 - 1 / parts) ** sizes) * counts).sum())


def seconds_a_round(degrees: np.ndarray, machines: int, arc: float, message: float) -> tuple[float, float, float]:
    """Seconds of a round of `ARCS` arcs, those of them that compute, and the gigabytes that a machine sends."""
    scale = ARCS / degrees.sum()
    values = boundary(degrees, machines) * scale / machines
    computing = ARCS / machines * arc / THREADS
    return computing + 8 * values / BANDWIDTH + machines * message, computing, 8 * values / 1e9
