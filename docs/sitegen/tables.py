"""Tables and headings of generated pages, in the syntax of reStructuredText."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def heading(text: str, mark: str = "=") -> str:
    return f"{text}\n{mark * len(text)}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "", stubs: int = 0) -> str:
    """A list-table; cells are reStructuredText of one line."""
    options = [
        ":header-rows: 1",
        *([f":stub-columns: {stubs}"] if stubs else []),
        *([f":class: {kind}"] if kind else []),
    ]
    lines = [".. list-table::", *(f"   {option}" for option in options), ""]
    for row in (head, *rows):
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}".rstrip() for i, cell in enumerate(row)]
    return "\n".join(lines)


def toctree(entries: Iterable[str], *options: str) -> str:
    return "\n".join([".. toctree::", *(f"   {option}" for option in options), "", *(f"   {each}" for each in entries)])


def joined(*blocks: str) -> str:
    return "\n\n".join(blocks) + "\n"
