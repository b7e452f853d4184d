"""Pages that are made when the site is built, and what makes pages written for a forge right for the site.

Sphinx loads this as an extension (`setup`). Before it reads anything, `write` puts into docs/generated

- `reference`: the API reference, from `nearly.__all__` and the docstrings;
- `matrices`: guarantees, traits, knobs and estimators, from the registries;
- `papers`: what was found of each paper, and the command for each of its figures;
- `benchmarks`: the recorded figures as pages with charts;
- `project`: README, CONTRIBUTING, CHANGELOG and the examples, which are not in docs/.

While it reads, links of pages are rewritten (`links`) and docstrings are made ready for Sphinx (`docstrings`). At the
end it is checked that no page loads anything from elsewhere (`offline`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sitegen.links import DOCS, MADE, relinked


def setup(app: Any) -> dict[str, bool]:
    from sitegen import docstrings, offline

    app.connect("config-inited", lambda app, config: write())
    app.connect("source-read", _relink)
    app.add_role("name", docstrings.name_role)
    app.connect("autodoc-process-docstring", docstrings.list_names, priority=400)  # before numpydoc's sections are read
    app.connect("build-finished", offline.check)
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
