"""Memory is announced: every algorithm says what a run takes, refuses a smaller budget, and keeps to one as large."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.algorithms.questions import BUILT_IN, ask

import nearly
from nearly import Graph, MemoryBudgetError
from nearly.engine import algorithm
from nearly.engine.algorithm import ALGORITHMS
from nearly.engine.needs import Needs

G = nearly.generate.rmat(7, 8, seed=1, weights="int")
UNDIRECTED = nearly.generate.rmat(7, 8, seed=1, directed=False)
DAG = Graph.from_edges(np.arange(999), np.arange(1, 1000))


@pytest.fixture(autouse=True)
def all_are_asked(monkeypatch):
    monkeypatch.setattr(algorithm, "SMALL", 0)


@pytest.mark.small
@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("graph", [G, UNDIRECTED], ids=["directed", "undirected"])
def test_an_algorithm_keeps_to_what_it_announces(name, graph, monkeypatch):
    entry, graph = ALGORITHMS.get(name), DAG if name == "topological_sort" else graph
    needed = entry.needed(graph, least=True)
    assert needed >= np.asarray(ask(name, graph).values).nbytes, "the answer alone takes more"
    monkeypatch.setenv("NEARLY_MEMORY", str(needed - 1))
    monkeypatch.setattr(type(entry), "begin", None)  # nothing begins
    with pytest.raises(MemoryBudgetError, match=rf"{name} on this graph needs about .*, the budget is"):
        ask(name, graph)
    monkeypatch.undo()
    monkeypatch.setattr(algorithm, "SMALL", 0)
    monkeypatch.setenv("NEARLY_MEMORY", str(needed))
    ask(name, Graph._trusted(graph.arrays, graph.directed))  # one that keeps nothing from before


@pytest.mark.small
def test_what_directed_graphs_need_besides():
    plain, turned = Needs(8, 4), Needs(8, 4, reverse=True)
    n, m = G.n, G.m
    assert plain.bytes(G, False, 2) - turned.bytes(UNDIRECTED, False, 2) == 4 * (m - UNDIRECTED.m)
    assert turned.bytes(G, False, 2) - plain.bytes(G, False, 2) == 14 * m + 8 * n
    assert plain.bytes(G, True, 2) - plain.bytes(G, False, 2) == 4 * m + 28 * m + 8 * n
    assert Needs(8, 4, thread=3).bytes(G, False, 2) - plain.bytes(G, False, 2) == 6 * n
    assert (
        Needs(8, 4, more=lambda graph, threads, arguments: 7 * threads).bytes(G, False, 2) - plain.bytes(G, False, 2)
        == 14
    )


def row(name: str) -> str:
    """An algorithm's line of the table in the docs."""
    needs = ALGORITHMS.get(name).memory
    besides = [word for word in ("spare", "reverse", "more") if getattr(needs, word)]
    figures = " | ".join(f"{bytes:g}" for bytes in (needs.vertex, needs.thread, needs.arc, needs.weight))
    return f"| `{name}` | {figures} | {', '.join(besides)} |"


@pytest.mark.small
def test_the_docs_have_the_table():
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "long-runs.md").read_text()
    assert [name for name in BUILT_IN if row(name) not in page] == []


@pytest.mark.small
def test_weights_and_what_can_be_spared():
    weighed, spared = Needs(8, 4, weight=2), Needs(8, 4, weight=2, spare=True)
    assert weighed.bytes(G, False, 2) - Needs(8, 4).bytes(G, False, 2) == 2 * G.m
    assert weighed.bytes(UNDIRECTED, False, 2) == Needs(8, 4).bytes(UNDIRECTED, False, 2)
    assert weighed.least == weighed
    assert spared.least.bytes(G, False, 2) == Needs(8).bytes(G, False, 2)


@pytest.mark.small
def test_few_pairs_need_little():
    entry = ALGORITHMS.get("jaccard")
    assert entry.needed(G) - entry.needed(G, arguments={"pairs": [(0, 1)]}) == 48 * (G.m - 1)


@pytest.mark.small
def test_an_algorithm_of_ones_own_may_say_nothing():
    from nearly.engine.algorithm import Algorithm

    assert Algorithm("mine", nearly.bfs, nearly.bfs).needed(G) == 0
