"""What the first lines of a text or CSV file say: comments, column names, separator, and which columns make the edges.

The columns that make edges are those called source and target, src and dst, or from and to, else the first two; the
weight is the column called weight or w, else the third where it holds numbers. A first line is one of names where it
says so: by these words, or because a number stands below a word. Beyond that a .csv begins with names, as tables do,
unless its first line holds numbers, or words that are ends of later edges; a .txt begins with an edge. Tabs separate
where there are any, else commas, else blanks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nearly.base.errors import GraphFormatError
from nearly.graph.data_frame import ENDS, WEIGHTS
from nearly.graph.io.content import Content, HeadLine
from nearly.graph.io.header import Header
from nearly.graph.io.line_rules import BadLine, is_number
from nearly.graph.io.read_options import Options
from nearly.graph.io.split_fields import SPACE, separator_of, split_fields

_COMMENTS = (b"#", b"%")
_HEADER_WITHIN = 1000  # a header of ours or of SNAP's begins within so many lines
_WHOLE = re.compile(rb"\d+")


class Head(NamedTuple):
    """What comes before the edges, and how they are written."""

    start: int  # the byte where they begin
    line: int  # and the line
    header: Header  # what the comments say
    first: list[bytes] | None  # the fields of the first edge; None where there is none
    separator: int = SPACE
    names: list[bytes] | None = None  # of the columns
    quotes: bool = False  # whether there are any in the first edge
    sure: bool = True  # whether the line of names can be nothing else
    source: int = 0  # which columns
    target: int = 1
    weight: int = -1

    @property
    def columns(self) -> int:
        """How many a line has."""
        return len(self.first or self.names or ())

    @property
    def in_order(self) -> bool:
        """Whether a line is source, target and perhaps weight, and nothing else."""
        ends = (self.source, self.target) == (0, 1)
        return ends and (self.columns == 2 if self.weight < 0 else self.columns == 3)

    @property
    def numbered(self) -> bool:
        """Whether the ends of the first edge are numbers, right ones or not."""
        return self.first is None or self.columns < 2 or all(is_number(end) for end in self._ends())

    @property
    def plain(self) -> bool:
        """Whether they are whole numbers as they should be."""
        return self.first is None or (self.columns > 1 and all(_WHOLE.fullmatch(end) for end in self._ends()))

    def _ends(self) -> tuple[bytes, bytes]:
        assert self.first is not None
        return self.first[self.source], self.first[self.target]


def read_head(content: Content, options: Options, table: bool = False) -> Head:
    """What comes before the edges; `table` says that names of columns are to be expected."""
    header, start, number = Header(), 0, 0
    lines: list[HeadLine] = []
    for found in content.lines():
        start, number = found.end, found.number
        if found.text.startswith(_COMMENTS) and not (table and lines):  # below the names of a table it is an edge
            if not lines and (found.number <= _HEADER_WITHIN or header.ours):
                header.read_at(found.text[1:], content.path, found.number)
        elif found.text:
            lines.append(found)
            if len(lines) == 2:
                break
    if not lines:
        return Head(start, number + 1, header, None)
    separator = separator_of(lines[0].text)
    split = [_fields(content, line, separator) for line in lines]
    named, sure = _has_names(split, options, table)
    names = split.pop(0) if named else None
    where, first = lines[-1] if named and len(lines) > 1 else lines[0], split[0] if split else None
    begin, line = (where.begin, where.number) if first is not None else (lines[0].end, lines[0].number + 1)
    head = _columns_picked(Head(begin, line, header, first, separator, names, b'"' in where.text, sure), options)
    last = max(head.source, head.target, head.weight)
    if first is not None and names is not None and 1 < len(first) <= last:
        why = f"the names of columns put an end or a weight into column {last + 1}, but this line has {len(first)}"
        raise GraphFormatError(content.path, where.number, where.text, f"{why}; give every line all columns")
    return head


def _fields(content: Content, line: HeadLine, separator: int) -> list[bytes]:
    try:
        return [field.text for field in split_fields(line.text, separator)]
    except BadLine as bad:
        raise GraphFormatError(content.path, line.number, line.text, str(bad)) from None


def _known_ends(fields: list[bytes]) -> tuple[int, int] | None:
    lower = [field.decode("utf-8", "replace").lower() for field in fields]
    return next(((lower.index(a), lower.index(b)) for a, b in ENDS if a in lower and b in lower), None)


def _has_names(split: list[list[bytes]], options: Options, table: bool) -> tuple[bool, bool]:
    """Whether the first line holds names of columns, and whether that is sure."""
    first = split[0]
    if options.header is not None:
        return options.header, True
    if all(map(_WHOLE.fullmatch, first[:2])):
        return False, True
    if _known_ends(first) is not None:
        return True, True
    below = split[1] if len(split) > 1 else []
    if len(below) == len(first) and any(is_number(b) and not is_number(a) for a, b in zip(first, below)):
        return True, True
    return table and not all(map(is_number, first[:2])), False


def _columns_picked(head: Head, options: Options) -> Head:
    """Which columns make the edges."""
    source, target, weight = 0, 1, -1
    if head.names is not None:
        source, target = _known_ends(head.names) or (0, 1)
        lower = [name.decode("utf-8", "replace").lower() for name in head.names]
        weight = next((lower.index(w) for w in WEIGHTS if w in lower and lower.index(w) not in (source, target)), -1)
        third = head.first[2] if head.first is not None and len(head.first) > 2 else b""
        if weight < 0 and head.columns > 2 and 2 not in (source, target) and is_number(third):
            weight = 2
    elif head.columns == 3:
        weight = 2
    return head._replace(source=source, target=target, weight=weight)
