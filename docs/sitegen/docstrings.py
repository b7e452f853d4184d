"""Docstrings made ready for Sphinx: names become links, and what a docstring lists gets lines of its own.

Classes list their attributes in short as `name : meaning`, before any section; sections of attributes may name several
on a line, which Sphinx' reader of numpydoc takes for a type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from sitegen.reference import members

_ESSAY = "; see the top of the file"
_LISTED = re.compile(r"^(\w+) : (\S.*)$")


def name_role(role: str, rawtext: str, text: str, *rest: Any, **more: Any) -> Any:
    """`nearly.bfs` as a link to the reference, any other name as code."""
    from docutils import nodes
    from sphinx.roles import XRefRole

    if _is_public(text):
        return XRefRole()("py:obj", f":py:obj:`{text}`", text.removesuffix("()"), *rest, **more)
    return [nodes.literal(rawtext, text.replace("\\", ""))], []


def _is_public(text: str) -> bool:
    """Whether it is a name that the reference has, or should have: then a wrong one is a warning."""
    import nearly

    if not re.fullmatch(r"nearly\.\w+(\.\w+)*(\(\))?", text):
        return False
    first, *rest = text.removesuffix("()").split(".")[1:]
    return not rest or first not in nearly._MODULES or rest[0] in members(getattr(nearly, first))


def list_names(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """What is done before Sphinx reads a docstring's sections."""
    lines[:] = _one_a_line(list(_attributes(_with_essay(lines, obj))))


def _with_essay(lines: list[str], obj: Any) -> list[str]:
    """The docstring, with the one at the top of its file where it refers to that."""
    if not any(_ESSAY in line for line in lines):
        return lines
    essay = inspect.cleandoc(getattr(inspect.getmodule(obj), "__doc__", "") or "").split("\n")
    return [*(line.replace(_ESSAY, "") for line in lines), "", *essay, ""]


def _attributes(lines: list[str]) -> Iterator[str]:
    within, sections = False, False
    for number, line in enumerate(lines):
        sections |= number + 1 < len(lines) and bool(re.fullmatch("-{3,}", lines[number + 1]))
        found = None if sections else _LISTED.match(line)
        if found and not within and number and lines[number - 1].strip():
            found = None  # in the middle of a paragraph
        within = bool(found) or (within and line.startswith(" "))
        yield f":ivar {found[1]}: {found[2]}" if found else line


def _one_a_line(lines: list[str]) -> list[str]:
    """Attributes `a, b : type` one by one, each with what is said of both."""
    made: list[str] = []
    number, section = 0, ""
    while number < len(lines):
        line = lines[number]
        if number + 1 < len(lines) and re.fullmatch("-{3,}", lines[number + 1]):
            section = line
        names = re.match(r"^(\w+(?:, \w+)+)( : .*)$", line) if section == "Attributes" else None
        end = number + 1
        while names and end < len(lines) and lines[end].startswith(" "):
            end += 1
        for name in names[1].split(", ") if names else ():
            made += [name + names[2], *lines[number + 1 : end]]
        if not names:
            made.append(line)
        number = end
    return made
