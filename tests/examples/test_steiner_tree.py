"""The Steiner example: its tree joins all terminals and weighs at most twice the best one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

import nearly

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "steiner_tree.py"


def test_the_tree_joins_the_terminals_and_is_light():
    sys.path.insert(0, str(EXAMPLE.parent))
    import steiner_tree

    g = nearly.generate.grid(9, 9, seed=3)
    terminals = np.array([0, 8, 72, 80, 40])
    searches = [nearly.sssp(g, int(t)) for t in terminals]
    edges, weight = steiner_tree.steiner_tree(g, terminals, searches)
    ends = np.array(sorted(edges))
    label = nearly.connected_components(nearly.Graph.from_edges(*ends.T, n=g.n, directed=False)).values
    assert len(set(label[terminals])) == 1
    assert max(s.values[terminals].max() for s in searches) <= weight <= nearly.mst(g).weight


def test_it_runs_as_a_script():
    command = [sys.executable, EXAMPLE, "--side", "30", "--terminals", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "break-even" in done.stdout
    assert "ms a terminal" in done.stdout
