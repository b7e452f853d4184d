"""An algorithm and a technique of a user's own: short, right, and made of what `nearly.extend` has."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nearly
from nearly import Graph
from nearly.engine.technique import ALGORITHMS, TECHNIQUES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ALLOWED = {"nearly", "nearly.extend", "numpy", "typing"}


@pytest.fixture(scope="module")
def widest_path():
    sys.path.insert(0, str(EXAMPLES))
    import own_algorithm

    yield own_algorithm.widest_path
    ALGORITHMS._entries.pop("widest_path")  # other tests are about what is built in


@pytest.fixture(scope="module")
def drop_heaviest():
    sys.path.insert(0, str(EXAMPLES))
    import own_technique

    yield own_technique.DropHeaviest
    TECHNIQUES._entries.pop("drop-heaviest")


@pytest.mark.parametrize("name", ["own_algorithm", "own_technique"])
def test_it_is_short_imports_only_what_is_public_and_runs_as_a_script(name):
    path = EXAMPLES / f"{name}.py"
    tree = ast.parse(path.read_text())
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert modules - {name} <= ALLOWED
    assert len(path.read_text().splitlines()) <= 70
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, cwd=EXAMPLES)
    assert "bound" in done.stdout


def graph_of(directed=True, weighted=True, n=30, m=120):
    rng = np.random.default_rng(4)
    src, dst = rng.integers(0, n, (2, m))
    weights = rng.integers(1, 9, m) if weighted else None
    return Graph.from_edges(src, dst, weights, n=n, directed=directed, duplicates="keep")


def widths(g):
    """By leaving out arcs until the way breaks."""
    weights = g.weights if g.weighted else np.ones(g.m)
    arcs = list(zip(g.arc_sources().tolist(), g.targets.tolist(), weights.tolist()))
    found = np.zeros(g.n)
    found[0] = np.inf
    for w in sorted(set(weights.tolist())):
        reached, grew = {0}, True
        while grew:
            more = {b for a, b, x in arcs if x >= w and a in reached} - reached
            reached, grew = reached | more, bool(more)
        found[list(reached - {0})] = w
    return found


@pytest.mark.parametrize("policy", ["auto", "topology", "frontier", "split", "heavy-light"])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_algorithm_is_right_on_graphs_with_and_without_weights(widest_path, policy, weighted):
    for directed in (True, False):
        g = graph_of(directed, weighted)
        r = widest_path(g, source=0, policy=policy)
        assert r.values.tolist() == widths(g).tolist()
        assert (r.source, r.guarantee) == (0, "exact")


@pytest.mark.parametrize(
    "approx", ["partial-edges:keep=0.4", "partial-edges:keep=0.4,select=heaviest", "reduced-execution:rounds=2"]
)
def test_built_in_techniques_approximate_it_with_the_guarantee_that_follows(widest_path, approx):
    for weighted in (True, False):
        g = graph_of(weighted=weighted)
        exact, nearby = widest_path(g, 0), widest_path(g, 0, approx=approx)
        assert nearby.guarantee == "lower bound"
        assert (nearby.values <= exact.values).all()
    assert nearly.accuracy.inaccuracy(exact, nearby, g) >= 0
    with pytest.raises(nearly.InvalidArgumentError, match="MergeSimilar does not apply to widest_path"):
        widest_path(g, 0, approx=nearly.MergeSimilar())


@pytest.mark.parametrize("directed", [True, False])
def test_the_technique_keeps_its_word_also_with_parallel_arcs(drop_heaviest, directed):
    g = graph_of(directed)
    for share in (0.2, 0.6):
        r = nearly.sssp(g, 0, approx=drop_heaviest(share=share))
        assert r.guarantee == "upper bound"
        assert r.certificate().ok
        assert (r.values >= nearly.sssp(g, 0).values).all()
    assert nearly.sssp(g, 0, approx=drop_heaviest(0.0)).guarantee == "exact"
    assert nearly.mst(g, approx=drop_heaviest(0.5)).certificate().ok
    assert nearly.sssp(graph_of(weighted=False), 0, approx=drop_heaviest()).certificate().ok
    assert drop_heaviest.guarantees["pagerank"] == "certified"
    assert "share : a number" in drop_heaviest.__doc__
