"""A plan: the candidates that were weighed for a question, what each was predicted to cost, and the choice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from nearly.engine.budget import Budget


@dataclass(frozen=True)
class Candidate:
    """One way to answer.

    name : "exact", an estimator, or a technique with its knobs.
    level : the guarantee its answer would have.
    seconds : the predicted time; infinite where it cannot keep the budget, None where it was not worth predicting.
    error : the predicted error; None where nothing is known of it.
    why : why it was chosen or not.
    chosen : whether it was.
    """

    name: str
    level: str
    seconds: float | None
    error: float | None
    why: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Plan:
    """How a budget is spent; prints as a table.

    algorithm : what is asked.
    budget : what the answer may cost.
    candidates : what was weighed, the chosen one first.
    choice : the name of the chosen one.
    why : why it was chosen.
    fell_back : why the chosen one was left for exact after all; "" where it was not.
    """

    algorithm: str
    budget: Budget
    candidates: tuple[Candidate, ...]
    choice: str
    why: str
    fell_back: str = ""

    def __str__(self) -> str:
        rows = [("", "candidate", "predicted s", "predicted error", "guarantee", "why")]
        for one in self.candidates:
            error = "-" if one.error is None else f"{one.error:.3g}"
            rows.append(("*" if one.chosen else "", one.name, _seconds(one.seconds), error, one.level, one.why))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        asked = [f"{name}={value:g}" for name, value in self.asked().items()]
        head = f"{self.algorithm} within {', '.join(asked)}: {self.choice}, because {self.why}"
        return "\n".join([head, *lines, *([f"went back to exact: {self.fell_back}"] if self.fell_back else [])])

    def _repr_html_(self) -> str:
        from nearly.base.html import html_table

        rows = [
            [
                "chosen" if one.chosen else "", one.name, _seconds(one.seconds),
                "-" if one.error is None else f"{one.error:.3g}", one.level, one.why,
            ]
            for one in self.candidates
        ]  # fmt: skip
        heads = ["", "candidate", "predicted seconds", "predicted error", "guarantee", "why"]
        back = f"; went back to exact: {self.fell_back}" if self.fell_back else ""
        return html_table(heads, rows, f"{self.algorithm}: {self.choice}, because {self.why}{back}")

    def renamed(self, choice: str) -> Plan:
        """The same plan where the chosen candidate has got another name, such as that of another setting."""
        if choice == self.choice:
            return self
        rows = [replace(one, name=choice) if one.chosen else one for one in self.candidates]
        return replace(self, candidates=tuple(rows), choice=choice)

    def asked(self) -> dict[str, float]:
        """The limits that were given."""
        limits = {"max_error": self.budget.max_error, "max_seconds": self.budget.max_seconds}
        return {name: value for name, value in limits.items() if value is not None}

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        rows = [
            {
                "name": one.name, "level": one.level, "error": one.error, "why": one.why, "chosen": one.chosen,
                "seconds": None if one.seconds is None or math.isinf(one.seconds) else one.seconds,
            }
            for one in self.candidates
        ]  # fmt: skip
        told = {"algorithm": self.algorithm, **self.asked(), "confidence": self.budget.confidence}
        return {**told, "choice": self.choice, "why": self.why, "fell_back": self.fell_back, "candidates": rows}


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return "never" if math.isinf(seconds) else f"{seconds:.2g}" if seconds < 100 else f"{seconds:,.0f}"
