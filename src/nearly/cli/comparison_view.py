"""What `compare`, `sweep` and `demo` show: the tables for people, the document for machines, files and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nearly.base.errors import InvalidArgumentError
from nearly.cli import output
from nearly.cli.saving import check_target_file

if TYPE_CHECKING:
    from nearly.experiments.comparison import Comparison, Row, Skip

NOTES = (
    "speedup: exact seconds over these seconds, same policy. vs best: the same over the fastest exact policy measured. "
    "Seconds are medians of wall time; spread: how far the middle half of the runs is apart.\n"
    "preprocess: seconds to transform the graph, once. break-even: the number of runs that pay them back."
)

_FIRST_TO_GO = ("note", "spread", "seconds", "preprocess s", "break-even", "vs best", "guarantee")
_FOLDED = 30  # longer specifications take two lines on a narrow screen


class Wanted(NamedTuple):
    """What the user wants to see: files, and JSON instead of tables on standard output."""

    csv: Path | None = None
    plot: Path | None = None
    json: bool = False

    def check(self) -> None:
        """Refuse files that cannot be written before the work begins."""
        from nearly.experiments.pictures import check_picture

        check_target_file(self.csv, lambda path: None)
        check_target_file(self.plot, check_picture)


def present(found: Comparison, title: str, facts: dict[str, Any], wanted: Wanted, sweep: bool = False) -> None:
    """Write the files that are wanted, and print everything."""
    check_measured(found)
    told = document(found, **facts)
    told.update(save(found, wanted, title, sweep))
    output.show(told, wanted.json, *tables(title, found), *saved(told))


def check_measured(found: Comparison) -> None:
    """Raise an error if only exact runs could be measured."""
    if not any(not row.is_exact for row in found):
        told = (f"{skip.algorithm}, {skip.technique} ({skip.policy}): {skip.reason}" for skip in found.skipped)
        reasons = "; ".join(told) or "there is nothing to measure"
        raise InvalidArgumentError(f"nothing could be compared: {reasons}")


def save(found: Comparison, wanted: Wanted, title: str, sweep: bool = False) -> dict[str, str]:
    """Write the files that are wanted; their names for the document."""
    written = {}
    if wanted.csv is not None:
        found.to_csv(wanted.csv)
        written["csv"] = str(wanted.csv)
    if wanted.plot is not None:
        from nearly.experiments.comparison_charts import plot_comparison, plot_sweep

        (plot_sweep if sweep else plot_comparison)(found, wanted.plot, title)
        written["plot"] = str(wanted.plot)
    return written


def chart(found: Comparison) -> str:
    """Speedups as bars of text, for where no picture can be drawn."""
    from nearly.base.plain_text import bars_in_text

    rows = [row for row in found if not row.is_exact]
    labels = [f"{row.algorithm}, {row.technique}" for row in rows]
    told = [f"{times(row.speedup)}, {percent(row.inaccuracy)} off" for row in rows]
    return "\n".join(["speedup over exact", *bars_in_text(labels, [row.speedup for row in rows], 30, told)])


def saved(document: dict[str, Any]) -> list[str]:
    """Lines that name the files written."""
    words = {"csv": "written", "plot": "drawn"}
    return [f"{word}: {document[key]}" for key, word in words.items() if key in document]


def document(found: Comparison, **facts: Any) -> dict[str, Any]:
    """The document for machines."""
    from nearly.experiments.comparison import plain

    skipped = [skip._asdict() for skip in found.skipped]
    facts |= {"busy": found.busy, "doubts": found.doubts}
    return plain({**facts, "rows": found.to_dicts(), "skipped": skipped})


def tables(title: str, found: Comparison) -> list[Any]:
    """The tables for people. Columns that would say the same in every row are left out."""
    from nearly.experiments.comparison import SAME_ERROR

    knob = next((row.knob for row in found if row.knob is not None), None)
    lines = [_line(row, knob) for row in found]
    same = [name for name, usual in (("policy", "auto"), ("note", "")) if all(line[name] == usual for line in lines)]
    if all(row.speedup == row.speedup_vs_best for row in found):
        same.append("vs best")
    if all(row.spread is None for row in found):
        same.append("spread")
    kept, left_out = _fitting([{k: text for k, text in line.items() if k not in same} for line in lines])
    shown = [output.rows(title, kept), NOTES]
    if any(row.technique == SAME_ERROR for row in found):
        shown.append("same error: the exact method, stopped as soon as it was as good as the technique above it.")
    if found.doubts:
        shown.append(f"warning: {found.doubts}.")
    if left_out:
        shown.append(f"Left out, the screen is too narrow: {', '.join(left_out)}; --json and --csv have all.")
    if found.skipped:
        shown += ["", output.rows("not measured", _skipped(found.skipped))]
    return shown


def _fitting(lines: list[dict[str, str]]) -> tuple[list[dict[str, str]], list[str]]:
    """The lines without the columns for which the screen has no room, and the names of those."""
    room, left_out = output.console().width, []
    for name in _FIRST_TO_GO:
        widths = {k: max(len(k), *(len(line[k]) for line in lines)) for k in lines[0]}
        widths["technique"] = min(widths["technique"], _FOLDED)
        if sum(widths.values()) + 3 * len(widths) + 1 <= room:
            break
        if name in lines[0]:
            lines = [{k: text for k, text in line.items() if k != name} for line in lines]
            left_out.append(name)
    return lines, left_out


def _line(row: Row, knob: str | None) -> dict[str, str]:
    from nearly.experiments.comparison import SAME_ERROR

    rounds, stopped = row.note.partition(", for ")[0], row.technique == SAME_ERROR  # the row above says for what
    never = "never" if row.break_even_runs is None else f"{row.break_even_runs:,.1f}"
    return {
        **({"algorithm": row.algorithm} if knob is None else {knob: "-" if row.knob is None else str(row.value)}),
        "technique": f"exact, same error ({rounds})" if stopped else row.technique,
        "policy": row.policy,
        "seconds": f"{row.seconds:.4g}",
        "spread": "-" if row.spread is None else f"{100 * row.spread:.0f}%" + ("" if row.settled else ", unsettled"),
        "speedup": times(row.speedup),
        "vs best": f"{row.speedup_vs_best:.2f}x",
        "inaccuracy": percent(row.inaccuracy),
        "preprocess s": "-" if row.is_exact else f"{row.preprocess_seconds:.3g}",
        "break-even": "-" if row.is_exact else never,
        "guarantee": row.guarantee,
        "note": "" if stopped else _note(row),
    }


def _note(row: Row) -> str:
    if not row.choice:
        return row.note
    bound = "" if row.bound is None else f", error told {row.bound:.2g}"
    return f"by {row.choice}{bound}"


def times(speedup: float) -> str:
    """A speedup, marked if it is a slowdown.

    >>> times(2), times(0.5), times(1.001)
    ('2.00x', '0.50x, slower', '1.00x')
    """
    return f"{speedup:.2f}x" + (", slower" if speedup < 0.995 else "")


def percent(share: float) -> str:
    """
    >>> percent(0), percent(0.0123), percent(1e-9)
    ('0%', '1.23%', '1e-07%')
    """
    return f"{100 * share:.3g}%"


def _skipped(skipped: Iterable[Skip]) -> list[dict[str, Any]]:
    """What was skipped, with the policies that have the same reason on one line."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for skip in skipped:
        grouped.setdefault((skip.algorithm, skip.technique, skip.reason), []).append(skip.policy)
    return [
        {"algorithm": algorithm, "technique": technique, "policy": " ".join(policies), "why": reason}
        for (algorithm, technique, reason), policies in grouped.items()
    ]
