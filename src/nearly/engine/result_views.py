"""Which rows of a result matter most, by the kind of answer that its class declares (`shows`).

- "scores": the greatest first. "cores", "spread": likewise.
- "distances": the nearest first, those that are not reached left out.
- "parts": the largest parts first, each with its size and its first member; "classes": the same where labels are no
  vertices, as colours.
- "members": those that are in the set.
- "edges": the heaviest edges first.
- "number", "hops": the one row there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nearly.engine.result_columns import Columns, is_number, table_of, value_name
from nearly.engine.result_table import ResultTable
from nearly.engine.result_words import in_words
from nearly.engine.vertex_names import names_of

if TYPE_CHECKING:
    from nearly.engine.result import Result

KINDS = ("scores", "distances", "parts", "classes", "cores", "spread", "members", "edges", "number", "hops")


def kind_of(result: Result) -> str:
    """The kind of answer that it is, also where its class says nothing or an estimate left out the values."""
    if is_number(result):
        return "hops" if result.shows == "hops" else "number"
    if result.shows == "scores" and np.asarray(result.values).dtype.kind == "b":
        return "members"
    return result.shows


def first_rows(result: Result, k: int) -> ResultTable:
    """The first k rows by what matters most in this kind of answer."""
    kind = kind_of(result)
    if kind in ("parts", "classes"):
        return _largest_parts(result, k, kind == "parts")
    made = table_of(result)
    if kind in ("number", "hops"):
        return ResultTable(made, in_words(result))
    values = made.columns[made.value]
    among = values.size
    if kind == "members":
        members = np.flatnonzero(values)
        chosen, among = members[:k], members.size
    elif kind == "distances":
        reached = np.flatnonzero(np.isfinite(values) & (values >= 0))
        chosen = reached[first(-values[reached].astype(np.float64), k)]
    elif "vertices" in vars(result) and "scores" in result.fields:  # ranked already
        chosen = np.arange(min(k, values.size))
    else:
        chosen = first(values, k)
    picked = {name: column[chosen] for name, column in made.columns.items()}
    note = f"{len(chosen):,} of {among:,}; {in_words(result)}"
    return ResultTable(made._replace(columns=picked), note)


def first(values: np.ndarray, k: int) -> np.ndarray:
    """Where the k greatest are, greatest first, the earlier of equal ones first."""
    values = np.nan_to_num(values.astype(np.float64), nan=-np.inf)
    if k < values.size // 4:  # no need to sort all
        least = np.partition(values, values.size - k)[values.size - k]
        above = np.flatnonzero(values > least)
        level = np.flatnonzero(values == least)[: k - above.size]
        near = np.sort(np.concatenate([above, level]))
        return near[np.argsort(-values[near], kind="stable")]
    return np.argsort(-values, kind="stable")[:k]


def part_sizes(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """The labels of the parts and their sizes, the largest first; -1 marks what is in none."""
    values = np.asarray(result.values)
    labels, sizes = np.unique(values[values >= 0], return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return labels[order], sizes[order]


def _largest_parts(result: Result, k: int, named: bool) -> ResultTable:
    labels, sizes = part_sizes(result)
    name, what = value_name(result), "arcs" if result.per == "arc" else "vertices"
    columns = {name: labels[:k], what: sizes[:k]}
    if named and result.per == "vertex":
        columns["first member"] = names_of(result._graph, labels[:k])
    note = f"{min(k, labels.size):,} of {labels.size:,}; {in_words(result)}"
    return ResultTable(Columns(columns, (name,), what), note)
