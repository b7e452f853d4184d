"""Connected components on the device: the smallest label spreads, in rounds."""

from __future__ import annotations

import numpy as np

from nearly.algorithms.connected_components import Labels, lower
from nearly.engine.cuda.advance import Advance
from nearly.engine.cuda.device import fetch
from nearly.engine.run import Run


def spread(run: Run, label: np.ndarray) -> bool:
    """Spread the smallest label in rounds; whether that came to its end."""
    graph, state = run.graph.symmetrized(), Labels(label, label.copy() if run.cut_short else label)
    advance = Advance(run, graph, lower, state, partly=True).start(label)
    finished = advance.to_fixed_point(*advance.state[:2])
    fetch(advance.state, state, graph)
    return finished
