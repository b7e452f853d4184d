"""Pieces of HTML for notebooks: tables, facts, and bars as inline SVG. Every text is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_SMALL = "font-size:0.85em;color:#666"


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> str:
    """A table, with a note below.

    >>> html_table(["a"], [["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    below = f'<div style="{_SMALL}">{escape(note)}</div>' if note else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def html_facts(title: str, facts: Mapping[str, str]) -> str:
    """A title in bold, and names with values on one line below."""
    told = " &middot; ".join(f"{escape(name)}: {escape(value)}" for name, value in facts.items())
    return f'<div><b>{escape(title)}</b></div><div style="{_SMALL}">{told}</div>'


def svg_bars(labels: Sequence[str], heights: Sequence[float], title: str) -> str:
    """Upright bars with a label below each, all of one colour; heights are relative to the greatest."""
    wide, tall, low = 26, 90, 16
    most = max(heights, default=0) or 1
    parts = []
    for i, (label, height) in enumerate(zip(labels, heights)):
        size = tall * height / most
        x = i * wide
        parts.append(f'<rect x="{x + 2}" y="{tall - size:.1f}" width="{wide - 4}" height="{size:.1f}" fill="#4c78a8"/>')
        text = f'<text x="{x + wide / 2}" y="{tall + 12}" font-size="9" text-anchor="middle">{escape(label)}</text>'
        parts.append(text)
    width = max(len(labels), 1) * wide
    drawn = f'<svg width="{width}" height="{tall + low}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    return f'<div style="{_SMALL}">{escape(title)}</div>{drawn}'
