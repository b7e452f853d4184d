"""What happened, round by round: frontier size, edges visited, milliseconds, and edges per second from those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The rounds of one run, in order.

    A step may have made thousands of rounds in a few milliseconds, so what it did is kept as it came and spelled out
    when somebody looks.
    """

    def __init__(self) -> None:
        self._spelled: list[Round] = []
        self._steps: list[tuple[Sequence[Any], float]] = []
        self._count = 0

    def add_step(self, did: Sequence[Any], milliseconds: float) -> None:
        """What one step did in so many milliseconds, as a sequence of `Did`."""
        self._steps.append((did, milliseconds))
        self._count += len(did)

    def _rounds(self) -> list[Round]:
        steps, self._steps = self._steps, []
        for did, milliseconds in steps:
            shares = sum(r.share for r in did) or 1.0
            for r in did:
                extra = dict(r.extra) if r.changed is None else {**r.extra, "changed": r.changed}
                time = milliseconds * r.share / shares
                self._spelled.append(Round(len(self._spelled) + 1, int(r.frontier), int(r.edges), time, extra))
        return self._spelled

    @property
    def edges(self) -> int:
        """Edges visited in all rounds together."""
        return sum(r.edges for r in self._rounds())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, i: int) -> Round:
        return self._rounds()[i]

    def __iter__(self) -> Iterator[Round]:
        return iter(self._rounds())

    def to_list(self) -> list[dict[str, Any]]:
        return [r.to_dict() for r in self._rounds()]

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} rounds, {self.edges:,} edges visited>"
