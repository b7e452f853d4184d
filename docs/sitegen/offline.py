"""The site is read without a network: no page may load a script, a style, a font or a picture from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_LOADS = re.compile(
    r"""<(?:script|img|iframe|source|video|embed)\b[^>]*\bsrc=["']?(?:https?:)?//[^"'\s>]+"""
    r"""|<link\b[^>]*\bhref=["']?(?:https?:)?//[^"'\s>]+"""
    r"""|(?:url\(|@import)\s*["']?(?:https?:)?//[^"')\s]+"""
)


def check(app: Any, exception: Exception | None) -> None:
    """After a build: an error that names what would be loaded."""
    if exception is None and app.builder.format == "html":
        found = loaded_from_elsewhere(Path(app.outdir))
        if found:
            from sphinx.errors import ExtensionError

            raise ExtensionError("the site would load from elsewhere:\n" + "\n".join(found))


def loaded_from_elsewhere(folder: Path) -> list[str]:
    """What pages and styles in a folder load from other sites; links, which a reader follows or not, do not count."""
    return [
        f"{path.relative_to(folder)}: {match}"
        for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.css")])
        for match in _LOADS.findall(path.read_text(encoding="utf-8"))
    ]
