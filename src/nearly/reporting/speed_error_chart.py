"""The chart of `compare`: speed against error, a point for every technique and budget.

Points are drawn here, in the right places and with their whole story in their labels, so that the chart says the same
on paper, to a screen reader and without a script. The page's script adds what moves: a point that is pointed at or
focused tells its story in the line below, a choice of algorithms hides the others, and the frontier (points that no
other beats in both speed and error) is drawn among those that are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from nearly.experiments.comparison import EXACT, Row
from nearly.reporting.figures import Table, shown
from nearly.reporting.palette import CLASSES
from nearly.reporting.svg import plain

_WIDE, _TALL, _LEFT, _RIGHT, _TOP, _LOW = 860, 440, 62, 18, 16, 50
_ZERO = 92  # points of the strip for errors of 0
_DECADES = 5  # errors further below the greatest stand at the left end of the scale


def speed_error_chart(rows: Sequence[Row]) -> str:
    """The chart with its filter, for rows that are not all exact runs."""
    shown_rows = [row for row in rows if row.technique != EXACT]
    algorithms = list(dict.fromkeys(row.algorithm for row in shown_rows))
    colours = {name: CLASSES[i % len(CLASSES)] for i, name in enumerate(algorithms)}
    x_of, x_ticks = _error_scale([row.inaccuracy for row in shown_rows])
    y_of, y_ticks = _speed_scale([row.speedup_vs_best for row in shown_rows])
    parts = _frame(x_ticks, y_ticks, y_of)
    order = sorted(shown_rows, key=lambda row: (row.inaccuracy, -row.speedup_vs_best))
    for i, row in enumerate(order):
        parts.append(_point(row, x_of(row.inaccuracy), y_of(row.speedup_vs_best), colours[row.algorithm], i == 0))
    boxes = "".join(
        f'<label><input type="checkbox" value="{plain(name)}" checked><span class="swatch" '
        f'style="background:{colours[name]}"></span>{plain(name)}</label>'
        for name in algorithms
    )
    return (
        '<div class="compare"><fieldset class="filter"><legend>Algorithms</legend>'
        f'{boxes}<button type="button" data-all>all</button><button type="button" data-none>none</button></fieldset>'
        f'<svg class="speed-error" viewBox="0 0 {_WIDE} {_TALL}" role="group" aria-label="Speed against error: '
        f'{len(order)} points. Arrow keys lead from point to point.">{"".join(parts)}</svg>'
        '<output class="story" aria-live="polite">Point at a dot, or press Tab and the arrow keys.</output></div>'
    )


def comparison_table(rows: Sequence[Row]) -> Table:
    """The same as rows."""
    heads = ["algorithm", "technique", "seconds", "vs best exact", "same policy", "error", "guarantee"]
    made = [
        [
            row.algorithm, row.technique, shown(row.seconds), f"{row.speedup_vs_best:.2f}x", f"{row.speedup:.2f}x",
            _percent(row.inaccuracy), row.guarantee,
        ]
        for row in rows
    ]  # fmt: skip
    return Table("All points", heads, made, numbers=(2, 3, 4, 5))


def story(row: Row) -> str:
    """All that a reader wants to know of a point, in a sentence."""
    speed = f"{row.speedup_vs_best:.2f} times the speed of the best exact run" + (
        " (slower)" * (row.speedup_vs_best < 1)
    )
    said = [f"{row.algorithm}, {row.technique}: {speed}", f"error {_percent(row.inaccuracy)}", f"{row.guarantee}"]
    if row.bound is not None and math.isfinite(row.bound):
        said.append(f"bound {shown(row.bound)}")
    if row.choice:
        said.append(f"the planner chose {row.choice}")
    if row.preprocess_seconds:
        said.append(f"{shown(row.preprocess_seconds)} s to prepare")
    said.append(f"{shown(row.seconds)} s against {shown(row.best_exact_seconds)} s")
    return "; ".join([*said, *([] if row.settled else ["times still varied"])])


def _percent(error: float) -> str:
    return "infinite" if math.isinf(error) else f"{100 * error:.3g}%"


def _point(row: Row, x: float, y: float, colour: str, first: bool) -> str:
    told = plain(story(row))
    return (
        f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colour}" tabindex="{0 if first else -1}" '
        f'role="img" data-algorithm="{plain(row.algorithm)}" data-error="{min(row.inaccuracy, 1e9):.9g}" '
        f'data-speed="{row.speedup_vs_best:.9g}" aria-label="{told}"><title>{told}</title></circle>'
    )


def _error_scale(errors: list[float]):  # type: ignore[no-untyped-def]
    """Where an error stands from left to right, with a strip for 0, and the ticks."""
    positive = [min(error, 100.0) for error in errors if error > 0]
    high = max(positive, default=1.0)
    low = max(min(positive, default=0.01), high * 10.0**-_DECADES)
    first, last = (
        math.floor(math.log10(low) + 1e-9),
        max(math.ceil(math.log10(high) - 1e-9), math.floor(math.log10(low)) + 1),
    )
    begin, wide = _LEFT + _ZERO, _WIDE - _LEFT - _ZERO - _RIGHT

    def at(power: float) -> float:
        return begin + wide * (power - first) / (last - first)

    def place(error: float) -> float:
        return at(math.log10(min(max(error, low), 100.0))) if error > 0 else _LEFT + _ZERO / 2

    ticks = [(at(k), f"{100 * 10.0**k:g}%") for k in range(first, last + 1)]
    return place, [(_LEFT + _ZERO / 2, "0"), *ticks]


def _speed_scale(speeds: list[float]):  # type: ignore[no-untyped-def]
    """Where a speed stands from top to bottom, and the ticks."""
    low, high = min([0.5, *speeds]) / 1.3, max([2.0, *speeds]) * 1.3
    tall = _TALL - _TOP - _LOW

    def place(speed: float) -> float:
        share = math.log(max(speed, low) / low) / math.log(high / low)
        return _TOP + tall * (1 - share)

    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if math.log10(high / low) < 4 else (1,)
    ticks = [step * 10.0**k for k in powers for step in steps if low <= step * 10.0**k <= high]
    return place, [(place(t), f"{t:g}x") for t in ticks]


def _frame(x_ticks: list[tuple[float, str]], y_ticks: list[tuple[float, str]], y_of) -> list[str]:  # type: ignore[no-untyped-def]
    low = _TALL - _LOW
    parts = [f'<rect class="zero" x="{_LEFT}" y="{_TOP}" width="{_ZERO}" height="{low - _TOP}"/>']
    one = y_of(1.0)
    parts.append(
        f'<rect class="slower" x="{_LEFT}" y="{one:.1f}" width="{_WIDE - _LEFT - _RIGHT}" height="{low - one:.1f}"/>'
    )
    for y, text in y_ticks:
        kind = "one" if text == "1x" else "grid"
        parts.append(f'<line class="{kind}" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for x, text in x_ticks:
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{low}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{low + 18}" text-anchor="middle">{text}</text>')
    middle = (_TOP + low) / 2
    parts.append(
        f'<text class="axis" x="{(_LEFT + _WIDE) / 2}" y="{_TALL - 8}" text-anchor="middle">error of the answer</text>'
    )
    parts.append(
        f'<text class="axis" x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
        "speed, best exact run = 1x</text>"
    )
    parts.append('<polyline class="frontier" points=""/>')
    return parts
