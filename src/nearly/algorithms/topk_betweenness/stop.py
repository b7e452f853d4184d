"""When a search for the top k ends: rules in words, alone or combined.

`share=0.1`: a tenth of the sources. `stable=0.95`: 95% of the top k were already there when half as many sources (or
samples) had been used. If sources are drawn at random that is a fair guess of how many are right: on average, sums over
the first half are at least as far from those over all sources used as these are from the exact ones. `seconds=60`: a
time budget, the only rule whose outcome depends on the machine. `separated`: sampling has shown that no other vertex
belongs to the top k.
`a+b` asks for both, `a,b` for one of the two; a plain number is a share.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

from nearly.base.arguments import shown
from nearly.base.errors import InvalidArgumentError
from nearly.base.jit import compile_seconds

_FORM = (
    "stop must be None, a share of the sources, or rules such as 'stable=0.95', 'share=0.1,seconds=60' (either) or "
    "'share=0.02+stable=0.9' (both)"
)
_KINDS = {
    "share": "brandes",
    "stable": "",
    "seconds": "",
    "separated": "sampling",
}  # the one method that a rule belongs to
FEWEST = 8  # batches before which nothing counts as stable


class State(NamedTuple):
    """What rules look at."""

    share: float  # of the sources, done
    stable: float  # of the top k, there at half time
    batches: int
    separated: bool = False


class Stop:
    """Rules, read from what a caller gave.

    >>> Stop("share=0.1+stable=0.9,seconds=60", "brandes").sources(1000)
    1000
    >>> Stop(0.1, "brandes").sources(1000)
    100
    """

    def __init__(self, given: Any, method: str) -> None:
        self.rules = [] if given is None else _rules(given, method)
        self._since = time.perf_counter() - compile_seconds()

    def sources(self, n: int) -> int:
        """After how many of n sources a share, alone, ends the search; n if there is none."""
        alone = [rule[0][1] for rule in self.rules if len(rule) == 1 and rule[0][0] == "share"]
        return math.ceil(round(min([1.0, *alone]) * n, 9))

    def asks(self, name: str) -> bool:
        """Whether a rule of this name is among them."""
        return any(name == part for rule in self.rules for part, _ in rule)

    def met(self, state: State) -> str:
        """The first rule that says stop, in words; empty if none does."""
        for rule in self.rules:
            if all(self._holds(name, value, state) for name, value in rule):
                return "+".join(name if name == "separated" else f"{name}={value:g}" for name, value in rule)
        return ""

    def _holds(self, name: str, value: float, state: State) -> bool:
        if name == "seconds":
            return time.perf_counter() - compile_seconds() - self._since >= value
        if name == "stable":
            return state.batches >= FEWEST and state.stable >= value
        return state.share >= value if name == "share" else state.separated


def _rules(given: Any, method: str) -> list[list[tuple[str, float]]]:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = f"share={given}"
    if not isinstance(given, str):
        raise InvalidArgumentError(f"{_FORM}; not {shown(given)}")
    return [[_part(part, given, method) for part in rule.split("+")] for rule in given.split(",")]


def _part(part: str, given: str, method: str) -> tuple[str, float]:
    name, equals, text = part.strip().partition("=")
    try:
        value = float(text) if equals else 1.0 if name == "separated" else math.nan
    except ValueError:
        value = math.nan
    if name not in _KINDS or not 0 < value < math.inf or (name in ("share", "stable") and value > 1):
        raise InvalidArgumentError(f"{_FORM}; not {shown(given)}")
    if _KINDS[name] not in ("", method):
        raise InvalidArgumentError(f"the rule {name!r} in stop belongs to method {_KINDS[name]!r}, not {method!r}")
    return name, value
