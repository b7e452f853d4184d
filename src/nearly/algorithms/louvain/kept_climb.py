"""The state of a climb between two phases as arrays and numbers, for checkpoints.

It is the level that the next phase works on, unless that is the given graph; the maps and communities found on the way,
of this climb and of the one before; and counts. The given graph itself is made again from what the caller has.
"""

from __future__ import annotations

from typing import Any

from nearly.algorithms.louvain.kernels import Rows
from nearly.algorithms.louvain.level import Level

_LISTS = ("maps", "tops", "old maps", "old tops")
_NUMBERS = ("phases", "climbs", "scaling", "modularity", "classes")


def kept_climb(climb: Any) -> dict[str, Any]:
    """The state of a climb that is about to begin a phase."""
    state: dict[str, Any] = {"start": climb.start, "turns": climb.turns, "arcs": climb.level.arcs}
    if climb.level is not climb.ground:
        state |= {f"level {name}": array for name, array in climb.level.rows._asdict().items()}
    for name, arrays in zip(_LISTS, (climb.maps, climb.tops, *climb.before)):
        state |= {name: len(arrays), **{f"{name} {k}": array for k, array in enumerate(arrays)}}
    state |= {name: getattr(climb, name) for name in _NUMBERS}
    return {**state, "plain": climb.start is climb.level.ids}


def take_climb(climb: Any, state: dict[str, Any]) -> None:
    """Let a climb that has not begun go on from a state."""
    level, names = climb.ground, [f"level {name}" for name in Rows._fields]
    if names[0] in state:
        level = Level(Rows(*(state[name] for name in names)), level.unit, level.total, int(state["arcs"]))
    climb.maps, climb.tops, *before = ([state[f"{name} {k}"] for k in range(state[name])] for name in _LISTS)
    climb.before = (climb.maps, climb.tops) if state["climbs"] == 1 else tuple(before)
    for name in _NUMBERS:
        setattr(climb, name, state[name])
    climb._take_turns(state["turns"], state["classes"])
    climb.begin(level, level.ids if state["plain"] else state["start"])
