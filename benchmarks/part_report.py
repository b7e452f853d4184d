"""The report of `nearly.report(g)`: seconds and size, the first time in a process and again.

Compiling is told apart: it happens once on a machine, and only loading is left where that was done before.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import nearly
from nearly import Graph

WEB = "cnr-2000"


def run(options: Namespace) -> str:
    lines = ["## Reports", "", "| graph | arcs | seconds | compiling or loading | again | kilobytes | missing |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, g in graphs(options):
        if options.only in name:
            first, again = nearly.report(g), nearly.report(g)
            late = sum(figure.guarantee == "missing" for section in again.sections for figure in section.figures)
            times = f"{first.seconds:.1f} | {first.compile_seconds:.1f} | {again.seconds:.1f}"
            lines.append(f"| {name} | {g.m:,} | {times} | {len(again.html) / 1e3:.0f} | {late} |")
            print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def graphs(options: Namespace) -> Iterator[tuple[str, Graph]]:
    yield "rmat 17", nearly.generate.rmat(17, 8, seed=1)
    for path in sorted(options.data.glob(f"{WEB}.*")) if options.data else []:
        yield WEB, nearly.read(path)
