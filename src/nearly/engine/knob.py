"""A technique's knob: one constructor argument with its range, its exact value and a meaning.

Everything that lists or turns knobs (constructors, the command line, the docs' tables, a tuner) reads them
from here, so a knob is described once, in the class body of its technique.
"""

from __future__ import annotations

import math
from typing import Any

from nearly.base.arguments import WHOLE, as_float, is_number, shown
from nearly.base.errors import InvalidArgumentError

NEVER = object()  # no value of the knob makes the technique exact by itself


class Knob:
    """One constructor argument of a technique.

    Parameters
    ----------
    default : its value when left out.
    meaning : one line.
    exact : the value at which it changes nothing, or NEVER.
    low, high : the range of numbers; None for a knob that takes no numbers.
    above, below : whether `low` and `high` themselves are left out.
    whole : whether numbers must be whole.
    words : values allowed besides numbers: names, None, True and False.
    function : whether a function of the user's is allowed too.
    mild : the number that changes least, where `exact` is none: an end of the range, or infinity. Budgets turn the knob
        towards it.
    """

    name: str
    owner: str

    def __init__(  # noqa: PLR0913
        self, default: Any, meaning: str, *, exact: Any = NEVER, low: float | None = None, high: float = math.inf,
        above: bool = False, below: bool = False, whole: bool = False, words: tuple[Any, ...] = (),
        function: bool = False, mild: float | None = None,
    ) -> None:  # fmt: skip
        self.default, self.meaning, self.exact = default, meaning, exact
        self.low, self.high, self.above, self.below = low, high, above, below
        self.whole, self.words, self.function = whole, words, function
        self.mild = exact if mild is None and is_number(exact) else mild

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.owner = name, owner.__name__

    def __get__(self, technique: Any, owner: type | None = None) -> Any:
        return self if technique is None else technique.__dict__[self.name]

    def __set__(self, technique: Any, value: Any) -> None:
        raise AttributeError(f"the knobs of a technique are set when it is made; make a new {self.owner}")

    @property
    def kind(self) -> type:
        """The type of its numbers, or of its words."""
        return (int if self.whole else float) if self.low is not None else type(self.words[0])

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        parts = [repr(word) for word in self.words]
        if self.low is not None:
            number = "a whole number" if self.whole else "a number"
            bounds = [f"above {self.low:g}" if self.above else f"at least {self.low:g}"]
            if self.high < math.inf:
                bounds.append(f"below {self.high:g}" if self.below else f"at most {self.high:g}")
            parts.insert(0, f"{number}, {' and '.join(bounds)}")
        if self.function:
            parts.append("a function")
        return ", or ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + f" or {parts[-1]}"

    @property
    def described(self) -> str:
        """The meaning as a sentence."""
        return f"{self.meaning[:1].upper()}{self.meaning[1:]}."

    def checked(self, value: Any) -> Any:
        """The value in its own type, or an error that names the allowed range."""
        if any(
            value is word or (isinstance(word, str) and isinstance(value, str) and value == word) for word in self.words
        ):
            return value
        if self.function and callable(value):
            return value
        if self.low is not None and is_number(value) and self._in_range(value):
            return int(value) if self.whole else float(value)
        raise InvalidArgumentError(f"{self.owner}: {self.name} must be {self.allowed}; not {shown(value)}")

    def _in_range(self, value: Any) -> bool:
        assert self.low is not None
        if abs(value) > WHOLE and self.whole:
            return False
        value = as_float(value)
        enough = value > self.low if self.above else value >= self.low
        not_too_much = value < self.high if self.below else value <= self.high
        return bool(enough and not_too_much and math.isfinite(value) and (not self.whole or value == int(value)))
