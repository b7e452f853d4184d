"""Timing: turns are taken, compilation and first runs count apart, slow ones are stopped or run once."""

from __future__ import annotations

import pytest

from nearly.experiments.contestants import MOST_TURNS, Contestant, TooLong, interleaved, take_turns
from nearly.experiments.equal_error import EqualError


def test_contestants_take_turns():
    order = []
    both = [Contestant(lambda progress, name=name: order.append(name)).warm_up(60) for name in "ab"]
    take_turns(both, 3)
    turns = len(both[0].runs)
    assert 3 <= turns <= 3 * MOST_TURNS  # more than asked for until medians are settled
    assert "".join(order) == "ab" + "ab" * turns
    assert len(both[1].runs) == turns


def test_a_slow_run_is_stopped_between_rounds():
    rounds = []

    def slow(progress):
        for i in range(1000):
            rounds.append(i)
            progress("slow", i, None)

    with pytest.raises(TooLong, match="stopped after"):
        Contestant(slow).warm_up(1e-9)
    assert rounds == [0]
    assert interleaved({"slow": slow}, 1, limit=1e-9) == {"slow": float("inf")}


def test_one_that_cannot_be_stopped_counts_once():
    runs = []
    contestant = Contestant(lambda progress: runs.append(1)).warm_up(0.0)
    take_turns([contestant], 5)
    assert contestant.once
    assert runs == [1]
    assert contestant.seconds == contestant.first > 0


@pytest.mark.parametrize(("error", "rounds"), [(0.6, 1), (0.5, 1), (0.3, 2), (0.0, 12), (1e-3, 10)])
def test_the_smallest_number_of_rounds(error, rounds):
    asked = []
    search = EqualError(lambda k: asked.append(k) or 0.5**k, 12)
    assert search.rounds_for(error) == search.rounds_for(error) == rounds
    assert len(asked) == len(set(asked)) <= 4
