"""Links between pages, which are written for a forge, made right for the site.

A page links to files of the repository, relative to its own place there: `../benchmarks/RESULTS.md`, `docs/gpu.md`. On
the site some of these are pages of another place (the README, the results, the examples), and the rest are files to
download. `relinked` rewrites the links of a text; what leads nowhere stays as it is, for Sphinx to warn of.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MADE = "generated"  # the folder of docs/ that holds what is made at build time

FOLDERS = {  # a forge lists them; the site has a page that does
    "benchmarks/results": "benchmarks/RESULTS.md",
    "benchmarks/data": "benchmarks/RESULTS.md",
    "docs/decisions": "docs/decisions/README.md",
}
_LINK = re.compile(r"(?P<code>`+)(?:(?!`).)+(?P=code)|\]\((?P<path>[^)#\s]+)(?P<part>#[^)\s]*)?\)")


def place_of(path: str) -> str | None:
    """Where a file of the repository is on the site, relative to docs/; None where it is no page."""
    path = FOLDERS.get(path, path)
    top, _, rest = path.partition("/")
    if top == "docs" and rest.endswith(".md"):
        return rest
    if path in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        return f"{MADE}/project/{path}"
    if path == "benchmarks/RESULTS.md":
        return f"{MADE}/benchmarks/all-results.md"
    if top == "benchmarks" and rest.startswith("results/"):
        return f"{MADE}/benchmarks/{Path(path).name}"
    if top == "examples" and rest.endswith(".py"):
        return f"{MADE}/examples/{Path(path).stem}.md"
    return None


def relinked(text: str, home: str) -> str:
    """The text of the page that is `home` in the repository, with links that are right where it is on the site."""
    folder = os.path.dirname(place_of(home) or home)
    lines, fenced = [], False
    for line in text.split("\n"):
        mark = line.lstrip().startswith("```")
        lines.append(line if fenced or mark else _LINK.sub(lambda match: _relink(match, home, folder), line))
        fenced ^= mark
    return "\n".join(lines)


def _relink(match: re.Match[str], home: str, folder: str) -> str:
    path = match["path"]
    if path is None or re.match(r"[a-z]+:", path):
        return match[0]
    target = os.path.normpath(os.path.join(os.path.dirname(home), path))
    place = place_of(target)
    if place is None:
        if not (ROOT / target).is_file():
            return match[0]
        place = os.path.relpath(ROOT / target, DOCS)
    return f"]({os.path.relpath(place, folder or '.')}{match['part'] or ''})"
