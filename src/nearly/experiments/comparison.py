"""What comparing gives: rows of one form, and what was left out with the reason.

`speedup` is exact seconds over approximate ones under the same policy (the papers' number); `speedup_vs_best` is
against the fastest exact policy measured, `auto` always among them. `seconds` are medians of wall time around the
call, the graph already transformed. `preprocess_seconds` is that transformation, and what the first run builds once on
the new graph, such as its reverse. `break_even_runs` says after how many runs that is paid back; None is never.
"""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple, overload

from nearly.base.files import replacing

EXACT = "exact"
SAME_ERROR = "exact, stopped at the same error"


@dataclass(frozen=True)
class Row:
    """One contestant: an algorithm, exact or by a technique, under a policy. See the top of the file."""

    algorithm: str
    technique: str
    policy: str
    speedup: float
    speedup_vs_best: float
    inaccuracy: float
    guarantee: str
    seconds: float
    exact_seconds: float
    best_exact_seconds: float
    preprocess_seconds: float
    compile_seconds: float
    extra_space: float
    break_even_runs: float | None
    edges_touched: int
    rounds: int
    seed: int
    repeat: int
    knob: str | None = None
    value: Any = None
    note: str = ""
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether this is a row to compare with, rather than a technique's."""
        return self.technique in (EXACT, SAME_ERROR)

    @property
    def slower(self) -> bool:
        return self.speedup < 1

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_flat(self) -> dict[str, Any]:
        """As `to_dict`, each metric a column `metrics.<name>`."""
        flat = self.to_dict()
        finer = flat.pop("metrics")
        return flat | {f"metrics.{name}": value for name, value in finer.items()}


COLUMNS = [f.name for f in fields(Row) if f.name != "metrics"]


class Skip(NamedTuple):
    """A pair that was not measured."""

    algorithm: str
    technique: str
    policy: str
    reason: str


class Comparison(Sequence[Row]):
    """Rows in the order asked for; `.skipped` is what makes no sense or took too long, each with its reason."""

    def __init__(self, rows: Iterable[Row], skipped: Iterable[Skip] = ()) -> None:
        self._rows, self.skipped = list(rows), list(skipped)

    @overload
    def __getitem__(self, i: int) -> Row: ...
    @overload
    def __getitem__(self, i: slice) -> list[Row]: ...
    def __getitem__(self, i: int | slice) -> Row | list[Row]:
        return self._rows[i]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        return [row.to_dict() for row in self]

    def to_json(self) -> str:
        """Rows and what was skipped as one document; what is no finite number becomes null."""
        skipped = [skip._asdict() for skip in self.skipped]
        return json.dumps(plain({"rows": self.to_dicts(), "skipped": skipped}), indent=2, allow_nan=False)

    def to_pandas(self) -> Any:
        """A data frame with a column per field, and one per metric."""
        import pandas

        return pandas.DataFrame([row.to_flat() for row in self], columns=self.columns)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table with a column per field, and one per metric; what has no value is empty."""
        import io

        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self.columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {name: "" if value is None else value for name, value in row.to_flat().items()} for row in self
        )
        with replacing(path) as file:
            file.write(text.getvalue().encode())

    @property
    def columns(self) -> list[str]:
        extra = dict.fromkeys(f"metrics.{name}" for row in self for name in row.metrics)
        return [*COLUMNS, *extra]

    def __repr__(self) -> str:
        best = max((r for r in self if not r.is_exact), key=lambda r: r.speedup, default=None)
        told = "" if best is None else f", at most {best.speedup:.2f}x ({best.algorithm}, {best.technique})"
        return f"<Comparison of {len(self)} rows, {len(self.skipped)} skipped{told}>"


def plain(value: Any) -> Any:
    """What JSON can hold: None where a number is not finite."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
