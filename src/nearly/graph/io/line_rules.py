"""The rules of a line of data, and a careful reader of one line, which can say what is wrong with it.

It reads the lines that the compiled parser leaves over (see `scan.py`).
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from nearly.graph.io.header import LARGEST_ID

BLANKS = b" \t\r\n"
_QUOTED = re.compile(rb'"([^"]*)"')
_BETWEEN = re.compile(rb"[ \t\r]*,[ \t\r]*|[ \t\r]+")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


class Rules(NamedTuple):
    """What a line of data looks like."""

    columns: int  # numbers a line, 2 or 3
    weights: bool  # whether a third column is read
    comments: bytes = b"#%"  # the bytes that begin a comment
    lead: int = 0  # the byte that begins a line of data, or 0
    low: int = 0  # the least vertex; vertices are stored less this
    high: int = LARGEST_ID  # the largest vertex
    negative: str = "reject"  # the policies for weights
    nan: str = "reject"


def is_number(field: bytes) -> bool:
    """Whether a field is a number, of whatever kind."""
    return _NUMBER.fullmatch(field) is not None


class BadLine(Exception):
    """A line that breaks the rules; says why."""


def split_line(text: bytes) -> list[bytes]:
    """The columns of a line: blanks, or one comma with blanks around it, between them."""
    return _BETWEEN.split(text.strip(BLANKS))


def read_line(text: bytes, rules: Rules) -> tuple[int, int, float, int] | None:
    """One line read with care: the edge, its weight and the weight's kind; None for an edge that is to be dropped."""
    fields = [_QUOTED.sub(rb"\1", field) for field in split_line(text)]
    if rules.lead:
        if fields[0] != bytes([rules.lead]):
            raise BadLine(f"a line here must begin with {chr(rules.lead)!r}")
        fields = fields[1:]
    if b"" in fields:
        raise BadLine("a column is empty; write a number between the commas")
    if len(fields) != rules.columns:
        raise BadLine(
            f"expected {rules.columns} columns of numbers here, found {len(fields)}; "
            "give every line the columns of the first, and put # before a line that is no data"
        )
    u, v = (_read_vertex(field, rules.low, rules.high) for field in fields[:2])
    if not rules.weights:
        return u, v, 1.0, 0
    return weighed(u, v, fields[2], rules)


def _read_vertex(field: bytes, low: int, high: int) -> int:
    """The vertex id in `field`."""
    if field[:1] == b"-" and field[1:].isdigit():
        raise BadLine("vertex ids must not be negative; renumber them from 0")
    if not field.isdigit():
        raise BadLine("vertex ids must be whole numbers; put # before a line that is no data")
    digits = field.lstrip(b"0")
    value = int(digits or b"0") if len(digits) < 20 else LARGEST_ID + 1
    if value > LARGEST_ID:
        raise BadLine("vertex ids must be below 2**63; renumber them")
    if not low <= value <= high:
        raise BadLine(f"vertex {value} is out of range: the file says its vertices are {low} to {high}")
    return value


def weighed(u: int, v: int, field: bytes, rules: Rules) -> tuple[int, int, float, int] | None:
    from nearly.graph.io.word_kernels import BEYOND_FLOAT32, BEYOND_UINT32, FRACTION

    if not _NUMBER.fullmatch(field):
        raise BadLine("the weight must be a number; put # before a line that is no data")
    weight = float(field) + 0.0
    if not math.isfinite(weight):
        if rules.nan == "drop":
            return None
        raise BadLine("the weight must be finite; pass nan='drop' to leave such edges out")
    if weight < 0 and rules.negative != "keep":
        raise BadLine("the weight is negative; pass negative='keep' to allow it")
    whole = field.lstrip(b"+-").isdigit()
    kind = FRACTION if not whole else BEYOND_UINT32 if not 0 <= weight < 2**32 else 0
    return u, v, weight, kind | (BEYOND_FLOAT32 if abs(weight) > 2**24 else 0)
