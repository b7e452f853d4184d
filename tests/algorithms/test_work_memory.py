"""Memory kept with a graph: given back it is found again, one of a name, unless it is too large."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly.algorithms.shared.work_memory import give_back, take_memory

pytestmark = pytest.mark.small


def made(size):
    return np.zeros(size, np.uint8), (np.zeros(1000),)


@pytest.fixture
def graph():
    return nearly.Graph.from_edges([0], [1])


def test_what_was_given_back_is_taken_once(graph):
    first = take_memory(graph, ("a", 1), made, 10)
    give_back(graph, ("a", 1), first)
    assert take_memory(graph, ("a", 1), made, 10) is first
    assert take_memory(graph, ("a", 1), made, 10) is not first


def test_one_of_a_name_stays(graph):
    first, second, other = made(10), made(20), made(30)
    for key, memory in ((("a", 1), first), (("b", 1), other), (("a", 2), second)):
        give_back(graph, key, memory)
    assert take_memory(graph, ("a", 1), made, 10) is not first
    assert take_memory(graph, ("a", 2), made, 10) is second
    assert take_memory(graph, ("b", 1), made, 10) is other


def test_what_is_too_large_is_not_kept(graph):
    large = made(101)
    give_back(graph, ("a", 1), large, most=100)
    assert take_memory(graph, ("a", 1), made, 10) is not large
    give_back(graph, ("a", 2), made(100), most=100)  # bundles are not counted
    assert take_memory(graph, ("a", 2), made, 10)[0].size == 100
