"""Pages that are made when the site is built, and what makes pages written for a forge right for the site.

Sphinx loads this as an extension (`setup`). Before it reads anything, `write` puts into docs/generated

- `reference`: the API reference, from `nearly.__all__` and the docstrings;
- `matrices`: guarantees, traits, knobs and estimators, from the registries;
- `papers`: what was found of each paper, and the command for each of its figures;
- `benchmarks`: the recorded figures as pages with charts;
- `project`: README, CONTRIBUTING, CHANGELOG and the examples, which are not in docs/.

While it reads, links of pages are rewritten (`links`) and docstrings that list names get lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sitegen.links import DOCS, MADE, relinked

_LISTED = re.compile(r"^(\w+) : (\S.*)$")


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", lambda app, config: write())
    app.connect("source-read", _relink)
    app.connect("autodoc-process-docstring", _list_names, priority=400)  # before numpydoc's sections are read
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def pages() -> dict[str, str]:
    """Everything that is made, by path below docs/generated."""
    from sitegen import benchmarks, matrices, papers, project, reference

    made: dict[str, str] = {}
    for module in (reference, matrices, papers, benchmarks, project):
        made |= module.pages()
    return made


def write(folder: Path = DOCS / MADE) -> None:
    """Write what has changed, so that Sphinx reads only that again, and remove what is made no more."""
    made = {folder / path: text for path, text in pages().items()}
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in [path for path in folder.rglob("*") if path.is_file() and path not in made]:
        path.unlink()


def _relink(app: Any, docname: str, content: list[str]) -> None:
    if not docname.startswith(f"{MADE}/"):
        content[0] = relinked(content[0], f"docs/{docname}.md")


def _list_names(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Lines `name : meaning` of a docstring, before its first section, become a list of fields."""
    lines[:] = _fields(lines)


def _fields(lines: list[str]) -> Iterator[str]:
    within, sections = False, False
    for number, line in enumerate(lines):
        sections |= number + 1 < len(lines) and bool(re.fullmatch("-{3,}", lines[number + 1]))
        found = None if sections else _LISTED.match(line)
        if found and not within and number and lines[number - 1].strip():
            found = None  # in the middle of a paragraph
        within = bool(found) or (within and line.startswith(" "))
        yield f":{found[1]}: {found[2]}" if found else line
