"""The files of recorded figures, `data/<topic>.json`: reading, writing, and how a cell is printed.

A topic is a dictionary:

- `topic`, `title`, and `command`, the one that measures it;
- `recorded`: `date`, `commit` and `load` (how busy the machine was), for all tables that do not say otherwise. The
  commit is that of the code measured, or, of figures older than these files, the one that wrote them down;
- `conditions`: how it was measured, in words; `text`: paragraphs for the top of the page;
- `claims`: the rows of the summary (see `render`);
- `tables`: each with `title`, `columns`, `rows` and, where needed, `text` (before the table), `notes` (after it),
  `recorded` of its own, `formats`, and `replaced_by` (the title of a new table that makes this one obsolete).

Numbers are kept with the digits they were recorded with: 0.0310 stays 0.0310, because its last zero was measured. A
cell of two numbers, such as seconds and a ratio, is a list; `formats` says by column how cells are printed, for
instance `{} ({}x)`, or `{:,}` for a comma between thousands. A cell that is not there is null and printed as `-`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent / "data"

Topic = dict[str, Any]
Table = dict[str, Any]


class Number(float):
    """A number that remembers the digits it was written with."""

    digits: str

    def __new__(cls, digits: str) -> Number:
        number = super().__new__(cls, digits)
        number.digits = digits
        return number

    def __format__(self, spec: str) -> str:
        whole, point, rest = self.digits.partition(".")
        if "," in spec:
            whole = f"{int(whole):,}" if whole.lstrip("-").isdigit() else whole
        sign = "+" if "+" in spec and not whole.startswith("-") else ""
        return sign + whole + point + rest


def load(path: Path) -> Topic:
    return json.loads(path.read_text(encoding="utf-8"), parse_float=Number)


def load_all(folder: Path = DATA) -> dict[str, Topic]:
    """All topics by name, in alphabetical order."""
    return {path.stem: load(path) for path in sorted(folder.glob("*.json"))}


def save(topic: Topic, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dumps(topic) + "\n", encoding="utf-8")


def dumps(value: Any, indent: str = "") -> str:
    """JSON with one row of a table on a line, and with the digits of a `Number` as they are."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        pairs = [f"{deeper}{_scalar(key)}: {_member(key, each, deeper)}" for key, each in value.items()]
        return "{\n" + ",\n".join(pairs) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(deeper + dumps(each, deeper) for each in value) + f"\n{indent}]"
    return _scalar(value)


def _member(key: str, value: Any, indent: str) -> str:
    if key in ("columns", "recorded", "formats", "cell"):
        return _line(value)
    if key == "rows" and value:
        return "[\n" + ",\n".join(f"{indent}  {_line(row)}" for row in value) + f"\n{indent}]"
    return dumps(value, indent)


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_line(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_line, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    return value.digits if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def cell_text(cell: Any, template: str = "{}") -> str:
    """A cell as the page shows it."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    return template.format(*cell) if isinstance(cell, list) else template.format(cell)


def table_text(table: Table) -> str:
    """The rows of a table as Markdown, without title and notes."""
    columns, formats = table["columns"], table.get("formats", {})
    lines = [" | ".join(columns), "---" + "|---" * (len(columns) - 1)]
    for row in table["rows"]:
        lines.append(" | ".join(cell_text(cell, formats.get(name, "{}")) for name, cell in zip(columns, row)))
    head, rule, *body = lines
    return "\n".join([f"| {head} |", f"|{rule}|", *(f"| {line} |" for line in body)])


def recorded(topic: Topic, part: dict[str, Any]) -> dict[str, Any]:
    """When, at which commit and under which load a table or claim of a topic was recorded."""
    return {**topic["recorded"], **part.get("recorded", {})}
