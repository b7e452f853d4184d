"""Limits of the process (`ulimit -v`) are kept: work that would go beyond them is refused before it begins."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import nearly
from nearly.base import memory

resource = pytest.importorskip("resource")
LIMITED = """
    import resource, sys
    from pathlib import Path
    import numpy as np
    import nearly
    from nearly.engine.algorithm import ALGORITHMS

    def ask(name, g):
        own = {"source": 0} if "source" in ALGORITHMS.get(name).parameters else {}
        return ALGORITHMS.get(name).function(g, **own).values

    names = sys.argv[1].split(",")
    made = nearly.generate.rmat(18, 16, seed=1, directed=False, weights="int")
    for name in names:
        ask(name, made)  # compiled, or loaded, before there is a limit
    large = nearly.Graph(made.offsets, made.targets, made.weights, directed=False)  # nothing is kept with it
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = used + (256 << 20) + int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for name in names:
        try:
            ask(name, large)
            print(name, "answered")
        except nearly.MemoryBudgetError:
            print(name, "refused")
"""


def limited(names, beyond):
    """What each algorithm does on a graph of 7.6 million arcs when the process may take so much more."""
    command = [sys.executable, "-c", textwrap.dedent(LIMITED), ",".join(names), str(beyond)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_algorithms_answer_or_are_refused_under_a_limit_of_the_address_space():
    names = ["bfs", "connected_components", "sssp", "pagerank", "mst", "louvain", "kcore", "triangle_count"]
    said = limited(names, 48 << 20)
    assert list(said) == names  # no other error, and the process lives
    assert said["louvain"] == said["triangle_count"] == "refused"
    assert said["connected_components"] == "answered"


def test_the_budget_is_what_the_tightest_limit_leaves(monkeypatch):
    monkeypatch.delenv("NEARLY_MEMORY", raising=False)
    limits = {resource.RLIMIT_AS: resource.RLIM_INFINITY, resource.RLIMIT_DATA: resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], limits[kind]))
    assert memory._process_free() == 1 << 62
    limits[resource.RLIMIT_AS] = 1 << 45
    wide = memory._process_free()
    assert 1 << 44 < wide < 1 << 45
    limits[resource.RLIMIT_DATA] = 1 << 44
    assert memory._process_free() < 1 << 44
    limits[resource.RLIMIT_AS] = 1 << 20  # less than the process has already
    assert memory._process_free() == 0
    assert memory.memory_budget() == 0


def test_memory_that_the_system_does_not_give_is_an_error_of_ours(monkeypatch, tmp_path):
    from nearly.engine.algorithm import Algorithm
    from nearly.graph import io

    def none_left(*_):
        raise MemoryError

    path = tmp_path / "pair.txt"
    path.write_text("0 1\n")
    g = nearly.read(path)
    monkeypatch.setattr(Algorithm, "begin", none_left)
    for options in ({}, {"policy": "frontier"}, {"max_error": 0.1}):
        with pytest.raises(nearly.MemoryBudgetError, match="no more memory for bfs"):
            nearly.bfs(g, 0, **options)
    monkeypatch.setattr(io, "_read", none_left)
    with pytest.raises(nearly.MemoryBudgetError, match="no more memory for read"):
        nearly.read(path)
