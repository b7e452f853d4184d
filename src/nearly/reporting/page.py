"""A report as one HTML file: nothing is loaded from elsewhere, and everything that comes from the graph is escaped.

The page forbids itself the network, and every script but its own, which is named by its hash (Content-Security-Policy):
should a name slip through unescaped, it would still do nothing.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from nearly.reporting.figures import Figure, Section, Table
from nearly.reporting.svg import plain

_KINDS = {"upper bound": "bound", "lower bound": "bound"}


def html_of(title: str, subtitle: str, sections: list[Section], foot: str) -> str:
    """The whole page."""
    style, script = (files("nearly.reporting").joinpath(name).read_text("utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    links = "".join(f'<li><a href="#{s.key}">{plain(s.title)}</a></li>' for s in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{plain(title)}</title><style>{style}</style></head><body>"
        '<a class="skip" href="#content">To the content</a>'
        f'<header><h1>{plain(title)}</h1><p class="soft">{plain(subtitle)}</p>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>'
        f'<main id="content">{"".join(_section(s) for s in sections)}</main>'
        f"<footer>{plain(foot)}</footer><script>{script}</script></body></html>\n"
    )


def _section(section: Section) -> str:
    parts = [f'<section id="{section.key}" aria-labelledby="{section.key}-head">']
    parts.append(f'<h2 id="{section.key}-head">{plain(section.title)}</h2>')
    if section.words:
        parts.append(f'<p class="soft">{plain(section.words)}</p>')
    if section.missing:
        parts.append(f'<p><span class="badge missing">missing</span> {plain(section.missing)}</p>')
    if section.figures:
        parts.append(f'<dl class="cards">{"".join(_card(figure) for figure in section.figures)}</dl>')
    if section.key in ("picture", "compare"):
        parts += section.charts
    elif section.charts:
        parts.append(f'<div class="charts">{"".join(section.charts)}</div>')
    if section.key == "compare":
        tables = "".join(_table(table) for table in section.tables)
        parts.append(f"<details><summary>All points as a table</summary>{tables}</details>" if tables else "")
    elif section.tables:
        parts.append(f'<div class="tables">{"".join(_table(table) for table in section.tables)}</div>')
    return "".join([*parts, "</section>"])


def badge(guarantee: str) -> str:
    """A word of guarantee, in the colour of its kind."""
    return f'<span class="badge {_KINDS.get(guarantee, guarantee)}">{plain(guarantee)}</span>'


def _card(figure: Figure) -> str:
    more = []
    if figure.between:
        more.append(f"between {figure.between}")
    if figure.promise not in (figure.guarantee, ""):
        more.append(figure.promise)
    if figure.seconds is not None:
        more.append(f"{figure.seconds:.2g} s" + (f", {figure.method}" if figure.method not in ("", "exact") else ""))
    told = f'<dd class="more">{plain("; ".join(more))}</dd>' if more else ""
    value = f'<dd class="value">{plain(figure.value)}</dd>' if figure.value else ""
    return f'<div class="card"><dt>{plain(figure.name)}</dt>{value}<dd>{badge(figure.guarantee)}</dd>{told}</div>'


def _table(table: Table) -> str:
    def cells(kind: str, row: list[str]) -> str:
        scope = ' scope="col"' if kind == "th" else ""
        return "".join(
            f'<{kind}{scope} class="{"n" if i in table.numbers else "name"}">{plain(text)}</{kind}>'
            for i, text in enumerate(row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
    note = f'<p class="soft">{plain(table.note)}</p>' if table.note else ""
    return (
        f'<div><div class="scroll" tabindex="0" role="region" aria-label="{plain(table.title)}"><table>'
        f"<caption>{plain(table.title)}</caption><thead><tr>{cells('th', table.heads)}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{note}</div>"
    )
