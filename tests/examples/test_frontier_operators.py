"""The example of operators on frontiers: right against plain loops, and it runs as a script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.zoo import arcs_of, zoo

from nearly.engine.algorithm import ALGORITHMS

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "frontier_operators.py"


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLE.parent))
    import frontier_operators

    yield frontier_operators
    for name in ("rumour", "go_betweens"):
        ALGORITHMS._entries.pop(name)  # other tests are about what is built in


def spread(g, source, share):
    around = [[] for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        around[u].append(v)
    told, now = dict.fromkeys([source, *around[source]], 0), 1
    while True:
        more = {}
        for v in set(range(g.n)) - set(told):
            believers = sum(u in told for u in around[v])
            if believers and believers >= share * len(around[v]):
                more[v] = now
        if not more:
            return [told.get(v, -1) for v in range(g.n)]
        told, now = told | more, now + 1


@pytest.mark.parametrize("policy", ["auto", "split", "heavy-light"])
def test_the_rumour_spreads_as_it_should(example, policy):
    for name, g in zoo(directed=False).items():
        for share in (0.2, 0.5) if g.n else ():
            r = example.rumour(g, 0, share=share, policy=policy, threads=2, threshold=3)
            assert r.values.tolist() == spread(g, 0, share), name
            assert r.guarantee == "exact"


def test_pairs_share_their_friends(example):
    g = zoo(directed=False)["kron-8"]
    one, two = np.arange(g.n - 1), np.arange(1, g.n)
    rows = [set() for _ in range(g.n)]
    for u, v, _ in arcs_of(g):
        rows[u].add(v)
    expected = [sum(w in rows[u] & rows[v] for u, v in zip(one, two)) for w in range(g.n)]
    assert example.go_betweens(g, one, two).values.tolist() == expected


def test_it_runs_as_a_script():
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True, cwd=EXAMPLE.parent)
    assert "were convinced in each round" in done.stdout
