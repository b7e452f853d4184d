"""Arguments of any kind get a typed error: those that once got another, and the checks made from signatures."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

import nearly
from nearly import Graph, InvalidArgumentError, NearlyError
from nearly.base.arguments import shown
from nearly.base.signatures import typed

pytestmark = pytest.mark.small
G = Graph.from_edges([0, 1, 2], [1, 2, 0])


class Unprintable:
    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(
    "call",
    [
        lambda: nearly.read("a\0b.txt"), lambda: nearly.read(3), lambda: nearly.write(G, None),
        lambda: nearly.write(3, "x.npz"), lambda: nearly.mesh.from_points(10**400),
        lambda: nearly.plan(G, 3, max_error=1),
        lambda: Graph.from_edges([0], [1], [1], weight_dtype="x"), lambda: Graph.from_edges([0], [1], n=10**400),
        lambda: Graph.from_edges([[0], [1, 2]], [1]), lambda: Graph.from_edges([0, 1], [1, 0], [[0], [1, 2]]),
        lambda: Graph.from_edges([0], [1], directed="x"), lambda: Graph.from_edges([0], [1], duplicates=[]),
        lambda: Graph.from_edges(np.ma.array([0, 1], mask=[0, 1]), [1, 0]),
        lambda: Graph.from_edges([0, 1], [1, 0], np.ma.array([0, 1], mask=[0, 1])),
        lambda: nearly.bfs(G, 0, progress=3), lambda: nearly.bfs(G, 0, policy=np.array([1, 2])),
        lambda: nearly.bfs(G, 0, approx=np.array(3)), lambda: nearly.bfs(G, 0, threshold=2**64),
        lambda: nearly.bfs(G, 0, device=[]), lambda: nearly.bfs(G, 0, seed=np.array([1, 2])),
        lambda: nearly.distances(G, print, max_seconds=9.0),
        lambda: nearly.betweenness(G, sources=[[0], [1, 2]], max_error=0.5),
        lambda: nearly.betweenness(G, sources=10**400, max_error=0.5),
        lambda: nearly.betweenness(G, checkpoint="\ud800"), lambda: nearly.random_walks(G, 3, start=[[0], [1, 2]]),
        lambda: nearly.random_walks(Graph.from_edges([], [], n=0), 3, start=[[0], [1, 2]]),
        lambda: Graph([0, 1], [0], ids=2**64), lambda: Graph([0, 1], [0], ids=[[0], [1, 2]]),
        lambda: Graph([0, 1], [0], directed=np.array([True, False])),
        lambda: nearly.mesh.from_polygon([[0, 0], [1, 0], [0, 1]], holes=[[0], [1, 2]]),
        lambda: nearly.mesh.from_polygon([[0, 0], [1, 0], [0, 1]], holes=np.int8(3)),
        lambda: nearly.bfs(G, 2**70), lambda: nearly.subgraph(G, [[0], [1, 2]]), lambda: nearly.Coalesce(every=[0.5]),
        lambda: nearly.bfs(G, 0, allow=np.array([1, 2]), max_error=1), lambda: nearly.pagerank(G, damping=[0.5, 0.6]),
        lambda: nearly.distances(G, np.array(3), max_seconds=9.0), lambda: Graph([0], [], weights=[[0], [1, 2]]),
        lambda: nearly.generate.rmat(7, params=Unprintable()), lambda: nearly.random_walks(G, 3, start=Unprintable()),
        lambda: nearly.compare(G, techniques=Unprintable()), lambda: nearly.ego(G, Unprintable()),
        lambda: nearly.ego(3, 0), lambda: nearly.random_walks(G, "x"), lambda: nearly.mesh.refine(3),
        lambda: nearly.layout(3), lambda: nearly.draw(3), lambda: nearly.report(3), lambda: nearly.draw(G, size=[[1]]),
    ],
)  # fmt: skip
def test_each_gets_an_error_of_ours(call):
    with pytest.raises(NearlyError):
        call()


def test_a_whole_number_beyond_numpys_is_a_number_within_a_budget():
    assert nearly.pagerank(G, tol=10**99, max_seconds=9.0).error is not None


def test_numbers_of_numpy_are_numbers():
    assert nearly.random_walks(G, np.int8(100), np.int8(100)).shape == (100 * G.n, 100)


def test_messages_show_any_value_in_short():
    assert shown(list(range(1000))).endswith("...")
    assert shown(Unprintable()) == "<Unprintable>"


def test_a_signature_is_checked():
    @typed
    def public(
        path: str | os.PathLike[str] = "x",
        k: int | None = None,
        how: Literal["a", "b"] = "a",
        tell: Callable | None = None,
        more: Any = 0,
    ):
        return k

    assert public(k=np.int64(3)) == 3
    assert public("y", None, "b", print, object()) is None
    for wrong in ({"path": 3}, {"path": ""}, {"k": [1]}, {"k": {}}, {"how": ["a"]}, {"tell": 1}):
        with pytest.raises(InvalidArgumentError, match=next(iter(wrong))):
            public(**wrong)
    with pytest.raises(TypeError):
        public(unknown=1)


def test_words_and_numbers_are_left_to_the_function_unless_it_fails():
    @typed
    def public(k: int = 1, how: Literal["a", "b"] = "a"):
        if k == "own":
            raise InvalidArgumentError("k is told by the function itself")
        return {"a": 1, "b": 2}[how] + len(range(k))

    assert public(2, "b") == 4
    with pytest.raises(InvalidArgumentError, match="k is told by the function itself"):
        public("own")
    with pytest.raises(InvalidArgumentError, match=r"k must be a whole number, not 1\.5"):
        public(1.5)
    with pytest.raises(InvalidArgumentError, match="how must be 'a' or 'b', not 'c'"):
        public(1, "c")
