"""Pages made of files that are not in docs/: README, CONTRIBUTING, CHANGELOG, the examples; and a list of pictures."""

from __future__ import annotations

import ast
import re

from sitegen.links import DOCS, MADE, ROOT, relinked

IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]*pictures/[^)]+)\)")


def pages() -> dict[str, str]:
    made = {}
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        made[f"project/{name}"] = relinked((ROOT / name).read_text(encoding="utf-8"), name)
    for path in sorted((ROOT / "examples").glob("*.py")):
        made[f"examples/{path.stem}.md"] = _example(path.read_text(encoding="utf-8"), path.name)
    made["pictures.md"] = pictures()
    return made


def _example(code: str, name: str) -> str:
    about = (ast.get_docstring(ast.parse(code)) or "").partition("\n\n")[0]
    title = name.removesuffix(".py").replace("_", " ").capitalize()
    return f"# {title}\n\n{about}\n\n```python\n{code}```\n"


def pictures() -> str:
    """Every picture that a page shows, with its words and the page."""
    blocks, seen = [], set()
    for page in sorted(DOCS.rglob("*.md")):
        home = page.relative_to(DOCS)
        if home.parts[0] == MADE:
            continue
        for words, path in IMAGE.findall(page.read_text(encoding="utf-8")):
            picture = (page.parent / path).resolve()
            if picture.is_file() and picture not in seen:
                seen.add(picture)
                shown = picture.relative_to(DOCS).as_posix()
                blocks.append(f"![{words}](/{shown})\n\n{words}: [{_title(page)}](/{home.as_posix()})")
    return "\n\n".join(blocks) + "\n"


def _title(page) -> str:
    return re.search(r"^# (.+)", page.read_text(encoding="utf-8"), re.MULTILINE)[1]
