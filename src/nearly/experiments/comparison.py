"""The result of a comparison: rows of one form, and what was left out with the reason."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple, overload

from nearly.base.files import replacing
from nearly.experiments.machine_load import BUSY

EXACT = "exact"
SAME_ERROR = "exact, stopped at the same error"


@dataclass(frozen=True)
class Row:
    """One measured contestant: an algorithm, exact or by a technique, under a policy.

    Attributes
    ----------
    algorithm, technique, policy : str
        What ran; `technique` is a specification, "exact", "exact, stopped at the same error", or "budget 0.05".
    speedup : float
        Exact seconds over these seconds, both under the same policy: the number that papers report.
    speedup_vs_best : float
        The seconds of the fastest exact policy that was measured, over these; "auto" is always measured.
    inaccuracy : float
        How far the answer is from the exact one; see `nearly.accuracy.inaccuracy`.
    guarantee : str
        What the answer promises, such as "exact" or "upper bound".
    seconds : float
        The median of the wall time of a call on the graph that is transformed already.
    exact_seconds, best_exact_seconds : float
        The same for the exact run under this policy, and under the fastest one.
    preprocess_seconds : float
        Seconds to transform the graph, and to build what the first run builds once on it, such as its reverse.
    compile_seconds : float
        Seconds spent compiling, which are in none of the others.
    extra_space : float
        How much larger the transformed graph is, as a share of the given one.
    break_even_runs : float or None
        After how many runs the preprocessing is paid back; None is never.
    edges_touched, rounds : int
        How many edges were visited, in how many rounds.
    seed, repeat : int
        The seed, and how many runs were measured: as many as were asked for, or more until the median was settled.
    spread : float or None
        How far the middle half of the measured times is apart, relative to the median; None of fewer than three runs.
    settled : bool
        Whether more runs would hardly have moved the median. It is false on a busy machine, and the row is doubtful.
    knob : str or None
        The knob that a sweep turns.
    value : object
        The knob's value.
    note : str
        What else should be known about the row.
    choice : str
        What the planner chose, in a row of a budget; "" in others.
    bound : float or None
        The bound on the error that the answer of such a row gave.
    metrics : dict of str to float
        Finer measures of the error; see `nearly.accuracy.metrics`.
    """

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
    spread: float | None = None
    settled: bool = True
    knob: str | None = None
    value: Any = None
    note: str = ""
    choice: str = ""
    bound: float | None = None
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether the row is of an exact method, to compare techniques with."""
        return self.technique in (EXACT, SAME_ERROR)

    @property
    def slower(self) -> bool:
        """Whether it took longer than the exact run under the same policy."""
        return self.speedup < 1

    def to_dict(self) -> dict[str, Any]:
        """The columns by name."""
        return asdict(self)

    def to_flat(self) -> dict[str, Any]:
        """As `to_dict`, each metric a column `metrics.<name>`."""
        flat = self.to_dict()
        finer = flat.pop("metrics")
        return flat | {f"metrics.{name}": value for name, value in finer.items()}


COLUMNS = [f.name for f in fields(Row) if f.name != "metrics"]


class Skip(NamedTuple):
    """A pair of algorithm and technique that was not measured under a policy, and the reason."""

    algorithm: str
    technique: str
    policy: str
    reason: str


class Comparison(Sequence[Row]):
    """The rows of a comparison, a sequence of `Row` in the order asked for.

    Attributes
    ----------
    skipped : list of Skip
        What makes no sense or took too long, each with its reason.
    columns : list of str
        The columns of a table of the rows.
    busy : float or None
        The share of the cores that other programs used meanwhile; None where it is not known.

    Examples
    --------
    >>> import nearly
    >>> g = nearly.generate.rmat(6, 4, seed=1)
    >>> found = nearly.compare(g, "bfs", "partial-edges:keep=0.5", repeat=1)
    >>> len(found), found[0].technique, found.skipped
    (2, 'exact', [])
    """

    def __init__(self, rows: Iterable[Row], skipped: Iterable[Skip] = (), busy: float | None = None) -> None:
        self._rows, self.skipped, self.busy = list(rows), list(skipped), busy

    @property
    def doubts(self) -> str:
        """Why the times should be doubted, in words; "" where nothing speaks against them."""
        said = []
        if self.busy is not None and self.busy > BUSY:
            said.append(f"other programs used {100 * self.busy:.0f}% of the cores while this was measured")
        loose = sum(not row.settled for row in self)
        if loose:
            said.append(f"the times of {loose} of {len(self)} rows still varied when the runs ended")
        return "; ".join(said) + (": do not rely on the speedups" if said else "")

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
        """The rows as dictionaries."""
        return [row.to_dict() for row in self]

    def to_json(self) -> str:
        """The rows and what was skipped as one document; a number that is not finite becomes null."""
        skipped = [skip._asdict() for skip in self.skipped]
        return json.dumps(plain({"rows": self.to_dicts(), "skipped": skipped}), indent=2, allow_nan=False)

    def to_pandas(self) -> Any:
        """A data frame with a column per field, and one per metric."""
        import pandas

        return pandas.DataFrame([row.to_flat() for row in self], columns=self.columns)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table with a column per field, and one per metric; a cell without a value is empty."""
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
        """The columns of a table of the rows: the fields of `Row`, then one for each metric."""
        extra = dict.fromkeys(f"metrics.{name}" for row in self for name in row.metrics)
        return [*COLUMNS, *extra]

    def _repr_html_(self) -> str:
        from nearly.base.html import html_table

        heads = ["algorithm", "technique", "policy", "seconds", "speedup", "vs best", "inaccuracy", "guarantee"]
        rows = [
            [
                row.algorithm, row.technique, row.policy, f"{row.seconds:.4g}", f"{row.speedup:.2f}x",
                f"{row.speedup_vs_best:.2f}x", f"{100 * row.inaccuracy:.3g}%", row.guarantee,
            ]
            for row in self
        ]  # fmt: skip
        left = [f"{len(self.skipped)} not measured, see .skipped"] if self.skipped else []
        return html_table(heads, rows, "; ".join([*left, *([self.doubts] if self.doubts else [])]))

    def __repr__(self) -> str:
        best = max((r for r in self if not r.is_exact), key=lambda r: r.speedup, default=None)
        told = "" if best is None else f", at most {best.speedup:.2f}x ({best.algorithm}, {best.technique})"
        doubts = f"; {self.doubts}" if self.doubts else ""
        return f"<Comparison of {len(self)} rows, {len(self.skipped)} skipped{told}{doubts}>"


def row_of(found: Comparison, algorithm: str, technique: str, policy: str) -> Row | None:
    """The row of a contestant; None if it was not measured."""
    wanted = algorithm, technique, policy
    return next((row for row in found if (row.algorithm, row.technique, row.policy) == wanted), None)


def plain(value: Any) -> Any:
    """The same for JSON: None in place of a number that is not finite."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
