"""What happened, round by round: frontier size, edges visited, milliseconds, and edges per second from those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple


class Did(NamedTuple):
    """What one round did.

    `share` is its part of the step's time (any unit). `changed` counts the vertices it changed; None says that the
    run must not end here, because the round is only part of one.
    """

    frontier: int
    edges: int
    share: float = 1.0
    extra: dict[str, float] = {}  # noqa: RUF012  (never written to)
    changed: int | None = None


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
        """The round as plain values, one key for each number."""
        row = asdict(self)
        extra = row.pop("extra")
        return {**row, "mteps": self.mteps, **extra}


@dataclass(repr=False, eq=False)
class Trace:
    """The rounds of one run, in order.

    A step may have made thousands of rounds in a few milliseconds, so what it did is kept as it came, and made into
    objects of `Round` when they are read.
    """

    steps: list[tuple[Sequence[Did], float]] = field(default_factory=list)  # what each did, and its milliseconds
    count: int = 0  # rounds of all steps
    spelled: list[Round] = field(default_factory=list)

    def add_step(self, did: Sequence[Did], milliseconds: float) -> None:
        """What one step did in so many milliseconds."""
        self.steps.append((did, milliseconds))
        self.count += len(did)

    def _rounds(self) -> list[Round]:
        steps, self.steps = self.steps, []
        for did, milliseconds in steps:
            shares = sum(r.share for r in did) or 1.0
            for r in did:
                extra = dict(r.extra) if r.changed is None else {**r.extra, "changed": r.changed}
                time = milliseconds * r.share / shares
                self.spelled.append(Round(len(self.spelled) + 1, int(r.frontier), int(r.edges), time, extra))
        return self.spelled

    @property
    def edges(self) -> int:
        """Edges visited in all rounds together."""
        return sum(r.edges for r in self._rounds())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> Round:
        return self._rounds()[i]

    def __iter__(self) -> Iterator[Round]:
        return iter(self._rounds())

    def to_list(self) -> list[dict[str, Any]]:
        """The rounds as plain dictionaries."""
        return [r.to_dict() for r in self._rounds()]

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} rounds, {self.edges:,} edges visited>"
