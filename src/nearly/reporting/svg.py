"""A scene as SVG, written by hand: small, with titles for readers that cannot see it, for light and for dark paper.

Every text that comes from the graph is escaped. Lines of one width and dots of one colour share an element.
"""

from __future__ import annotations

from html import escape

import numpy as np

from nearly.reporting.label_places import SIZE, placed
from nearly.reporting.scene import HEIGHT, WIDTH, Scene

_STYLE = """
.nearly-drawing{color:#1d2126;background:#fff;font:12px system-ui,sans-serif}
.nearly-drawing .paper{fill:#fff}
.nearly-drawing .lines{stroke:#5b6673;fill:none;stroke-linecap:round}
.nearly-drawing .dots{stroke:#fff;stroke-width:.6}
.nearly-drawing text{fill:#1d2126;stroke:#fff;stroke-width:3px;paint-order:stroke;stroke-linejoin:round}
@media (prefers-color-scheme:dark){
.nearly-drawing{color:#e6e9ed;background:#15181c}
.nearly-drawing .paper{fill:#15181c}
.nearly-drawing .lines{stroke:#aab4c0}
.nearly-drawing .dots{stroke:#15181c}
.nearly-drawing text{fill:#e6e9ed;stroke:#15181c}}
@media print{
.nearly-drawing{color:#1d2126;background:#fff}.nearly-drawing .paper{fill:#fff}.nearly-drawing .dots{stroke:#fff}
.nearly-drawing text{fill:#1d2126;stroke:#fff}.nearly-drawing .lines{stroke:#5b6673}}
"""
_LEGEND = 18  # points of a line of the legend
_WIDTHS = 8  # widths of lines


def plain(text: str) -> str:
    """A text for SVG or HTML: escaped, and without the control characters that XML forbids.

    >>> plain('<script>"\\x00')
    '&lt;script&gt;&quot;'
    """
    allowed = "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
    return escape(allowed, quote=True)


def as_svg(scene: Scene, name: str = "drawing") -> str:
    """The whole picture; `name` begins the ids in it, so that a page may hold several."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nearly-drawing" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="{name}-title {name}-words">',
        f'<title id="{name}-title">{plain(scene.title)}</title><desc id="{name}-words">{plain(scene.words)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<g class="lines" stroke-opacity="{scene.faint:.2f}">{"".join(_lines(scene))}</g>',
        "".join(_dots(scene)),
        "".join(
            f'<text x="{one.x:.1f}" y="{one.y:.1f}" font-size="{SIZE:g}" text-anchor="{one.anchor}">'
            f"{plain(one.text)}</text>"
            for one in placed(scene)
        ),
        "".join(_legend(scene)),
        "</svg>\n",
    ]
    return "".join(parts)


def _lines(scene: Scene) -> list[str]:
    """A path for each of a few widths."""
    if not len(scene.lines):
        return []
    at, widths = np.round(scene.at, 1), scene.widths
    most = widths.max()
    step = np.ceil(widths / most * _WIDTHS).astype(int) if widths.min() < most else np.full(widths.size, _WIDTHS)
    made = []
    for k in np.unique(step):
        ends = at[scene.lines[step == k]].reshape(-1, 4).tolist()
        drawn = "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for a, b, c, d in ends)
        made.append(f'<path stroke-width="{most * k / _WIDTHS:.2g}" d="{drawn}"/>')
    return made


def _dots(scene: Scene) -> list[str]:
    """Dots in groups by colour; the large ones first, so that small ones are not covered."""
    order = np.argsort(-scene.radius, kind="stable")
    made = []
    for k, colour in enumerate(scene.colours):
        mine = order[scene.colour[order] == k]
        if mine.size:
            made.append(f'<g class="dots" fill="{colour}">{"".join(_dot(scene, int(v)) for v in mine)}</g>')
    return made


def _dot(scene: Scene, v: int) -> str:
    x, y = scene.at[v]
    shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{scene.radius[v]:.1f}"'
    tip = scene.tips.get(v)
    return f"{shape}/>" if tip is None else f"{shape}><title>{plain(tip)}</title></circle>"


def _legend(scene: Scene) -> list[str]:
    made, y = [], HEIGHT - 10 - _LEGEND * (len(scene.legend) + len(scene.notes) - 1)
    for colour, text in scene.legend:
        made.append(f'<circle cx="16" cy="{y - 4}" r="5" fill="{colour}"/><text x="27" y="{y}">{plain(text)}</text>')
        y += _LEGEND
    for text in scene.notes:
        made.append(f'<text x="10" y="{y}" opacity="0.75">{plain(text)}</text>')
        y += _LEGEND
    return made
