"""Bars as inline SVG with axes: degrees, distances, core numbers. The numbers are told by the bars' tips."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nearly.reporting.figures import shown
from nearly.reporting.svg import plain

_WIDE, _TALL, _LEFT, _LOW = 520, 230, 64, 44
_TOP = 12
_LETTER = 7  # points of a letter


def bar_chart(labels: Sequence[str], heights: Sequence[float], title: str, axes: tuple[str, str], log: bool) -> str:
    """Bars over labels; `axes` are the names of x and y; heights on a logarithmic scale if `log`."""
    tops = [float(height) for height in heights]
    ticks = _ticks(max(tops, default=1.0), log)
    most = ticks[-1]
    room, tall = _WIDE - _LEFT - 8, _TALL - _LOW - _TOP
    each = room / max(len(tops), 1)

    def y_of(value: float) -> float:
        share = (math.log10(max(value, 0.5)) + 0.30103) / (math.log10(most) + 0.30103) if log else value / most
        return _TOP + tall * (1 - max(share, 0.0))

    parts = [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - 8}" y1="{y_of(t):.1f}" y2="{y_of(t):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 6}" y="{y_of(t) + 4:.1f}" text-anchor="end">{_brief(t)}</text>'
        for t in ticks
    ]
    step = max(1, math.ceil((_LETTER * max(map(len, labels), default=0) + 8) / each))
    for i, (label, top) in enumerate(zip(labels, tops)):
        x, y = _LEFT + i * each, y_of(top) if top > 0 else _TOP + tall
        parts.append(
            f'<rect class="bar" x="{x + each * 0.08:.1f}" y="{y:.1f}" width="{each * 0.84:.1f}" '
            f'height="{_TOP + tall - y:.1f}"><title>{plain(label)}: {shown(top)}</title></rect>'
        )
        if i % step == 0:
            parts.append(
                f'<text class="tick" x="{x + each / 2:.1f}" y="{_TALL - _LOW + 16}" text-anchor="middle">'
                f"{plain(label)}</text>"
            )
    scale = ", logarithmic" if log else ""
    across, down = _LEFT + room / 2, _TOP + tall / 2
    parts.append(f'<text class="axis" x="{across}" y="{_TALL - 8}" text-anchor="middle">{plain(axes[0])}</text>')
    turned = f'text-anchor="middle" transform="rotate(-90 12 {down})"'
    parts.append(f'<text class="axis" x="12" y="{down}" {turned}>{plain(axes[1])}{scale}</text>')
    most_at = labels[int(np.argmax(tops))] if tops else ""
    told = f"{title}. {axes[1]} by {axes[0]}; most at {most_at}: {shown(max(tops, default=0.0))}."
    return (
        f'<figure class="chart"><figcaption>{plain(title)}</figcaption>'
        f'<svg viewBox="0 0 {_WIDE} {_TALL}" role="img" aria-label="{plain(told)}">{"".join(parts)}</svg></figure>'
    )


def binned(values: np.ndarray, most: int = 40) -> tuple[list[str], list[int]]:
    """How many of the whole numbers are each value, or in each of at most so many ranges: labels and counts."""
    if not values.size:
        return [], []
    low, high = int(values.min()), int(values.max())
    wide = max(1, math.ceil((high - low + 1) / most))
    counts = np.bincount((values.astype(np.int64) - low) // wide)
    starts = [low + i * wide for i in range(counts.size)]
    return [str(s) if wide == 1 else f"{s}-{s + wide - 1}" for s in starts], counts.tolist()


def _ticks(most: float, log: bool) -> list[float]:
    """Round numbers from the lowest to above the greatest."""
    if log:
        top = max(1, math.ceil(math.log10(max(most, 1) * 1.001)))
        step = max(1, math.ceil(top / 6))
        return [10.0**k for k in range(0, top + step, step)]
    if most <= 0:
        return [0.0, 1.0]
    raw = most / 4
    unit = 10.0 ** math.floor(math.log10(raw))
    each = next(unit * k for k in (1, 2, 2.5, 5, 10) if unit * k >= raw * 0.999)
    return [each * k for k in range(math.ceil(most / each * 0.999) + 1)]


def _brief(value: float) -> str:
    """
    >>> _brief(1000.0), _brief(2.5e6), _brief(0.25)
    ('1k', '2.5M', '0.25')
    """
    for size, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"
