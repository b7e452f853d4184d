"""Copies of vertices: how they are kept, renumbered and merged."""

from __future__ import annotations

import numpy as np
import pytest

import nearly
from nearly import InvalidArgumentError
from nearly.algorithms.bfs import Levels, reach
from nearly.engine.operators.advance import Advance
from nearly.engine.run import Run
from nearly.engine.transform.confluence import RULES as CODES
from nearly.engine.transform.confluence import Confluence, merge_groups
from nearly.engine.transform.graph_map import GraphMap
from nearly.engine.transform.replicas import RULES, Copies

small = pytest.mark.small
NOWHERE = np.uint32(2**32 - 1)


def array(*numbers):
    return np.array(numbers, np.uint32)


def some_copies(**how):
    return Copies.made(6, array(5, 3, 4), array(1, 0, 1), **how)


@small
def test_copies_are_grouped_by_what_they_copy():
    copies = some_copies()
    assert copies.slot.tolist() == [3, 4, 5]
    assert copies.of.tolist() == [0, 1, 1]
    assert copies.first.tolist() == [0, 1, 3, 3, 3, 3, 3]
    assert copies.heads.tolist() == [0, 1]
    assert copies.group(1).tolist() == [1, 4, 5]
    assert copies.group(2).tolist() == [2]
    assert copies.originals.tolist() == [0, 1, 2, 0, 1, 1]
    assert copies.with_copies(array(2, 1)).tolist() == [2, 1, 4, 5]
    assert copies.summed(np.array([1.0, 2, 3, 4, 5, 6])).tolist() == [5, 13, 3, 5, 13, 13]


@small
def test_later_transforms_move_copies_along():
    place = array(5, 4, 3, 2, 1, 0)
    moved = some_copies().then(None, place, 6)
    assert dict(zip(moved.slot.tolist(), moved.of.tolist())) == {2: 5, 1: 4, 0: 4}
    more = some_copies().then(Copies.made(8, array(6, 7), array(5, 2)), None, 8)
    assert dict(zip(more.slot.tolist(), more.of.tolist())) == {3: 0, 4: 1, 5: 1, 6: 1, 7: 2}  # 6 copies a copy of 1
    with pytest.raises(InvalidArgumentError, match="put MergeSimilar first"):
        some_copies().then(None, array(0, 1, 2, 2, 3, 4), 5)
    with pytest.raises(InvalidArgumentError, match="one rule"):
        some_copies().then(Copies.made(8, array(6), array(2), merge="mean"), None, 8)


@small
@pytest.mark.parametrize(
    ("rule", "first", "second"), [("mean", 4, 5.5), ("min", 2, 1), ("max", 6, 10), ("sum", 8, 11), ("auto", 2, 1)]
)
def test_rules_of_merging_leave_out_what_was_not_reached(rule, first, second):
    copies, merged = some_copies(), np.empty(2)
    values = np.array([6, 10, 9, 2, NOWHERE, 1], np.uint32)
    assert set(CODES) == set(RULES)
    merge_groups(copies.groups, values, NOWHERE, CODES[rule], merged)
    assert merged.tolist() == [first, second]
    merge_groups(copies.groups, np.full(6, NOWHERE), NOWHERE, CODES[rule], merged)
    assert np.isnan(merged).all()


def rounds_of(merge, every=1, values=(4, 8, NOWHERE, NOWHERE)):
    """One pass over a graph without arcs in which 2 and 3 are copies of 0."""
    graph = nearly.Graph.from_edges([], [], n=4)
    copies = Copies.made(4, array(2, 3), array(0, 0), merge=merge, every=every, at_once=False)
    now = np.array(values, np.uint32)
    run = Run(graph, mapped=GraphMap(graph, graph, copies=copies))
    advance = Advance(run, graph, reach, Levels(now, now)).start([0])
    merging = Confluence(copies, advance)
    rounds = 0
    while merging.step():
        rounds += 1
    return now.tolist(), rounds


@small
def test_a_pass_hands_the_merged_value_to_all_and_the_changed_join_the_frontier():
    assert rounds_of("auto") == ([4, 8, 4, 4], 2)  # the second round visits the copies
    assert rounds_of("auto", every=0) == ([4, 8, 4, 4], 2)
    assert rounds_of("mean", values=(4, 8, 9, 9)) == ([7, 8, 7, 7], 2)
    assert rounds_of("max", values=(4, 8, 9, 2))[0] == [9, 8, 9, 9]
    assert rounds_of("sum", values=(4, 8, 9, NOWHERE))[0][1] == 8
    assert rounds_of(lambda group: group.max() - group.min(), values=(4, 8, 9, 9))[0] == [0, 8, 0, 0]


@small
def test_a_rule_that_would_go_on_for_ever_ends_and_nonsense_is_refused():
    values, rounds = rounds_of(lambda group: group[0] + 1)
    assert rounds < 1100
    assert values[0] == values[2] == values[3]
    with pytest.raises(InvalidArgumentError, match="numbers from 0 on"):
        rounds_of(lambda group: -1.0)
