"""Tables and charts as plain text, for terminals and for where no library that draws is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LONGEST = 40  # characters of a cell


def cell(value: Any) -> str:
    """One value, as short as it can be read.

    >>> cell(0.123456789), cell(12), cell(None), cell(True), cell("a")
    ('0.123457', '12', '', 'yes', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def columns_in_text(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> list[str]:
    """Lines of a table; columns of numbers stand to the right.

    >>> columns_in_text(["vertex", "n"], [["a", "1"], ["b", "20"]], [False, True])
    ['vertex   n', 'a        1', 'b       20']
    """
    widths = [max(len(head), *(len(row[i]) for row in rows), 0) for i, head in enumerate(heads)]
    return [
        "  ".join(text.rjust(w) if right else text.ljust(w) for text, w, right in zip(row, widths, numbers)).rstrip()
        for row in [heads, *rows]
    ]


def bars_in_text(labels: Sequence[str], sizes: Sequence[float], width: int = 40, told: Sequence[str] = ()) -> list[str]:
    """Lines with a bar each, the longest `width` characters; `told` stands behind the bars instead of the numbers.

    >>> bars_in_text(["1", "10"], [4, 2], 4)
    [' 1 ████ 4', '10 ██   2']
    """
    most = max((size for size in sizes if np.isfinite(size)), default=0) or 1
    wide = max(map(len, labels), default=0)
    told = told or [cell(size) for size in sizes]
    return [
        f"{label.rjust(wide)} {_bar(size / most, width).ljust(width)} {text}"
        for label, size, text in zip(labels, sizes, told)
    ]


def _bar(share: float, width: int) -> str:
    eighths = round(max(share, 0.0) * width * 8) if np.isfinite(share) else 0
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")
