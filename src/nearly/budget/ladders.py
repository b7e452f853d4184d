"""Ladders: the settings of a technique from the one that changes most to the one that changes least, for budgets.

A knob is turned if it takes numbers, has one now, and has an end that is exact or nearly so (`Knob.mild`). Its distance
from that end is multiplied by powers of the square root of 2 (where the end is infinite, the number is divided by
them). A knob at its default is turned both ways. One that the caller set to another number is turned towards exact
only: the caller's setting is the boldest that is tried. All other knobs stay as they are, also those that hold a word
such as "auto". Several techniques climb together, each the same fraction of its own way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from nearly.base.arguments import is_number
from nearly.base.errors import InvalidArgumentError
from nearly.engine.knob import Knob
from nearly.engine.technique import Technique

_BOLDER, _MILDER = 8, 14  # rungs below and above the setting given: 16 times the distance, and a 128th of it
_STEP = math.sqrt(2)


def ladder(technique: Technique) -> list[Technique]:
    """The settings of a technique, the boldest first; just the technique itself where no knob can be turned.

    Examples
    --------
    >>> import nearly
    >>> [round(rung.keep, 2) for rung in ladder(nearly.PartialEdges())[:6]]
    [0.15, 0.4, 0.58, 0.7, 0.79, 0.85]
    >>> ladder(nearly.PartialEdges(keep=0.5))[0].keep
    0.5
    >>> len(ladder(nearly.ClusterLocality()))
    1
    """
    turned = [knob for knob in technique.dials.values() if _turns(knob, technique.settings[knob.name])]
    if not turned:
        return [technique]
    given = any(technique.settings[knob.name] != knob.default for knob in turned)
    rungs: list[Technique] = []
    for rung in range(0 if given else -_BOLDER, _MILDER + 1):
        knobs = {knob.name: _moved(knob, technique.settings[knob.name], _STEP**-rung) for knob in turned}
        try:
            made = type(technique)(**{**technique.settings, **knobs})
        except InvalidArgumentError:
            continue  # beyond the range of a knob
        if made not in rungs[-1:]:
            rungs.append(made)
    return rungs


def common_ladder(techniques: Sequence[Technique]) -> list[tuple[Technique, ...]]:
    """The settings of several techniques that are applied together, the boldest first."""
    ladders = [ladder(technique) for technique in techniques]
    last = max(len(rungs) for rungs in ladders) - 1
    made = [tuple(rungs[round(i * (len(rungs) - 1) / max(last, 1))] for rungs in ladders) for i in range(last + 1)]
    return list(dict.fromkeys(made))


def _turns(knob: Knob, value: Any) -> bool:
    return knob.low is not None and knob.mild is not None and is_number(value) and value != knob.mild


def _moved(knob: Knob, value: float, factor: float) -> float:
    """The value at `factor` times its distance from the mild end."""
    assert knob.mild is not None
    made = value / factor if math.isinf(knob.mild) else knob.mild + (value - knob.mild) * factor
    return round(made) if knob.whole else float(f"{made:.6g}")
