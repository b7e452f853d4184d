"""What an algorithm returns: values, and how they came about.

`guarantee` is one of GUARANTEES, the same words in code, docs and tables. Fields that only some
algorithms have (`parents`, `edges`, `modularity`, ...) are attributes too; those given as functions are
computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nearly.engine.trace import Trace

GUARANTEES = ("exact", "upper bound", "lower bound", "certified", "estimated", "heuristic")


@dataclass(frozen=True)
class Certificate:
    """The outcome of checking a result on the original graph.

    ok : whether the claim holds.
    claim : what was checked, in words.
    bound : a bound on the error where one can be computed, else None.
    """

    ok: bool
    claim: str
    bound: float | None = None

    def __bool__(self) -> bool:
        return self.ok


class Result:
    """The answer of one run.

    values : the answer, one entry per vertex of the input unless the algorithm says otherwise.
    rounds, trace : how many rounds, and what happened in each.
    seconds, compile_seconds, preprocess_seconds : time running, compiling or loading kernels, transforming the graph.
    guarantee : how far the values can be trusted, one of `nearly.engine.result.GUARANTEES`.
    techniques : what was applied, in order.
    """

    def __init__(self, values: Any, *, guarantee: str = "exact", **fields: Any) -> None:
        if guarantee not in GUARANTEES:
            raise ValueError(f"guarantee must be one of {', '.join(GUARANTEES)}, not {guarantee!r}")
        self.values = values
        self.guarantee = guarantee
        self.algorithm = ""
        self.trace = Trace()
        self.seconds = self.compile_seconds = self.preprocess_seconds = 0.0
        self.techniques: tuple[Any, ...] = ()
        self._fields = fields
        self._certify: Callable[[Result], Certificate] | None = None

    @property
    def rounds(self) -> int:
        return len(self.trace)

    def certificate(self) -> Certificate:
        """Check the answer on the original graph, in time linear in its arcs."""
        if self._certify is None:
            raise NotImplementedError(f"{self.algorithm} has no certificate")
        return self._certify(self)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("_fields", {})
        if name not in fields:
            raise AttributeError(f"a result of {self.__dict__.get('algorithm') or 'this algorithm'} has no {name!r}")
        value = fields[name]
        if callable(value):
            value = fields[name] = value()
        return value

    @property
    def scalars(self) -> dict[str, Any]:
        """Those of the algorithm's own fields that are single numbers and already known."""
        kinds = (int, float, np.integer, np.floating)
        plain = {name: value for name, value in self._fields.items() if isinstance(value, kinds)}
        return {name: value.item() if isinstance(value, np.generic) else value for name, value in plain.items()}

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def __repr__(self) -> str:
        shape = f"{self.values.size:,} values" if isinstance(self.values, np.ndarray) else repr(self.values)
        return f"<Result of {self.algorithm}: {shape}, {self.guarantee}, {self.rounds} rounds, {self.seconds:.3g} s>"
