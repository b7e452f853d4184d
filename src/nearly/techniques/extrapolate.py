"""Extrapolation: PageRank's rounds led on from one to the next, so that fewer are needed.

It pays where plain rounds converge slowly and most arcs have one back: road networks, grids, social networks. Where
it does not help, the rounds notice and go on plainly. How it works is in `nearly.techniques.extrapolate_rounds`.
"""

from __future__ import annotations

from typing import Any

from nearly.engine.knob import Knob
from nearly.engine.technique import Task, Technique, technique


@technique("extrapolate", seeds="PR", guarantees={"pagerank": "certified"})
class Extrapolate(Technique):
    """Lead PageRank's rounds on from one to the next (Chebyshev's semi-iteration)."""

    rate = Knob(
        "auto", "the slowest rate to speed up, of a plain round", exact=0.0, low=0, high=1, below=True, words=("auto",)
    )

    def in_rounds(self, task: Task) -> bool:
        return True

    def knobs(self, round: int) -> dict[str, Any]:
        return {"ahead": None if self.rate == "auto" else self.rate}
