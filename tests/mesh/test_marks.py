"""How candidates mark their cavities: the base scheme's two marks, and marks until nothing changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nearly.mesh.candidate import AGAIN, PLAIN, Stage
from nearly.mesh.cavity import HEAD, TRIANGLES, Rows, row_size
from nearly.mesh.parallel_kernels import mark, mark_twice
from nearly.mesh.plan import MEND

pytestmark = pytest.mark.small
ROOM, UNMARKED = np.uint64(6), 2**64 - 1


def prepared(cavities: list[list[int]], active: list[int]) -> tuple[Rows, Stage]:
    """Rows with these cavities, and a stage of the active ones."""
    size, count = int(row_size(ROOM)), len(cavities)
    words = np.zeros((count, size), np.uint32)
    for row, cavity in zip(words, cavities):
        row[int(TRIANGLES)] = len(cavity)
        row[int(HEAD) : int(HEAD) + len(cavity)] = cavity
    roots, state = np.zeros(count, np.uint32), np.zeros(count, np.uint8)
    return Rows(words.reshape(-1), ROOM, np.zeros(2 * count)), Stage(
        np.uint64(2), MEND, roots, state, np.array(active, np.uint32)
    )


def key_of(cavities: list[list[int]], i: int) -> int:
    """The key that candidate i writes when it is alone."""
    marks = np.full(8, UNMARKED, np.uint64)
    mark(*prepared(cavities, [i]), marks, PLAIN, 1)
    return int(marks.min())


@given(st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True), min_size=1, max_size=8))
def test_marks_are_written_twice_as_by_threads_in_step(cavities):
    keys = [key_of(cavities, i) for i in range(len(cavities))]
    rows, stage = prepared(cavities, list(range(len(cavities))))
    marks = np.full(8, UNMARKED, np.uint64)
    mark_twice(rows, stage, marks, np.empty(8, np.uint64))
    for t in range(8):
        around = [i for i, cavity in enumerate(cavities) if t in cavity]
        over = [i for i in around if keys[i] < keys[around[-1]]]  # these read the key of the last to write
        assert marks[t] == (keys[(over or around)[-1]] if around else UNMARKED)
    while mark(rows, stage, marks, AGAIN, 1):
        pass
    smallest = [min((keys[i] for i, cavity in enumerate(cavities) if t in cavity), default=UNMARKED) for t in range(8)]
    assert marks.tolist() == smallest


def test_three_cavities_that_share_two_triangles_may_leave_no_owner():
    """The paper's example: no cavity owns all of its triangles, so the round changes nothing."""
    stuck = 0
    for first in range(40):
        cavities = [[7]] * first + [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
        rows, stage = prepared(cavities, list(range(first, first + 4)))
        marks = np.full(8, UNMARKED, np.uint64)
        mark_twice(rows, stage, marks, np.empty(8, np.uint64))
        owners = [i for i in range(first, first + 4) if all(marks[t] == key_of(cavities, i) for t in cavities[i])]
        stuck += not owners
    assert 0 < stuck < 40
