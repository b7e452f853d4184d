"""What happened, round by round: frontier size, edges visited, milliseconds, and edges per second from those."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `extra` holds what an algorithm or a technique adds, such as a residual or a share of frozen edges."""

    round: int
    frontier: int
    edges: int
    milliseconds: float
    extra: dict[str, float] = field(default_factory=dict)

    @property
    def mteps(self) -> float:
        """Millions of edges visited per second."""
        return self.edges / self.milliseconds / 1000 if self.milliseconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        row = asdict(self)
        extra = row.pop("extra")
        return {**row, "mteps": self.mteps, **extra}


class Trace:
    """The rounds of one run, in order."""

    def __init__(self) -> None:
        self._rounds: list[Round] = []

    def add(self, frontier: int, edges: int, milliseconds: float, **extra: float) -> None:
        self._rounds.append(Round(len(self._rounds) + 1, int(frontier), int(edges), float(milliseconds), extra))

    @property
    def edges(self) -> int:
        """Edges visited in all rounds together."""
        return sum(r.edges for r in self._rounds)

    def __len__(self) -> int:
        return len(self._rounds)

    def __getitem__(self, i: int) -> Round:
        return self._rounds[i]

    def __iter__(self) -> Iterator[Round]:
        return iter(self._rounds)

    def to_list(self) -> list[dict[str, Any]]:
        return [r.to_dict() for r in self._rounds]

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} rounds, {self.edges:,} edges visited>"
