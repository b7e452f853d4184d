"""Pictures: how they are made and written, and the picture of a trace.

Every function draws without a screen. A file is written under another name first and then renamed, so that it is never
half written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nearly.base.errors import InvalidArgumentError, MissingDependencyError
from nearly.base.files import replacing
from nearly.engine.trace import Trace

_FORMATS = (".png", ".svg", ".pdf")
_MAKER = "nearly"
_MARKED = 60  # points up to which a line has marks
FRONTIERS = ("frontier (vertices)", "million edges per second")


def check_picture(path: str | os.PathLike[str]) -> str:
    """The picture's format, or an error that lists the possible ones; also asks for matplotlib before work begins."""
    extension = Path(path).suffix.lower()
    if extension not in _FORMATS:
        raise InvalidArgumentError(
            f"{path}: pictures are written as {', '.join(_FORMATS)}, not {extension or 'no extension'!r}"
        )
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pictures need matplotlib: pip install 'nearly[plots]'") from None
    return extension[1:]


@contextmanager
def picture(
    path: str | os.PathLike[str],
    rows: int = 1,
    columns: int = 1,
    size: tuple[float, float] = (7, 4),
    share_y: bool = False,
) -> Iterator[Any]:
    """A figure's axes (one, or an array of them) to draw on; written to `path` when the block ends well."""
    form = check_picture(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    yield figure.subplots(rows, columns, sharey=share_y)
    about = {"Creator" if form in ("svg", "pdf") else "Software": _MAKER}
    with replacing(path) as file:
        figure.savefig(file, format=form, dpi=130, metadata=about)


def few_ticks(axis: Any, whole: bool = False) -> None:
    """At most five ticks, so that their labels have room; where they count, whole numbers, large ones as 1.2 M."""
    from matplotlib.ticker import EngFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(5, integer=whole))
    if whole:
        axis.set_major_formatter(EngFormatter(sep=" "))


def side_by_side(count: int) -> list[dict[str, Any]]:
    """Styles of lines that may lie on each other: the first are wide, the last narrow, so that all are seen."""
    marks = "osD^vPX*"
    step = min(1.8, 6.0 / max(count - 1, 1))
    return [{"lw": 1.4 + step * (count - 1 - i), "ms": 3.5, "marker": marks[i % 8]} for i in range(count)]


def is_ours(path: str | os.PathLike[str]) -> bool:
    """Whether a .png was drawn here: it says so among its first chunks."""
    with open(path, "rb") as file:
        return f"Software\0{_MAKER}".encode() in file.read(256)


def plot_traces(
    traces: Mapping[str, Trace], path: str | os.PathLike[str], title: str, words: tuple[str, str] = FRONTIERS
) -> None:
    """Frontier size and millions of edges per second, round by round, for one or more runs; `words` names the axes."""
    with picture(path, rows=2, size=(7, 6)) as (sizes, speeds):
        for (name, trace), style in zip(traces.items(), side_by_side(len(traces))):
            rounds = [r.round for r in trace]
            style = style if len(rounds) <= _MARKED else {**style, "marker": None}
            sizes.plot(rounds, [max(r.frontier, 0.5) for r in trace], label=name, **style)
            speeds.plot(rounds, [max(r.mteps, 1e-3) for r in trace], label=name, **style)
        sizes.set(title=title, ylabel=words[0], yscale="log")
        speeds.set(xlabel="round", ylabel=words[1], yscale="log")
        for axes in (sizes, speeds):
            axes.grid(alpha=0.3)
            axes.xaxis.get_major_locator().set_params(integer=True)
        if len(traces) > 1:
            sizes.legend()
