"""Printing: one JSON document for machines or tables for people; errors go to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_UNWATCHED_WIDTH = 160  # columns if the output goes to a file or a pipe, so that lines are not folded at 80

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]


@dataclass
class Settings:
    """The options of `nearly` itself."""

    debug: bool = False
    progress: bool | None = None


settings = Settings()


def console(stderr: bool = False) -> Console:
    """The console to print on; file names and numbers are printed as they are, never read as markup."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    watched = stream.isatty() or "COLUMNS" in os.environ
    return Console(
        stderr=stderr, width=None if watched else _UNWATCHED_WIDTH, markup=False, highlight=False, emoji=False
    )


def show(document: Mapping[str, Any], as_json: bool, *tables: RenderableType) -> None:
    """Print `document` as JSON, or else the tables."""
    if as_json:
        print(json.dumps(document, indent=2, allow_nan=False))
        return
    screen = console()
    for table in tables:
        screen.print(table)


def facts(title: str, pairs: Mapping[str, Any]) -> RenderableType:
    """A table of names and values."""
    from rich.table import Table

    table = _table(Table(title=title, show_header=False))
    for name, value in pairs.items():
        table.add_row(name, _text(value))
    return table


def rows(title: str, records: Iterable[Mapping[str, Any]]) -> RenderableType:
    """A table with a line for each record and the columns of the first; the leftmost column is never folded."""
    from rich.table import Table

    records = list(records)
    table = _table(Table(title=title))
    for name in records[0] if records else ():
        numbers = all(type(record.get(name, 0)) in (int, float) for record in records)
        side: Any = "right" if numbers else "left"
        table.add_column(name.replace("_", " "), no_wrap=not table.columns, overflow="fold", justify=side)
    for record in records:
        table.add_row(*(_text(record.get(name)) for name in records[0]))
    return table


def _table(table: Any) -> Any:
    from rich import box

    table.box, table.title_justify, table.title_style = box.SIMPLE, "left", "bold"
    return table


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if 0 < abs(value) < 0.01:
            return f"{value:.3g}"
        return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.1f}"
    return "-" if value is None else str(value)


def complain(message: str) -> None:
    """One message on standard error."""
    from rich.text import Text

    console(stderr=True).print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)
