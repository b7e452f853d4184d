"""The phases that are left of a climb in one call of `small_levels`, where nothing has to be known in between.

That is so unless rounds are counted or techniques take part, a checkpoint is written, or vertices have turns; then
`phases` goes from phase to phase, to the same end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nearly.algorithms.louvain.level import SMALL, Level
from nearly.algorithms.louvain.phase_state import Rounds
from nearly.algorithms.louvain.small_levels import Aim, Place, climb_levels, new_book, read_book
from nearly.engine.run import Did


def may_climb_on(climb: Any) -> bool:
    """Whether `climb_on` may do the rest."""
    run, level = climb.run, climb.level
    small = level is not climb.ground and level.work < SMALL and not climb.rounds
    free = not (climb.measured or climb.turns.size or climb.asked.hashed)
    return small and free and not run.cut_short and run.checkpoint is None


def climb_on(climb: Any) -> list[Did]:
    """All phases that are left, or as many as there is room for; what their rounds did."""
    run, level, asked, start = climb.run, climb.level, climb.asked, climb.start
    book = new_book(level, run.seed, climb.phases)
    aim = Aim(climb.least, asked.resolution, level.unit, level.total, climb.refines)
    place = Place(level.rows, np.uint64(level.arcs), start, start is level.ids, climb.modularity)
    place, phases, over = run.launch(
        climb_levels, place, aim, climb.rule(), climb.tables, book, run.stop, work=level.work
    )
    told: list[Did] = []
    for k, (did, number, top) in enumerate(read_book(book, int(phases))):
        climb.phases += 1
        which = {"climb": float(climb.climbs), "phase": float(climb.phases)}
        told += Rounds(did, which, None, float(book.found[k]))
        if number.size:
            climb.maps.append(number)
            climb.tops.append(top)
    climb.modularity = float(place.modularity)
    above = Level(place.rows, level.unit, level.total, int(place.arcs))
    climb.begin(above, above.ids if place.plain else place.label)
    if over:
        climb.end_climb()
    return told
