"""The tutorial's algorithm works, is short, and agrees with a plain computation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "custom_algorithm.py"


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLE.parent))
    import custom_algorithm

    return custom_algorithm


def test_it_is_at_most_forty_lines():
    assert len(EXAMPLE.read_text().splitlines()) <= 40


@pytest.mark.parametrize("policy", ["auto", "topology", "frontier", "split", "heavy-light"])
def test_it_equals_removing_arcs_until_the_way_breaks(example, policy):
    from nearly import Graph

    rng = np.random.default_rng(4)
    src, dst = rng.integers(0, 30, (2, 120))
    g = Graph.from_edges(src, dst, rng.integers(1, 9, 120), n=30)
    got = example.widest_path(g, source=0, policy=policy).values
    arcs = list(zip(g.arc_sources().tolist(), g.targets.tolist(), g.weights.tolist()))
    for v in range(1, 30):
        widest = 0
        for w in range(1, 9):
            reached, grew = {0}, True
            while grew:
                grew = False
                for a, b, x in arcs:
                    if x >= w and a in reached and b not in reached:
                        reached.add(b)
                        grew = True
            widest = w if v in reached else widest
        assert got[v] == widest


def test_it_runs_as_a_script():
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True, cwd=EXAMPLE.parent)
    assert "narrowest bottleneck" in done.stdout
