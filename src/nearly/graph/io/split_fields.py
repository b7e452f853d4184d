"""A line cut into fields with care: quotes, doubled quotes, and blanks around what is not quoted."""

from __future__ import annotations

import re
from typing import NamedTuple

from nearly.graph.io.line_rules import BadLine

TAB, COMMA, SPACE = 9, 44, 32
OPEN_QUOTE = "a quoted field does not end on its line; close the quotes, or write the name on one line"
_QUOTED = re.compile(rb'"((?:[^"]|"")*)"')
_PLAIN = re.compile(r'[^\s,"#%][^\s,"]*')
_WORD = re.compile(rb"[^ \t\r]+")
_BLANKS = {TAB: re.compile(rb"[ \r]*"), COMMA: re.compile(rb"[ \t\r]*"), SPACE: re.compile(rb"[ \t\r]*")}


class OneField(NamedTuple):
    """A field of a line."""

    text: bytes
    quoted: bool


def split_fields(line: bytes, separator: int) -> list[OneField]:
    """The fields of a line."""
    blanks, mark = _BLANKS[separator], bytes([separator])
    at, fields = blanks.match(line).end(), []  # type: ignore[union-attr]
    while True:
        if line[at : at + 1] == b'"':
            found = _QUOTED.match(line, at)
            if found is None:
                raise BadLine(OPEN_QUOTE)
            fields.append(OneField(found[1].replace(b'""', b'"'), True))
            at = found.end()
        else:
            end = line.find(mark, at) if separator != SPACE else (_WORD.match(line, at) or re.match(b"", line)).end()  # type: ignore[union-attr]
            end = len(line) if end < 0 else max(end, at)
            fields.append(OneField(line[at:end].strip(b" \r" if separator == TAB else b" \t\r"), False))
            at = end
        before = at
        at = blanks.match(line, at).end()  # type: ignore[union-attr]
        if at >= len(line):
            return fields
        if separator != SPACE:
            if line[at : at + 1] != mark:
                raise BadLine("something stands behind the quotes of a field; put a separator there")
            at = blanks.match(line, at + 1).end()  # type: ignore[union-attr]
        elif at == before:
            raise BadLine("something stands behind the quotes of a field; put a blank there")


def separator_of(line: bytes) -> int:
    """What separates the fields of a line: a tab where there is one outside quotes, else a comma, else blanks."""
    outside = _QUOTED.sub(b'""', line)
    return TAB if b"\t" in outside.strip() else COMMA if b"," in outside else SPACE


def quoted(name: str) -> str:
    """A name as a field of any of our texts, in quotes where it needs them."""
    plain = _PLAIN.fullmatch(name) is not None
    return name if plain else '"' + name.replace('"', '""') + '"'
